import { decodedOrUndefined } from '../platform/decode-component.ts';
import { asSentence, type Sentence, sentence } from '../text/sentence.ts';

/**
 * Where views are kept on a ClickHouse server or cluster, as `VIDEO_HOSTING_ANALYTICS_STORE` names it. Unlike a base URL
 * (`config/api-address.ts`) it may be http beyond loopback: a cluster within a company's own network mostly has no certificates,
 * its scheme says which it is, and the account's credential never goes there.
 */
export interface StoreAddress {
  /** `host:port` of each node that is named. Questions go to the first; tables are made on all. */
  readonly hosts: readonly [first: string, ...others: string[]];
  /** By https, with the certificate verified. */
  readonly secure: boolean;
  readonly user: string;
  readonly database: string;
  /** The cluster, by its name in the server's configuration; absent for a single server. */
  readonly cluster?: string;
}

const FORM = 'clickhouse://user@host:8123/database?cluster=name';
const PORTS = { clickhouse: 8123, clickhouses: 8443 } as const;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const HOST = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/;

/** Reads an address, or returns its problem. The text is not repeated: it may hold a password. */
export function readStoreAddress(text: string): StoreAddress | { readonly problem: Sentence } {
  const parts = /^(clickhouses?):\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/([^?#]*)(?:\?([^#]*))?$/.exec(text);
  if (parts === null) return { problem: sentence`must have the form ${FORM}.` };
  const [, scheme = '', account = 'default', names = '', database = '', query = ''] = parts;
  if (account.includes(':')) return { problem: sentence`must not hold a password: it has a variable of its own.` };
  const user = decodedOrUndefined(account);
  if (user === undefined || user === '' || /[\p{Cc}]/u.test(user)) return { problem: sentence`names a user that can’t be one.` };
  const [first, ...others] = names.split(',').map((name) => hostOf(name, scheme === 'clickhouses' ? PORTS.clickhouses : PORTS.clickhouse));
  if (first === undefined || !others.every((host) => host !== undefined))
    return { problem: sentence`must name hosts as host:port, separated by commas.` };
  if (!NAME.test(database)) return { problem: sentence`must name a database of letters, digits and underscores: ${FORM}.` };
  const { cluster, ...rest } = Object.fromEntries(new URLSearchParams(query));
  const unknown = Object.keys(rest);
  if (unknown.length > 0) return { problem: sentence`may have no query parameter but cluster.` };
  if (cluster !== undefined && !/^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(cluster))
    return { problem: sentence`must name a cluster of letters, digits, underscores and hyphens.` };
  return {
    hosts: [first, ...others],
    secure: scheme === 'clickhouses',
    user,
    database,
    ...(cluster === undefined ? {} : { cluster }),
  };
}

/** The address for people. It holds no password. */
export const storeAddressText = ({ hosts, secure, user, database, cluster }: StoreAddress): Sentence =>
  // Only the user may have been anything; of the rest each part was looked at when it was read.
  asSentence(
    `${secure ? 'clickhouses' : 'clickhouse'}://${encodeURIComponent(user)}@${hosts.join(',')}/${database}${cluster === undefined ? '' : `?cluster=${cluster}`}`,
  );

function hostOf(text: string, defaultPort: number): string | undefined {
  const [, host, port = String(defaultPort)] = HOST.exec(text) ?? [];
  return host === undefined || Number(port) < 1 || Number(port) > 65_535 ? undefined : `${host}:${port}`;
}
