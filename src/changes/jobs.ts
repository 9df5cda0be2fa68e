import { VideoHostingError } from '../errors.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import type { Approval } from '../service/approval.ts';
import { type BulkState, createBulkState } from './bulk/bulk-state.ts';
import { writeOutcomes } from './bulk/outcomes-file.ts';
import type { ChangeWriter } from './journal/writer.ts';
import type { BulkPlan, BulkRun, ItemOutcome, ItemPlan, Plan, Progress, Run } from './plan.ts';

export interface JobStart {
  readonly changeId: string;
  readonly plan: Plan;
  readonly approval: Approval;
  readonly writer: ChangeWriter;
  /** Where the ids of a bulk change go that failed or whose fate is not known. */
  readonly fatesFile: string;
  /** What is known already of a bulk change that is carried on. */
  readonly state?: BulkState;
}

export interface Job {
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
  const exclusive = createKeyedMutex();

  return {
    start(start: JobStart): Job {
      const stop = new AbortController();
      start.writer.onStopRequest(() => stop.abort());
      const listeners = new Set<Progress>();
      const progress: Progress = (...step) => {
        for (const listener of listeners) listener(...step);
      };
      const ended = carryOut(start, log, stop.signal, progress, exclusive)
        .catch((error: unknown) => log(`The change ${start.changeId} could not be finished in the journal: ${String(error)}`))
        .finally(() => running.delete(start.changeId));
      const watch = async ({ until, signal, progress: listener }: Parameters<Job['watch']>[0]): Promise<boolean> => {
        listeners.add(listener);
        return waitFor(ended, until, signal).finally(() => listeners.delete(listener));
      };
      const job = {
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

/** What became of a change, as far as its status tells. */
interface Tally {
  readonly of: number;
  done: number;
  unknown: number;
  notDone: number;
  /** Done, but not quite as was asked. */
  otherwise: number;
}

async function carryOut(
  start: JobStart,
  log: (message: string) => void,
  stop: AbortSignal,
  progress: Progress,
  exclusive: Run['exclusive'],
): Promise<void> {
  const { plan, approval, writer } = start;
  approval.while(writer.isOwner);
  const tools = { approval, stop, progress };
  const work = 'ids' in plan ? createBulkWork(plan, start, tools) : createItemWork(plan, writer, { ...tools, exclusive });
  let message: string | undefined;
  try {
    await work.apply();
  } catch (error) {
    message =
      error instanceof VideoHostingError ? `${error.message} Next: ${error.hint}` : 'This server failed while it carried the change out.';
    if (!(error instanceof VideoHostingError)) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    approval.close();
  }
  const facts = { ...(message === undefined ? {} : { message }), ...work.facts() };
  // Whatever happens to the file, the journal tells the end; and one who carries the change on by now tells both.
  try {
    if (writer.isOwner()) await work.finish();
  } finally {
    await writer.end(statusOf(work.tally(), stop.aborted), facts);
  }
}

interface Work {
  readonly apply: () => Promise<void>;
  readonly tally: () => Tally;
  readonly facts: () => { requests?: number };
  readonly finish: () => Promise<void>;
}

type Tools = Pick<Run, 'approval' | 'stop' | 'progress'>;

function createItemWork(plan: ItemPlan, writer: ChangeWriter, { exclusive, ...tools }: Tools & Pick<Run, 'exclusive'>): Work {
  const outcomes = new Map<string, ItemOutcome>();
  const run: Run = {
    ...tools,
    // Within this process first: a file is only asked about by one of ours at a time.
    exclusive: (id, act) => exclusive(id, () => writer.withRecordLock(id, tools.stop, act)),
    sending: (id) => writer.sending(id),
    record: async (id, outcome) => {
      outcomes.set(id, outcome);
      await writer.record(id, outcome);
    },
  };
  return {
    apply: () => plan.apply(run),
    tally: () => {
      const tally = { of: plan.items.length, done: 0, unknown: 0, notDone: 0, otherwise: 0 };
      for (const item of plan.items) {
        const { outcome, reason } = outcomes.get(item.id) ?? { outcome: 'not_done' };
        if (outcome === 'done') tally[reason === undefined ? 'done' : 'otherwise'] += 1;
        if (outcome === 'unknown') tally.unknown += 1;
        if (outcome === 'not_done') tally.notDone += 1;
      }
      return tally;
    },
    facts: () => ({}),
    finish: async () => {},
  };
}

function createBulkWork(plan: BulkPlan, { writer, state, fatesFile }: JobStart, tools: Tools): Work {
  const bulk = state ?? createBulkState(plan.ids.length);
  // What waits for its turn, or to be tried again, is not let out any more: each request tells what became of it.
  tools.stop.addEventListener('abort', () => tools.approval.close(), { once: true });
  const run: BulkRun = {
    ...tools,
    state: bulk,
    ids: (from, to) => plan.ids.slice(from, to),
    sending: async (from, to, durable) => {
      await writer.sendingRange(from, to, durable);
      bulk.markSending(from, to);
    },
    record: async (from, to, outcome, reason) => {
      bulk.mark(from, to, outcome, reason);
      await writer.recordRange(from, to, outcome, reason);
    },
    retrying: async (from, to, reason) => {
      bulk.markRetrying(from, to, reason);
      await writer.retryingRange(from, to, reason);
    },
    requests: () => tools.approval.requests,
  };
  return {
    apply: () => plan.apply(run),
    tally: () => ({
      of: bulk.total,
      done: bulk.count('done'),
      unknown: bulk.count('unknown') + bulk.count('sending') + bulk.count('retrying'),
      notDone: bulk.count('not_done') + bulk.count('none'),
      otherwise: 0,
    }),
    facts: () => ({ requests: tools.approval.requests }),
    finish: () => writeOutcomes(fatesFile, plan.ids, bulk),
  };
}

function statusOf({ of, done, unknown, notDone, otherwise }: Tally, stopped: boolean): 'applied' | 'partly_applied' | 'stopped' | 'failed' {
  if (done === of) return 'applied';
  if (stopped && notDone > 0) return 'stopped';
  return done + otherwise + unknown === 0 ? 'failed' : 'partly_applied';
}
