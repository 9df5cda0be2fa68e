/** As many of a hundred are alike at least, where the others are told apart. */
const MIN_ALIKE = 99;
/** From the narrowest; ids of letters and digits may happen to have no letter. */
const ALPHABETS = [/^\d+$/, /^[\da-f]+$/i, /^[\da-z]+$/i, /^[\w-]+$/, /^\S+$/];

/**
 * The indexes of the values that don't look like the others, such as a sum below a column of ids: at least 99 in 100 have one
 * length and one alphabet, and these have not. None where the values are not so much alike.
 */
export function unlikeIndexes(values: readonly string[]): readonly number[] {
  const maxUnlike = Math.floor((values.length * (100 - MIN_ALIKE)) / 100);
  const lengths = new Map<number, number>();
  for (const { length } of values) lengths.set(length, (lengths.get(length) ?? 0) + 1);
  const [common] = [...lengths].find(([, count]) => values.length - count <= maxUnlike) ?? [];
  if (maxUnlike === 0 || common === undefined) return [];
  for (const alphabet of ALPHABETS) {
    const unlike: number[] = [];
    for (const [index, value] of values.entries()) {
      if (value.length === common && alphabet.test(value)) continue;
      unlike.push(index);
      if (unlike.length > maxUnlike) break;
    }
    if (unlike.length <= maxUnlike) return unlike;
  }
  return [];
}
