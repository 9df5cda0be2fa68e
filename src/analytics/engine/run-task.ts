/** Runs the tasks of an engine's process. Loading this module loads DuckDB. */
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { COLUMNS } from '../columns.ts';
import type { PartFile } from '../storage/part-file.ts';
import type { EngineConfig, Failure, Task, TaskOutcome, WrittenViews } from './contract.ts';
import { copySql, openDuck, partsSql, textLiteral, withConnection } from './duck.ts';
import { createPartCheck } from './part-check.ts';
import { readRows } from './read-rows.ts';
import { runSandboxed } from './sandbox.ts';
import { failureOf } from './sql-error.ts';

export type RunTask = (task: Task, signal: AbortSignal) => Promise<TaskOutcome>;

export function createTaskRunner({ memoryMb, threads }: EngineConfig, spillFolder: string): RunTask {
  const options = { memoryMb, threads, spillFolder };
  // A process gets tasks of one kind and keeps one database for each number of threads that they run on.
  const databases = new Map<number, Promise<DuckDBInstance>>();
  const databaseOf = (task: Task): Promise<DuckDBInstance> => {
    const count = task.kind === 'sandbox' || (task.kind === 'query' && task.input.oneThread) ? 1 : threads;
    const database = databases.get(count) ?? openDuck({ ...options, threads: count, keepOrder: task.kind === 'write' });
    databases.set(count, database);
    return database;
  };
  const run = async (task: Task, signal: AbortSignal): Promise<TaskOutcome> => {
    const instance = await databaseOf(task);
    switch (task.kind) {
      case 'query':
        return { rows: await runQuery(instance, task.input, signal) };
      case 'write':
        return { facts: await writePart(instance, task.input, signal) };
      case 'sandbox':
        return { rows: await runSandboxed(instance, options, task.input, signal) };
    }
  };
  const check = createPartCheck();
  const damageOf = async (parts: readonly PartFile[], signal: AbortSignal): Promise<Failure | undefined> => {
    const damaged = await check.damaged(parts, signal);
    return damaged.length === 0 ? undefined : { kind: 'parts_damaged', parts: damaged };
  };
  return async (task, signal) => {
    const parts = 'parts' in task.input ? task.input.parts : [];
    try {
      const failure = await damageOf(parts, signal);
      return failure === undefined ? await run(task, signal) : { failure };
    } catch (error) {
      // DuckDB’s messages don’t tell damage from other failures.
      check.distrust(parts);
      const damage = await damageOf(parts, signal).catch(() => undefined);
      return { failure: damage ?? failureOf(error) };
    }
  };
}

type QueryInput = Extract<Task, { kind: 'query' }>['input'];

/** Each connection has its own view `views`, so that one database serves any list of parts. */
function runQuery(instance: DuckDBInstance, { parts, sql, params, maxRows }: QueryInput, signal: AbortSignal) {
  return withConnection(instance, signal, async (connection) => {
    await connection.run(`CREATE TEMP VIEW views AS ${partsSql(parts)}`);
    const prepared = await connection.prepare(sql);
    prepared.bind([...params]);
    return await readRows(prepared, { maxRows });
  });
}

/** SQL that reads lines of `spool.ts`: arrays whose values DuckDB reads as text and then casts strictly. */
function spoolSql(spool: string): string {
  const values = COLUMNS.map(({ name, sql }, index) => {
    const value = `line[${index + 1}]`;
    return `${sql === 'TIMESTAMP' ? `make_timestamp(${value}::BIGINT)` : `${value}::${sql}`} AS ${name}`;
  });
  const options = "format = 'newline_delimited', records = false, columns = {line: 'VARCHAR[]'}";
  return `SELECT ${values.join(', ')} FROM read_json(${textLiteral(spool)}, ${options})`;
}

/** A view: where the service has one id for two times, both count. */
const IDENTITY = 'id, epoch_ms(ts)';

/** Writes a part. The instance keeps the order of rows, so that the last row of a view is known. */
function writePart(
  instance: DuckDBInstance,
  { spool, part }: Extract<Task, { kind: 'write' }>['input'],
  signal: AbortSignal,
): Promise<WrittenViews> {
  return withConnection(instance, signal, async (connection) => {
    await connection.run(`CREATE TEMP TABLE fresh AS ${partsSql([], COLUMNS)}`);
    await connection.run(`INSERT INTO fresh ${spoolSql(spool)}`);
    const [rows, ids] = await numbers(connection, `SELECT count(*), count(DISTINCT (${IDENTITY})) FROM fresh`);
    // Rarely needed, and slow for many rows.
    const newest =
      rows === ids ? '' : `SEMI JOIN (SELECT max(rowid) AS newest FROM fresh GROUP BY ${IDENTITY}) AS kept ON fresh.rowid = kept.newest`;
    await connection.run(copySql(`SELECT fresh.* FROM fresh ${newest}`, part));
    return await factsOf(connection, part);
  });
}

async function factsOf(connection: DuckDBConnection, part: string): Promise<WrittenViews> {
  const [rows = 0, minMs, maxMs] = await numbers(
    connection,
    `SELECT count(*), epoch_ms(min(ts)), epoch_ms(max(ts)) FROM read_parquet(${textLiteral(part)}, hive_partitioning = false)`,
  );
  return minMs === undefined || maxMs === undefined ? { rows } : { rows, minMs, maxMs };
}

async function numbers(connection: DuckDBConnection, sql: string): Promise<(number | undefined)[]> {
  const [row = []] = (await connection.runAndReadAll(sql)).getRows();
  return row.map((value) => (value === null ? undefined : Number(value)));
}
