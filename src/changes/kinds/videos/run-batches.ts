/**
 * The engine of bulk changes: sends batches, several at once, halves those in which something failed, and records the
 * outcome of every id. How a batch is sent is in its `BatchRules`.
 */
import { VideoHostingError } from '../../../errors.ts';
import { inFull } from '../../../text/counted.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { type IdRange, type IdStatus, isNotSent, isPossiblyApplied, type Outcome } from '../../journal/bulk-state.ts';
import type { BulkRun } from '../../plan/plan.ts';
import type { BatchAnswer, BatchFailure } from './batch-answer.ts';
import { type Batch, type BatchQueue, batchesOf, createBatchQueue, cutAt } from './batch-queue.ts';
import { createBulkProgress } from './bulk-progress.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createFirstAlone } from './first-alone.ts';
import { createRefusedKeyCheck } from './refused-key.ts';
import { createSampling, SAMPLE_FAILED } from './sampling.ts';

export interface BatchRules {
  /** Batches in flight while the service answers without failures. */
  readonly concurrency: number;
  readonly batchSize: number;
  readonly retryFailed?: boolean;
  /** It carries on what was sent in part before. */
  readonly isResumed?: boolean;
  /** Whether the id at an index is sent, if its status allows; by default each is. */
  readonly isWanted?: (index: number) => boolean;
  /** Whether the plan warned that they look like no ids. */
  readonly isDoubted?: boolean;
  /** Whether it is asked for with a key that is no JWT, which some services refuse for all. */
  readonly isByKey?: boolean;
  /** Consecutive ranges of ids; no batch reaches over the end of one. By default all ids are one. */
  readonly parts?: readonly IdRange[];
  /** Most requests in all, retries counted; after that the outcome of the rest is unknown. */
  readonly maxRequests: number;
  /** Sends one batch. Rejects only on a bug. */
  readonly send: (batch: IdRange) => Promise<BatchAnswer>;
}

/** A single id counts as failed once the service has answered so twice: the first time may have been a passing fault. */
const MAX_REFUSALS = 2;
/** Its outcome counts as unknown after so many attempts. */
const MAX_ATTEMPTS = 4;

const OVER_LIMIT = sentence`The limit of requests for one change was reached before its outcome was known.`;
const ENDED_BEFORE = sentence`The change ended before its outcome was known.`;

/**
 * Sends all that is to be sent, and resolves once every outcome is recorded: to the error that ended the change early, or
 * to undefined. Rejects where the journal can't be written, after the requests in flight were answered.
 */
export async function runBatches(run: BulkRun, rules: BatchRules): Promise<VideoHostingError | undefined> {
  const batches = (isOpen: (status: IdStatus) => boolean, possiblyApplied: boolean) => {
    const ranges = run.state.ranges((status, index) => isOpen(status) && rules.isWanted?.(index) !== false);
    return batchesOf(rules.parts === undefined ? ranges : cutAt(ranges, rules.parts), rules.batchSize, possiblyApplied);
  };
  const { isRepeatable } = run.state.does;
  const queue = createBatchQueue([
    ...batches(isNotSent, false),
    ...(isRepeatable ? batches(isPossiblyApplied, true) : []),
    ...(rules.retryFailed ? batches((status) => status === 'failed', false).map((batch) => ({ ...batch, failedBefore: true })) : []),
  ]);
  const breaker = createCircuitBreaker(rules.concurrency);
  const sampling = createSampling(run.state, isRepeatable ? queue.rest() : [], rules.isDoubted === true);
  const refusedKey = createRefusedKeyCheck(run.state, queue.rest(), rules.isByKey === true);
  const firstAlone = createFirstAlone(!isRepeatable);
  const progress = createBulkProgress(run);
  const inFlight = new Set<Promise<void>>();
  let ended: VideoHostingError | undefined;
  let endedBySample: VideoHostingError | undefined;
  let setAside: VideoHostingError | undefined;
  let isSampling = false;

  async function send(batch: Batch): Promise<void> {
    // What failed would still count as failed if its announcement were lost.
    await run.sending(batch.from, batch.to, !isRepeatable || batch.failedBefore === true);
    const attempt = breaker.begin();
    const answer = await rules.send(batch);
    if (answer.kind === 'done') {
      attempt.succeeded();
      await run.record(batch.from, batch.to, 'done');
      for (const { from, to, reason } of firstAlone.succeeded()) await run.record(from, to, 'failed', reason);
    } else {
      const { reason, error, certain } = answer;
      // What was not sent again says nothing of why it is in doubt.
      const told = answer.kind === 'withdrawn' && certain && batch.reason !== undefined ? batch.reason : reason;
      const failed = { ...batch, possiblyApplied: batch.possiblyApplied || !certain, reason: told };
      const refusal = refusedKey.refused(batch, answer);
      const kind = refusal !== undefined ? 'fatal' : firstAlone.setsAside(failed, answer) ? 'aside' : answer.kind;
      if (kind === 'aside') setAside = error;
      ended ??= firstAlone.ends(failed, answer);
      const isFailure = kind === 'throttled' || kind === 'unknown' || (kind === 'some-failed' && !isRepeatable);
      if (kind === 'fatal' || (isFailure && attempt.failed())) ended ??= refusal ?? error;
      if (!isFailure && (kind === 'some-failed' || kind === 'refused' || kind === 'all-failed')) {
        attempt.refused();
        sampling.refuse(batch);
      }
      if (kind === 'fatal' || kind === 'withdrawn') await recordRest(run, [failed], ENDED_BEFORE);
      else if (kind !== 'aside') await followUp(failed, kind, queue, run);
    }
    progress.step();
  }

  const isOverLimit = () => run.approval.requests + inFlight.size >= rules.maxRequests;
  const mayGoOn = () => ended === undefined && !run.stop.aborted && !isOverLimit();

  /** After a refusal of the key, a single id; while the list is in doubt the next of the sample, which begins when nothing else is in flight. */
  function next(): Batch | undefined {
    for (let index = refusedKey.next(); index !== undefined; index = refusedKey.next()) {
      const single = queue.takeOnly(index);
      if (single !== undefined) return single;
    }
    while (sampling.isDue()) {
      isSampling ||= inFlight.size === 0;
      const index = isSampling ? sampling.next() : undefined;
      const single = index === undefined ? undefined : queue.takeOnly(index);
      if (index === undefined || single !== undefined) return single;
    }
    if (firstAlone.isOn()) {
      const index = inFlight.size === 0 ? firstAlone.next(queue.rest()) : undefined;
      return index === undefined ? undefined : queue.takeOnly(index);
    }
    return queue.take(breaker.isFailing || sampling.isInDoubt());
  }

  function launch(): void {
    if (inFlight.size === 0 && isSampling && sampling.isOver()) ended = endedBySample = sampling.ended();
    while (mayGoOn() && inFlight.size < (refusedKey.isOn() ? 1 : breaker.concurrency)) {
      const batch = next();
      if (batch === undefined) return;
      const sent: Promise<void> = send(batch).finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
  }

  try {
    for (launch(); inFlight.size > 0; launch()) await Promise.race(inFlight);
  } finally {
    // Also where the journal could not be written.
    await Promise.allSettled(inFlight);
    progress.close();
  }
  const aside = firstAlone.aside();
  // Where nothing was ever done, it may be the source or the credential; when that is carried on, they must not stand in its way again.
  const isOfAll = run.state.count('done') === 0 && rules.isResumed !== true;
  if (!isOfAll) for (const { from, to, reason } of aside) await run.record(from, to, 'failed', reason);
  if (run.state.count('done') === 0) ended ??= setAside;
  const rest = [...(isOfAll ? aside : []), ...queue.rest()];
  // Each of the sample was refused by itself.
  for (const { from, to, refusals, reason } of endedBySample === undefined ? [] : rest)
    if (refusals > 0) await run.record(from, to, 'failed', reason);
  if (ended !== undefined || run.stop.aborted || !isOverLimit()) {
    await recordRest(run, rest, endedBySample === undefined ? ENDED_BEFORE : SAMPLE_FAILED);
    return ended;
  }
  // Also what the service refused, and so did not do: which of its ids could be done was not found out.
  await recordRest(
    run,
    rest.map((batch) => ({ ...batch, possiblyApplied: batch.possiblyApplied || batch.reason !== undefined })),
    OVER_LIMIT,
  );
  return rest.length === 0 ? undefined : overLimit(rules.maxRequests);
}

function overLimit(requests: number): VideoHostingError {
  const message = sentence`The limit of ${inFull(requests)} requests for one change was reached, so the rest was not searched.`;
  const hint = sentence`Look whether the list is the right one: much of it can’t be done. The rest can be carried on.`;
  return new VideoHostingError('service_failed', message, { hint, person: hint });
}

/** Queues what of a failed batch is to be sent again, or records its outcome. */
async function followUp(failed: Batch, kind: BatchFailure['kind'], queue: BatchQueue, run: BulkRun): Promise<void> {
  const { from, to, possiblyApplied, reason } = failed;
  const { isRepeatable } = run.state.does;
  if (kind === 'all-failed') return run.record(from, to, possiblyApplied ? 'unknown' : 'failed', reason);
  const mayRepeat = isRepeatable || !possiblyApplied;
  // Halves would tell no more about what never arrived, or came at a bad time.
  if (mayRepeat && (kind === 'throttled' || (kind === 'unknown' && !possiblyApplied))) return queue.put(failed);
  if (mayRepeat && to - from > 1) {
    if (possiblyApplied) await run.record(from, to, 'retrying', reason);
    const middle = from + Math.ceil((to - from) / 2);
    return queue.put({ ...failed, to: middle }, { ...failed, from: middle });
  }
  if (!isRepeatable) return run.record(from, to, possiblyApplied ? 'unknown' : 'failed', reason);
  const isRefusal = kind === 'some-failed' || kind === 'refused';
  const single = { ...failed, attempts: failed.attempts + 1, refusals: failed.refusals + (isRefusal ? 1 : 0) };
  if (single.refusals >= MAX_REFUSALS)
    return run.record(from, to, 'failed', reason && sentence`${reason} It was sent alone twice, with the same answer.`);
  if (single.attempts >= MAX_ATTEMPTS) return run.record(from, to, 'unknown', reason);
  await run.record(from, to, 'retrying', reason);
  return queue.put(single);
}

/**
 * Records what was left at the end: `not_done` where nothing was sent, else `unknown`. What failed before, and was not done
 * now either, stays failed, with its reason. Neighbours with the same outcome are one line.
 */
async function recordRest(run: BulkRun, rest: readonly Batch[], why: Sentence): Promise<void> {
  const lines: { from: number; to: number; outcome: Outcome; reason: Sentence | undefined }[] = [];
  const add = (from: number, to: number, outcome: Outcome, reason: Sentence | undefined): void => {
    const last = lines.at(-1);
    if (last?.to === from && last.outcome === outcome && last.reason === reason) last.to = to;
    else lines.push({ from, to, outcome, reason });
  };
  for (const { from, to, possiblyApplied, reason, failedBefore } of rest) {
    if (run.state.statusAt(from) === 'failed') continue;
    if (possiblyApplied) add(from, to, 'unknown', reason === undefined ? why : sentence`${reason} ${why}`);
    else if (failedBefore) for (let index = from; index < to; index += 1) add(index, index + 1, 'failed', run.state.reasonAt(index));
    else add(from, to, 'not_done', sentence`Not sent.`);
  }
  for (const { from, to, outcome, reason } of lines) await run.record(from, to, outcome, reason, outcome === 'failed' || undefined);
}
