import { availableParallelism, totalmem } from 'node:os';
import { cancelledError, VideoHostingError } from '../../errors.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, inQuotes, pathInQuotes, sentence, word, wordList } from '../../text/sentence.ts';
import { PUBLIC_COLUMNS } from '../columns.ts';
import type { Rows } from '../contract.ts';
import { builtFile } from '../workers/built-file.ts';
import { createWorkerPool, type TaskLimits, type WorkerPool, type WorkerPoolOptions } from '../workers/worker-pool.ts';
import { DamagedPartsError, type Engine, type EngineConfig, type Failure, type Task, type TaskKind, type TaskOutcome } from './contract.ts';
import { removeTempFolder } from './temp-folder.ts';

export interface EngineOptions {
  /** For data that doesn't fit in memory. Engines of one account may share it. */
  readonly tempFolder: string;
  readonly log: (message: string) => void;
  /** The built `engine.cjs`; by default the one beside this bundle, or of the last build. */
  readonly file?: string;
  /** Memory of a sandboxed query; by default an eighth of this machine's, up to a gigabyte. */
  readonly sandboxMb?: number;
  readonly idleMs?: number;
}

const IDLE_MS = 5 * 60_000;
const MB = 1_000_000;
const WRITE_MB = 256;
/** What Node and DuckDB need beyond DuckDB's limit, plus the growth between two checks. */
const OVERHEAD_MB = 500;

const memoryMb = (share: number, max: number): number => Math.max(256, Math.min(max, Math.floor((totalmem() * share) / MB)));

export function createEngine({
  tempFolder,
  log,
  file = builtFile('engine.cjs'),
  idleMs = IDLE_MS,
  sandboxMb = memoryMb(0.125, 1_000),
}: EngineOptions): Engine {
  const threads = Math.min(4, availableParallelism());
  const onExit = (pid: number | undefined): void => {
    if (pid !== undefined) removeTempFolder(tempFolder, pid);
  };
  const common = { name: 'analytics engine', file, log, idleMs, onExit, maxProcesses: 1, jobsPerProcess: 1, retries: 1 };
  const optionsOf: Record<TaskKind, WorkerPoolOptions<EngineConfig>> = {
    query: { ...common, jobsPerProcess: 4, config: { tempFolder, threads, memoryMb: memoryMb(0.25, 1_000) } },
    // The server parses pages on another core meanwhile; a second thread would cost more than it saves.
    write: { ...common, config: { tempFolder, threads: 1, memoryMb: memoryMb(0.125, WRITE_MB) } },
    // No retry: a query that killed its process would kill the next one too.
    sandbox: {
      ...common,
      maxProcesses: 2,
      retries: 0,
      config: { tempFolder, threads: Math.min(2, threads), memoryMb: sandboxMb, maxRssMb: sandboxMb + OVERHEAD_MB },
    },
  };
  const pools = new Map<TaskKind, WorkerPool<Task, TaskOutcome>>();
  let closed = false;

  const run = async (task: Task, limits: Omit<TaskLimits, 'tooSlow'> = {}): Promise<TaskOutcome> => {
    if (closed || limits.signal?.aborted) throw cancelledError({});
    const pool = pools.get(task.kind) ?? createWorkerPool<Task, TaskOutcome, EngineConfig>(optionsOf[task.kind]);
    pools.set(task.kind, pool);
    const outcome = await pool.run(task, { ...limits, tooSlow });
    if (!('failure' in outcome)) return outcome;
    throw closed ? cancelledError({}) : errorOf(outcome.failure, task.kind, { tempFolder, log });
  };

  return {
    async writePart(input) {
      const outcome = await run({ kind: 'write', input });
      if (!('facts' in outcome)) throw new Error('A part was written without facts.');
      return outcome.facts;
    },
    query: async ({ signal, timeoutMs, ...input }) => rowsOf(await run({ kind: 'query', input }, { signal, timeoutMs })),
    sandboxed: async ({ signal, timeoutMs, ...input }) => rowsOf(await run({ kind: 'sandbox', input }, { signal, timeoutMs })),
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}

function rowsOf(outcome: TaskOutcome): Rows {
  if (!('rows' in outcome)) throw new Error('A query ended without rows.');
  return outcome.rows;
}

/** Listed when a column is unknown, because most models can't read the resource that lists them. */
const COLUMNS = sentence` Columns of views: ${wordList(PUBLIC_COLUMNS.map(({ name }) => name))}; and viewer, which can only be counted: count(DISTINCT viewer).`;

function errorOf(failure: Failure, kind: TaskKind, { tempFolder, log }: Pick<EngineOptions, 'tempFolder' | 'log'>): Error {
  if (failure.kind === 'parts_damaged') return new DamagedPartsError(failure.parts);
  const { message } = failure;
  switch (failure.kind) {
    case 'unavailable':
      return new VideoHostingError(
        'analytics_unavailable',
        sentence`The analytics engine (DuckDB) can’t be used here: ${inQuotes(message, 1_000)}`,
      );
    case 'no_folder':
      return new VideoHostingError(
        'data_folder_failed',
        sentence`The analytics engine needs a folder for what does not fit in memory, and ${pathInQuotes(tempFolder)} can’t be made or written to (${word(message)}).`,
      );
    case 'refused':
      // DuckDB’s words or the guard’s, about the caller’s own text; they have no value of a row.
      return new VideoHostingError(
        'sql_refused',
        sentence`${asSentence(cleanText(message, MAX_REFUSAL))}${/column .* not found|have a column named/i.test(message) ? COLUMNS : ''}`,
      );
    case 'too_heavy':
      return tooLarge();
    case 'died':
      return kind === 'sandbox' ? tooLarge() : engineFailed(`its process died: ${message}`, log);
    case 'failed':
      return engineFailed(message, log);
  }
}

const MAX_REFUSAL = 2_000;
const tooLarge = (): VideoHostingError =>
  new VideoHostingError('query_too_heavy', 'The query needed more memory than it may have, and was ended.');
const tooSlow = (timeoutMs: number): VideoHostingError =>
  new VideoHostingError('query_too_heavy', sentence`The query took longer than ${timeoutMs / 1_000} seconds, and was ended.`);

function engineFailed(reason: string, log: (message: string) => void): VideoHostingError {
  log(`analytics engine: ${reason}`);
  return new VideoHostingError('analytics_failed', 'The analytics engine failed; the log says how.', { cause: new Error(reason) });
}
