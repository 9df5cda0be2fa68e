import type { StoreAddress } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import type { ViewStorage } from '../contract.ts';
import { createConnection } from './connection.ts';
import { assertStoreReady } from './init.ts';
import { createLog } from './log.ts';
import { createClickHouseReader } from './reader.ts';
import { checkSqlUser } from './sql.ts';
import { createClickHouseWriter } from './writer.ts';

interface StoreUsers {
  readonly address: StoreAddress;
  readonly password: string | undefined;
  readonly sqlUser?: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly account: string;
  readonly log: (message: string) => void;
}

export interface OpenStoreOptions extends StoreUsers {
  readonly secret: string;
  /** The account's folder for views on this machine, for files that are not stored yet. */
  readonly folder: string;
}

/** Sends nothing before the first question, so it doesn't check that the store exists. */
export async function openStore({ secret, folder, account, ...users }: OpenStoreOptions): Promise<ViewStorage> {
  const connection = await createConnection(users);
  const log = createLog(connection, account, Date.now);
  return {
    reader: createClickHouseReader(connection, account, log, sqlUserOf(users)),
    writer: createClickHouseWriter({ connection, account, log, secret, folder, clock: Date.now }),
  };
}

const sqlUserOf = ({ address, sqlUser, log }: Omit<StoreUsers, 'account'>) =>
  sqlUser && (() => createConnection({ address: { ...address, user: sqlUser.name }, password: sqlUser.password, log, readOnly: true }));

interface ExaminedStore {
  readonly version: string;
  readonly shards: number;
  /** Why SQL is refused; undefined if it is allowed, or no SQL user is set. */
  readonly sqlProblem: VideoHostingError | undefined;
}

const SQL_USER_TIMEOUT_MS = 10_000;

/** Checks a store and its SQL user without creating anything. Throws what is wrong with the store. */
export async function examineStore({ account, ...users }: StoreUsers, signal: AbortSignal): Promise<ExaminedStore> {
  const connection = await createConnection(users);
  const asSqlUser = await sqlUserOf(users)?.();
  try {
    const { version, shards } = await assertStoreReady(connection, signal);
    const check = asSqlUser && checkSqlUser(asSqlUser, account, { signal, timeoutMs: SQL_USER_TIMEOUT_MS });
    return { version, shards, sqlProblem: await check?.then(() => undefined, problemOf) };
  } finally {
    await Promise.all([connection.close(), asSqlUser?.close()]);
  }
}

function problemOf(error: unknown): VideoHostingError {
  if (error instanceof VideoHostingError && error.code !== 'cancelled') return error;
  throw error;
}
