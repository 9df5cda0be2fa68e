import type { Task } from './messages.ts';
import { type Ending, type Job, startWorker, type Worker, type WorkerOptions } from './worker.ts';

export interface WorkerPoolOptions extends Pick<WorkerOptions, 'file' | 'opening' | 'idleMs' | 'log'> {
  readonly processes: number;
  /** Tasks at once in each process. */
  readonly perProcess: number;
  /** How often a task is begun again whose process died under it. */
  readonly retries: number;
}

/** Processes for one kind of work, and the work that waits for them. */
export interface WorkerPool {
  /** Hands a task to a process as soon as one is free. */
  start(task: Task, onEnding: (ending: Ending) => void): { readonly stop: () => void };
  /** Kills all processes; what runs or waits there ends by it. */
  close(): Promise<void>;
}

/** Starts a process when a task waits and none is free, up to `processes` of them. */
export function createWorkerPool({ processes, perProcess, retries, ...options }: WorkerPoolOptions): WorkerPool {
  const waiting: Job[] = [];
  const workers = new Set<Worker>();
  let closed = false;

  const next = (): void => {
    while (waiting.length > 0 && !closed) {
      const worker = [...workers].find(({ jobs }) => jobs() < perProcess) ?? (workers.size < processes ? begin() : undefined);
      const job = worker && waiting.shift();
      if (worker === undefined || job === undefined) return;
      worker.run(job);
    }
  };

  const begin = (): Worker => {
    const worker = startWorker({
      ...options,
      onFree: next,
      onEnd(jobs, { how, why }) {
        workers.delete(worker);
        for (const job of jobs.filter(({ stopped }) => !stopped)) {
          job.deaths++;
          if (why !== undefined) job.onEnding({ kind: 'unavailable', why });
          else if (closed || job.deaths > retries) job.onEnding({ kind: 'died', how });
          else waiting.unshift(job);
        }
        next();
      },
    });
    workers.add(worker);
    return worker;
  };

  return {
    start(task, onEnding) {
      const job: Job = { task, onEnding, stopped: false, deaths: 0 };
      waiting.push(job);
      next();
      const stop = (): void => {
        job.stopped = true;
        const place = waiting.indexOf(job);
        if (place >= 0) waiting.splice(place, 1);
        for (const worker of workers) worker.stop(job);
      };
      return { stop };
    },
    async close() {
      closed = true;
      for (const { onEnding } of waiting.splice(0)) onEnding({ kind: 'died', how: 'closed' });
      await Promise.all([...workers].map((worker) => worker.kill()));
    },
  };
}
