import { VideoHostingError } from '../errors.ts';
import type { Approval } from '../service/approval.ts';
import { createExclusive } from './exclusive.ts';
import type { ChangeWriter } from './journal.ts';
import type { ItemOutcome, Plan, Progress, Run } from './plan.ts';

export interface JobStart {
  readonly changeId: string;
  readonly plan: Plan;
  readonly approval: Approval;
  readonly writer: ChangeWriter;
}

export interface Job {
  readonly changeId: string;
  /** Resolves when the change has ended, the time is up or the caller gave up; a caller that gave up stops the change. */
  wait(how: { until: number; signal: AbortSignal; progress: Progress }): Promise<void>;
  /** The same for one who only looks on: giving up stops nothing. */
  watch(how: { until: number; signal: AbortSignal; progress: Progress }): Promise<void>;
  /** Ends it after the requests in flight. */
  stop(): void;
}

export type Jobs = ReturnType<typeof createJobs>;

/** The changes that this process carries out now. */
export function createJobs(log: (message: string) => void) {
  const running = new Map<string, Job & { readonly ended: Promise<void> }>();
  const exclusive = createExclusive();

  return {
    start(start: JobStart): Job {
      const stop = new AbortController();
      const listeners = new Set<Progress>();
      const progress: Progress = (...step) => {
        for (const listener of listeners) listener(...step);
      };
      const ended = carryOut(start, stop.signal, progress, exclusive)
        .catch((error: unknown) => log(`The change ${start.changeId} could not be finished in the journal: ${String(error)}`))
        .finally(() => running.delete(start.changeId));
      const watch = async ({ until, signal, progress: listener }: Parameters<Job['watch']>[0]): Promise<boolean> => {
        listeners.add(listener);
        return waitFor(ended, until, signal).finally(() => listeners.delete(listener));
      };
      const job = {
        changeId: start.changeId,
        ended,
        stop: () => stop.abort(),
        wait: async (how: Parameters<Job['wait']>[0]) => {
          if (await watch(how)) stop.abort();
        },
        watch: async (how: Parameters<Job['watch']>[0]) => {
          await watch(how);
        },
      };
      running.set(start.changeId, job);
      return job;
    },
    get: (changeId: string): Job | undefined => running.get(changeId),
    /** Stops all and waits for the requests in flight, for at most the given time. */
    async close(graceMs: number): Promise<void> {
      const jobs = [...running.values()];
      for (const job of jobs) job.stop();
      await waitFor(Promise.all(jobs.map((job) => job.ended)), Date.now() + graceMs, new AbortController().signal);
    },
  };
}

/** Waits for a promise that never rejects; true when the caller gave up first. */
async function waitFor(ended: Promise<unknown>, until: number, signal: AbortSignal): Promise<boolean> {
  const release = new AbortController();
  const first = await Promise.race([
    ended.then(() => 'ended' as const),
    new Promise<'late'>((resolve) => {
      const timer = setTimeout(() => resolve('late'), Math.max(0, until - Date.now()));
      release.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    }),
    new Promise<'gave-up'>((resolve) => {
      if (signal.aborted) resolve('gave-up');
      signal.addEventListener('abort', () => resolve('gave-up'), { once: true, signal: release.signal });
    }),
  ]);
  release.abort();
  return first === 'gave-up';
}

async function carryOut(
  { changeId, plan, approval, writer }: JobStart,
  stop: AbortSignal,
  progress: Progress,
  exclusive: Run['exclusive'],
): Promise<void> {
  const outcomes = new Map<string, ItemOutcome>();
  const run = {
    changeId,
    approval,
    stop,
    progress,
    exclusive,
    sending: (id: string) => writer.sending(id),
    record: async (id: string, outcome: ItemOutcome) => {
      outcomes.set(id, outcome);
      await writer.record(id, outcome);
    },
  };
  let message: string | undefined;
  try {
    await plan.apply(run);
  } catch (error) {
    message = error instanceof VideoHostingError ? error.message : 'This server failed while it carried the change out.';
    if (!(error instanceof VideoHostingError)) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  } finally {
    approval.close();
  }
  await writer.end(statusOf(plan, outcomes, stop.aborted), message);
}

function statusOf(
  plan: Plan,
  outcomes: ReadonlyMap<string, ItemOutcome>,
  stopped: boolean,
): 'applied' | 'partly_applied' | 'stopped' | 'failed' {
  const counts = { done: 0, failed: 0, unknown: 0, not_done: 0 };
  for (const item of plan.items) counts[outcomes.get(item.id)?.outcome ?? 'not_done'] += 1;
  if (counts.done === plan.items.length) return 'applied';
  if (stopped && counts.not_done > 0) return 'stopped';
  return counts.done + counts.unknown === 0 ? 'failed' : 'partly_applied';
}
