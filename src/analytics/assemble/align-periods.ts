import type { Question } from '../contract.ts';
import { DAY_MS, dayOf, HOUR_MS, shiftDayByMonths, weekdayOfDay } from '../resolve/calendar.ts';
import type { Shift } from '../resolve/comparison-period.ts';
import type { TimeDimension } from '../sql/compile.ts';
import { type NumberRange, timeRanges } from './times.ts';

/** Which number of the earlier span stands against a number of this one, and the other way round; undefined where none does. */
export interface Alignment {
  readonly before: (value: number) => number | undefined;
  readonly after: (value: number) => number | undefined;
}

/**
 * Pairs the hours, days, weeks or months of two spans: those that are the shift apart, and where a shift doesn't keep
 * to whole ones (a week against another month), the first with the first and so on. What has no counterpart (the 31st
 * against a shorter month) is in no pair. Weekdays and hours of the day stand against themselves: undefined.
 */
export function alignPeriods(dimension: TimeDimension, now: Question, earlier: Question, shift: Shift): Alignment | undefined {
  if (dimension === 'weekday' || dimension === 'hour_of_day') return undefined;
  const [current, former] = [timeRanges(dimension, now), timeRanges(dimension, earlier)];
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

type Numbers = readonly NumberRange[];

/** The number in other ranges that stands against one: a shift away, or at the same place in their order. */
function counterpart(own: Numbers, others: Numbers, shift: ((value: number) => number | undefined) | undefined) {
  return (value: number): number | undefined => {
    const place = placeOf(own, value);
    if (place === undefined) return undefined;
    if (shift === undefined) return valueAt(others, place);
    const there = shift(value);
    return there === undefined || placeOf(others, there) === undefined ? undefined : there;
  };
}

function placeOf(ranges: Numbers, value: number): number | undefined {
  let before = 0;
  for (const { first, last } of ranges) {
    if (value >= first && value <= last) return before + value - first;
    before += last - first + 1;
  }
  return undefined;
}

function valueAt(ranges: Numbers, place: number): number | undefined {
  let left = place;
  for (const { first, last } of ranges) {
    if (left <= last - first) return first + left;
    left -= last - first + 1;
  }
  return undefined;
}

/** A number as many days or months later (or earlier) as the shift says; undefined where a shift keeps to no whole numbers. */
function shifted(dimension: TimeDimension, shift: Shift, direction: 1 | -1): ((value: number) => number | undefined) | undefined {
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
  const day = dayOf(hour * HOUR_MS);
  const there = shiftDayByMonths(day, months);
  return there === undefined ? undefined : hour + ((there - day) * DAY_MS) / HOUR_MS;
}
