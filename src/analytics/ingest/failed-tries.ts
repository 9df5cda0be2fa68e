import type { VideoHostingError } from '../../errors.ts';
import { MINUTE_MS } from '../../platform/time-units.ts';
import type { FailedSpan, FailedTries, Span } from '../contract.ts';
import { overlaps } from '../spans.ts';

/** A service that failed once is left in peace for so long, and one that failed again longer, unless it says itself for how long. */
const FIRST_PAUSE_MS = MINUTE_MS;
const PAUSE_MS = 15 * MINUTE_MS;

interface Failed extends Span {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Undefined where the service refuses the span. */
  readonly retryMs: number | undefined;
  readonly failure: VideoHostingError;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const triesOf = ({ count, firstMs, lastMs, retryMs }: Failed): FailedTries => ({
  ...{ count, first: iso(firstMs), last: iso(lastMs) },
  ...(retryMs === undefined ? {} : { retryAt: iso(retryMs) }),
});

/** Counts how often in a row the service failed on a span, as long as this process runs. */
export function createFailedTries() {
  const counted = new WeakSet<VideoHostingError>();
  let failed: readonly Failed[] = [];
  return {
    /**
     * The tries of what is still stale of a span after a reading that failed. The time from which a further one makes sense stays as it
     * was told until it has come, whatever else is asked meanwhile.
     */
    add(asked: Span, stale: readonly Span[], failure: VideoHostingError, nowMs: number): FailedTries {
      const before = failed.filter((one) => stale.some((span) => overlaps(one, span)));
      // Questions that wait for one reading share its failure.
      const isNew = !counted.has(failure);
      counted.add(failure);
      const count = Math.max(0, ...before.map((one) => one.count)) + Number(isNew || before.length === 0);
      const firstMs = Math.min(nowMs, ...before.map((one) => one.firstMs));
      const told = Math.max(...before.map(({ retryMs = 0 }) => retryMs));
      const { retryAfterMs = count === 1 ? FIRST_PAUSE_MS : PAUSE_MS } = failure.facts;
      const retryMs = failure.retry !== 'safe' ? undefined : told > nowMs ? told : nowMs + retryAfterMs;
      const tries = { count, firstMs, lastMs: nowMs, retryMs, failure };
      failed = [...failed.filter((one) => !overlaps(one, asked)), ...stale.map((span) => ({ ...span, ...tries }))];
      return triesOf({ ...asked, ...tries });
    },
    clear(asked: Span): void {
      failed = failed.filter((one) => !overlaps(one, asked));
    },
    /** What could not be read, and was not read since. */
    all: (): FailedSpan[] => failed.map((one) => ({ fromMs: one.fromMs, toMs: one.toMs, tries: triesOf(one), why: one.failure.reason })),
  };
}
