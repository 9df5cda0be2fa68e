/** The ClickHouse servers of the tests, as far as this machine has them: `npm run test:cluster` passes their paths. */
import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { createConnection } from '../../../src/analytics/storage/clickhouse/connection.ts';
import { initStore } from '../../../src/analytics/storage/clickhouse/init.ts';
import { readStoreAddress, type StoreAddress } from '../../../src/config/store-address.ts';
import { type Chdb, type Reader, startChdb } from './chdb.ts';
import { PASSWORD } from './password.ts';
import { type Shards, startShards } from './shards.ts';

export interface TestStore {
  readonly name: string;
  /** The setting for a database there. */
  url(database: string): string;
  close(): Promise<void>;
}

const { CLUSTER_CHDB: chdb = '', CLUSTER_SERVER: server = '' } = process.env;

const KINDS = {
  'embedded ClickHouse': chdb === '' ? undefined : () => startChdb(chdb),
  'a cluster of two servers': server === '' ? undefined : () => startShards(server),
} as const;
export type StoreKind = keyof typeof KINDS;

/** Those that this machine has. */
export const STORE_KINDS = (Object.keys(KINDS) as StoreKind[]).filter((kind) => KINDS[kind] !== undefined);
export const HAS_CHDB = chdb !== '';
export const HAS_SHARDS = KINDS['a cluster of two servers'] !== undefined;

/** Starts one for all tests of a file. */
export async function startStore(kind: StoreKind): Promise<TestStore> {
  const start = KINDS[kind];
  if (start === undefined) throw new Error(`There is no ${kind} here.`);
  const store = await start();
  afterAll(() => store.close());
  return store;
}

export async function startOwnChdb(rights?: Partial<Reader>): Promise<Chdb> {
  const own = await startChdb(chdb, undefined, rights);
  afterAll(() => own.close());
  return own;
}

export async function startOwnShards(count?: number): Promise<Shards> {
  const shards = await startShards(server, count);
  afterAll(() => shards.close());
  return shards;
}

export const freshDatabase = (): string => `t${randomUUID().replaceAll('-', '')}`;

export function addressOf(url: string): StoreAddress {
  const address = readStoreAddress(url);
  if ('problem' in address) throw new Error(address.problem);
  return address;
}

/** Creates a database with empty tables. Returns the settings that name it. */
export async function madeStore(store: TestStore, url = store.url(freshDatabase())): Promise<Record<string, string>> {
  const connection = await createConnection({ address: addressOf(url), password: PASSWORD, log: () => {} });
  await initStore(connection, new AbortController().signal);
  await connection.close();
  return { VIDEO_HOSTING_ANALYTICS_STORE: url, VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: PASSWORD };
}
