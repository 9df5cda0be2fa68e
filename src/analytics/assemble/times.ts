import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import type { Question, Scalar, Span } from '../contract.ts';
import type { TimeDimension } from '../dimensions.ts';
import { dayOf, dayText, isoWeek, localText, monthOfDay, WEEKDAYS, weekdayOfDay, weekOfDay } from '../resolve/calendar.ts';
import { compareKeys } from './order.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The label of a time dimension's number. An hour that occurs twice, when clocks go back, is one row. */
export function timeLabel(dimension: TimeDimension, value: number): Scalar {
  switch (dimension) {
    case 'hour':
      return localText(value * HOUR_MS).slice(0, 16);
    case 'day':
      return dayText(value);
    case 'week': {
      const { year, number } = isoWeek(value);
      return `${year}-W${two(number)}`;
    }
    case 'month':
      return `${1970 + Math.floor(value / 12)}-${two((value % 12) + 1)}`;
    case 'weekday':
      return WEEKDAYS[value] ?? null;
    case 'hour_of_day':
      return value;
  }
}

/** The hour, day, week … of a local time, numbered as in a compiled question. */
export function timeNumber(dimension: TimeDimension, localMs: number): number {
  const day = dayOf(localMs);
  switch (dimension) {
    case 'hour':
      return Math.floor(localMs / HOUR_MS);
    case 'day':
      return day;
    case 'week':
      return weekOfDay(day);
    case 'month':
      return monthOfDay(day);
    case 'weekday':
      return weekdayOfDay(day);
    case 'hour_of_day':
      return Math.floor((localMs - day * DAY_MS) / HOUR_MS);
  }
}

export const MAX_TIMES = 20_000;

/** Dimensions of which a span need not contain every value, and each value often. */
export const isCyclic = (dimension: TimeDimension): boolean => dimension === 'weekday' || dimension === 'hour_of_day';

/** So many days contain every hour of every weekday, also where clocks leave out an hour, or a zone a day. */
const ALL_CYCLES_MS = 15 * DAY_MS;

/**
 * Every combination of time dimensions in a span, in order: each hour, day … that exists in its zone, and only those weekdays and
 * hours of the day that the span contains. Undefined if there are too many.
 */
export function timesOf(
  dimensions: readonly TimeDimension[],
  question: Pick<Question, 'span' | 'offsets' | 'weekdays'>,
): (readonly number[])[] | undefined {
  const { fromMs, toMs } = question.span;
  const span = dimensions.every(isCyclic) ? { fromMs, toMs: Math.min(toMs, fromMs + ALL_CYCLES_MS) } : question.span;
  const found = eachStep(dimensions, { ...question, span })?.map(({ numbers }) => [numbers.join(), numbers] as const);
  return found && [...new Map(found).values()].sort((a, b) => compareKeys(a, b));
}

/** An hour or a day of a zone within a span, and the numbers of its hour, day, week … */
export interface TimeStep extends Span {
  readonly numbers: readonly number[];
}

/** The hours of a span if a dimension needs them, else its days; only those that are counted. Undefined if there are too many. */
export function eachStep(
  dimensions: readonly TimeDimension[],
  { span, offsets, weekdays }: Pick<Question, 'span' | 'offsets' | 'weekdays'>,
  maxSteps = MAX_TIMES,
): TimeStep[] | undefined {
  const step = dimensions.some((dimension) => dimension === 'hour' || dimension === 'hour_of_day') ? HOUR_MS : DAY_MS;
  if ((span.toMs - span.fromMs) / step > maxSteps) return undefined;
  return offsets.flatMap(({ fromMs, offsetSeconds }, index) => {
    const offsetMs = offsetSeconds * 1_000;
    const from = Math.max(span.fromMs, fromMs) + offsetMs;
    const to = Math.min(span.toMs, offsets[index + 1]?.fromMs ?? span.toMs) + offsetMs;
    const steps: TimeStep[] = [];
    for (let local = Math.floor(from / step) * step; local < to; local += step) {
      if (weekdays?.includes(weekdayOfDay(dayOf(local))) === false) continue;
      steps.push({
        fromMs: Math.max(from, local) - offsetMs,
        toMs: Math.min(to, local + step) - offsetMs,
        numbers: dimensions.map((dimension) => timeNumber(dimension, local)),
      });
    }
    return steps;
  });
}
