import { setTimeout as wait } from 'node:timers/promises';
import type { VideoHostingError } from '../errors.ts';

/**
 * What may be sent again after a failure.
 * - `idempotent`: reads, and what the API document calls idempotent.
 * - `never`: only when it is certain that not one byte of the request went out.
 */
export type RetryRule = 'idempotent' | 'never';

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

/** A body that is JSON but not of the documented shape will be the same next time; one that is no JSON may not. */
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
