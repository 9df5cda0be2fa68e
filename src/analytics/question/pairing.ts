import type { Question } from '../contract.ts';
import { timesOf } from './buckets.ts';
import { DAY_MS, dayOf, HOUR_MS, shiftDayByMonths } from './calendar.ts';
import type { TimeDimension } from './compile.ts';
import type { Shift } from './earlier.ts';

/** Which number of the earlier span stands against a number of this one, and the other way round. */
export interface Pairing {
  readonly before: ReadonlyMap<number, number>;
  readonly after: ReadonlyMap<number, number>;
}

/**
 * Pairs the hours, days, weeks or months of two spans: those that are the shift apart, and where a shift doesn't keep
 * to whole ones (a week against another month), the first with the first and so on. What has no counterpart (the 31st
 * against a shorter month) is in no pair. Weekdays and hours of the day stand against themselves: undefined.
 */
export function pairTimes(dimension: TimeDimension, now: Question, earlier: Question, shift: Shift): Pairing | undefined {
  if (dimension === 'weekday' || dimension === 'hour_of_day') return undefined;
  const times = (question: Question): number[] => (timesOf([dimension], question) ?? []).flat();
  const [current, former] = [times(now), times(earlier)];
  const known = new Set(former);
  const back = shifted(dimension, shift);
  const before = new Map<number, number>();
  current.forEach((value, at) => {
    const then = back === undefined ? former[at] : back(value);
    if (then !== undefined && known.has(then)) before.set(value, then);
  });
  return { before, after: new Map([...before].map(([value, then]) => [then, value])) };
}

type Back = (value: number) => number | undefined;

function shifted(dimension: TimeDimension, shift: Shift): Back | undefined {
  if (shift.by === 'time') return undefined;
  const { by, count } = shift;
  switch (dimension) {
    case 'month':
      return by === 'months' ? (month) => month - count : undefined;
    case 'week':
      return by === 'days' && count % 7 === 0 ? (week) => week - count / 7 : undefined;
    case 'day':
      return by === 'days' ? (day) => day - count : (day) => shiftDayByMonths(day, -count);
    default:
      return by === 'days' ? (hour) => hour - count * 24 : (hour) => hourMonthsBefore(hour, count);
  }
}

function hourMonthsBefore(hour: number, months: number): number | undefined {
  const day = dayOf(hour * HOUR_MS);
  const then = shiftDayByMonths(day, -months);
  return then === undefined ? undefined : hour + ((then - day) * DAY_MS) / HOUR_MS;
}
