import type { Span } from '../contract.ts';
import { aligned, DAY_MS, HOUR_MS, isWithin, overlaps, union, without } from '../spans.ts';
import { SCHEMA } from '../storage/folder/folder-storage.ts';
import type { Segment } from '../storage/folder/manifest.ts';

/**
 * A span that was read this long after its end is taken not to change any more. The service doesn't say how late a view
 * may come into the log, nor for how long a record changes: two days hold for a playback and a queue that was stuck.
 */
const SETTLE_MS = 48 * HOUR_MS;
const MINUTE_MS = 60_000;

/** The problem of a window next to a span that could not be read: both are read again with the next question. */
export const BESIDE_A_FAILURE = 'the service failed for the time beside it, and the time zone that it reads spans in is not documented';

export const isSettled = ({ toMs, fetchedMs }: { readonly toMs: number; readonly fetchedMs: number }): boolean =>
  fetchedMs >= toMs + SETTLE_MS;

export const isReadable = (window: Segment): boolean => window.schema === SCHEMA;

/**
 * Up to which moment of its span a window need not be read again. What has not settled is read again by the age of the
 * reading: today (UTC) after a minute, yesterday after a quarter of an hour, what lies before after two hours.
 */
function usableUntil({ fetchedMs, problem }: Segment, nowMs: number): number {
  const ageMs = nowMs - fetchedMs;
  if (problem === BESIDE_A_FAILURE && ageMs > 0) return Number.NEGATIVE_INFINITY;
  if (ageMs <= MINUTE_MS) return Number.POSITIVE_INFINITY;
  if (problem !== undefined) return Number.NEGATIVE_INFINITY;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const settled = fetchedMs - SETTLE_MS;
  if (ageMs <= 15 * MINUTE_MS) return Math.max(today, settled);
  return ageMs <= 2 * HOUR_MS ? Math.max(today - DAY_MS, settled) : settled;
}

/** The part of a window that need not be read again: of an empty one perhaps its beginning, of another all or nothing. */
function usablePart(window: Segment, nowMs: number): Span[] {
  if (!isReadable(window)) return [];
  const untilMs = usableUntil(window, nowMs);
  if (window.toMs <= untilMs) return [window];
  const wholeDaysMs = Math.floor(untilMs / DAY_MS) * DAY_MS;
  return window.rows === 0 && wholeDaysMs > window.fromMs ? [{ fromMs: window.fromMs, toMs: wholeDaysMs }] : [];
}

/** What has to be read at a moment so that the days of a span are held, settled or fresh. In order. */
export function staleSpans(windows: readonly Segment[], span: Span, nowMs: number): Span[] {
  const usable = windows.flatMap((window) => usablePart(window, nowMs));
  const stale = windows.filter((window) => isReadable(window) && window.rows > 0 && usablePart(window, nowMs).length === 0);
  let needed = without([aligned(span, DAY_MS)], usable);
  // A window is replaced whole.
  for (;;) {
    const cut = stale.filter((window) => needed.some((need) => overlaps(window, need) && !isWithin(window, need)));
    if (cut.length === 0) return needed;
    needed = union([...needed, ...cut]);
  }
}
