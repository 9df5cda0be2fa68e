/**
 * The store on a ClickHouse server, as the rest of the program opens it: `store.ts` and `keep.ts` over one connection and one
 * record.
 */

import type { StoreAddress } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import type { AnalyticsStore } from '../../contract.ts';
import type { ViewWriter } from '../view-writer.ts';
import { createConnection } from './connection.ts';
import { checkStore } from './init.ts';
import { createLog } from './log.ts';
import { createClickHouseReader } from './reader.ts';
import { checkSqlUser } from './sql.ts';
import { createClickHouseWriter } from './writer.ts';

export interface OpenStoreOptions {
  readonly address: StoreAddress;
  readonly password: string | undefined;
  /** The read-only user that SQL is asked as. */
  readonly sqlUser?: { readonly name: string; readonly password: string | undefined } | undefined;
  /** Whose views: `accountFingerprint`. */
  readonly account: string;
  /** The account's credential. */
  readonly secret: string;
  /** The account's folder for views on this machine, for what is on its way. */
  readonly folder: string;
  readonly log: (message: string) => void;
  readonly clock?: () => number;
}

export interface OpenStore {
  /** Answers questions. */
  readonly store: AnalyticsStore;
  /** Takes what a sync reads. */
  readonly keep: ViewWriter;
}

export interface Examined {
  /** The server's. */
  readonly version: string;
  /** Of the cluster; one without a cluster. */
  readonly shards: number;
  /** Why SQL is refused; undefined where it isn't, or no user is set for it. */
  readonly sqlProblem: VideoHostingError | undefined;
}

/** Looks at a store as a question would, and makes nothing. Throws what is wrong with it. */
export async function examineStore(
  { address, password, sqlUser, account, log }: Omit<OpenStoreOptions, 'secret' | 'folder' | 'clock'>,
  signal: AbortSignal,
): Promise<Examined> {
  const open = (user: string, itsPassword: string | undefined, readOnly: boolean) =>
    createConnection({ address: { ...address, user }, password: itsPassword, log, readOnly });
  const connection = await open(address.user, password, false);
  const reader = sqlUser && (await open(sqlUser.name, sqlUser.password, true));
  try {
    const { version, shards } = await checkStore(connection, signal);
    const sqlProblem = reader && (await checkSqlUser(reader, account, { signal, timeoutMs: SQL_USER_MS }).then(() => undefined, problemOf));
    return { version, shards, sqlProblem };
  } finally {
    await Promise.all([connection.close(), reader?.close()]);
  }
}

/** How long the look at the SQL user may take. */
const SQL_USER_MS = 10_000;

function problemOf(error: unknown): VideoHostingError {
  if (error instanceof VideoHostingError && error.code !== 'cancelled') return error;
  throw error;
}

/** Opens nothing before the first question; nor does it look whether the store is there. */
export async function openStore({
  address,
  password,
  sqlUser,
  account,
  secret,
  folder,
  log,
  clock = Date.now,
}: OpenStoreOptions): Promise<OpenStore> {
  const connection = await createConnection({ address, password, log });
  const record = createLog(connection, account, clock);
  const reader =
    sqlUser && (() => createConnection({ address: { ...address, user: sqlUser.name }, password: sqlUser.password, log, readOnly: true }));
  return {
    store: createClickHouseReader({ connection, account, log: record, reader }),
    keep: createClickHouseWriter({ connection, account, log: record, secret, folder, clock }),
  };
}
