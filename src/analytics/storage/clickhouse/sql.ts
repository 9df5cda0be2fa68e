/** `run_analytics_sql` on a store: the view that the SQL user may read, the check of that user's rights, and the query. */
import { randomBytes } from 'node:crypto';
import { VideoHostingError } from '../../../errors.ts';
import { ownCommand, toReaders } from '../../../text/own-command.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { PUBLIC_COLUMNS, readableColumns, VIEWER } from '../../columns.ts';
import type { Ask, CallerQuery, Rows, Scalar, SideTable, ZoneOffset } from '../../contract.ts';
import { isTooLong, TOO_LONG } from '../../sql/caller-sql.ts';
import { identifier, literal, tableIn } from '../../sql/clickhouse-dialect.ts';
import { offsetSql } from '../../sql/clock.ts';
import type { Connection } from './connection.ts';
import { serverMessage } from './retry.ts';
import { OVERFLOW_MODES, SQL_SINCE } from './server.ts';
import { checkTree } from './sql-tree.ts';
import { partList, TABLES } from './tables.ts';

const VIEW = 'views_of';

/** The database that the SQL user may read. It contains one view, of the account's own views. */
const sqlDatabase = (database: string, account: string): string => `${database}_${account}`;

/**
 * Creates the view, which runs with the rights of the store's own user; its parameters are the parts and the span. Returns the
 * grant that the SQL user needs; undefined where the server is too old for SQL.
 */
export async function createSqlView(connection: Connection, account: string, sqlUser: string): Promise<string | undefined> {
  if (!(await connection.server()).isSince24) return undefined;
  const { database, user } = connection.address;
  const own = sqlDatabase(database, account);
  const readable = [...PUBLIC_COLUMNS, VIEWER];
  const columns = readable.map(({ name, sql }) => {
    if (name === 'ts') return "fromUnixTimestamp64Milli(ms, 'UTC') AS ts";
    return sql === 'BOOLEAN' ? `CAST(${name} AS Nullable(Bool)) AS ${name}` : name;
  });
  const names = readable.map(({ name }) => (name === 'ts' ? 'ts AS ms' : name));
  const inner = `SELECT ${names.join(', ')} FROM ${tableIn(database, TABLES.views)} WHERE account = ${literal(account)} AND part IN {parts:Array(UInt64)} AND ts >= {from_ms:Int64} AND ts < {to_ms:Int64}`;
  const view = `DEFINER = ${literal(user)} SQL SECURITY DEFINER AS SELECT ${columns.join(', ')} FROM (${inner})`;
  await connection.runEverywhere((onCluster) => `CREATE DATABASE IF NOT EXISTS ${identifier(own)}${onCluster}`);
  await connection.runEverywhere((onCluster) => `CREATE OR REPLACE VIEW ${tableIn(own, VIEW)}${onCluster} ${view}`);
  return `GRANT SELECT ON ${identifier(own)}.* TO ${literal(sqlUser)}`;
}

const refused = (why: Sentence): VideoHostingError =>
  new VideoHostingError('sql_refused', sentence`SQL is refused on this store: ${why}`, {
    hint: sentence`Use query_analytics, or set up the store’s SQL user as docs/scale.md describes.`,
  });

/**
 * Checks that the SQL user can read this account's view and do nothing else, within limits. In case of doubt SQL is refused,
 * with the reason: only the server restricts what the caller's SQL does. Throws `sql_refused`.
 */
export async function checkSqlUser(reader: Connection, account: string, options: Ask): Promise<void> {
  const server = await reader.server();
  if (!server.isSince24)
    throw refused(sentence`ClickHouse ${word(server.version)} can’t show what a user may do; ${SQL_SINCE} or newer is needed.`);
  const ask = (sql: string) => reader.select(sql, options);
  const [grants, settings] = [
    await ask('SHOW GRANTS'),
    await ask("SELECT getSetting('readonly'), getSetting('max_memory_usage'), getSetting('max_execution_time')"),
  ];
  const own = sqlDatabase(reader.address.database, account);
  const allowed = new RegExp(`^GRANT SELECT(?:\\([\\w, \`]+\\))? ON \`?${own}\`?\\.(?:\\*|\`?${VIEW}\`?) TO \\S+$`);
  const more = grants.rows.map(([grant]) => String(grant)).filter((grant) => !allowed.test(grant));
  if (more.length > 0)
    throw refused(
      sentence`its user may do more than read this account’s views: ${joined(more.map((grant) => word(grant, 120)).slice(0, 3), '; ')}.`,
    );
  if (grants.rows.length === 0) throw refused(sentence`its user may not read ${word(own)}.`);
  const [readonly, memory, time] = (settings.rows[0] ?? []).map(Number);
  if (readonly !== 1) throw refused(sentence`its user’s profile doesn’t have readonly = 1.`);
  if (!(memory !== undefined && memory > 0 && time !== undefined && time > 0))
    throw refused(sentence`its user’s profile sets no limits: max_memory_usage and max_execution_time.`);
  await checkSettings(reader, options);
  const seesOthers = await ask('SELECT 1 FROM system.query_log LIMIT 0').then(
    () => true,
    (error: unknown) => {
      // The user may not read it, or it doesn't exist.
      if (error instanceof VideoHostingError && (error.code === 'store_refused' || error.code === 'store_unready')) return false;
      throw error;
    },
  );
  if (seesOthers) throw refused(sentence`its user may see what others asked: the server needs select_from_system_db_requires_grant.`);
}

/** Settings with which answers are complete and current. A profile may have others, which a query of this user can't change. */
const COMPLETE: Readonly<Record<string, string>> = {
  ...OVERFLOW_MODES,
  skip_unavailable_shards: '0',
  use_query_cache: '0',
  limit: '0',
  offset: '0',
};

async function checkSettings(reader: Connection, options: Ask): Promise<void> {
  // The query and the count of views read the same replica of a shard.
  const wanted = Object.entries(reader.address.cluster === undefined ? COMPLETE : { ...COMPLETE, load_balancing: 'in_order' });
  const sql = `SELECT ${wanted.map(([name]) => `toString(getSetting(${literal(name)}))`).join(', ')}`;
  const { rows } = await reader.select(sql, options);
  const found = (rows[0] ?? []).map((value) =>
    String(value)
      .replace(/^false$/, '0')
      .replace(/^true$/, '1'),
  );
  const wrong = wanted.flatMap(([name, value], index) =>
    found[index] === value ? [] : [sentence`${word(name)} = ${word(found[index] ?? 'nothing')}, not ${word(value)}`],
  );
  if (wrong.length > 0) throw refused(sentence`its user’s profile could make an answer incomplete: ${joined(wrong, '; ')}.`);
}

/** Runs a caller's SELECT over some parts and the tables of names. Throws `sql_refused` with the server's message. */
export async function runCallerSql(
  reader: Connection,
  account: string,
  parts: readonly string[],
  { sql, span, offsets, tables, maxRows }: CallerQuery,
  options: Ask,
): Promise<Rows> {
  if (isTooLong(sql)) throw new VideoHostingError('sql_refused', TOO_LONG, { hint: 'Write a shorter query.' });
  const own = sqlDatabase(reader.address.database, account);
  const source = `${tableIn(own, VIEW)}(parts = [${partList(parts)}], from_ms = ${literal(span.fromMs)}, to_ms = ${literal(span.toMs)})`;
  try {
    const checked = await checkSql(reader, sql, offsets.some(isOffset), options);
    const shown = readableColumns(checked.countsViewers)
      .map(({ name }) => columnSql(name, offsets))
      .join(', ');
    const known = [`views AS (SELECT ${shown} FROM ${source} AS v)`, ...tables.map(tableSql)].join(', ');
    return await reader.stream(withTables(known, checked.sql), maxRows, options);
  } catch (error) {
    if (!(error instanceof VideoHostingError) || !['analytics_failed', 'store_unready', 'store_refused'].includes(error.code)) throw error;
    throw new VideoHostingError(
      'sql_refused',
      sentence`ClickHouse refused the query: ${inQuotes(serverMessage(error.cause).replace(/ in scope WITH .*$/s, ''), 1_000)}.`,
      {
        hint: sentence`${HINT}${/viewer/.test(sql) ? toReaders(() => sentence` If viewer is unknown, run ${ownCommand('store init')} once more.`, '') : ''}`,
        cause: error,
      },
    );
  }
}

const HINT =
  'This store takes SQL of ClickHouse: one SELECT over views, channels, projects and videos; video-hosting://analytics/schema lists the columns.';

/** Throws `sql_refused` for what the rights of the SQL user don't hold in. */
async function checkSql(reader: Connection, sql: string, isLocal: boolean, options: Ask) {
  const tree = checkTree(sql, await reader.explain(sql, options), VIEW, isLocal);
  if (tree.problems.length > 0)
    throw new VideoHostingError('sql_refused', sentence`The query is refused: ${joined(tree.problems, '; ')}.`, {
      hint: HINT,
    });
  return tree;
}

const isOffset = ({ offsetSeconds }: ZoneOffset): boolean => offsetSeconds !== 0;

/** A column as the caller has it: times by the clocks of the zone, and for each query other numbers for the viewers. */
function columnSql(name: string, offsets: CallerQuery['offsets']): string {
  if (name === VIEWER.name) return `intHash64(bitXor(v.viewer, toUInt64('${randomBytes(8).readBigUInt64LE()}'))) AS viewer`;
  if (name !== 'ts' || !offsets.some(isOffset)) return `v.${name} AS ${name}`;
  return `addSeconds(v.ts, ${offsetSql(offsets, (ms) => `v.ts < fromUnixTimestamp64Milli(${literal(ms)}, 'UTC')`)}) AS ts`;
}

const SKIPPED = /\s+|(?:--|#[ !])[^\n]*|\/\*[\s\S]*?\*\//y;

function firstWord(sql: string): number {
  let end = 0;
  for (SKIPPED.lastIndex = 0; SKIPPED.test(sql); ) end = SKIPPED.lastIndex;
  return end;
}

/** Puts our tables before a query as CTEs; if the query begins with CTEs of its own, they follow in the same list. */
export function withTables(tables: string, sql: string): string {
  const start = firstWord(sql);
  const isList = /^WITH\b/i.test(sql.slice(start, start + 5));
  return isList ? `WITH ${tables},${sql.slice(0, start)}\n${sql.slice(start + 4)}\n` : `WITH ${tables}\n${sql}\n`;
}

function tableSql({ name, columns, rows }: SideTable): string {
  const known = columns.length > 0 ? columns.map((column) => column.name) : ['key'];
  const type = `Tuple(${known.map(() => 'Nullable(String)').join(', ')})`;
  const tuples = rows.map((row) => `tuple(${known.map((_, index) => cell(row[index] ?? null)).join(', ')})`);
  const names = known.map((column, index) => `tupleElement(t, ${index + 1}) AS ${identifier(column)}`);
  return `${name} AS (SELECT ${names.join(', ')} FROM (SELECT arrayJoin(CAST([${tuples.join(', ')}] AS Array(${type}))) AS t))`;
}

const cell = (value: Scalar): string => (value === null ? 'NULL' : literal(String(value)));
