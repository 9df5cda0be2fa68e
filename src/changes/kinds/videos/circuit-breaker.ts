/**
 * Decides when a bulk change gives up, and how many batches are in flight. It never waits: the service's layer does
 * (`service/retry.ts`, `service/limiter.ts`), and holds a batch back while the service throttles.
 */

/** Failures in a row that end the change; those of batches in flight together count once. */
const MAX_FAILURES = 7;
/** Batches in flight before the first success, so that at most ten are sent to a service that fails from the start. */
const FIRST_CONCURRENCY = 4;

/** `maxConcurrency`: batches in flight while the service answers without failures. */
export function createCircuitBreaker(maxConcurrency: number) {
  let failures = 0;
  let hasSucceeded = false;
  return {
    /** How many batches may be in flight: one after a failure until one succeeds. */
    get concurrency() {
      if (failures > 0) return 1;
      return hasSucceeded ? maxConcurrency : Math.min(FIRST_CONCURRENCY, maxConcurrency);
    },
    /** Whether the last answers were failures, so that parts are worth trying before whole batches. */
    get isFailing() {
      return failures > 0;
    },
    /** Begins a batch. `failed` returns whether the change is to end. */
    begin() {
      const failuresBefore = failures;
      return {
        succeeded() {
          hasSucceeded = true;
          failures = 0;
        },
        /** The service is there, and did not do it. */
        refused() {
          failures = 0;
        },
        failed(): boolean {
          failures = Math.max(failures, failuresBefore + 1);
          return failures >= MAX_FAILURES;
        },
      };
    },
  };
}
