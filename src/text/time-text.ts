import { type Sentence, sentence, word } from './sentence.ts';

/** `2026-11-30 20:15 UTC`, of milliseconds since the epoch. */
export const timeText = (ms: number): Sentence =>
  sentence`${word(new Date(ms).toISOString().slice(0, 10))} ${word(new Date(ms).toISOString().slice(11, 16))} UTC`;

/** The whole minute from which on something may be done: never before it. */
export const wholeMinute = (ms: number): number => Math.ceil(ms / 60_000) * 60_000;

/** The same in words. */
export const timeFrom = (ms: number): Sentence => timeText(wholeMinute(ms));
