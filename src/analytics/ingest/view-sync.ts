import { setTimeout as sleep } from 'node:timers/promises';
import { cancelledError, type VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { Coverage, Span, ViewSync } from '../contract.ts';
import { common, overlaps, without } from '../spans.ts';
import type { Segment } from '../storage/folder/manifest.ts';
import type { ViewWriter } from '../storage/view-writer.ts';
import { createPageReader } from './page-reader.ts';
import { staleSpans } from './refresh-policy.ts';
import { type Run, startRun } from './run.ts';

export interface SyncOptions {
  readonly client: Pick<Client, 'viewLogs'>;
  readonly keep: ViewWriter;
  readonly log: (message: string) => void;
}

type Ensuring = Parameters<ViewSync['ensure']>[1];

export interface ClosableViewSync extends ViewSync {
  /** Stops what is being read, and keeps what is read to its end. */
  close(): Promise<void>;
}

/** How often it is looked whether another process has read what is waited for. */
const POLL_MS = 250;
/** Readings that one question begins, where others keep getting in its way. */
const MAX_ROUNDS = 4;
const GARBAGE_MS = 10 * 60_000;
/** Timers can't wait for ever. */
const LOOK_UP_MS = 60_000;
const GOES_ON = 'it is being read; ask again in a while';

/**
 * Keeps the views that questions need. What is asked for while it is read already, in this process or another, is waited
 * for and not read twice; a reading that outlives its question goes on.
 */
export function createViewSync({ client, keep, log }: SyncOptions): ClosableViewSync {
  const { clock } = keep;
  const reader = createPageReader(client.viewLogs);
  const runs = new Map<Run, { waiting: number; goesOn: boolean }>();
  let starting: Promise<unknown> = Promise.resolve();
  let closed = false;
  let garbageMs = Number.NEGATIVE_INFINITY;

  /** Begins to read what is needed and nobody reads. False where there is nothing of that kind. */
  function begin(span: Span, nowMs: number): Promise<boolean> {
    const begun = starting.then(async () => {
      const unread = async () => without(staleSpans((await keep.open()).windows, span, nowMs), taken());
      const wanted = closed ? [] : await unread();
      if (wanted.length === 0) return false;
      const lease = await keep.lease(wanted);
      // Another process may just have put away what it had taken.
      const still = await unread();
      const spans = lease.spans.flatMap((mine) => still.flatMap((need) => common(mine, need) ?? []));
      if (spans.length === 0) await lease.end();
      else track(startRun({ ...lease, spans }, { keep, reader, epoch: (await keep.open()).epoch }));
      return spans.length > 0;
    });
    starting = begun.catch(() => undefined);
    return begun;
  }

  const taken = (): Span[] => [...runs.keys()].flatMap(({ spans }) => spans);

  function track(run: Run): void {
    runs.set(run, { waiting: 0, goesOn: false });
    const end = async (): Promise<void> => {
      await run.ended;
      runs.delete(run);
      if (run.failure?.kind === 'broken') log(`Views could not be kept: ${String(run.failure.error)}`);
      if (clock() - garbageMs < GARBAGE_MS) return;
      garbageMs = clock();
      await keep.tidy();
    };
    end().catch((error: unknown) => log(`What is no longer needed of the kept views could not be removed: ${String(error)}`));
  }

  /** Waits for readings that concern a span, or a moment where others do them. */
  async function waitFor(about: readonly Run[], { signal, until, progress }: Ensuring): Promise<void> {
    const timer = new AbortController();
    const forMs = Math.max(0, Math.min(about.length === 0 ? POLL_MS : LOOK_UP_MS, until - clock()));
    const report = () => progress(sum(about, 'records'), sum(about, 'expected'), 'Reading views');
    const unlisten = about.map((run) => run.onProgress(report));
    try {
      const time = sleep(forMs, undefined, { signal: AbortSignal.any([signal, timer.signal]) }).catch(() => undefined);
      await Promise.race([time, ...(about.length === 0 ? [] : [Promise.all(about.map(({ ended }) => ended))])]);
    } finally {
      timer.abort();
      for (const stop of unlisten) stop();
    }
  }

  /** The readings that one question waits for. */
  function createShare() {
    const mine = new Set<Run>();
    return {
      join(about: readonly Run[]): void {
        for (const run of about) {
          const state = runs.get(run);
          if (state === undefined || mine.has(run)) continue;
          mine.add(run);
          state.waiting += 1;
        }
      },
      /** A reading for which nobody waits any more ends, unless somebody was told that it goes on. */
      leave(goesOn: boolean): void {
        for (const run of mine) {
          const state = runs.get(run);
          if (state === undefined) continue;
          state.waiting -= 1;
          state.goesOn ||= goesOn;
          if (state.waiting === 0 && !state.goesOn) run.stop();
        }
      },
    };
  }

  return {
    async ensure(span, how): Promise<Coverage> {
      const nowMs = clock();
      const staleIn = (windows: readonly Segment[]): readonly Span[] => staleSpans(windows, span, nowMs);
      const share = createShare();
      let end: { readonly why: string; readonly failure?: VideoHostingError } | undefined;
      try {
        for (let rounds = 0; end === undefined && staleIn((await keep.read())?.windows ?? []).length > 0; ) {
          if (how.signal.aborted) throw cancelledError({ outcome: 'not-done' });
          if (await begin(span, nowMs)) rounds += 1;
          const about = [...runs.keys()].filter((run) => run.spans.some((one) => staleIn([]).some((need) => overlaps(one, need))));
          share.join(about);
          await waitFor(about, how);
          if (how.signal.aborted) throw cancelledError({ outcome: 'not-done' });
          end = endOf(about) ?? (closed || clock() >= how.until || rounds > MAX_ROUNDS ? { why: GOES_ON } : undefined);
        }
      } finally {
        share.leave(!how.signal.aborted);
      }
      const coverage = await keep.coverage(span, { stale: staleIn, why: end?.why });
      return end?.failure === undefined ? coverage : { ...coverage, failure: end.failure };
    },
    async close() {
      closed = true;
      for (const run of runs.keys()) run.stop();
      await starting;
      for (const run of runs.keys()) run.stop();
      await Promise.all([...runs.keys()].map(({ ended }) => ended));
    },
  };
}

/** Why readings ended before they were done. Throws what this machine is to blame for. */
function endOf(runs: readonly Run[]): { readonly why: string; readonly failure?: VideoHostingError } | undefined {
  const failure = runs.map((run) => run.failure).find((found) => found !== undefined);
  if (failure?.kind === 'broken') throw failure.error;
  if (failure?.kind === 'forgotten') return { why: 'it was removed while it was read' };
  // Given up by somebody else who had begun it: then it is begun anew.
  return failure === undefined || failure.error.code === 'cancelled'
    ? undefined
    : { why: failure.error.message.replace(/\.$/, ''), failure: failure.error };
}

function sum(runs: readonly Run[], what: 'records' | 'expected'): number {
  return runs.reduce((total, { progress }) => total + progress[what], 0);
}
