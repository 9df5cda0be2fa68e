import { DAY_MS } from '../../platform/time-units.ts';
import { type Sentence, word } from '../../text/sentence.ts';
/**
 * The calendar on plain numbers. A local time is the milliseconds that UTC would have at that reading of the clock. Days, weeks
 * and months are counted from 1970, weeks from the Monday before it.
 */

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The number of a day of the week by its name, in any case; 0 is Monday, and -1 is no day. */
export const weekdayNumber = (name: string): number => WEEKDAYS.findIndex((weekday) => weekday.toLowerCase() === name.toLowerCase());

const THURSDAY = 3;

export const dayOf = (localMs: number): number => Math.floor(localMs / DAY_MS);
export const weekOfDay = (day: number): number => Math.floor((day + THURSDAY) / 7);
export const dayOfWeek = (week: number): number => week * 7 - THURSDAY;
/** 0 is Monday. */
export const weekdayOfDay = (day: number): number => (((day + THURSDAY) % 7) + 7) % 7;

export function monthOfDay(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export const dayOfMonth = (month: number): number => Date.UTC(1970, month, 1) / DAY_MS;

export const daysInMonth = (month: number): number => dayOfMonth(month + 1) - dayOfMonth(month);

/** The same day of another month; undefined if that month is shorter. */
export function shiftDayByMonths(day: number, months: number): number | undefined {
  const month = monthOfDay(day);
  const offset = day - dayOfMonth(month);
  return offset < daysInMonth(month + months) ? dayOfMonth(month + months) + offset : undefined;
}

/** The Monday of an ISO week; undefined if the year has no such week. */
export function dayOfIsoWeek(year: number, week: number): number | undefined {
  // Week 1 contains the fourth of January.
  const first = weekOfDay(Date.UTC(year, 0, 4) / DAY_MS);
  const next = weekOfDay(Date.UTC(year + 1, 0, 4) / DAY_MS);
  return week >= 1 && first + week - 1 < next ? dayOfWeek(first + week - 1) : undefined;
}

/** An ISO week's year and number, which are those of its Thursday. */
export function isoWeek(week: number): { readonly year: number; readonly number: number } {
  const year = new Date((dayOfWeek(week) + THURSDAY) * DAY_MS).getUTCFullYear();
  return { year, number: week - weekOfDay(Date.UTC(year, 0, 4) / DAY_MS) + 1 };
}

/** `2026-03-01T05:00:00`. */
export const localText = (localMs: number): string => new Date(localMs).toISOString().slice(0, 19);
export const dayText = (day: number): Sentence => word(new Date(day * DAY_MS).toISOString().slice(0, 10));
