import { randomBytes } from 'node:crypto';
import { type DuckDBConnection, type DuckDBInstance, StatementType } from '@duckdb/node-api';
import { readableColumns, VIEWER } from '../columns.ts';
import type { Rows, SideTable } from '../contract.ts';
import { cutText, MAX_ANSWER_CHARS, NAME_TABLES, NO_ID } from '../sql/caller-sql.ts';
import { offsetSql } from '../sql/clock.ts';
import type { Task } from './contract.ts';
import { type DuckOptions, openDuck, partsSql, pathsOf, withConnection } from './duck.ts';
import { readRows } from './read-rows.ts';
import { explainSqlError, Refusal } from './sql-error.ts';
import { type CheckedSql, checkSql } from './sql-guard.ts';

type SandboxInput = Extract<Task, { kind: 'sandbox' }>['input'];

/**
 * Runs untrusted SQL. It is checked with `parser`, which has no data, and then run in a locked database that contains the given
 * tables and the public columns of the views of the span, and may read no file but these parts.
 */
export async function runSandboxed(parser: DuckDBInstance, options: DuckOptions, input: SandboxInput, signal: AbortSignal): Promise<Rows> {
  const checked = await withConnection(parser, signal, (connection) => checkSql(connection, input.sql, isLocal(input)));
  const instance = await openDuck(options);
  try {
    return await withConnection(instance, signal, async (connection) => {
      await createTables(connection, input, checked.countsViewers);
      await lock(connection, input.parts);
      return await runChecked(connection, input, checked);
    });
  } finally {
    instance.closeSync();
  }
}

async function createTables(
  connection: DuckDBConnection,
  { parts, span, offsets, tables }: SandboxInput,
  countsViewers: boolean,
): Promise<void> {
  for (const name of NAME_TABLES)
    await createTable(connection, tables.find((table) => table.name === name) ?? { name, columns: [], rows: [] });
  const columns = readableColumns(countsViewers);
  const names = columns.map(({ name }) =>
    name === 'ts' ? `${localTime(offsets)} AS ts` : name === VIEWER.name ? `${disguised(name)} AS ${name}` : name,
  );
  const within = `ts >= ${momentSql(span.fromMs)} AND ts < ${momentSql(span.toMs)}`;
  await connection.run(
    `CREATE VIEW views AS SELECT ${names.join(', ')} FROM (SELECT * FROM (${partsSql(parts, columns)}) WHERE ${within}) AS v`,
  );
}

const momentSql = (ms: number): string => `make_timestamp(${BigInt(Math.trunc(ms)) * 1_000n})`;

const isLocal = ({ offsets }: Pick<SandboxInput, 'offsets'>): boolean => offsets.some(({ offsetSeconds }) => offsetSeconds !== 0);

/** `ts` by the clocks of the zone that was asked for. */
function localTime(offsets: SandboxInput['offsets']): string {
  if (!isLocal({ offsets })) return 'ts';
  return `ts + to_seconds(${offsetSql(offsets, (ms) => `ts < ${momentSql(ms)}`)})`;
}

/** Other numbers for each query, as many as there are viewers: should one ever come out, it says nothing of other answers. */
function disguised(column: string): string {
  return `CASE WHEN ${column} IS NOT NULL THEN hash(xor(${column}, ${randomBytes(8).readBigUInt64LE()}::UBIGINT)) END`;
}

const SQL_TYPES = { text: 'VARCHAR', integer: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN', time: 'TIMESTAMP' } as const;

async function createTable(connection: DuckDBConnection, { name, columns, rows }: SideTable): Promise<void> {
  const known = columns.length > 0 ? columns : [{ name: 'key', type: 'text' as const }];
  await connection.run(
    `CREATE TABLE ${name} (${known.map((column) => `"${column.name.replaceAll('"', '""')}" ${SQL_TYPES[column.type]}`).join(', ')})`,
  );
  if (rows.length === 0) return;
  const values = known.map(({ type }, index) => `line[${index + 1}]::${SQL_TYPES[type]}`);
  await connection.run(`INSERT INTO ${name} SELECT ${values.join(', ')} FROM (SELECT unnest(from_json($1, '[["VARCHAR"]]')) AS line)`, [
    JSON.stringify(rows),
  ]);
}

/** The order matters: after the last statement no setting can be changed. */
async function lock(connection: DuckDBConnection, parts: SandboxInput['parts']): Promise<void> {
  await connection.run(`SET allowed_paths = ${pathsOf(parts)}`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET errors_as_json = true');
  await connection.run('SET lock_configuration = true');
}

async function runChecked(connection: DuckDBConnection, { sql, maxRows }: SandboxInput, checked: CheckedSql): Promise<Rows> {
  let text = sql;
  try {
    const prepared = await connection.prepare(sql);
    if (prepared.statementType !== StatementType.SELECT) throw new Refusal('Only one SELECT statement is allowed.');
    const names = Array.from({ length: prepared.columnCount }, (_, index) => prepared.columnName(index));
    const run = checked.countsViewers ? await connection.prepare(checked.sql) : prepared;
    // Places in what runs are not those of the caller's text.
    if (checked.countsViewers) text = '';
    const { columns, ...rows } = await readRows(run, { maxRows, maxChars: MAX_ANSWER_CHARS, cut: cutText });
    return { ...rows, columns: columns.map((column, index) => ({ ...column, name: names[index] ?? column.name })) };
  } catch (error) {
    const problem = explainSqlError(error, text);
    throw checked.countsViewers && problem instanceof Refusal && /"id"/.test(problem.message)
      ? new Refusal(`${problem.message}\n${NO_ID}`)
      : problem;
  }
}
