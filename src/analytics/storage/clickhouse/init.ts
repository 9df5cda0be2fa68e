import { storeAddressText } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import { identifier, literal } from '../../sql/clickhouse-dialect.ts';
import type { Connection } from './connection.ts';
import { createDistributed, createLocal, localName, tables } from './tables.ts';

export interface StoreFacts {
  readonly version: string;
  /** How many shards the cluster has; one without a cluster. */
  readonly shards: number;
}

/**
 * Creates the tables on every node where they don't exist, and checks their columns. May be run again, and by several
 * processes at once. Throws `store_unready`.
 */
export async function initStore(connection: Connection, signal: AbortSignal): Promise<StoreFacts> {
  const { database, cluster } = connection.address;
  const server = await connection.server();
  if (cluster !== undefined) await checkCluster(connection, cluster, signal);
  await connection.runEverywhere((onCluster) => `CREATE DATABASE IF NOT EXISTS ${identifier(database)}${onCluster}`, { signal });
  for (const table of tables(server)) {
    await connection.runEverywhere((onCluster) => createLocal(table, connection.address, server, onCluster), { signal });
    if (cluster !== undefined)
      await connection.runEverywhere((onCluster) => createDistributed(table, { database, cluster }, onCluster), { signal });
  }
  const created = await inspectTables(connection, signal);
  if (created.lacking.length === 0) return created;
  throw new VideoHostingError('store_unready', lackingText(connection, created), {
    hint: 'These tables were created by another version, or by hand. Name another database, or drop them on every node and run this again: views are read from the service anew.',
  });
}

/** Checks that every shard has the tables, and creates nothing. Throws `store_unready`. */
export async function checkStore(connection: Connection, signal: AbortSignal): Promise<StoreFacts> {
  const found = await inspectTables(connection, signal);
  if (found.lacking.length === 0) return found;
  throw new VideoHostingError('store_unready', lackingText(connection, found));
}

/** Finds the columns that this program writes and a shard lacks. */
async function inspectTables(connection: Connection, signal: AbortSignal): Promise<StoreFacts & { readonly lacking: readonly string[] }> {
  const { database, cluster } = connection.address;
  const server = await connection.server({ signal });
  const shards = cluster === undefined ? 1 : await checkCluster(connection, cluster, signal);
  const source = cluster === undefined ? 'system.columns' : `cluster(${identifier(cluster)}, system, columns)`;
  const wanted = tables(server);
  const names = wanted.map(({ name }) => literal(localName(name, cluster)));
  const { rows } = await connection.select({
    sql: (bind) =>
      `SELECT table, name, count(*) AS copies FROM ${source} WHERE database = ${bind(database)} AND table IN (${names.join(', ')}) GROUP BY table, name`,
    signal,
  });
  const copies = new Map(rows.map(([table, name, count]) => [`${table}.${name}`, Number(count)]));
  const lacking = wanted.flatMap(({ name, columns }) =>
    columns.map(([column]) => `${localName(name, cluster)}.${column}`).filter((column) => (copies.get(column) ?? 0) < shards),
  );
  return { version: server.version, shards, lacking };
}

function lackingText(
  { address }: Connection,
  { lacking, shards }: { readonly lacking: readonly string[]; readonly shards: number },
): string {
  const named = `${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more columns` : ''}`;
  const where = address.cluster === undefined ? '' : ` on at least one of its ${shards} shards`;
  return `The ClickHouse database at ${storeAddressText(address)} lacks ${named}${where}.`;
}

/** Counts the shards of a cluster. Views have to be removed from all nodes: either all are named, or one, which uses ON CLUSTER. */
async function checkCluster({ address: { hosts }, select }: Connection, cluster: string, signal: AbortSignal): Promise<number> {
  const { rows } = await select({
    sql: (bind) => `SELECT count(DISTINCT shard_num), count(*) FROM system.clusters WHERE cluster = ${bind(cluster)}`,
    signal,
  });
  const [shards = 0, nodes = 0] = (rows[0] ?? []).map(Number);
  if (shards === 0)
    throw new VideoHostingError('store_unready', `The ClickHouse server knows no cluster ${JSON.stringify(cluster)}.`, {
      hint: 'Name a cluster of system.clusters in VIDEO_HOSTING_ANALYTICS_STORE, or leave ?cluster out for a single server.',
    });
  if (hosts.length === 1 || hosts.length >= nodes) return shards;
  throw new VideoHostingError('store_unready', `The cluster ${cluster} has ${nodes} nodes, and ${hosts.length} are named.`, {
    hint: 'Name every node in VIDEO_HOSTING_ANALYTICS_STORE, or one alone, and run `video-hosting-mcp store init` again.',
  });
}
