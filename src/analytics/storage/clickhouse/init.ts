import { storeAddressText } from '../../../config/store-address.ts';
import { VideoHostingError } from '../../../errors.ts';
import { inQuotes, type Sentence, sentence, word, wordList } from '../../../text/sentence.ts';
import { identifier, literal } from '../../sql/clickhouse-dialect.ts';
import type { Connection } from './connection.ts';
import { madeAgain } from './made-again.ts';
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
  return assertStoreReady(connection, signal);
}

/** `store init` changes no table that is there. */
const otherTables = () =>
  sentence`Another version created these tables, or a person did. Name another database in VIDEO_HOSTING_ANALYTICS_STORE, or drop them on every node, and ${madeAgain()}; the views are then read from the service again.`;

/** Checks that every shard has the tables, and creates nothing. Throws `store_unready`. */
export async function assertStoreReady(connection: Connection, signal: AbortSignal): Promise<StoreFacts> {
  const found = await inspectTables(connection, signal);
  if (found.lacking.length === 0) return found;
  throw new VideoHostingError('store_unready', lackingText(connection, found), found.hasOtherColumns ? { hint: otherTables() } : {});
}

interface Inspection extends StoreFacts {
  readonly lacking: readonly string[];
  readonly hasOtherColumns: boolean;
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
  const checked = wanted.flatMap(({ name, columns }) => {
    const found = rows.filter(([table]) => table === localName(name, cluster)).map(([, column, count]) => [column, Number(count)] as const);
    const copies = new Map(found);
    const tables = Math.max(0, ...copies.values());
    return columns.map(([column]) => ({ column: `${localName(name, cluster)}.${column}`, tables, copies: copies.get(column) ?? 0 }));
  });
  return {
    version: server.version,
    shards,
    lacking: checked.filter(({ copies }) => copies < shards).map(({ column }) => column),
    hasOtherColumns: checked.some(({ copies, tables }) => copies < tables),
  };
}

function lackingText({ address }: Connection, { lacking, shards }: Inspection): Sentence {
  const named = sentence`${wordList(lacking.slice(0, 3))}${lacking.length > 3 ? sentence` and ${lacking.length - 3} more columns` : ''}`;
  const where = address.cluster === undefined ? sentence`` : sentence` on at least one of its ${shards} shards`;
  return sentence`The ClickHouse database at ${storeAddressText(address)} lacks ${named}${where}.`;
}

/** Counts the shards of a cluster. Throws if some nodes but not all are named: views have to be removed from every node. */
async function checkCluster({ address: { hosts }, select }: Connection, cluster: string, signal: AbortSignal): Promise<number> {
  const sql = `SELECT count(DISTINCT shard_num), count(*) FROM system.clusters WHERE cluster = ${literal(cluster)}`;
  const { rows } = await select(sql, { signal });
  const [shards = 0, nodes = 0] = (rows[0] ?? []).map(Number);
  if (shards === 0)
    throw new VideoHostingError('store_unready', sentence`The ClickHouse server has no cluster ${inQuotes(cluster)}.`, {
      hint: 'Name a cluster of system.clusters in VIDEO_HOSTING_ANALYTICS_STORE, or leave ?cluster out for a single server.',
    });
  if (hosts.length === 1 || hosts.length >= nodes) return shards;
  throw new VideoHostingError('store_unready', sentence`The cluster ${word(cluster)} has ${nodes} nodes, and ${hosts.length} are named.`, {
    hint: sentence`Name every node in VIDEO_HOSTING_ANALYTICS_STORE, or one alone, and ${madeAgain()}.`,
  });
}
