/**
 * The engine of bulk changes: sends batches, several at once, halves those in which something failed, and puts every id's
 * fate on record. It knows neither moves nor copies: how a batch is sent, and what may be sent twice, are `BatchRules`.
 */
import { VideoHostingError } from '../../errors.ts';
import type { BulkRun } from '../plan.ts';
import type { BatchAnswer, BatchFailure } from './batch-answer.ts';
import { type Batch, type BatchQueue, batchesOf, createBatchQueue } from './batch-queue.ts';
import { createBulkProgress } from './bulk-progress.ts';
import { type IdRange, isNotSent, isPossiblyApplied } from './bulk-state.ts';
import { type Attempt, type BreakerOptions, createCircuitBreaker } from './circuit-breaker.ts';

/** What a kind of change says about its batches. */
export interface BatchRules extends BreakerOptions {
  /** Most ids in one request. */
  readonly batchSize: number;
  /** Whether what may have been carried out may be sent again, and so be halved until the failing ids stand alone. */
  readonly repeatable: boolean;
  /** Most requests in all, attempts counted; past it the rest is not known. */
  readonly ceiling: number;
  /** Sends one batch and answers what became of it. Rejects with a defect alone. */
  readonly send: (batch: IdRange) => Promise<BatchAnswer>;
}

/** A lone id counts as failed once the service has said so twice: the first time may have been a passing fault. */
const REFUSALS = 2;
/** And its fate as not known after so many attempts to learn it. */
const MAX_ASKS = 4;

const OVER_CEILING = 'The limit of requests that the plan stated was reached before its fate was known.';
const ENDED_BEFORE = 'The change ended before its fate was known.';

/**
 * Sends all that is still to be sent, and resolves once everything is on record: to the error that ended it before
 * everything was sent, or to undefined. Rejects where the journal can't be written, after what is under way came back.
 */
export async function runBatches(run: BulkRun, rules: BatchRules): Promise<VideoHostingError | undefined> {
  const queue = createBatchQueue([
    ...batchesOf(run.state.ranges(isNotSent), rules.batchSize, false),
    ...(rules.repeatable ? batchesOf(run.state.ranges(isPossiblyApplied), rules.batchSize, true) : []),
  ]);
  const breaker = createCircuitBreaker(rules);
  const progress = createBulkProgress(run.progress, run.state);
  const inFlight = new Set<Promise<void>>();
  let ended: VideoHostingError | undefined;
  /** The lines of batches that are done, which nothing else waits for. */
  let recorded: Promise<unknown> = Promise.resolve();

  /** Puts on record what became of a batch, or back into the queue what is to be sent of it again. */
  async function settle(batch: Batch, attempt: Attempt, answer: BatchAnswer): Promise<void> {
    if (answer.kind === 'done') {
      attempt.succeeded();
      // Written with the line of the next batch, and not waited for before that.
      recorded = Promise.all([recorded, run.record(batch.from, batch.to, 'done')]);
      recorded.catch(() => undefined);
      return;
    }
    const { kind, reason, error, certain } = answer;
    const missed = { ...batch, touched: batch.touched || !certain, why: reason };
    if (kind === 'ends') ended ??= error;
    if (kind === 'ends' || kind === 'withdrawn') return recordLeft(run, [missed], ENDED_BEFORE);
    if (kind === 'busy') {
      if (attempt.throttled(error.facts.retryAfterMs, run.stop)) ended ??= error;
    } else if (kind === 'unknown' || (kind === 'some-failed' && !rules.repeatable)) {
      if (attempt.failed()) ended ??= error;
    } else attempt.succeeded();
    return followUp(missed, kind, queue, run, rules);
  }

  async function send(batch: Batch): Promise<void> {
    await run.sending(batch.from, batch.to, !rules.repeatable);
    const attempt = breaker.begin();
    await settle(batch, attempt, await rules.send(batch));
    progress();
  }

  const isOverCeiling = () => run.requests() + inFlight.size >= rules.ceiling;
  const mayGoOn = () => ended === undefined && !run.stop.aborted && !isOverCeiling();

  /** Sends as many batches as may be in flight now. */
  function launch(): void {
    while (mayGoOn() && inFlight.size < breaker.concurrency) {
      const batch = queue.take(breaker.isFailing);
      if (batch === undefined) return;
      const sent: Promise<void> = send(batch).finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
  }

  try {
    for (launch(); inFlight.size > 0 || (breaker.pause !== undefined && mayGoOn()); launch())
      await Promise.race([...inFlight, ...(breaker.pause === undefined ? [] : [breaker.pause])]);
  } finally {
    // What is under way is waited for, also where the journal could not be written.
    await Promise.allSettled(inFlight);
  }
  await recorded;
  const rest = queue.rest();
  if (ended !== undefined || run.stop.aborted || !isOverCeiling()) {
    await recordLeft(run, rest, ENDED_BEFORE);
    return ended;
  }
  // Also what the service refused, and so did not do: which of it could be done was not learnt.
  await recordLeft(
    run,
    rest.map((batch) => ({ ...batch, touched: batch.touched || batch.why !== '' })),
    OVER_CEILING,
  );
  return rest.length === 0 ? undefined : overCeiling(rules.ceiling);
}

function overCeiling(requests: number): VideoHostingError {
  const message = `The limit of ${requests.toLocaleString('en-US')} requests that the plan stated was reached, so the rest was not searched.`;
  return new VideoHostingError('service_failed', message, {
    hint: 'Look whether the list is the right one: much of it can’t be done. resume_change goes on with the rest.',
  });
}

/** Puts on record what is known of a batch that missed, or queues it to be looked at closer. */
async function followUp(
  missed: Batch,
  kind: BatchFailure['kind'],
  queue: BatchQueue,
  run: BulkRun,
  { repeatable }: BatchRules,
): Promise<void> {
  const { from, to, touched, why } = missed;
  const mayRepeat = repeatable || !touched;
  // Nothing is learnt from a part of what never arrived, or came at a bad time.
  if (mayRepeat && (kind === 'busy' || (kind === 'unknown' && !touched))) return queue.put(missed);
  if (mayRepeat && to - from > 1) {
    if (touched) await run.retrying(from, to, why);
    const middle = from + Math.ceil((to - from) / 2);
    return queue.put({ ...missed, to: middle }, { ...missed, from: middle });
  }
  const isRefusal = kind === 'some-failed' || kind === 'refused';
  if (!repeatable) return run.record(from, to, isRefusal && to - from === 1 ? 'failed' : 'unknown', why);
  const lone = { ...missed, asked: missed.asked + 1, refused: missed.refused + (isRefusal ? 1 : 0) };
  if (lone.refused >= REFUSALS) return run.record(from, to, 'failed', why);
  if (lone.asked >= MAX_ASKS) return run.record(from, to, 'unknown', why);
  await run.retrying(from, to, why);
  return queue.put(lone);
}

/** Puts on record what was left when it ended: what was not sent is not done; what may have been carried out, in whole or in part, is not known. */
async function recordLeft(run: BulkRun, rest: readonly Batch[], why: string): Promise<void> {
  const lines: { from: number; to: number; touched: boolean; reason: string }[] = [];
  for (const { from, to, touched, why: earlier } of rest) {
    const reason = touched ? `${earlier} ${why}`.trim() : 'Not sent.';
    const last = lines.at(-1);
    if (last?.to === from && last.touched === touched && last.reason === reason) last.to = to;
    else lines.push({ from, to, touched, reason });
  }
  for (const { from, to, touched, reason } of lines) await run.record(from, to, touched ? 'unknown' : 'not_done', reason);
}
