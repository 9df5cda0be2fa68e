import { distance } from 'fastest-levenshtein';

/** The candidates that are nearest to what was written, best first; those too far to have been meant are left out. */
export function nearest<T>(
  written: string,
  candidates: readonly T[],
  most = 3,
  nameOf: (candidate: T) => string = (candidate) => String(candidate),
): T[] {
  const wanted = written.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, away: howFar(wanted, nameOf(candidate).toLowerCase()) }))
    .filter(({ candidate, away }) => away <= Math.max(2, Math.ceil(Math.max(wanted.length, nameOf(candidate).length) * 0.4)))
    .sort((a, b) => a.away - b.away)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

/** Edit distance, with a part of the name counting as near. */
function howFar(written: string, name: string): number {
  const edits = distance(written, name);
  return written.length >= 3 && name.includes(written) ? Math.min(edits, 1) : edits;
}
