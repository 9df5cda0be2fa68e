import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time-units.ts';
import type { Span } from '../contract.ts';
import { aligned, isWithin, overlaps, union, without } from '../spans.ts';
import { isFilled, isFromFuture, isReadable, SETTLE_MS, type Segment } from '../storage/segments.ts';

/** Views may enter the log this late: a time of today is not read for new ones once the log had later views than that. */
const LATE_MS = 10 * MINUTE_MS;
/** After this time all of today is read again, for views that came later still, and for those that changed. */
const WHOLE_DAY_MS = 30 * MINUTE_MS;

/**
 * The moment up to which a segment is fresh. Views that have not settled are read again by the age of the reading: today (UTC)
 * after a minute, but its earlier hours after half an hour; yesterday after a quarter of an hour, earlier days after two hours,
 * and a day that was not over after a minute.
 */
function freshUntil({ fromMs, toMs, fetchedMs, doubt }: Segment, { askedMs, newestMs, isDayDue }: Day): number {
  const ageMs = askedMs - fetchedMs;
  if (doubt?.kind === 'beside_failure' && ageMs > 0) return Number.NEGATIVE_INFINITY;
  if (ageMs <= MINUTE_MS) return Number.POSITIVE_INFINITY;
  if (doubt !== undefined) return Number.NEGATIVE_INFINITY;
  const today = dayOf(askedMs);
  if (fromMs >= today) return isDayDue ? Number.NEGATIVE_INFINITY : Math.min(fetchedMs, newestMs) - LATE_MS;
  const settled = fetchedMs - SETTLE_MS;
  if (toMs <= today && fetchedMs < aligned({ fromMs, toMs }, DAY_MS).toMs) return settled;
  if (ageMs <= 15 * MINUTE_MS) return Math.max(today, settled);
  return ageMs <= 2 * HOUR_MS ? Math.max(today - DAY_MS, settled) : settled;
}

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;

interface Day extends Moments {
  /** The newest stored view of today: a log that lags has none of the last minutes. */
  readonly newestMs: number;
  /** All of today has to be read again. */
  readonly isDayDue: boolean;
}

function dayAt(segments: readonly Segment[], moments: Moments): Day {
  const { askedMs, nowMs } = moments;
  const filled = segments.filter((segment) => isFilled(segment) && segment.fromMs >= dayOf(askedMs) && !isFromFuture(segment, nowMs));
  // What is dated in the future does not tell how far the log lags.
  const passed = filled.filter(({ fromMs, fetchedMs }) => fromMs <= fetchedMs);
  return {
    ...moments,
    newestMs: Math.max(...passed.map(({ maxMs }) => maxMs ?? Number.NEGATIVE_INFINITY)),
    isDayDue: moments.keepsDay !== true && filled.some(({ fetchedMs }) => askedMs - fetchedMs > WHOLE_DAY_MS),
  };
}

function freshPart(segment: Segment, day: Day): Span[] {
  if (!isReadable(segment) || isFromFuture(segment, day.nowMs)) return [];
  const untilMs = freshUntil(segment, day);
  if (segment.toMs <= untilMs) return [segment];
  const wholeDaysMs = Math.floor(untilMs / DAY_MS) * DAY_MS;
  return segment.rows === 0 && wholeDaysMs > segment.fromMs ? [{ fromMs: segment.fromMs, toMs: wholeDaysMs }] : [];
}

/** When a question was asked and what time it is, by the service’s clock. What is read for a question stays fresh for it. */
export interface Moments {
  readonly askedMs: number;
  readonly nowMs: number;
  /** All of today is not read again, even if it is due. */
  readonly keepsDay?: boolean;
}

/** The spans that must be read so that every day of `span` is stored and fresh. In order. */
export function staleSpans(segments: readonly Segment[], span: Span, moments: Moments): Span[] {
  const day = dayAt(segments, moments);
  const stale = segments.filter((segment) => isFilled(segment) && freshPart(segment, day).length === 0);
  let needed = without(
    [aligned(span, DAY_MS)],
    segments.flatMap((segment) => freshPart(segment, day)),
  );
  // A segment with views is replaced as a whole.
  for (;;) {
    const cut = stale.filter((segment) => needed.some((need) => overlaps(segment, need) && !isWithin(segment, need)));
    if (cut.length === 0) return needed;
    needed = union([...needed, ...cut]);
  }
}
