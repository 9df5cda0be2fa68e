import { type Sentence, sentence, word } from './sentence.ts';

/** `2026-11-30 20:15 UTC`, of milliseconds since the epoch. */
export const timeText = (ms: number): Sentence =>
  sentence`${word(new Date(ms).toISOString().slice(0, 10))} ${word(new Date(ms).toISOString().slice(11, 16))} UTC`;
