/** A process of the engine and what it is at. */
import type { Column, Scalar } from '../contract.ts';
import type { PartFacts } from './contract.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';
import type { Failure, FromChild, Opening, Task } from './messages.ts';

/** What was asked to stop gets this long before its process is killed. */
const STOP_MS = 1_000;

export type Ending =
  | {
      readonly kind: 'done';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Scalar[])[];
      readonly truncated: boolean;
      readonly facts: PartFacts | undefined;
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The process ended with it. */
  | { readonly kind: 'died'; readonly how: string }
  /** There is no process that could do it. */
  | { readonly kind: 'unavailable'; readonly why: string };

export interface Job {
  readonly task: Task;
  readonly onEnding: (ending: Ending) => void;
  /** Nobody waits for it any more. */
  stopped: boolean;
  deaths: number;
}

export interface WorkerOptions {
  readonly file: string;
  readonly opening: Opening;
  readonly idleMs: number;
  readonly log: (message: string) => void;
  /** A job has ended; there is room for another. */
  readonly onFree: () => void;
  /** The process has ended, with these jobs. `why` tells that it could never have done them. */
  readonly onEnd: (jobs: readonly Job[], end: { readonly how: string; readonly why?: string }) => void;
}

export interface Worker {
  readonly jobs: () => number;
  run(job: Job): void;
  /** Has a job end early, gently first. */
  stop(job: Job): void;
  /** Settles when the process is gone. */
  kill(): Promise<void>;
}

interface Entry {
  readonly job: Job;
  columns: readonly Column[];
  readonly rows: (readonly Scalar[])[];
}

/** A process and the tasks that it works on, each told how it ended. */
export function startWorker({ file, opening, idleMs, log, onFree, onEnd }: WorkerOptions): Worker {
  const entries = new Map<number, Entry>();
  let lastId = 0;
  let why: string | undefined = 'its process could not be started';
  let idle: NodeJS.Timeout | undefined;
  let gone = (): void => {};
  const ended = new Promise<void>((resolve) => {
    gone = resolve;
  });

  const rest = (): void => {
    if (entries.size > 0) return;
    engine.setBusy(false);
    idle = setTimeout(() => engine.kill(), idleMs).unref();
  };

  const onMessage = (message: FromChild): void => {
    if ('ready' in message) why = undefined;
    else if ('unavailable' in message) why = message.unavailable;
    else {
      const entry = entries.get(message.id);
      if (entry === undefined) return;
      if ('columns' in message) entry.columns = message.columns;
      else if ('rows' in message) entry.rows.push(...message.rows);
      else {
        entries.delete(message.id);
        rest();
        if (!entry.job.stopped) entry.job.onEnding(endingOf(entry, message));
        onFree();
      }
    }
  };

  const engine: EngineProcess = startEngineProcess({
    file,
    opening,
    log,
    onMessage,
    onEnd: (how) => {
      clearTimeout(idle);
      const jobs = [...entries.values()].map(({ job }) => job);
      entries.clear();
      gone();
      onEnd(jobs, why === undefined ? { how } : { how, why: `${why} (${how})` });
    },
  });

  return {
    jobs: () => entries.size,
    run(job) {
      clearTimeout(idle);
      const id = ++lastId;
      entries.set(id, { job, columns: [], rows: [] });
      engine.setBusy(true);
      engine.send({ id, task: job.task });
    },
    stop(job) {
      const id = [...entries].find(([, entry]) => entry.job === job)?.[0];
      if (id === undefined) return;
      engine.send({ interrupt: id });
      setTimeout(() => {
        if (entries.has(id)) engine.kill();
      }, STOP_MS).unref();
    },
    kill() {
      // Its end is waited for.
      engine.setBusy(true);
      engine.kill();
      return ended;
    },
  };
}

function endingOf({ columns, rows }: Entry, message: Extract<FromChild, { done: unknown } | { failure: unknown }>): Ending {
  if ('failure' in message) return { kind: 'failed', failure: message.failure };
  return { kind: 'done', columns, rows, truncated: message.done.truncated ?? false, facts: message.done.facts };
}
