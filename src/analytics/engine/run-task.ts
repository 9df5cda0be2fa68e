/** Runs the tasks of an engine's process. Loading this module loads DuckDB. */
import type { DuckDBInstance } from '@duckdb/node-api';
import { openDuck, partsSql, withConnection } from './duck.ts';
import { failureOf } from './failure.ts';
import type { EngineConfig, Outcome, Task } from './messages.ts';
import { readRows } from './read-rows.ts';
import { runSandboxed } from './sandbox.ts';
import { writePart } from './write-part.ts';

export type RunTask = (task: Task, signal: AbortSignal) => Promise<Outcome>;

export function createTaskRunner({ memoryMb, threads }: EngineConfig, spillFolder: string): RunTask {
  const options = { memoryMb, threads, spillFolder };
  // A process gets tasks of one kind and keeps one database for them.
  let database: Promise<DuckDBInstance> | undefined;
  const run = async (task: Task, signal: AbortSignal): Promise<Outcome> => {
    database ??= openDuck({ ...options, ...(task.kind === 'sandbox' ? { threads: 1 } : {}), keepOrder: task.kind === 'write' });
    const instance = await database;
    switch (task.kind) {
      case 'query':
        return { rows: await runQuery(instance, task.input, signal) };
      case 'write':
        return { facts: await writePart(instance, task.input, signal) };
      case 'sandbox':
        return { rows: await runSandboxed(instance, options, task.input, signal) };
    }
  };
  return async (task, signal) => {
    try {
      return await run(task, signal);
    } catch (error) {
      return { failure: failureOf(error, 'parts' in task.input ? task.input.parts : []) };
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
