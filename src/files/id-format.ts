import { type Sentence, sentence } from '../text/sentence.ts';
import type { KnownVideo } from './known-videos.ts';

/** Ids of one service are all made alike, so that these are enough. */
const MAX_SAMPLES = 10_000;

/**
 * Makes a check whether a text looks like the ids or keys of known videos: the same kinds of characters, a digit if each of them
 * has one, at most twice as long or half as short. Undefined where there are none.
 */
export function createFormatCheck(entries: Iterable<KnownVideo>, wanted: 'id' | 'key'): ((text: string) => boolean) | undefined {
  const kinds = new Set<string>();
  let [shortest, longest, count, haveDigits] = [Number.POSITIVE_INFINITY, 0, 0, true];
  for (const { [wanted]: value } of entries) {
    if (value === undefined) continue;
    for (const character of value) kinds.add(kindOf(character));
    shortest = Math.min(shortest, value.length);
    longest = Math.max(longest, value.length);
    haveDigits &&= /\d/.test(value);
    count += 1;
    if (count >= MAX_SAMPLES) break;
  }
  if (count === 0) return undefined;
  return (text) =>
    text.length * 2 >= shortest &&
    text.length <= longest * 2 &&
    (!haveDigits || /\d/.test(text)) &&
    [...text].every((character) => kinds.has(kindOf(character)));
}

/** From the narrowest. */
const ALPHABETS = [/^\d+$/, /^[\da-f]+$/, /^[\da-f]+$/i, /^[\da-z]+$/, /^[\da-z]+$/i, /^[\w-]+$/, /^\S+$/];
/** Texts of so many characters are made by a program, which makes them all as long. */
const MADE_LENGTH = 16;

/** Makes a check whether a text looks like some ids or keys of the account: of their length, where that is one, and their alphabet. Undefined where there are none. */
export function createLikeness(samples: readonly string[]): ((text: string) => boolean) | undefined {
  const alphabet = samples.length === 0 ? undefined : ALPHABETS.find((one) => samples.every((sample) => one.test(sample)));
  if (alphabet === undefined) return undefined;
  const lengths = samples.map(({ length }) => length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  const isMade = shortest >= MADE_LENGTH;
  return (text) =>
    alphabet.test(text) &&
    (isMade ? text.length >= shortest && text.length <= longest : text.length * 2 >= shortest && text.length <= longest * 2);
}

function kindOf(character: string): string {
  if (/[0-9]/.test(character)) return 'digit';
  if (/\p{Ll}/u.test(character)) return 'lower case';
  if (/\p{Lu}/u.test(character)) return 'upper case';
  return /\p{L}/u.test(character) ? 'letter' : character;
}

/** Why a text is no id but the number that a program made of one, so that nobody knows which video it was; undefined where it may be one. */
export function problemWithNumber(text: string): Sentence | undefined {
  if (/^\d([.,]\d+)?E\+\d{1,3}$/i.test(text)) return sentence`a number that a spreadsheet has rounded`;
  return /^\d+[.,]0+$/.test(text) ? sentence`a number with decimals that a program has made of an id` : undefined;
}
