import { existsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { VideoHostingError } from '../../errors.ts';
import { VIEW_COLUMNS } from '../columns.ts';
import type { Rows } from '../contract.ts';
import { type Engine, type PartFacts, UnreadablePartError } from './contract.ts';
import type { Failure, Role, Task } from './messages.ts';
import type { Ending } from './worker.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export interface EngineOptions {
  /** For what doesn't fit in memory; of this account alone. May be shared by many engines. */
  readonly tempFolder: string;
  readonly log: (message: string) => void;
  /** The built `engine.cjs`; by default the one beside this bundle, or of the last build. */
  readonly file?: string;
  /** Memory for a stranger's query; by default an eighth of this machine's, up to a gigabyte. */
  readonly sandboxMb?: number;
  /** A process that nobody asked anything for so long ends. */
  readonly idleMs?: number;
}

const IDLE_MS = 5 * 60_000;
const MB = 1_000_000;
/** Enough for parts of two million views; what doesn't fit is spilled. */
const WRITE_MB = 256;

/** A share of this machine's memory, of the kind that DuckDB keeps to. */
const memoryMb = (share: number, most: number): number => Math.max(256, Math.min(most, Math.floor((totalmem() * share) / MB)));
/** What Node and DuckDB take besides, and what is between two looks at it. */
const OVERHEAD_MB = 500;

/** Starts nothing before the first query. Memory is in megabytes, a share of this machine's. */
export function createEngine({
  tempFolder,
  log,
  file = builtFile(),
  idleMs = IDLE_MS,
  sandboxMb = memoryMb(0.125, 1_000),
}: EngineOptions): Engine {
  const threads = Math.min(4, availableParallelism());
  const common = { file, log, idleMs, processes: 1, perProcess: 1, retries: 1 };
  const makers: Record<Role, () => WorkerPool> = {
    query: () => createWorkerPool({ ...common, perProcess: 4, opening: { tempFolder, threads, memoryMb: memoryMb(0.25, 1_000) } }),
    // The server beside it parses pages on the other core; a second thread here costs more than it brings.
    write: () => createWorkerPool({ ...common, opening: { tempFolder, threads: 1, memoryMb: memoryMb(0.125, WRITE_MB) } }),
    // A query that killed its process would kill the next as well.
    sandbox: () =>
      createWorkerPool({
        ...common,
        processes: 2,
        retries: 0,
        opening: { tempFolder, threads: Math.min(2, threads), memoryMb: sandboxMb, maxRssMb: sandboxMb + OVERHEAD_MB },
      }),
  };
  const lanes = new Map<Role, WorkerPool>();
  let closed = false;

  const run = (task: Task, limits: Limits): Promise<Done> => {
    if (closed) return Promise.reject(cancelled());
    const lane = lanes.get(task.kind) ?? makers[task.kind]();
    lanes.set(task.kind, lane);
    return runWithin(lane, task, limits, (how) => (closed ? cancelled() : failed(how, log)));
  };

  return {
    async writePart(input) {
      const { facts } = await run({ kind: 'write', input }, {});
      if (facts === undefined) throw new Error('A part was written without facts.');
      return facts;
    },
    query: async ({ signal, timeoutMs, ...input }) => rowsOf(await run({ kind: 'query', input }, { signal, timeoutMs })),
    sandboxed: async ({ signal, timeoutMs, ...input }) => rowsOf(await run({ kind: 'sandbox', input }, { signal, timeoutMs })),
    async close() {
      closed = true;
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
    },
  };
}

interface Limits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface Done extends Rows {
  readonly facts: PartFacts | undefined;
}

/** Runs a task until it ends, is aborted or takes too long. Its caller goes on at once then, and the task is stopped. */
function runWithin(lane: WorkerPool, task: Task, { signal, timeoutMs }: Limits, failed: (how: string) => VideoHostingError): Promise<Done> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(cancelled());
    const giveUp = (error: VideoHostingError): void => {
      settle();
      job.stop();
      reject(error);
    };
    const abort = (): void => giveUp(cancelled());
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => giveUp(tooSlow(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const job = lane.start(task, (ending) => {
      settle();
      if (ending.kind === 'done') resolve(ending);
      else reject(errorOf(ending, task.kind, failed));
    });
  });
}

function rowsOf({ columns, rows, truncated }: Done): Rows {
  return { columns, rows, truncated };
}

function errorOf(ending: Exclude<Ending, { kind: 'done' }>, role: Role, failed: (how: string) => VideoHostingError): Error {
  switch (ending.kind) {
    case 'unavailable':
      return new VideoHostingError('analytics_unavailable', `The analytics engine (DuckDB) can’t be used on this machine: ${ending.why}`);
    case 'died':
      return role === 'sandbox' ? tooLarge() : failed(`its process died: ${ending.how}`);
    case 'failed':
      return failureError(ending.failure, failed);
  }
}

/** A model that asked for a column that isn’t there is told them all: most can’t read the resource that lists them. */
const COLUMNS = `\nColumns of views: ${VIEW_COLUMNS.filter((column) => column.public)
  .map(({ name }) => name)
  .join(', ')}.`;

function failureError(failure: Failure, failed: (how: string) => VideoHostingError): Error {
  const { kind, message } = failure;
  switch (kind) {
    case 'refused':
      return new VideoHostingError('sql_refused', `${message}${/column .* not found|have a column named/i.test(message) ? COLUMNS : ''}`);
    case 'too_heavy':
      return tooLarge();
    case 'part_unreadable':
      return new UnreadablePartError(failure.part, message);
    case 'failed':
      return failed(message);
  }
}

const cancelled = (): VideoHostingError => new VideoHostingError('cancelled', 'The call was cancelled.');
const tooLarge = (): VideoHostingError =>
  new VideoHostingError('query_too_heavy', 'The query needed more memory than it may have, and was ended.');
const tooSlow = (timeoutMs: number): VideoHostingError =>
  new VideoHostingError('query_too_heavy', `The query took longer than ${timeoutMs / 1_000} seconds, and was ended.`);

function failed(how: string, log: (message: string) => void): VideoHostingError {
  log(`analytics engine: ${how}`);
  return new VideoHostingError('analytics_failed', 'The analytics engine failed; the log says how.', { cause: new Error(how) });
}

function builtFile(): string {
  const beside = join(import.meta.dirname, 'engine.cjs');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', '..', '..', 'dist', 'engine.cjs');
}
