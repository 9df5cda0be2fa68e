/** Values that are looked at; ids of one service are all made alike. */
const MAX_VALUES = 10_000;

/**
 * Makes what tells whether a text looks like these ids or keys: of no other characters, with a digit if each of them has one, and
 * at most twice as long or half as short. Undefined where there are none to go by.
 */
export function createFormatCheck(values: Iterable<string | undefined>): ((text: string) => boolean) | undefined {
  const kinds = new Set<string>();
  let [shortest, longest, count, haveDigits] = [Number.POSITIVE_INFINITY, 0, 0, true];
  for (const value of values) {
    if (value === undefined) continue;
    for (const character of value) kinds.add(kindOf(character));
    shortest = Math.min(shortest, value.length);
    longest = Math.max(longest, value.length);
    haveDigits &&= /\d/.test(value);
    count += 1;
    if (count >= MAX_VALUES) break;
  }
  if (count === 0) return undefined;
  return (text) =>
    text.length * 2 >= shortest &&
    text.length <= longest * 2 &&
    (!haveDigits || /\d/.test(text)) &&
    [...text].every((character) => kinds.has(kindOf(character)));
}

function kindOf(character: string): string {
  if (/[0-9]/.test(character)) return 'digit';
  if (/\p{Ll}/u.test(character)) return 'lower case';
  if (/\p{Lu}/u.test(character)) return 'upper case';
  return /\p{L}/u.test(character) ? 'letter' : character;
}

/** The `ids` or `keys` of a catalogue, for `createLikeness`. */
export function* eachOf(entries: Iterable<{ readonly id?: string; readonly key?: string }>, wanted: 'id' | 'key') {
  for (const entry of entries) yield entry[wanted];
}
