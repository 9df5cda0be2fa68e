/**
 * The tables of a store and the statements that make them. `init.ts` runs those; what is in a row of views is the same as
 * in the folder (`analytics/columns.ts`).
 */
import type { StoreAddress } from '../../../config/store-address.ts';
import { COLUMNS, type ViewColumn } from '../../columns.ts';
import { identifier, tableIn } from '../../sql/clickhouse-dialect.ts';
import type { Server } from './server.ts';

/** What a row has besides the view: whose it is, and in which part it was written. */
const OWN = ['account', 'part'] as const;

/** The columns of a row of views, in the order in which they are inserted. */
export const STORED_COLUMNS: readonly string[] = [...OWN, ...COLUMNS.map(({ name }) => name)];

/** As a question asks for them. With a cluster, each has a table of the same name and `_local` on every node. */
export const TABLES = { views: 'vh_views', log: 'vh_log', leases: 'vh_leases' } as const;
export type TableName = (typeof TABLES)[keyof typeof TABLES];

/** Texts of which there are few, which then take a byte or two a row. */
const FEW_VALUED = new Set([
  'project_key',
  'region_code',
  'browser',
  'os',
  'device_type',
  'device_brand',
  'country',
  'continent',
  'region',
  'city',
  'embed_domain',
]);

const TYPES = { VARCHAR: 'String', BOOLEAN: 'UInt8', BIGINT: 'Int64', INTEGER: 'Int32', UBIGINT: 'UInt64' } as const;

/** ClickHouse's type of a column. Whatever may be missing is nullable, so that counting means the same as everywhere. */
function typeOf({ name, sql }: ViewColumn, isModern: boolean): string {
  // Milliseconds since 1970: times of old servers end at the second, and in 2106.
  if (sql === 'TIMESTAMP') return 'Int64';
  if (name === 'id') return 'String';
  const type = `Nullable(${TYPES[sql]})`;
  return isModern && FEW_VALUED.has(name) ? `LowCardinality(${type})` : type;
}

/** How a column is pressed together on disk, by measurement. */
const CODECS: Readonly<Record<string, string>> = { ts: ' CODEC(Delta, ZSTD)', part: ' CODEC(ZSTD)', account: ' CODEC(ZSTD)' };

interface Table {
  readonly name: TableName;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly order: string;
  /** Rows with the same of these are on one shard. */
  readonly shardBy: string;
  readonly partition?: string;
}

/** The first version in which few-valued texts and codecs are no experiment. */
const isModern = ({ major }: Server): boolean => major >= 20;

/** The tables of a store, as a server of this version is to have them. */
export function tables(server: Server): readonly Table[] {
  const views = COLUMNS.map((column) => [column.name, typeOf(column, isModern(server))] as const);
  return [
    {
      name: TABLES.views,
      columns: [['account', 'String'], ['part', 'UInt64'], ...views],
      // A question names the parts that it is about; in them it is about all videos or a few.
      order: "account, part, ifNull(video_key, ''), ts",
      shardBy: 'cityHash64(id)',
      // Where what is older goes, it goes a month at a time.
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
        ['turn', 'UInt32'],
        ['at', 'Int64'],
        ['spans', 'String'],
      ],
      order: 'account, at, token',
      shardBy: 'cityHash64(account)',
    },
  ];
}

/** The name of the table that rows are in, on each node. */
export const localName = (name: TableName, cluster: string | undefined): string => (cluster === undefined ? name : `${name}_local`);

/** The statement that makes a table where rows are. */
export function createLocal(
  { name, columns, order, partition }: Table,
  { database, cluster }: StoreAddress,
  server: Server,
  onCluster = '',
): string {
  const codec = (column: string): string => (isModern(server) ? (CODECS[column] ?? ' CODEC(ZSTD)') : '');
  const list = columns.map(([column, type]) => `${column} ${type}${codec(column)}`).join(', ');
  const by = partition === undefined ? '' : ` PARTITION BY ${partition}`;
  return `CREATE TABLE IF NOT EXISTS ${tableIn(database, localName(name, cluster))}${onCluster} (${list}) ENGINE = MergeTree()${by} ORDER BY (${order})`;
}

/** The statement that makes the table of all shards. */
export function createDistributed(
  { name, columns, shardBy }: Table,
  { database, cluster }: { database: string; cluster: string },
  onCluster = '',
): string {
  const list = columns.map(([column, type]) => `${column} ${type}`).join(', ');
  const engine = `Distributed(${identifier(cluster)}, ${identifier(database)}, ${identifier(localName(name, cluster))}, ${shardBy})`;
  return `CREATE TABLE IF NOT EXISTS ${tableIn(database, name)}${onCluster} (${list}) ENGINE = ${engine}`;
}
