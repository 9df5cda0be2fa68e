import { setTimeout as wait } from 'node:timers/promises';
import { type ErrorFacts, VideoHostingError } from '../errors.ts';
import { DAY_MS } from '../platform/time-units.ts';
import type { Limiter } from './limiter.ts';
import { type AnyRequest, waitingSignal } from './request.ts';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  readonly baseMs: number;
  /** Longest pause that the service may ask for; a longer one ends the request with `rate_limited`. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { attempts: 4, baseMs: 250, maxRetryAfterMs: 60_000 };
/** Longest `Retry-After` that a patient request waits for. */
export const MAX_PATIENT_MS = 10 * 60_000;
/** Pauses of all requests where the service says to a patient one that it is too much and names no time, doubling. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

export const maxWaitMs = ({ patient }: AnyRequest, { maxRetryAfterMs }: RetryPolicy): number =>
  patient ? Math.max(MAX_PATIENT_MS, maxRetryAfterMs) : maxRetryAfterMs;

const TRANSIENT = new Set<string>(['unreachable', 'timed_out', 'connection_lost', 'rate_limited', 'service_failed', 'unexpected_body']);

/**
 * Milliseconds of backoff until the next attempt, or undefined when there must be none. `attempt` counts from 1. A longer
 * `Retry-After` is kept by the limiter, for all requests; a shorter one doesn't shorten the backoff.
 */
export function retryDelay(
  request: AnyRequest,
  error: VideoHostingError,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (attempt >= policy.attempts || !isTransient(error)) return undefined;
  if (request.retry === 'never' && error.facts.outcome !== 'nothing-sent') return undefined;
  if ((error.facts.retryAfterMs ?? 0) > maxWaitMs(request, policy)) return undefined;
  return random() * policy.baseMs * 2 ** (attempt - 1);
}

/** A body with other fields than documented will be the same next time; one that is no JSON may not. */
function isTransient(error: VideoHostingError): boolean {
  if (error.facts.status === 501 || error.facts.status === 505) return false;
  return TRANSIENT.has(error.code) && error.facts.fields === undefined;
}

/** Ten years: no time from now on is beyond what a date can hold. */
const MAX_RETRY_AFTER_MS = 3_650 * DAY_MS;

/** Reads `Retry-After`, in seconds or as an HTTP date, as milliseconds from now. Undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? undefined : Math.min(Math.max(0, dateMs - nowMs), MAX_RETRY_AFTER_MS);
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
  let lastSent: VideoHostingError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await act();
      request.approval?.noteSuccess();
      return result;
    } catch (thrown) {
      if (!(thrown instanceof VideoHostingError)) throw thrown;
      before = addAttempt(before, thrown.facts);
      if (thrown.facts.outcome !== 'nothing-sent') lastSent = thrown;
      const delayMs = retryDelay(request, thrown, attempt, tools.policy, tools.random);
      // A pause holds for all requests, even when this one has failed; the backoff is this request's.
      const pauseMs = pauseAfter(request, thrown, limiter);
      if (pauseMs > 0 && pauseMs <= maxWaitMs(request, tools.policy)) limiter.pause(pauseMs);
      if (isTransient(thrown)) request.approval?.noteFailure(thrown.facts.status, Math.max(pauseMs, delayMs ?? 0));
      else if (thrown.facts.outcome !== 'nothing-sent') request.approval?.noteSuccess();
      if (delayMs === undefined) throw withFacts(thrown, before, isWithdrawn(thrown) ? lastSent : undefined);
      // An abort is seen when the next attempt begins.
      await tools.sleep(delayMs, waitingSignal(request)).catch(() => {});
    }
  }
}

/** How long the service is left in peace after a refusal: as long as it asked for, else longer each time. */
function pauseAfter(request: AnyRequest, { code, facts }: VideoHostingError, limiter: Limiter): number {
  // Thrown because of a pause that is on already.
  if (facts.outcome === 'nothing-sent') return 0;
  const isThrottled = code === 'rate_limited' || (facts.status === 503 && facts.retryAfterMs !== undefined);
  const backoffMs = request.patient && isThrottled ? Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (limiter.refusals - 1)) : 0;
  return facts.retryAfterMs || backoffMs;
}

const CERTAINTY = ['nothing-sent', 'not-done', 'not-known'] as const;

/** Sums up attempts: how many were sent, and the least certain of their outcomes. */
function addAttempt(before: ErrorFacts, last: ErrorFacts): ErrorFacts {
  const rank = (facts: ErrorFacts) => CERTAINTY.indexOf(facts.outcome ?? 'not-known');
  const worst = CERTAINTY[Math.max(rank(before), rank(last))] ?? 'not-known';
  return { outcome: worst, attempts: (before.attempts ?? 0) + (last.outcome === 'nothing-sent' ? 0 : 1) };
}

/** An attempt that was not made, since its change or call ended. */
const isWithdrawn = ({ code, facts }: VideoHostingError): boolean =>
  (code === 'not_approved' || code === 'cancelled') && facts.outcome === 'nothing-sent';

/** `told`: what went wrong before an attempt that was not made, which says nothing of the request as a whole. */
function withFacts(error: VideoHostingError, facts: ErrorFacts, told = error): VideoHostingError {
  const words = told.facts.words === undefined ? {} : { words: told.facts.words };
  return new VideoHostingError(error.code, told.message, {
    facts: { ...error.facts, ...words, ...facts },
    hint: error.hint,
    person: error.person,
    cause: error.cause,
  });
}
