import type { Question } from '../contract.ts';
import { shiftDayByMonths, weekdayOfDay } from '../resolve/calendar.ts';
import type { Shift } from '../resolve/comparison-period.ts';
import type { TimeDimension } from '../sql/compile.ts';
import { eachStep } from './times.ts';

/** Maps the numbers of two periods to each other; undefined if a number has no counterpart. */
export interface Alignment {
  readonly before: (value: number) => number | undefined;
  readonly after: (value: number) => number | undefined;
}

/**
 * Aligns the hours, days, weeks or months of two periods by the shift. If the shift doesn't keep whole ones (weeks against
 * another month), by their order. Some have no counterpart (the 31st in a shorter month). Undefined for weekdays and hours of
 * the day, which are their own counterparts.
 */
export function alignPeriods(dimension: TimeDimension, now: Question, earlier: Question, shift: Shift): Alignment | undefined {
  if (dimension === 'weekday' || dimension === 'hour_of_day') return undefined;
  const [current, former] = [numbersOf(dimension, now), numbersOf(dimension, earlier)];
  const [back, forth] = [shifted(dimension, shift, -1), shifted(dimension, shift, 1)];
  const counted = onCountedDays(dimension, now.weekdays);
  return { before: counted(counterpart(current, former, back)), after: counted(counterpart(former, current, forth)) };
}

type Counterpart = (value: number) => number | undefined;

/** A day or hour of a weekday that is filtered out stands against none: it is not zero, it was not counted. */
function onCountedDays(dimension: TimeDimension, weekdays: Question['weekdays']): (of: Counterpart) => Counterpart {
  if (weekdays === undefined || (dimension !== 'day' && dimension !== 'hour')) return (of) => of;
  return (of) => (value) => {
    const there = of(value);
    if (there === undefined) return undefined;
    return weekdays.includes(weekdayOfDay(dimension === 'day' ? there : Math.floor(there / 24))) ? there : undefined;
  };
}

/** The hours, days, weeks or months of a span, in order, also on weekdays that are not counted. An hour that clocks repeat is one. */
function numbersOf(dimension: TimeDimension, { span, offsets }: Question): number[] {
  const steps = eachStep([dimension], { span, offsets }, Number.POSITIVE_INFINITY) ?? [];
  return [...new Set(steps.flatMap(({ numbers }) => numbers))];
}

type Shifted = ((value: number) => number | undefined) | undefined;

function counterpart(own: readonly number[], others: readonly number[], shift: Shifted) {
  const known = new Set(others);
  const pairs = new Map(own.map((value, index) => [value, shift === undefined ? others[index] : shift(value)]));
  return (value: number): number | undefined => {
    const there = pairs.get(value);
    return there !== undefined && known.has(there) ? there : undefined;
  };
}

/** Moves a number by the shift; undefined if the shift doesn't keep whole numbers. */
function shifted(dimension: TimeDimension, shift: Shift, direction: 1 | -1): Shifted {
  if (shift.by === 'time') return undefined;
  const { by } = shift;
  const count = shift.count * direction;
  switch (dimension) {
    case 'month':
      return by === 'months' ? (month) => month + count : undefined;
    case 'week':
      return by === 'days' && count % 7 === 0 ? (week) => week + count / 7 : undefined;
    case 'day':
      return by === 'days' ? (day) => day + count : (day) => shiftDayByMonths(day, count);
    default:
      return by === 'days' ? (hour) => hour + count * 24 : (hour) => hourMonthsLater(hour, count);
  }
}

function hourMonthsLater(hour: number, months: number): number | undefined {
  const day = Math.floor(hour / 24);
  const there = shiftDayByMonths(day, months);
  return there === undefined ? undefined : hour + (there - day) * 24;
}
