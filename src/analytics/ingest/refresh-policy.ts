import type { Span } from '../contract.ts';
import { aligned, DAY_MS, HOUR_MS, isWithin, overlaps, union, without } from '../spans.ts';
import { isFromFuture, isReadable, SETTLE_MS, type Segment } from '../storage/segments.ts';

const MINUTE_MS = 60_000;

/** The problem of a segment next to a span that could not be read: the next question reads both again. */
export const NEXT_TO_A_FAILURE = 'the service failed for the time beside it, and the time zone that it reads spans in is not documented';

/**
 * The moment up to which a segment is fresh. Views that have not settled are read again by the age of the reading: today (UTC)
 * after a minute, yesterday after a quarter of an hour, earlier days after two hours.
 */
function freshUntil({ fetchedMs, problem }: Segment, askedMs: number): number {
  const ageMs = askedMs - fetchedMs;
  if (problem === NEXT_TO_A_FAILURE && ageMs > 0) return Number.NEGATIVE_INFINITY;
  if (ageMs <= MINUTE_MS) return Number.POSITIVE_INFINITY;
  if (problem !== undefined) return Number.NEGATIVE_INFINITY;
  const today = Math.floor(askedMs / DAY_MS) * DAY_MS;
  const settled = fetchedMs - SETTLE_MS;
  if (ageMs <= 15 * MINUTE_MS) return Math.max(today, settled);
  return ageMs <= 2 * HOUR_MS ? Math.max(today - DAY_MS, settled) : settled;
}

function freshPart(segment: Segment, { askedMs, nowMs }: Moments): Span[] {
  if (!isReadable(segment) || isFromFuture(segment, nowMs)) return [];
  const untilMs = freshUntil(segment, askedMs);
  if (segment.toMs <= untilMs) return [segment];
  const wholeDaysMs = Math.floor(untilMs / DAY_MS) * DAY_MS;
  return segment.rows === 0 && wholeDaysMs > segment.fromMs ? [{ fromMs: segment.fromMs, toMs: wholeDaysMs }] : [];
}

/** When a question was asked and what time it is, by the service’s clock. What is read for a question stays fresh for it. */
export interface Moments {
  readonly askedMs: number;
  readonly nowMs: number;
}

/** The spans that must be read so that every day of `span` is stored and fresh. In order. */
export function staleSpans(segments: readonly Segment[], span: Span, moments: Moments): Span[] {
  const stale = segments.filter((segment) => isReadable(segment) && segment.rows > 0 && freshPart(segment, moments).length === 0);
  let needed = without(
    [aligned(span, DAY_MS)],
    segments.flatMap((segment) => freshPart(segment, moments)),
  );
  // A segment with views is replaced as a whole.
  for (;;) {
    const cut = stale.filter((segment) => needed.some((need) => overlaps(segment, need) && !isWithin(segment, need)));
    if (cut.length === 0) return needed;
    needed = union([...needed, ...cut]);
  }
}
