import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';

/** What kind of address it is, as far as that decides whether a credential may go there. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'unspecified' | 'multicast or reserved';

/** Addresses at which clouds hand out a machine's own credentials, besides those of the link-local range. */
const METADATA = ['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'].map((ip) =>
  bytesOf(ip).join('.'),
);

/** The same by name; a name is refused before it is looked up. */
const METADATA_NAMES = /^(metadata(\.google\.internal|\.goog|\.azure\.internal|\.internal)?|instance-data(\.ec2\.internal)?)$/;

type Rule = readonly [kind: AddressKind, prefix: string, bits: number];
const RULES: readonly Rule[] = [
  ['unspecified', '0.0.0.0', 8],
  ['loopback', '127.0.0.0', 8],
  ['link-local', '169.254.0.0', 16],
  ['private', '10.0.0.0', 8],
  ['private', '172.16.0.0', 12],
  ['private', '192.168.0.0', 16],
  ['private', '100.64.0.0', 10],
  ['multicast or reserved', '224.0.0.0', 3],
  ['loopback', '::1', 128],
  ['link-local', 'fe80::', 10],
  ['private', 'fc00::', 7],
  ['private', 'fec0::', 10],
  ['multicast or reserved', 'ff00::', 8],
];
const PREFIXES = RULES.map(([kind, prefix, bits]) => ({ kind, prefix: bytesOf(prefix), bits }));

/** Where an IPv6 address carries an IPv4 one: mapped, compatible, translated (two ways), 6to4; and at which byte. */
const CARRIERS = (
  [
    ['::ffff:0:0', 96, 12],
    ['::', 96, 12],
    ['::ffff:0:0:0', 96, 12],
    ['64:ff9b::', 96, 12],
    ['64:ff9b:1::', 48, 12],
    ['2002::', 16, 2],
  ] as const
).map(([prefix, bits, at]) => ({ prefix: bytesOf(prefix), bits, at }));

/** The kind of an IPv4 or IPv6 address, whatever way it is written in. */
export function addressKind(address: string): AddressKind {
  const bytes = bytesOf(address);
  if (METADATA.includes(bytes.join('.'))) return 'metadata';
  const rule = PREFIXES.find(({ prefix, bits }) => begins(bytes, prefix, bits));
  if (rule !== undefined) return rule.kind;
  const carrier = bytes.length === 16 ? CARRIERS.find(({ prefix, bits }) => begins(bytes, prefix, bits)) : undefined;
  return carrier === undefined ? 'public' : addressKind(bytes.slice(carrier.at, carrier.at + 4).join('.'));
}

function begins(bytes: readonly number[], prefix: readonly number[], bits: number): boolean {
  if (bytes.length !== prefix.length) return false;
  return prefix.every((byte, at) => {
    const shift = Math.min(8, Math.max(0, 8 - (bits - at * 8)));
    return (bytes[at] ?? 0) >> shift === byte >> shift;
  });
}

/** The 4 or 16 bytes of an address that is one. */
function bytesOf(address: string): number[] {
  const [text = ''] = address.split('%');
  if (isIP(text) === 4) return text.split('.').map(Number);
  // A URL writes the last four bytes in hexadecimal too.
  const [left = [], right] = new URL(`http://[${text}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const groups = right === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

/** A host as it stands in a URL, which writes it in lower case, without brackets and final dots. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$|\.+$/g, '');

/** Whether a host of a URL can only mean this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname);
  // Of the ways to write an address, the roundabout ones are no sign of what was meant.
  if (isIP(host) === 6) return host === '::1';
  return isIP(host) === 4 ? addressKind(host) === 'loopback' : host === 'localhost' || host.endsWith('.localhost');
}

/** Why nothing may be sent to a host of a URL, as far as it tells without being looked up. */
export function hostProblem(hostname: string): string | undefined {
  const host = bare(hostname);
  if (METADATA_NAMES.test(host)) return problemWith('metadata');
  return isIP(host) > 0 ? problemWith(addressKind(host), isLoopbackHost(hostname)) : undefined;
}

/** Private networks are fine: a company's own service may be there. `loopback` says whether this machine was meant. */
function problemWith(kind: AddressKind, loopback = false): string | undefined {
  if (loopback) return kind === 'loopback' ? undefined : 'is to be this machine itself, and is not';
  if (kind === 'public' || kind === 'private') return undefined;
  return kind === 'loopback' ? 'is this machine itself, though its name says otherwise' : `is a ${kind} address, where no such service is`;
}

/** A host name that leads where nothing may be sent. Its message tells the kind of address, not the address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'ADDRESS_REFUSED';
}

/** Finds all addresses of a name, as Node's `dns.lookup` does. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * A lookup for connections to one host: gives out only addresses that may be connected to. The socket connects to the
 * very address that was checked, since nothing is looked up again.
 */
export function checkedLookup(loopback: boolean, resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const fine = addresses.filter(({ address }) => isIP(address) > 0 && problemWith(addressKind(address), loopback) === undefined);
      const [first] = fine;
      const [refused] = addresses;
      if (first !== undefined) return options.all === true ? done(null, fine) : done(null, first.address, first.family);
      const problem =
        refused === undefined || isIP(refused.address) === 0 ? 'has no address' : problemWith(addressKind(refused.address), loopback);
      done(new AddressRefused(`the host ${problem}`), []);
    });
  };
}
