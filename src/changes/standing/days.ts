import { DAY_MS } from '../../platform/time-units.ts';
import { fromLocal, toLocal, zoneName } from '../../platform/time-zones.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';

const localTime = (timeZone: string, at: Date): string => new Date(toLocal(timeZone, at.getTime())).toISOString();

/** The calendar day of a moment in a time zone: `2026-11-23`. */
export const dayIn = (timeZone: string, at: Date): string => localTime(timeZone, at).slice(0, 10);

/** When the day of a moment began, in milliseconds since the epoch. */
export const startOfDay = (timeZone: string, at: Date): number => fromLocal(timeZone, Date.parse(dayIn(timeZone, at)));

/** `22:42 Europe/Berlin` */
export const timeIn = (timeZone: string, at: Date): Sentence =>
  sentence`${word(localTime(timeZone, at).slice(11, 16))} ${zoneName(timeZone)}`;

/** From one calendar day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
