import { VideoHostingError } from '../../errors.ts';
import { storeAddressText } from '../../store-address.ts';
import type { Connection } from './connection.ts';
import { identifier, literal } from './dialect.ts';
import { createDistributed, createLocal, localName, tables } from './tables.ts';

export interface Initialised {
  readonly version: string;
  /** How many shards the cluster has; one without a cluster. */
  readonly shards: number;
}

/** Makes the tables on every node, where they aren't there yet, and looks whether all of them are as they should be. */
export async function initStore(connection: Connection, signal: AbortSignal): Promise<Initialised> {
  const { database, cluster } = connection.address;
  const server = await connection.server();
  await connection.runEverywhere((onCluster) => `CREATE DATABASE IF NOT EXISTS ${identifier(database)}${onCluster}`, { signal });
  for (const table of tables(server)) {
    await connection.runEverywhere((onCluster) => createLocal(table, connection.address, server, onCluster), { signal });
    if (cluster !== undefined)
      await connection.runEverywhere((onCluster) => createDistributed(table, { database, cluster }, onCluster), { signal });
  }
  return { version: server.version, shards: await checkStore(connection, signal) };
}

/** Looks whether every shard has the tables with the columns that this program writes. Answers how many shards there are. */
async function checkStore(connection: Connection, signal: AbortSignal): Promise<number> {
  const { database, cluster } = connection.address;
  const server = await connection.server();
  const shards = cluster === undefined ? 1 : await countShards(connection, cluster, signal);
  if (cluster !== undefined) await checkHosts(connection, cluster, signal);
  const source = cluster === undefined ? 'system.columns' : `cluster(${identifier(cluster)}, system, columns)`;
  const wanted = tables(server);
  const names = wanted.map(({ name }) => literal(0, localName(name, cluster)));
  const { rows } = await connection.select({
    sql: (bind) =>
      `SELECT table, name, count(*) AS copies FROM ${source} WHERE database = ${bind(database)} AND table IN (${names.join(', ')}) GROUP BY table, name`,
    signal,
  });
  const copies = new Map(rows.map(([table, name, count]) => [`${table}.${name}`, Number(count)]));
  const lacking = wanted.flatMap(({ name, columns }) =>
    columns.map(([column]) => `${localName(name, cluster)}.${column}`).filter((column) => (copies.get(column) ?? 0) < shards),
  );
  if (lacking.length === 0) return shards;
  throw new VideoHostingError(
    'store_unready',
    `The ClickHouse database at ${storeAddressText(connection.address)} lacks ${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more columns` : ''}${cluster === undefined ? '' : ` on at least one of its ${shards} shards`}.`,
  );
}

/** What is removed has to go from all nodes, so either all of them are named, or one that has the others do as it does. */
async function checkHosts({ address: { hosts }, select }: Connection, cluster: string, signal: AbortSignal): Promise<void> {
  if (hosts.length === 1) return;
  const { rows } = await select({ sql: (bind) => `SELECT count(*) FROM system.clusters WHERE cluster = ${bind(cluster)}`, signal });
  const nodes = Number(rows[0]?.[0] ?? 0);
  if (hosts.length >= nodes) return;
  throw new VideoHostingError('store_unready', `The cluster ${cluster} has ${nodes} nodes, and ${hosts.length} are named.`, {
    hint: 'Name every node in VIDEO_HOSTING_ANALYTICS_STORE, or one alone, and run `video-hosting-mcp store init` again.',
  });
}

async function countShards(connection: Connection, cluster: string, signal: AbortSignal): Promise<number> {
  const { rows } = await connection.select({
    sql: (bind) => `SELECT count(DISTINCT shard_num) FROM system.clusters WHERE cluster = ${bind(cluster)}`,
    signal,
  });
  const count = Number(rows[0]?.[0] ?? 0);
  if (count > 0) return count;
  throw new VideoHostingError('store_unready', `The ClickHouse server knows no cluster ${JSON.stringify(cluster)}.`, {
    hint: 'Name a cluster of system.clusters in VIDEO_HOSTING_ANALYTICS_STORE, or leave ?cluster out for a single server.',
  });
}
