/**
 * Ends a bulk change whose service fails again and again, and waits where it asks for fewer requests. `run-batches.ts` tells
 * it what came of each batch. How many requests go out together, the retries of one request, and pauses of up to a minute
 * that the service asks for are the HTTP client's.
 */
import { sleepFor } from '../../service/retry.ts';

/** So many failures in a row end the change; those of batches that were in flight together count once. */
const MAX_FAILURES = 7;
/** Batches in flight before the first success: what is wrong from the outset shows soon. With the failures above, ten batches at most. */
const FIRST_BATCHES = 4;
/** Pauses after refusals for which the service names no time, doubling from the first to the longest. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** A change that is asked to wait longer than this ends instead. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;

export interface BreakerOptions {
  /** Batches in flight while the service answers as it should. */
  readonly concurrency: number;
  /** For tests. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What a batch tells when it is back. `failed` and `throttled` answer whether the change is to end now. */
export interface Attempt {
  /** The service answered something that makes sense. */
  succeeded(): void;
  /** The service failed, or gave no answer. */
  failed(): boolean;
  /** It asked for fewer requests: nothing new begins for a while. */
  throttled(retryAfterMs: number | undefined, stop: AbortSignal): boolean;
}

export function createCircuitBreaker({ concurrency, sleep = sleepFor }: BreakerOptions) {
  let failures = 0;
  let hasSucceeded = false;
  let pause: Promise<void> | undefined;

  return {
    /** How many batches may be in flight: after a failure one at a time, until one succeeds; none during a pause. */
    get concurrency() {
      if (pause !== undefined) return 0;
      if (failures > 0) return 1;
      return hasSucceeded ? concurrency : Math.min(FIRST_BATCHES, concurrency);
    },
    /** Whether the last answers were failures, so that parts are worth trying before whole batches. */
    get isFailing() {
      return failures > 0;
    },
    /** Resolves when the pause that is on now is over; undefined when there is none. */
    get pause() {
      return pause;
    },
    /** A batch is about to be sent. */
    begin(): Attempt {
      const failuresBefore = failures;
      const failed = (): boolean => {
        if (failuresBefore >= failures) failures = failuresBefore + 1;
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
          const ms = retryAfterMs || Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
          if (isLast || ms > MAX_RETRY_AFTER_MS) return true;
          const over = () => {
            pause = undefined;
          };
          pause = sleep(ms, stop).then(over, over);
          return false;
        },
      };
    },
  };
}
