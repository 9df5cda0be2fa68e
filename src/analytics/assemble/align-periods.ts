import type { Question } from '../contract.ts';
import { isCyclic, type TimeDimension, type TimeUnit } from '../dimensions.ts';
import { dayOfMonth, dayOfWeek, monthOfDay, shiftDayByMonths, weekdayOfDay, weekOfDay } from '../resolve/calendar.ts';
import { type Shift, sameWeekOfYear } from '../resolve/comparison-period.ts';
import { eachStep } from './times.ts';

/** Maps the numbers of two periods to each other; undefined if a number has no counterpart. */
export interface Alignment {
  readonly before: (value: number) => number | undefined;
  readonly after: (value: number) => number | undefined;
}

type Times = Pick<Question, 'span' | 'offsets' | 'weekdays'>;

/**
 * Aligns the hours, days, weeks or months of two periods by the shift. A week whose days are shifted into two goes to that which
 * holds most of them. If the shift doesn't keep whole ones at all, by their order. Some have no counterpart (the 31st in a shorter
 * month). Undefined for times that come again, such as weekdays, which are their own counterparts.
 */
export function alignPeriods(dimension: TimeDimension, now: Times, earlier: Times, shift: Shift): Alignment | undefined {
  if (isCyclic(dimension)) return undefined;
  const [current, former] = [numbersOf(dimension, now), numbersOf(dimension, earlier)];
  const pairs = pairsOf(current, former, shiftedBack(dimension, ofWeekdays(shift, now.weekdays)));
  const inverse = new Map(Array.from(pairs, ([value, there]) => [there, value]));
  const counted = onCountedDays(dimension, now.weekdays);
  return { before: counted((value) => pairs.get(value)), after: counted((value) => inverse.get(value)) };
}

/** Days of chosen weekdays stand against the same weekdays of the year before, not against the same dates. */
const ofWeekdays = (shift: Shift, weekdays: Question['weekdays']): Shift =>
  weekdays !== undefined && shift.by === 'months' && shift.count % 12 === 0 ? { by: 'days', count: (shift.count / 12) * 364 } : shift;

type Counterpart = (value: number) => number | undefined;

/** A day or hour of a weekday that is filtered out stands against none: it is not zero, it was not counted. */
function onCountedDays(dimension: TimeUnit, weekdays: Question['weekdays']): (of: Counterpart) => Counterpart {
  if (weekdays === undefined || (dimension !== 'day' && dimension !== 'hour')) return (of) => of;
  return (of) => (value) => {
    const there = of(value);
    if (there === undefined) return undefined;
    return weekdays.includes(weekdayOfDay(dimension === 'day' ? there : Math.floor(there / 24))) ? there : undefined;
  };
}

/** The hours, days, weeks or months of a span, in order, also on weekdays that are not counted. An hour that clocks repeat is one. */
function numbersOf(dimension: TimeUnit, { span, offsets }: Times): number[] {
  const steps = eachStep([dimension], { span, offsets }, Number.POSITIVE_INFINITY) ?? [];
  return [...new Set(steps.flatMap(({ numbers }) => numbers))];
}

type Shifted = ((value: number) => number | undefined) | undefined;

/** Each value of a period with its counterpart, which no other value has. */
function pairsOf(own: readonly number[], others: readonly number[], shift: Shifted): ReadonlyMap<number, number> {
  const free = new Set(others);
  const pairs = new Map<number, number>();
  for (const [index, value] of own.entries()) {
    const there = shift === undefined ? others[index] : shift(value);
    if (there !== undefined && free.delete(there)) pairs.set(value, there);
  }
  return pairs;
}

/** Moves a number back by the shift; undefined if the shift doesn't keep whole numbers. */
const shiftedBack = (dimension: TimeUnit, shift: Shift): Shifted => (shift.by === 'time' ? undefined : SHIFTED_BACK[dimension](shift));

type WholeDays = Exclude<Shift, { readonly by: 'time' }>;

const SHIFTED_BACK: Readonly<Record<TimeUnit, (shift: WholeDays) => Shifted>> = {
  month: ({ by, count }) => (by === 'months' ? (month) => month - count : undefined),
  week: ({ by, count }) => {
    if (by === 'weeks of year') return sameWeekBefore;
    return (week) => weekOfDay(by === 'days' ? thursdayOf(week) - count : dayMonthsBefore(thursdayOf(week), count));
  },
  day: ({ by, count }) => (by === 'months' ? (day) => shiftDayByMonths(day, -count) : (day) => day - count),
  hour: ({ by, count }) => (by === 'months' ? (hour) => hourMonthsBefore(hour, count) : (hour) => hour - count * 24),
};

/** The middle of a week: where it is shifted to, most of the week is. */
const thursdayOf = (week: number): number => dayOfWeek(week) + 3;

function sameWeekBefore(week: number): number | undefined {
  const monday = sameWeekOfYear(dayOfWeek(week), -1);
  return monday === undefined ? undefined : weekOfDay(monday);
}

/** The same day of an earlier month, or the last one of a shorter month. */
const dayMonthsBefore = (day: number, months: number): number =>
  shiftDayByMonths(day, -months) ?? dayOfMonth(monthOfDay(day) - months + 1) - 1;

function hourMonthsBefore(hour: number, months: number): number | undefined {
  const day = Math.floor(hour / 24);
  const there = shiftDayByMonths(day, -months);
  return there === undefined ? undefined : hour + (there - day) * 24;
}
