import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import type { Question, Scalar, Span } from '../contract.ts';
import { cycleOf, isCyclic, type TimeDimension, type TimeUnit, tellsHours } from '../dimensions.ts';
import { dayOf, dayText, isoWeek, localText, monthOfDay, weekdayOfDay, weekOfDay } from '../resolve/calendar.ts';
import { compareKeys } from './order.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** An hour that occurs twice, when clocks go back, is one. */
const UNIT_LABELS: Readonly<Record<TimeUnit, (value: number) => string>> = {
  hour: (hour) => localText(hour * HOUR_MS).slice(0, 16),
  day: dayText,
  week: (week) => {
    const { year, number } = isoWeek(week);
    return `${year}-W${two(number)}`;
  },
  month: (month) => `${1970 + Math.floor(month / 12)}-${two((month % 12) + 1)}`,
};

/** The label of a time dimension's number. */
export function timeLabel(dimension: TimeDimension, value: number): Scalar {
  if (!isCyclic(dimension)) return UNIT_LABELS[dimension](value);
  const { of, values } = cycleOf(dimension);
  return of === 'integer' ? value : (values[value] ?? null);
}

const NUMBERS: Readonly<Record<TimeDimension, (localMs: number) => number>> = {
  hour: (localMs) => Math.floor(localMs / HOUR_MS),
  day: dayOf,
  week: (localMs) => weekOfDay(dayOf(localMs)),
  month: (localMs) => monthOfDay(dayOf(localMs)),
  weekday: (localMs) => weekdayOfDay(dayOf(localMs)),
  hour_of_day: (localMs) => Math.floor((localMs - dayOf(localMs) * DAY_MS) / HOUR_MS),
};

/** The hour, day, week … of a local time, numbered as in a compiled question. */
export const timeNumber = (dimension: TimeDimension, localMs: number): number => NUMBERS[dimension](localMs);

export const MAX_TIMES = 20_000;

const CYCLE_MS = { day: DAY_MS, week: 7 * DAY_MS } satisfies Record<ReturnType<typeof cycleOf>['every'], number>;
/** So long contains every hour of every weekday, also where clocks leave out an hour, or a zone a day. */
const ALL_CYCLES_MS = 2 * Math.max(...Object.values(CYCLE_MS)) + DAY_MS;

/**
 * Every combination of time dimensions in a span, in order: each hour, day … that exists in its zone, and of those that come
 * again only those that the span contains. Undefined if there are too many.
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
  const step = dimensions.some(tellsHours) ? HOUR_MS : DAY_MS;
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
