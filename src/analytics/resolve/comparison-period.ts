import { DAY_MS } from '../../platform/time-units.ts';
import { fromLocal, toLocal } from '../../platform/time-zones.ts';
import { dayOf, dayOfIsoWeek, dayOfMonth, isoWeek, monthOfDay, shiftDayByMonths, weekdayOfDay, weekOfDay } from './calendar.ts';
import type { ResolvedSpan } from './dates.ts';

export const COMPARISONS = ['previous_period', 'previous_year'] as const;
export type CompareTo = (typeof COMPARISONS)[number];

/** The distance between the periods, and between the values that are compared. */
export type Shift =
  | { readonly by: 'days' | 'months'; readonly count: number }
  /** The ISO weeks of the same numbers a year before; `count` days from the first to the first. */
  | { readonly by: 'weeks of year'; readonly count: number }
  | { readonly by: 'time' };

export interface ComparisonPeriod {
  readonly span: ResolvedSpan;
  readonly shift: Shift;
}

/**
 * The comparison period of a span. It follows the calendar: whole months are compared with whole months, weeks with weeks. Of a
 * span that is not over, what has passed is compared with as much of the period before.
 */
export function comparisonPeriod(span: ResolvedSpan, compareTo: CompareTo, now: number): ComparisonPeriod {
  const local = localOf(span);
  const whole = compareTo === 'previous_year' ? previousYear(span, local) : previousPeriod(span, local);
  if (!isUnfinished(span, now)) return whole;
  const toMs = Math.min(whole.span.toMs, momentBefore(now, span, whole));
  return { ...whole, span: { ...whole.span, toMs: Math.max(toMs, whole.span.fromMs + 1) } };
}

/** The periods before a comparison period, each as far from the next as that is from the span: the latest first. */
export function periodsBefore({ span, shift }: ComparisonPeriod, count: number): ResolvedSpan[] {
  const local = localOf(span);
  return Array.from({ length: count }, (_, index) => {
    const times = index + 1;
    if (shift.by === 'months') return byMonths(span, local, shift.count * times).span;
    if (shift.by !== 'time') return byDays(span, local, shift.count * times).span;
    const back = (span.toMs - span.fromMs) * times;
    return earlier(span, span.fromMs - back, span.toMs - back);
  });
}

/** Whether a span has begun and is not over. An open one ends now. */
export const isUnfinished = ({ fromMs, toMs }: ResolvedSpan, now: number): boolean => fromMs < now && now < toMs;

function momentBefore(now: number, { fromMs, zone }: ResolvedSpan, { span, shift }: ComparisonPeriod): number {
  if (shift.by === 'time') return now - (fromMs - span.fromMs);
  const local = toLocal(zone, now);
  return fromLocal(zone, shift.by === 'months' ? momentBack(local, dayOf(local), -shift.count) : local - shift.count * DAY_MS);
}

type Local = ReturnType<typeof localOf>;

/** `endDay` is exclusive if the span ends with a day; `months` is undefined unless the span is whole months. */
function localOf({ fromMs, toMs, zone }: ResolvedSpan) {
  const from = toLocal(zone, fromMs);
  const to = toLocal(zone, toMs);
  const [fromDay, endDay] = [dayOf(from), dayOf(to)];
  const startsDay = fromMs === fromLocal(zone, fromDay * DAY_MS);
  const endsDay = toMs === fromLocal(zone, endDay * DAY_MS);
  const isFirst = (day: number): boolean => day === dayOfMonth(monthOfDay(day));
  const months = startsDay && endsDay && isFirst(fromDay) && isFirst(endDay) ? monthOfDay(endDay) - monthOfDay(fromDay) : undefined;
  return { from, to, fromDay, endDay, startsDay, endsDay, months };
}

function previousPeriod(span: ResolvedSpan, local: Local): ComparisonPeriod {
  const { fromDay, endDay, startsDay, endsDay, months } = local;
  if (months !== undefined) return byMonths(span, local, months);
  if (startsDay && span.isOpen && span.named?.unit === 'month') return byMonths(span, local, span.named.count);
  if (startsDay && endsDay) return byDays(span, local, endDay - fromDay);
  // A day that has only begun is compared with the same hours.
  if (startsDay && span.isOpen) return byDays(span, local, span.named?.unit === 'week' ? 7 : endDay - fromDay + 1);
  const length = span.toMs - span.fromMs;
  return { span: earlier(span, span.fromMs - length, span.fromMs), shift: { by: 'time' } };
}

function previousYear(span: ResolvedSpan, local: Local): ComparisonPeriod {
  const { fromDay, endDay, startsDay, endsDay, months } = local;
  const endsWeek = span.isOpen ? span.named?.unit === 'week' : endsDay && weekdayOfDay(endDay) === 0;
  if (months !== undefined || !startsDay || weekdayOfDay(fromDay) !== 0 || !endsWeek) return byMonths(span, local, 12);
  const count = daysToWeekBefore(fromDay);
  const shifted = byDays(span, local, count);
  // Of two years, one may have a week more.
  const toMs = span.isOpen ? shifted.span.toMs : fromLocal(span.zone, (endDay - daysToWeekBefore(endDay - 7)) * DAY_MS);
  return { span: { ...shifted.span, toMs }, shift: { by: 'weeks of year', count } };
}

/** Days to the week of the same number a year earlier, or to the last week of that year. */
function daysToWeekBefore(monday: number): number {
  const { year, number } = isoWeek(weekOfDay(monday));
  return monday - (sameWeekOfYear(monday, -1) ?? dayOfIsoWeek(year - 1, number - 1) ?? monday - 364);
}

/** The Monday of the week of the same number in another year; undefined if that has no such week. */
export function sameWeekOfYear(monday: number, years: number): number | undefined {
  const { year, number } = isoWeek(weekOfDay(monday));
  return dayOfIsoWeek(year + years, number);
}

function byDays(span: ResolvedSpan, { from, to }: Local, count: number): ComparisonPeriod {
  const back = (localMs: number): number => fromLocal(span.zone, localMs - count * DAY_MS);
  return { span: earlier(span, back(from), back(to)), shift: { by: 'days', count } };
}

function byMonths(span: ResolvedSpan, { from, to, fromDay, endDay, endsDay, months }: Local, count: number): ComparisonPeriod {
  const start = lastDayUpTo(fromDay, -count) * DAY_MS + (from - fromDay * DAY_MS);
  // The last day is shifted and the end follows it; whole months end with the last day of their month.
  const endOfDays = months === undefined ? lastDayUpTo(endDay - 1, -count) + 1 : dayOfMonth(monthOfDay(endDay) - count);
  const end = endsDay ? endOfDays * DAY_MS : momentBack(to, endDay, -count);
  const toMs = fromLocal(span.zone, end);
  return { span: earlier(span, fromLocal(span.zone, start), toMs), shift: { by: 'months', count } };
}

/** The same time of the same day of another month, or the end of that month. */
function momentBack(localMs: number, day: number, months: number): number {
  const there = shiftDayByMonths(day, months);
  return there === undefined ? dayOfMonth(monthOfDay(day) + months + 1) * DAY_MS : there * DAY_MS + (localMs - day * DAY_MS);
}

const lastDayUpTo = (day: number, months: number): number => shiftDayByMonths(day, months) ?? dayOfMonth(monthOfDay(day) + months + 1) - 1;

const earlier = ({ zone }: ResolvedSpan, fromMs: number, toMs: number): ResolvedSpan => ({ fromMs, toMs, zone, isOpen: false });
