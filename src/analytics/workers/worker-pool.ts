import { cancelledError } from '../../errors.ts';
import { createTurns } from '../../platform/turns.ts';
import { whoseWork } from '../../platform/whose-work.ts';
import { type Died, startWorker, type Worker, type WorkerJob, type WorkerOptions } from './worker.ts';

export interface WorkerPoolOptions<Config> extends Omit<WorkerOptions<unknown, unknown, Config>, 'onFree' | 'onExit'> {
  readonly maxProcesses: number;
  readonly jobsPerProcess: number;
  readonly retries: number;
  readonly onExit?: (pid: number | undefined) => void;
}

export interface TaskLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly tooSlow: (timeoutMs: number) => Error;
}

export interface WorkerPool<Task, Outcome> {
  /**
   * Runs a task when a process is free. One that is aborted or takes too long is stopped, and not waited for. Where several people ask, none of
   * them has more than half of the places, and whoever was served longest ago comes first.
   */
  run(task: Task, limits: TaskLimits): Promise<Outcome | Died>;
  close(): Promise<void>;
}

export function createWorkerPool<Task, Outcome, Config>({
  maxProcesses,
  jobsPerProcess,
  retries,
  onExit,
  ...options
}: WorkerPoolOptions<Config>): WorkerPool<Task, Outcome> {
  const waiting: WorkerJob<Task, Outcome | Died>[] = [];
  const turns = createTurns(maxProcesses * jobsPerProcess);
  const workers = new Set<Worker<Task, Outcome | Died>>();
  let closed = false;

  const startJobs = (): void => {
    while (!closed) {
      const job = turns.next(waiting);
      if (job === undefined) return;
      const worker = [...workers].find(({ jobs }) => jobs() < jobsPerProcess) ?? (workers.size < maxProcesses ? addWorker() : undefined);
      if (worker === undefined) return;
      waiting.splice(waiting.indexOf(job), 1);
      turns.begin(job.who);
      job.beganAt = performance.now();
      job.onBegin();
      worker.run(job);
    }
  };

  const endRest = (who: string | undefined): void => {
    turns.rested(who);
    startJobs();
  };

  const addWorker = (): Worker<Task, Outcome | Died> => {
    const worker = startWorker<Task, Outcome | Died, Config>({
      ...options,
      onFree(job) {
        const restMs = job === undefined ? 0 : turns.end(job.who, performance.now() - job.beganAt);
        startJobs();
        if (restMs > 0) setTimeout(endRest, restMs, job?.who).unref();
      },
      onExit(jobs, reason, pid) {
        onExit?.(pid);
        workers.delete(worker);
        for (const { who } of jobs) turns.end(who);
        for (const job of jobs.filter(({ stopped }) => !stopped)) {
          if (!closed && job.deaths++ < retries) waiting.unshift(job);
          else job.onOutcome({ failure: { kind: 'died', message: reason } });
        }
        startJobs();
      },
    });
    workers.add(worker);
    return worker;
  };

  const stop = (job: WorkerJob<Task, Outcome | Died>): void => {
    job.stopped = true;
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
    for (const worker of workers) worker.stop(job);
  };

  return {
    run: (task, { signal, timeoutMs, tooSlow }) =>
      new Promise((resolve, reject) => {
        const ended = new AbortController();
        const job: WorkerJob<Task, Outcome | Died> = { task, who: whoseWork(), onBegin, onOutcome, stopped: false, deaths: 0, beganAt: 0 };
        const giveUp = (error: Error): void => {
          ended.abort();
          stop(job);
          reject(error);
        };
        let timer: NodeJS.Timeout | undefined;
        ended.signal.addEventListener('abort', () => clearTimeout(timer));
        signal?.addEventListener('abort', () => giveUp(cancelledError({})), { signal: ended.signal });
        /** The time for which it waits for those of others is not its own. */
        function onBegin(): void {
          if (timeoutMs !== undefined) timer ??= setTimeout(() => giveUp(tooSlow(timeoutMs)), timeoutMs);
        }
        function onOutcome(outcome: Outcome | Died): void {
          ended.abort();
          resolve(outcome);
        }
        waiting.push(job);
        startJobs();
      }),
    async close() {
      closed = true;
      for (const { onOutcome } of waiting.splice(0)) onOutcome({ failure: { kind: 'died', message: 'closed' } });
      await Promise.all([...workers].map((worker) => worker.kill()));
    },
  };
}
