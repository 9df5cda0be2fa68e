import { type ErrorFacts, VideoHostingError } from '../errors.ts';
import { type Api, operationOf } from './attempt.ts';
import { requireApproval } from './gate.ts';
import { type AnyRequest, waitingSignal } from './request.ts';
import { type RetryPolicy, retryDelay } from './retry.ts';

export interface RetryTools {
  readonly policy: RetryPolicy;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/**
 * Does `act`, again after a pause where the request's rule allows that. What it throws in the end sums up all attempts:
 * where any of them may have been carried out, the outcome is not known. An approval must be open before each.
 */
export async function retrying<T>(request: AnyRequest, api: Api, tools: RetryTools, act: () => Promise<T>): Promise<T> {
  let before: ErrorFacts = { outcome: 'nothing-sent', attempts: 0 };
  for (let attempt = 1; ; attempt += 1) {
    try {
      requireApproval(request, () => operationOf(request, api.credentials));
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof VideoHostingError)) throw thrown;
      before = addAttempt(before, thrown.facts);
      const delayMs = retryDelay(request.retry, thrown, attempt, tools.policy, tools.random);
      // `Retry-After` holds for all requests, even when this one has failed; the backoff is this request's.
      const { retryAfterMs = 0 } = thrown.facts;
      if (retryAfterMs > 0 && retryAfterMs <= tools.policy.maxRetryAfterMs) api.limiter.pause(retryAfterMs);
      if (delayMs === undefined) throw withFacts(thrown, before);
      // An abort is seen when the next attempt begins.
      await tools.sleep(delayMs, waitingSignal(request)).catch(() => {});
    }
  }
}

const CERTAINTY = ['nothing-sent', 'not-done', 'not-known'] as const;

/** Sums up attempts: how many went out, and the least certain of their outcomes. */
function addAttempt(before: ErrorFacts, last: ErrorFacts): ErrorFacts {
  const rank = (facts: ErrorFacts) => CERTAINTY.indexOf(facts.outcome ?? 'not-known');
  const worst = CERTAINTY[Math.max(rank(before), rank(last))] ?? 'not-known';
  return { outcome: worst, attempts: (before.attempts ?? 0) + (last.outcome === 'nothing-sent' ? 0 : 1) };
}

function withFacts(error: VideoHostingError, facts: ErrorFacts): VideoHostingError {
  return new VideoHostingError(error.code, error.message, { facts: { ...error.facts, ...facts }, hint: error.hint, cause: error.cause });
}
