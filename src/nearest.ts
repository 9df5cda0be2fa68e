import { distance } from 'fastest-levenshtein';

/** The candidates that are nearest to what was written, best first; those too far to have been meant are left out. */
export function nearest<T>(
  written: string,
  candidates: readonly T[],
  most = 3,
  nameOf: (candidate: T) => string = (candidate) => String(candidate),
): T[] {
  const wanted = written.toLowerCase();
  const words = wordsOf(wanted);
  return candidates
    .map((candidate) => ({ candidate, away: howFar(wanted, words, nameOf(candidate).toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.max(2, Math.ceil(Math.max(wanted.length, nameOf(candidate).length) * 0.4)))
    .sort((a, b) => a.away - b.away)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/**
 * The one of a few values that was mistyped, or a part of it written. Stricter than `nearest`: where all values are told
 * anyway, one that is named beside them is taken for advice.
 */
export function mistyped(written: string, values: readonly string[]): string | undefined {
  const [best] = nearest(written, values, 1);
  if (best === undefined) return undefined;
  const length = Math.max(written.length, best.length);
  return howFar(written.toLowerCase(), [], best.toLowerCase()) <= Math.max(1, Math.floor(length / 3)) ? best : undefined;
}

/** Edit distance, with a part of the name counting as near, and all its words in whatever order. */
function howFar(written: string, words: readonly string[], name: string): number {
  const edits = distance(written, name);
  if (written.length >= 3 && name.includes(written)) return Math.min(edits, 1);
  return words.length > 1 && words.every((word) => name.includes(word)) ? Math.min(edits, 2) : edits;
}

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
