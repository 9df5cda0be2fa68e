/** What a process of the engine can do. Loading this loads DuckDB. */
import type { DuckDBInstance } from '@duckdb/node-api';
import { openDuck } from './duck.ts';
import { failureOf } from './failure.ts';
import type { Failure, FromChild, Opening, Task } from './messages.ts';
import { runQuery } from './query.ts';
import { runSandboxed } from './sandbox.ts';
import type { Sink } from './stream-rows.ts';
import { writePart } from './write-part.ts';

type Done = Extract<FromChild, { done: unknown }>['done'];

/** Never throws. */
export type Work = (task: Task, signal: AbortSignal, sink: Sink) => Promise<{ readonly done: Done } | { readonly failure: Failure }>;

/** What one process does with its tasks; a database is opened by the first that needs it. */
export function createWork({ memoryMb, threads }: Opening, spillFolder: string): Work {
  const options = { memoryMb, threads, spillFolder };
  // A process is asked for one kind of work, and opens what that needs.
  const trusted = once(() => openDuck(options));
  const ordered = once(() => openDuck({ ...options, keepOrder: true }));
  const parser = once(() => openDuck({ ...options, threads: 1 }));

  const start = async (task: Task, signal: AbortSignal, sink: Sink): Promise<Done> => {
    switch (task.kind) {
      case 'query':
        return await runQuery(await trusted(), task.input, signal, sink);
      case 'write':
        return { facts: await writePart(await ordered(), task.input, signal) };
      case 'sandbox':
        return await runSandboxed(await parser(), options, task.input, signal, sink);
    }
  };
  return async (task, signal, sink) => {
    try {
      return { done: await start(task, signal, sink) };
    } catch (error) {
      return { failure: failureOf(error, 'parts' in task.input ? task.input.parts : []) };
    }
  };
}

function once(open: () => Promise<DuckDBInstance>): () => Promise<DuckDBInstance> {
  let opened: Promise<DuckDBInstance> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
