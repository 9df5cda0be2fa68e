import { storeAddressText } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import { identifier, literal } from '../../sql/clickhouse-dialect.ts';
import type { Connection } from './connection.ts';
import { createDistributed, createLocal, localName, tables } from './tables.ts';

interface StoreFacts {
  readonly version: string;
  /** Shards of the cluster; 1 without a cluster. */
  readonly shards: number;
}

/**
 * Creates the missing tables on every node, and checks their columns. Idempotent, also when several processes run it at once.
 * Throws `store_unready`.
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
  return checkStore(
    connection,
    signal,
    'Another version created these tables, or a person did. Name another database, or drop them on every node and run this again; the views are then read from the service again.',
  );
}

/** Checks that every shard has the tables, and creates nothing. Throws `store_unready`. */
export async function checkStore(connection: Connection, signal: AbortSignal, hint?: string): Promise<StoreFacts> {
  const found = await inspectTables(connection, signal);
  if (found.lacking.length === 0) return found;
  throw new VideoHostingError('store_unready', lackingText(connection, found), hint === undefined ? {} : { hint });
}

interface Inspection extends StoreFacts {
  readonly lacking: readonly string[];
}

async function inspectTables(connection: Connection, signal: AbortSignal): Promise<Inspection> {
  const { database, cluster } = connection.address;
  const server = await connection.server({ signal });
  const shards = cluster === undefined ? 1 : await checkCluster(connection, cluster, signal);
  const source = cluster === undefined ? 'system.columns' : `cluster(${identifier(cluster)}, system, columns)`;
  const wanted = tables(server);
  const names = wanted.map(({ name }) => literal(localName(name, cluster)));
  const { rows } = await connection.select(
    `SELECT table, name, count(*) AS copies FROM ${source} WHERE database = ${literal(database)} AND table IN (${names.join(', ')}) GROUP BY table, name`,
    { signal },
  );
  const copies = new Map(rows.map(([table, name, count]) => [`${table}.${name}`, Number(count)]));
  const lacking = wanted.flatMap(({ name, columns }) =>
    columns.map(([column]) => `${localName(name, cluster)}.${column}`).filter((column) => (copies.get(column) ?? 0) < shards),
  );
  return { version: server.version, shards, lacking };
}

function lackingText({ address }: Connection, { lacking, shards }: Inspection): string {
  const named = `${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more columns` : ''}`;
  const where = address.cluster === undefined ? '' : ` on at least one of its ${shards} shards`;
  return `The ClickHouse database at ${storeAddressText(address)} lacks ${named}${where}.`;
}

/** Counts the shards of a cluster. Throws if some nodes but not all are named: views have to be removed from every node. */
async function checkCluster({ address: { hosts }, select }: Connection, cluster: string, signal: AbortSignal): Promise<number> {
  const sql = `SELECT count(DISTINCT shard_num), count(*) FROM system.clusters WHERE cluster = ${literal(cluster)}`;
  const { rows } = await select(sql, { signal });
  const [shards = 0, nodes = 0] = (rows[0] ?? []).map(Number);
  if (shards === 0)
    throw new VideoHostingError('store_unready', `The ClickHouse server has no cluster ${JSON.stringify(cluster)}.`, {
      hint: 'Name a cluster of system.clusters in VIDEO_HOSTING_ANALYTICS_STORE, or leave ?cluster out for a single server.',
    });
  if (hosts.length === 1 || hosts.length >= nodes) return shards;
  throw new VideoHostingError('store_unready', `The cluster ${cluster} has ${nodes} nodes, and ${hosts.length} are named.`, {
    hint: 'Name every node in VIDEO_HOSTING_ANALYTICS_STORE, or one alone, and run `video-hosting-mcp store init` again.',
  });
}
