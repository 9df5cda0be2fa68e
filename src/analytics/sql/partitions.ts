import { DAY_MS } from '../../platform/time-units.ts';
import type { Question, Span } from '../contract.ts';
import type { Dimension } from '../dimensions.ts';
import { isDistinct } from '../metrics.ts';
import { dayOf, dayOfMonth, monthOfDay, weekdayOfDay } from '../resolve/calendar.ts';
import { sumsFor } from './sums.ts';

/** The distinct values of this many views fit into a processor's cache. */
const ROWS_PER_SLICE = 100_000;
const MAX_SLICES = 100;

export interface ViewExtent extends Span {
  readonly rows: number;
}

/**
 * Splits the span of a question between days, weeks or months that it groups by, so that no group is in two slices. Distinct
 * counts of many views then take a quarter of the time; other sums would take longer.
 */
export function partitionsOf({ span, offsets, groupBy, metrics, filters }: Question, extent: ViewExtent): Span[] {
  const begins = beginsOf(groupBy);
  const count = Math.min(MAX_SLICES, Math.ceil(extent.rows / ROWS_PER_SLICE));
  if (begins === undefined || filters.length > 0 || !sumsFor(metrics).some(({ name }) => isDistinct(name))) return [span];
  const boundaries: number[] = [];
  offsets.forEach(({ fromMs, offsetSeconds }, index) => {
    const offsetMs = offsetSeconds * 1_000;
    // At a clock change, a day may end twice.
    const from = Math.max(span.fromMs, extent.fromMs, fromMs + DAY_MS);
    const to = Math.min(span.toMs, extent.toMs, (offsets[index + 1]?.fromMs ?? Number.MAX_SAFE_INTEGER) - DAY_MS);
    for (let day = dayOf(from + offsetMs) + 1; day * DAY_MS - offsetMs < to; day += 1)
      if (begins(day)) boundaries.push(day * DAY_MS - offsetMs);
  });
  const step = Math.ceil((boundaries.length + 1) / count);
  const cuts = boundaries.filter((_, index) => (index + 1) % step === 0);
  return [span.fromMs, ...cuts].map((fromMs, index) => ({ fromMs, toMs: cuts[index] ?? span.toMs }));
}

/** Whether a day, week or month that the question groups by begins with a day; undefined without such a dimension. */
function beginsOf(groupBy: readonly Dimension[]): ((day: number) => boolean) | undefined {
  if (groupBy.includes('day') || groupBy.includes('hour')) return () => true;
  if (groupBy.includes('week')) return (day) => weekdayOfDay(day) === 0;
  return groupBy.includes('month') ? (day) => dayOfMonth(monthOfDay(day)) === day : undefined;
}
