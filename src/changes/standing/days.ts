import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { asSentence, type Sentence, sentence, word } from '../../text/sentence.ts';

/** The calendar day of a moment in a time zone: `2026-11-23`. */
export function dayIn(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The longest day. */
const LONGEST_DAY_MS = 27 * HOUR_MS;

/** When the day of a moment began, in milliseconds since the epoch. */
export function startOfDay(timeZone: string, at: Date): number {
  const day = dayIn(timeZone, at);
  let [before, since] = [at.getTime() - LONGEST_DAY_MS, at.getTime()];
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (dayIn(timeZone, new Date(middle)) === day) since = middle;
    else before = middle;
  }
  return since;
}

/** `22:42 Europe/Berlin` */
export const timeIn = (timeZone: string, at: Date): Sentence =>
  sentence`${word(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at))} ${asSentence(timeZone)}`;

/** From one calendar day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
