import type { VideoHostingError } from '../../errors.ts';
import type { BulkRun } from '../plan.ts';
import { createProgress } from './bulk-progress.ts';
import type { Stretch } from './bulk-state.ts';
import { createPacer } from './pacer.ts';

/** What became of one batch, as its kind of change reads the service's answer. */
export type BatchAnswer =
  | { readonly kind: 'done' }
  /** Some of it failed and the service does not say which: it is halved, where sending again is safe. */
  | { readonly kind: 'some-failed'; readonly reason: string }
  /** All of it was refused, and only it. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It may or may not have been done. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly error: VideoHostingError }
  /** Every other batch would fare the same: the change ends here. */
  | { readonly kind: 'ends'; readonly fate: 'not_done' | 'unknown'; readonly error: VideoHostingError };

export interface BatchRules {
  /** Most ids in one request. */
  readonly batchSize: number;
  /** Whether a batch may be sent again, and so be halved until the failing ids stand alone. */
  readonly repeatable: boolean;
  /** Most requests in all; past it the rest is not known. */
  readonly ceiling: number;
  /** Requests in flight, at most. */
  readonly width: number;
  readonly send: (ids: readonly string[]) => Promise<BatchAnswer>;
}

/** So many batches in a row whose fate is not known mean that the service is gone. */
const GIVE_UP_AFTER = 6;

/**
 * Sends all that is still to be sent. Whole batches go first, then the halves of those in which something failed, so
 * that most of a list is done before the search for single ids begins. Ends with what made it end, if anything did.
 */
export async function runBatches(run: BulkRun, todo: readonly Stretch[], rules: BatchRules): Promise<VideoHostingError | undefined> {
  const queue: (Stretch & { readonly again?: true })[] = todo.flatMap((stretch) => chunks(stretch, rules.batchSize));
  const pacer = createPacer(rules.width);
  const progress = createProgress(run.progress, run.state);
  let requests = 0;
  let unknownInRow = 0;
  let ended: VideoHostingError | undefined;

  /** Puts on record what an answer means, and queues what has to be looked at closer. */
  async function settle(batch: Stretch & { readonly again?: true }, answer: BatchAnswer): Promise<void> {
    const { from, to } = batch;
    unknownInRow = answer.kind === 'unknown' ? unknownInRow + 1 : 0;
    if (answer.kind === 'ends') {
      ended ??= answer.error;
      return run.record(from, to, answer.fate, answer.error.message);
    }
    if (answer.kind === 'done') return run.record(from, to, 'done');
    if (answer.kind === 'failed') return run.record(from, to, 'failed', answer.reason);
    if (answer.kind === 'unknown' && unknownInRow >= GIVE_UP_AFTER) ended ??= answer.error;
    if (rules.repeatable && to - from > 1) {
      const middle = from + Math.ceil((to - from) / 2);
      queue.push({ from, to: middle }, { from: middle, to });
      return;
    }
    // A lone id is asked for twice before it counts as failed: the first answer may have been a passing fault.
    if (rules.repeatable && !batch.again) {
      queue.push({ from, to, again: true });
      return;
    }
    await run.record(from, to, answer.kind === 'some-failed' && to - from === 1 ? 'failed' : 'unknown', answer.reason);
  }

  async function send(batch: Stretch): Promise<void> {
    requests += 1;
    await run.sending(batch.from, batch.to, !rules.repeatable);
    const finish = pacer.begin();
    const answer = await rules.send(run.ids(batch.from, batch.to));
    finish(batch.to - batch.from === rules.batchSize);
    await settle(batch, answer);
    progress();
  }

  const mayGoOn = () => ended === undefined && !run.stop.aborted && requests < rules.ceiling;
  const inFlight = new Set<Promise<void>>();
  try {
    for (;;) {
      for (let batch = queue[0]; batch !== undefined && mayGoOn() && inFlight.size < pacer.width; batch = queue[0]) {
        queue.shift();
        const sent: Promise<void> = send(batch).finally(() => inFlight.delete(sent));
        inFlight.add(sent);
      }
      if (inFlight.size === 0) break;
      await Promise.race(inFlight);
    }
  } finally {
    // What is under way is waited for, also where the journal could not be written.
    await Promise.allSettled(inFlight);
  }
  await leaveRest(run, queue, requests >= rules.ceiling);
  run.countRequests(requests);
  return ended;
}

/** What was not sent is not done; a part of a batch in which something failed is not known. */
async function leaveRest(run: BulkRun, queue: readonly Stretch[], overCeiling: boolean): Promise<void> {
  const why = overCeiling
    ? 'The limit of requests that the plan stated was reached.'
    : 'The change ended before the failing ones of its batch were found.';
  for (const { from, to } of queue) {
    const untouched = run.state.outcomeAt(from) === 'none' || run.state.outcomeAt(from) === 'not_done';
    await run.record(from, to, untouched ? 'not_done' : 'unknown', untouched ? 'Not sent.' : why);
  }
}

function chunks({ from, to }: Stretch, size: number): Stretch[] {
  const count = Math.ceil((to - from) / size);
  return Array.from({ length: count }, (_, at) => ({ from: from + at * size, to: Math.min(to, from + (at + 1) * size) }));
}
