import type { Question, Scalar, Span } from '../contract.ts';
import { DAY_MS, dayOf, dayText, HOUR_MS, isoWeek, localText, monthOfDay, WEEKDAYS, weekdayOfDay, weekOfDay } from '../resolve/calendar.ts';
import type { TimeDimension } from '../sql/compile.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The label of a time dimension's number. An hour that comes twice, when clocks go back, has one label and is one row. */
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

/** Which hour, day, week … a local time is in: the numbers that a compiled question counts by. */
function timeNumber(dimension: TimeDimension, localMs: number): number {
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

/** Maximum number of times that are filled in. */
export const MAX_TIMES = 20_000;

/** Dimensions that repeat, with their number of values. An answer has all of these. */
const ROUNDS: Partial<Record<TimeDimension, number>> = { weekday: 7, hour_of_day: 24 };

/**
 * Every combination of time dimensions that a span has, in order: each hour, day … that exists in its zone.
 * Undefined where there are too many to write out.
 */
export function timesOf(
  dimensions: readonly TimeDimension[],
  question: Pick<Question, 'span' | 'offsets' | 'weekdays'>,
): (readonly number[])[] | undefined {
  if (dimensions.every((dimension) => dimension in ROUNDS)) return rounds(dimensions, question.weekdays);
  const found = eachStep(dimensions, question)?.map(({ numbers }) => [numbers.join(), numbers] as const);
  return found && [...new Map(found).values()].sort(inOrder);
}

/** An hour or a day of a zone, as far as it is in a span, and which hour, day, week … it is in. */
export interface TimeStep extends Span {
  readonly numbers: readonly number[];
}

/** The hours of a span, where dimensions need them, else its days; only those that are counted. Undefined where there are too many. */
export function eachStep(
  dimensions: readonly TimeDimension[],
  { span, offsets, weekdays }: Pick<Question, 'span' | 'offsets' | 'weekdays'>,
): TimeStep[] | undefined {
  const step = dimensions.some((dimension) => dimension === 'hour' || dimension === 'hour_of_day') ? HOUR_MS : DAY_MS;
  if ((span.toMs - span.fromMs) / step > MAX_TIMES) return undefined;
  return offsets.flatMap(({ fromMs, offsetSeconds }, at) => {
    const offsetMs = offsetSeconds * 1_000;
    const from = Math.max(span.fromMs, fromMs) + offsetMs;
    const to = Math.min(span.toMs, offsets[at + 1]?.fromMs ?? span.toMs) + offsetMs;
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

/** Consecutive numbers, both ends included. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** The hours, days, weeks or months that a span has in its zone, in order; clocks that go forward leave a gap. */
export function timeRanges(dimension: TimeDimension, { span, offsets }: Pick<Question, 'span' | 'offsets'>): NumberRange[] {
  const ranges: NumberRange[] = [];
  offsets.forEach(({ fromMs, offsetSeconds }, at) => {
    const from = Math.max(span.fromMs, fromMs) + offsetSeconds * 1_000;
    const to = Math.min(span.toMs, offsets[at + 1]?.fromMs ?? span.toMs) + offsetSeconds * 1_000;
    if (from >= to) return;
    const before = ranges.at(-1)?.last ?? Number.NEGATIVE_INFINITY;
    // Clocks that go back repeat an hour, and most changes are within a day.
    const [first, last] = [Math.max(timeNumber(dimension, from), before + 1), timeNumber(dimension, to - 1)];
    if (first <= last) ranges.push({ first, last });
  });
  return ranges;
}

function rounds(dimensions: readonly TimeDimension[], weekdays: Question['weekdays']): number[][] {
  const valuesOf = (dimension: TimeDimension): number[] => {
    const all = Array.from({ length: ROUNDS[dimension] ?? 0 }, (_, value) => value);
    return dimension === 'weekday' ? all.filter((value) => weekdays?.includes(value) !== false) : all;
  };
  return dimensions.reduce<number[][]>(
    (rows, dimension) => rows.flatMap((row) => valuesOf(dimension).map((value) => [...row, value])),
    [[]],
  );
}

function inOrder(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((value, place) => value !== right[place]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
