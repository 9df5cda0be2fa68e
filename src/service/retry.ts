import { setTimeout as wait } from 'node:timers/promises';
import { type ErrorFacts, VideoHostingError } from '../errors.ts';
import type { Limiter } from './limiter.ts';
import { type AnyRequest, type RetryRule, waitingSignal } from './request.ts';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  /** Longest pause that the service may ask for; a longer one ends the request with `rate_limited`. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, baseMs: 250, maxRetryAfterMs: 60_000 };

const TRANSIENT = new Set<string>(['unreachable', 'timed_out', 'connection_lost', 'rate_limited', 'service_failed', 'unexpected_body']);

/**
 * Milliseconds of backoff until the next attempt, or undefined when there must be none. `attempt` counts from 1. A longer
 * `Retry-After` is kept by the limiter, for all requests; a shorter one doesn't shorten the backoff.
 */
export function retryDelay(
  rule: RetryRule,
  error: VideoHostingError,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (attempt >= policy.attempts || !isTransient(error)) return undefined;
  if (rule === 'never' && error.facts.outcome !== 'nothing-sent') return undefined;
  if ((error.facts.retryAfterMs ?? 0) > policy.maxRetryAfterMs) return undefined;
  return random() * policy.baseMs * 2 ** (attempt - 1);
}

/** A body with other fields than documented will be the same next time; one that is no JSON may not. */
function isTransient(error: VideoHostingError): boolean {
  if (error.facts.status === 501 || error.facts.status === 505) return false;
  return TRANSIENT.has(error.code) && error.facts.fields === undefined;
}

/** Reads `Retry-After`, in seconds or as an HTTP date, as milliseconds from now. Undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/** Waits; rejects when `signal` aborts. */
export async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal === undefined ? {} : { signal });
}

export interface RetryTools {
  readonly policy: RetryPolicy;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
}

/**
 * Runs `act`, and again after a pause where the request's rule allows it. The error that it throws in the end sums up all
 * attempts: where any of them may have been carried out, the outcome is not known.
 */
export async function withRetries<T>(request: AnyRequest, limiter: Limiter, tools: RetryTools, act: () => Promise<T>): Promise<T> {
  let before: ErrorFacts = { outcome: 'nothing-sent', attempts: 0 };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (thrown) {
      if (!(thrown instanceof VideoHostingError)) throw thrown;
      before = addAttempt(before, thrown.facts);
      const delayMs = retryDelay(request.retry, thrown, attempt, tools.policy, tools.random);
      // `Retry-After` holds for all requests, even when this one has failed; the backoff is this request's.
      const { retryAfterMs = 0 } = thrown.facts;
      if (retryAfterMs > 0 && retryAfterMs <= tools.policy.maxRetryAfterMs) limiter.pause(retryAfterMs);
      if (delayMs === undefined) throw withFacts(thrown, before);
      // An abort is seen when the next attempt begins.
      await tools.sleep(delayMs, waitingSignal(request)).catch(() => {});
    }
  }
}

const CERTAINTY = ['nothing-sent', 'not-done', 'not-known'] as const;

/** Sums up attempts: how many were sent, and the least certain of their outcomes. */
function addAttempt(before: ErrorFacts, last: ErrorFacts): ErrorFacts {
  const rank = (facts: ErrorFacts) => CERTAINTY.indexOf(facts.outcome ?? 'not-known');
  const worst = CERTAINTY[Math.max(rank(before), rank(last))] ?? 'not-known';
  return { outcome: worst, attempts: (before.attempts ?? 0) + (last.outcome === 'nothing-sent' ? 0 : 1) };
}

function withFacts(error: VideoHostingError, facts: ErrorFacts): VideoHostingError {
  return new VideoHostingError(error.code, error.message, { facts: { ...error.facts, ...facts }, hint: error.hint, cause: error.cause });
}
