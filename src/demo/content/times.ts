import type { Random } from '../random.ts';

export const DAY_MS = 86_400_000;

/** An ISO time `days` days and up to a day more before `now` (milliseconds). */
export function instantBefore(now: number, days: number, random: Random): string {
  return new Date(now - days * DAY_MS - random.int(DAY_MS)).toISOString();
}
