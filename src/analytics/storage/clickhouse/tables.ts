import type { StoreAddress } from '../../../config/store-address.ts';
import { COLUMNS, type ViewColumn } from '../../columns.ts';
import { identifier, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Server } from './server.ts';

/** The columns of `vh_views`, in the order of an inserted line. */
export const STORED_COLUMNS: readonly string[] = ['account', 'part', ...COLUMNS.map(({ name }) => name)];

/** On a cluster these are distributed tables over a table with the suffix `_local` on every node. */
export const TABLES = { views: 'vh_views', log: 'vh_log', leases: 'vh_leases' } as const;
export type TableName = (typeof TABLES)[keyof typeof TABLES];

/** Texts with many different values. LowCardinality stores the other texts in a byte or two a row. */
const MANY_VALUED = ['id', 'video_key', 'channel_key', 'embed_url'];

const TYPES = { VARCHAR: 'String', BOOLEAN: 'UInt8', BIGINT: 'Int64', INTEGER: 'Int32', UBIGINT: 'UInt64' } as const;

/** ClickHouse's type of a column. Optional values are nullable, so that they are counted as in the folder. */
function typeOf({ name, sql }: ViewColumn, { isSince20 }: Server): string {
  // Milliseconds since 1970: the times of old servers have whole seconds and end in 2106.
  if (sql === 'TIMESTAMP') return 'Int64';
  if (name === 'id') return 'String';
  const type = `Nullable(${TYPES[sql]})`;
  return isSince20 && sql === 'VARCHAR' && !MANY_VALUED.includes(name) ? `LowCardinality(${type})` : type;
}

/** The compression of a column, chosen by measurement. */
const CODECS: Readonly<Record<string, string>> = { ts: ' CODEC(Delta, ZSTD)', part: ' CODEC(ZSTD)', account: ' CODEC(ZSTD)' };

interface Table {
  readonly name: TableName;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly order: string;
  /** Rows with the same of these are on one shard. */
  readonly shardBy: string;
  readonly partition?: string;
}

export function tables(server: Server): readonly Table[] {
  const views = COLUMNS.map((column) => [column.name, typeOf(column, server)] as const);
  return [
    {
      name: TABLES.views,
      columns: [['account', 'String'], ['part', 'UInt64'], ...views],
      // A question filters by parts, and often by videos.
      order: "account, part, ifNull(video_key, ''), ts",
      shardBy: 'cityHash64(id)',
      // An administrator can drop old views by the month.
      partition: "toYYYYMM(toDateTime(intDiv(ts, 1000), 'UTC'))",
    },
    {
      name: TABLES.log,
      columns: [
        ['account', 'String'],
        ['id', 'String'],
        ['kind', 'String'],
        ['at', 'Int64'],
        ['body', 'String'],
      ],
      order: 'account, at, id',
      shardBy: 'cityHash64(account)',
    },
    {
      name: TABLES.leases,
      columns: [
        ['account', 'String'],
        ['token', 'String'],
        ['revision', 'UInt32'],
        ['at', 'Int64'],
        ['spans', 'String'],
      ],
      order: 'account, at, token',
      shardBy: 'cityHash64(account)',
    },
  ];
}

export const localName = (name: TableName, cluster: string | undefined): string => (cluster === undefined ? name : `${name}_local`);

export function createLocal(
  { name, columns, order, partition }: Table,
  { database, cluster }: StoreAddress,
  { isSince20 }: Server,
  onCluster: string,
): string {
  const codec = (column: string): string => (isSince20 ? (CODECS[column] ?? ' CODEC(ZSTD)') : '');
  const list = columns.map(([column, type]) => `${column} ${type}${codec(column)}`).join(', ');
  const by = partition === undefined ? '' : ` PARTITION BY ${partition}`;
  return `CREATE TABLE IF NOT EXISTS ${tableIn(database, localName(name, cluster))}${onCluster} (${list}) ENGINE = MergeTree()${by} ORDER BY (${order})`;
}

export function createDistributed(
  { name, columns, shardBy }: Table,
  { database, cluster }: { database: string; cluster: string },
  onCluster: string,
): string {
  const list = columns.map(([column, type]) => `${column} ${type}`).join(', ');
  const engine = `Distributed(${identifier(cluster)}, ${identifier(database)}, ${identifier(localName(name, cluster))}, ${shardBy})`;
  return `CREATE TABLE IF NOT EXISTS ${tableIn(database, name)}${onCluster} (${list}) ENGINE = ${engine}`;
}

/** Part numbers as a list in a statement. Throws a `TypeError` unless all are digits; old servers compare a number only with a number. */
export function partList(parts: readonly string[]): string {
  if (!parts.every((part) => /^\d{1,20}$/.test(part))) throw new TypeError('A part number must consist of digits.');
  return parts.join(', ');
}
