/** The store on a ClickHouse server, as the rest of the program opens it. */
import type { StoreAddress } from '../../store-address.ts';
import type { AnalyticsStore } from '../contract.ts';
import type { Keep } from '../sync/keep.ts';
import { createConnection } from './connection.ts';
import { createStoreKeep } from './keep.ts';
import { createLog } from './log.ts';
import { createClickHouseStore } from './store.ts';

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
  readonly store: AnalyticsStore;
  readonly keep: Keep;
}

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
    store: createClickHouseStore({ connection, account, log: record, reader }),
    keep: createStoreKeep({ connection, account, log: record, secret, folder, clock }),
  };
}
