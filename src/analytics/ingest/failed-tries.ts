import type { VideoHostingError } from '../../errors.ts';
import type { FailedTries, Span } from '../contract.ts';
import { overlaps } from '../spans.ts';

/** A service that failed twice is left in peace for so long, unless it says itself for how long. */
const PAUSE_MS = 15 * 60_000;

interface Failed extends Span {
  readonly count: number;
  readonly firstMs: number;
}

/** Counts how often in a row the service failed on a span, as long as this process runs. */
export function createFailedTries() {
  const counted = new WeakSet<VideoHostingError>();
  let failed: readonly Failed[] = [];
  return {
    /** The tries of what is still stale of a span after a reading that failed, from the second on. */
    add(asked: Span, stale: readonly Span[], failure: VideoHostingError, nowMs: number): FailedTries | undefined {
      const before = failed.filter((one) => stale.some((span) => overlaps(one, span)));
      // Questions that wait for one reading share its failure.
      const isNew = !counted.has(failure);
      counted.add(failure);
      const count = Math.max(0, ...before.map((one) => one.count)) + Number(isNew);
      const firstMs = Math.min(nowMs, ...before.map((one) => one.firstMs));
      failed = [...failed.filter((one) => !overlaps(one, asked)), ...stale.map((span) => ({ ...span, count, firstMs }))];
      if (count < 2) return undefined;
      const tries = { count, first: new Date(firstMs).toISOString(), last: new Date(nowMs).toISOString() };
      const { retryAfterMs = PAUSE_MS } = failure.facts;
      return failure.retry === 'safe' ? { ...tries, retryAt: new Date(nowMs + retryAfterMs).toISOString() } : tries;
    },
    clear(asked: Span): void {
      failed = failed.filter((one) => !overlaps(one, asked));
    },
  };
}
