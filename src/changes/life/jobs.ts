import { setTimeout as sleep } from 'node:timers/promises';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { createKeyedMutex, type KeyedMutex } from '../../platform/keyed-mutex.ts';
import type { Approval, Trouble } from '../../service/approval.ts';
import { sentence } from '../../text/sentence.ts';
import { timeFrom, wholeMinute } from '../../text/time-text.ts';
import { createBulkState } from '../journal/bulk-state.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import { type Counts, countsOfIds, countsOfItems, statusOf } from '../journal/change-status.ts';
import type { PlannedItem } from '../journal/format.ts';
import type { Journal, OutcomesLocation } from '../journal/journal.ts';
import type { ChangeWriter } from '../journal/writer.ts';
import { busyUntil, busyUntilMs, isBusy } from '../kinds/earlier/wait-out-busy.ts';
import { writeOutcomes } from '../kinds/videos/outcomes-file.ts';
import { type Stopped, stoppedNow } from '../plan/asked-and-decided.ts';
import { idListIn } from '../plan/facts.ts';
import { rowLookup } from '../plan/id-files.ts';
import type { BulkPlan, BulkRun, ChangePlan, ItemPlan, ItemRun, Progress } from '../plan/plan.ts';
import type { StoppedBy } from '../plan/stopped-by.ts';
import { TRAITS } from '../plan/traits/index.ts';

export interface JobStart {
  readonly changeId: string;
  readonly plan: ChangePlan;
  readonly approval: Approval;
  readonly writer: ChangeWriter;
  /** For the ids of a bulk change that failed or whose outcome is unknown. */
  readonly outcomesLocation: OutcomesLocation;
  /** Of one that was allowed in advance: looks whether it still is. Throws where it is not, and nothing more is sent. */
  readonly assertCovered?: () => Promise<void>;
  /** Of a change that is resumed: what was done of it before. */
  readonly earlier?: ChangeRecord;
}

interface Wait {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** Who stops it by an abort, unless it is its call. */
  readonly by?: StoppedBy;
}

export interface Job {
  /** Resolves when the change has ended, the time is up or `signal` aborts; an abort stops the change. */
  wait(how: Wait): Promise<void>;
  /** The same, but an abort does not stop the change. */
  watch(how: Wait): Promise<void>;
  /** Ends it after the requests in flight. Who asks first counts. */
  stop(by: Stopped): void;
  /** Whether it only waits for its requests in flight. */
  isStopping(): boolean;
  /** What keeps it from going on now. */
  trouble(): Trouble | undefined;
}

export type Jobs = ReturnType<typeof createJobs>;

/** Whether a change that runs was asked to stop: as this process knows that carries it out, or else as another one was asked. */
export const isStopping = (changeId: string, { jobs, journal }: { readonly jobs: Jobs; readonly journal: Journal }): boolean =>
  jobs.get(changeId)?.isStopping() ?? journal.isAskedToStop(changeId);

interface JobsOptions {
  /** Aborted when the server begins to end: nobody waits for a job any more, which is stopped a moment later. */
  readonly ending?: AbortSignal;
  /** A hash of the one that requests for videos carry. */
  readonly credential?: string;
}

/** The changes that this process carries out now. */
export function createJobs(log: (message: string) => void, { ending, credential }: JobsOptions = {}) {
  const running = new Map<string, Job & { readonly ended: Promise<void> }>();
  const withMutex = createKeyedMutex();
  const carriedBy = ({ plan }: JobStart) => ('ids' in plan ? definedFields({ credential }) : {});

  return {
    start(start: JobStart): Job {
      const stop = new AbortController();
      let stopped: Stopped | undefined;
      const stopBy = (by: Stopped | undefined): void => {
        if (!stop.signal.aborted) stopped = by;
        stop.abort();
      };
      start.writer.onStopRequest(stopBy);
      const listeners = new Set<Progress>();
      const progress: Progress = (...step) => {
        for (const listener of listeners) listener(...step);
      };
      const { approval, writer } = start;
      let uncovered: unknown;
      const assertCovered = async () =>
        start.assertCovered?.().catch((error: unknown) => {
          uncovered ??= error;
          stop.abort();
          throw error;
        });
      approval.lookBefore(assertCovered);
      approval.while(() => {
        writer.lookForStopRequest();
        return writer.isOwner() && !stop.signal.aborted;
      });
      // What waits in the client for a place or a retry is not sent then.
      stop.signal.addEventListener('abort', () => approval.close(), { once: true });
      const assertNotEnded = () => {
        if (uncovered !== undefined) throw uncovered;
      };
      const ended = runJob(
        { ...start, ...carriedBy(start), assertCovered, assertNotEnded, stopped: () => stopped },
        log,
        stop.signal,
        progress,
        withMutex,
      )
        .catch((error: unknown) => log(`The change ${start.changeId} could not be finished in the journal: ${String(error)}`))
        .finally(() => running.delete(start.changeId));
      const watch = async ({ until, signal, progress: listener }: Wait): Promise<void> => {
        listeners.add(listener);
        await waitFor(ended, until, signal, ending).finally(() => listeners.delete(listener));
      };
      const wait = async (how: Wait): Promise<void> => {
        await watch(how);
        if (how.signal.aborted) stopBy(stoppedNow(how.by ?? 'call'));
      };
      const job = { ended, stop: stopBy, wait, watch, isStopping: () => stop.signal.aborted, trouble: () => start.approval.trouble };
      running.set(start.changeId, job);
      return job;
    },
    isIdle: (): boolean => running.size === 0,
    get: (changeId: string): Job | undefined => running.get(changeId),
    /** Stops all and waits for the requests in flight, for at most the given time. */
    async close(graceMs: number): Promise<void> {
      const jobs = [...running.values()];
      for (const job of jobs) job.stop(stoppedNow('server'));
      await waitFor(Promise.all(jobs.map((job) => job.ended)), Date.now() + graceMs);
    },
  };
}

/** Waits for a promise that never rejects, a time or an abort. */
async function waitFor(ended: Promise<unknown>, until: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const over = new AbortController();
  const late = sleep(Math.max(0, until - Date.now()), undefined, {
    signal: AbortSignal.any([over.signal, ...signals.flatMap((signal) => signal ?? [])]),
  }).catch(() => {});
  await Promise.race([ended, late]);
  over.abort();
}

/** `assertNotEnded` throws what ended a change whose requests were not sent any more; `stopped`: who had it stopped. */
async function runJob(
  start: JobStart & { readonly credential?: string; readonly assertNotEnded: () => void; readonly stopped: () => Stopped | undefined },
  log: (message: string) => void,
  stop: AbortSignal,
  progress: Progress,
  withMutex: KeyedMutex,
): Promise<void> {
  const { plan, approval, writer } = start;
  const tools = { approval, stop, progress };
  const work = 'ids' in plan ? createBulkWork(plan, start, tools) : createItemWork(plan, start, tools, withMutex);
  let trouble: Parameters<ChangeWriter['end']>[1] = {};
  try {
    await work.apply();
    start.assertNotEnded();
  } catch (error) {
    const isExpected = error instanceof VideoHostingError;
    trouble = isExpected
      ? {
          message: error.reason,
          hint: hintOf(error),
          advice: adviceOf(error),
          ...definedFields({
            setup: isBusy(error) ? undefined : error.setup,
            wantsJwt: error.facts.wantsJwt,
            resumeFrom: resumeFromIn(error),
          }),
        }
      : { message: DEFECT };
    if (!isExpected) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    approval.close();
  }
  // The end is recorded even if the file of outcomes can't be written. A new owner of the change writes both.
  try {
    if (writer.isOwner()) await work.finish?.();
  } finally {
    await writer.end(statusOf(work.counts(), stop.aborted), {
      ...trouble,
      ...definedFields({ credential: start.credential, requests: work.requests?.(), stopped: start.stopped() }),
    });
  }
}

/** What was begun is carried on, which waits for a service that is busy. */
const hintOf = (error: VideoHostingError) =>
  isBusy(error) ? sentence`Carry it on with resume_change from ${busyUntil(error)} on; it waits for a busy service.` : error.hint;

/** The same for a person, who sees what that would send before. */
const adviceOf = (error: VideoHostingError) =>
  isBusy(error) ? sentence`Carry it on from ${timeFrom(busyUntilMs(error))} on.` : error.advice;

const resumeFromIn = (error: VideoHostingError): string | undefined =>
  isBusy(error) ? new Date(wholeMinute(busyUntilMs(error))).toISOString() : undefined;

const DEFECT = sentence`This server failed while it carried the change out.`;

interface Work {
  readonly apply: () => Promise<void>;
  readonly counts: () => Counts;
  readonly requests?: () => number;
  readonly finish?: () => Promise<void>;
}

type Tools = Pick<ItemRun, 'approval' | 'stop' | 'progress'>;

function createItemWork(plan: ItemPlan, { writer, earlier, assertCovered }: JobStart, tools: Tools, withMutex: KeyedMutex): Work {
  const items: readonly Pick<PlannedItem, 'id' | 'seen' | 'after'>[] = earlier?.items ?? plan.items;
  const outcomes = new Map<string, Pick<ItemState, 'outcome' | 'differs'>>(earlier?.items.map((item) => [item.id, item]));
  const run: ItemRun = {
    ...tools,
    // First within this process, so that it asks for each lock file once at a time.
    withRecordLock: (id, act) => withMutex(id, () => writer.withRecordLock(id, tools.stop, act)),
    sending: async (id) => {
      await assertCovered?.();
      await writer.sending(id);
    },
    record: async (id, outcome) => {
      outcomes.set(id, outcome);
      await writer.record(id, outcome);
    },
  };
  return {
    apply: () => plan.apply(run),
    counts: () => {
      const known = items.map(({ id, seen, after }) => ({ seen, after, outcome: 'not_done' as const, ...outcomes.get(id) }));
      return countsOfItems(plan.kind, known);
    },
  };
}

function createBulkWork(plan: BulkPlan, { writer, earlier, outcomesLocation, assertCovered }: JobStart, tools: Tools): Work {
  const bulk = earlier?.bulk ?? createBulkState(plan.ids.length, TRAITS[plan.kind].ofMany);
  const run: BulkRun = {
    ...tools,
    state: bulk,
    ids: (from, to) => plan.ids.slice(from, to),
    sending: async (from, to, durable) => {
      await assertCovered?.();
      await writer.sendingRange(from, to, durable);
      bulk.markSending(from, to);
    },
    record: async (from, to, outcome, reason, isAsBefore) => {
      bulk.mark(from, to, outcome, reason);
      await writer.recordRange(from, to, outcome, reason, isAsBefore);
    },
  };
  return {
    apply: () => plan.apply(run),
    counts: () => countsOfIds(bulk),
    requests: () => tools.approval.requests,
    finish: () =>
      writeOutcomes(outcomesLocation, {
        ids: plan.ids,
        state: bulk,
        rowAt: rowLookup(idListIn(plan.facts), plan.rows),
        readBeside: plan.readBeside,
      }),
  };
}
