import type { IncomingMessage } from 'node:http';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { hasCredential } from './credentials-in-text.ts';
import { HttpRefusal } from './refusal.ts';

const MAX_URL = 4_096;

/** The path and query of a request. Throws `HttpRefusal` for an address in another form than a client of ours sends. */
export function addressOf({ url = '' }: Pick<IncomingMessage, 'url'>): URL {
  const address =
    url.startsWith('/') && url.length <= MAX_URL && URL.canParse(`http://host${url}`) ? new URL(`http://host${url}`) : undefined;
  // An absolute form names a host of its own, and so does one that begins with two slashes.
  if (address?.host !== 'host' || address.pathname !== url.split(/[?#]/)[0])
    throw new HttpRefusal(400, sentence`Refused: the address is not one of this server’s.`);
  return address;
}

/** How clients are told that a credential is needed, and how it is sent. */
export const challengeFor = (error?: string) => ({
  'www-authenticate': `Bearer realm="video-hosting-mcp"${error === undefined ? '' : `, error="${error}"`}`,
});

/** Refuses a credential in an address, also beside a right one, and where nothing would come of it. */
export function checkNoCredential(address: URL): void {
  if (hasCredential(address)) throw new HttpRefusal(400, IN_ADDRESS, challengeFor('invalid_request'));
}

const IN_ADDRESS: Sentence = sentence`Refused: a credential never stands in an address, where it is logged and shared. A client sends its token as "Authorization: Bearer vhm_…", and a page key belongs into the form at /sign-in. Have it rotated: whoever saw the address has it.`;

const ONCE = ['host', 'authorization', 'origin', 'cookie', 'x-page-token', 'content-type'];

/** Refuses headers that are there twice: a proxy before this server may go by the other one. */
export function checkOnce({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): void {
  const twice = ONCE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) throw new HttpRefusal(400, sentence`Refused: the header ${word(twice)} is there more than once.`);
}

/**
 * Refuses another `Host` than that of the public URL: a name that somebody else gave this address (DNS rebinding), or a proxy that
 * does not pass it on. Forwarded headers are never looked at.
 */
export function checkHost({ headers }: IncomingMessage, publicUrl: string): void {
  const root = new URL(publicUrl);
  const given = hostIn(headers.host ?? '', root.protocol);
  if (given === root.host) return;
  throw new HttpRefusal(
    421,
    sentence`Refused: this server answers for the Host ${word(root.host)} alone (VIDEO_HOSTING_PUBLIC_URL). A proxy before it has to pass that on.`,
  );
}

/** As a parsed URL writes it: in small letters, without the port of its scheme. */
function hostIn(header: string, protocol: string): string | undefined {
  const text = `${protocol}//${header}/`;
  return /^[\w.\-:[\]]+$/.test(header) && URL.canParse(text) ? new URL(text).host : undefined;
}

/** Refuses what a browser sends from another site’s page. Clients that are no browsers send no `Origin`. */
export function checkOrigin({ headers }: IncomingMessage, publicUrl: string): void {
  if (headers.origin !== undefined && headers.origin !== publicUrl) throw new HttpRefusal(403, FOREIGN);
}

const FOREIGN: Sentence = sentence`Refused: the request comes from a page of another origin. Nothing was changed.`;
