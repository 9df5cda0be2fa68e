/**
 * Ends a bulk change after repeated failures, and pauses it while the service throttles. The HTTP client retries single
 * requests and waits up to a minute where a `Retry-After` says so; here are the longer waits that no single request, with
 * somebody waiting for it, could afford.
 */
import { sleepFor } from '../../service/retry.ts';

/** Failures in a row that end the change; those of batches in flight together count once. */
const MAX_FAILURES = 7;
/** Batches in flight before the first success, so that at most ten are sent to a service that fails from the start. */
const FIRST_CONCURRENCY = 4;
/** Backoff where the service names no time, doubling. */
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
/** A longer `Retry-After` ends the change. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

export interface BreakerOptions {
  /** Batches in flight while the service answers without failures. */
  readonly concurrency: number;
  /** For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** One batch in flight. `failed` and `throttled` return whether the change is to end. */
export interface Attempt {
  succeeded(): void;
  failed(): boolean;
  throttled(retryAfterMs: number | undefined, stop: AbortSignal): boolean;
}

export function createCircuitBreaker({ concurrency, sleep = sleepFor }: BreakerOptions) {
  let failures = 0;
  let hasSucceeded = false;
  let pause: Promise<void> | undefined;

  return {
    /** How many batches may be in flight: none during a pause, one after a failure until one succeeds. */
    get concurrency() {
      if (pause !== undefined) return 0;
      if (failures > 0) return 1;
      return hasSucceeded ? concurrency : Math.min(FIRST_CONCURRENCY, concurrency);
    },
    /** Whether the last answers were failures, so that parts are worth trying before whole batches. */
    get isFailing() {
      return failures > 0;
    },
    /** Resolves at the end of the present pause; undefined when there is none. */
    get pause() {
      return pause;
    },
    begin(): Attempt {
      const failuresBefore = failures;
      const failed = (): boolean => {
        failures = Math.max(failures, failuresBefore + 1);
        return failures >= MAX_FAILURES;
      };
      return {
        succeeded() {
          hasSucceeded = true;
          failures = 0;
        },
        failed,
        throttled(retryAfterMs, stop) {
          const isLast = failed();
          if (pause !== undefined) return false;
          const ms = retryAfterMs || Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
          if (isLast || ms > MAX_RETRY_AFTER_MS) return true;
          const end = () => {
            pause = undefined;
          };
          pause = sleep(ms, stop).then(end, end);
          return false;
        },
      };
    },
  };
}
