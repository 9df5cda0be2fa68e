import { distance } from 'fastest-levenshtein';

/**
 * The candidates that were probably meant by what was written, best first: mistyped, or a part of the name, or its words
 * in another order or among others. What merely looks a little alike is left out: a far-off name is taken for advice.
 */
export function nearest<T>(
  written: string,
  candidates: readonly T[],
  most = 3,
  nameOf: (candidate: T) => string = (candidate) => String(candidate),
): T[] {
  const wanted = termOf(written);
  return candidates
    .map((candidate) => {
      const name = termOf(nameOf(candidate));
      return { candidate, away: howFar(wanted, name), more: Math.abs(name.text.length - wanted.text.length) };
    })
    .filter(({ away }) => away < FAR)
    .sort((a, b) => a.away - b.away || a.more - b.more)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const FAR = Number.POSITIVE_INFINITY;
/** Letters by which a name as it stands may be mistyped, or a word of it; and all its words together. */
const MAX_TYPOS = 2;
const MAX_TYPOS_OF_ALL = 3;
/** The least of a name that a part of it has; in bytes, since two letters of Chinese or Japanese say as much as these. */
const SHORTEST_PART = 3;

interface Term {
  readonly text: string;
  readonly words: readonly string[];
}

/** Without accents and case; a name in camelCase has words too. There may be 50,000 titles, most of them in plain letters. */
function termOf(name: string): Term {
  const trimmed = name.trim();
  const isPlain = PLAIN.test(trimmed);
  const plain = isPlain ? trimmed : trimmed.normalize('NFKD').replace(/\p{M}/gu, '');
  const parted = CAMEL.test(plain) ? plain.replace(CAMELS, '$1 ') : plain;
  return { text: plain.toLowerCase(), words: parted.toLowerCase().match(isPlain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [] };
}

const PLAIN = /^[ -~]*$/;
const CAMEL = /\p{Ll}\p{Lu}/u;
const CAMELS = /(\p{Ll})(?=\p{Lu})/gu;

/**
 * The one of a few values that was mistyped, or a part of it written. Stricter than `nearest`: where all values are told
 * anyway, one that is named beside them is taken for advice.
 */
export function mistyped(written: string, values: readonly string[]): string | undefined {
  const wanted = termOf(written);
  const away = (value: string): number => Math.min(typos(wanted.text, termOf(value).text), isPart(wanted.text, termOf(value)) ? 1 : FAR);
  return values.filter((value) => away(value) < FAR).sort((a, b) => away(a) - away(b))[0];
}

/** How far a name is from what was written, `FAR` where it can't have been meant. */
function howFar(written: Term, name: Term): number {
  const edits = typos(written.text, name.text);
  if (edits < FAR) return edits;
  if (isPart(written.text, name) || isJoined(written, name)) return 1;
  return Math.min(wordsWithin(written.words, name.words), allWithin(name.words, written.words) ? 2 : FAR);
}

/** Edits between two texts, `FAR` if more than a third of the shorter one; of three letters two may have changed places. */
function typos(a: string, b: string): number {
  if (a === b) return 0;
  const short = Math.min(a.length, b.length);
  if (short >= 3 && isSwapped(a, b)) return 1;
  const most = short > 3 ? Math.min(Math.floor(short / 3), MAX_TYPOS) : 0;
  // Counting is the dear part.
  if (Math.max(a.length, b.length) - short > most) return FAR;
  const edits = distance(a, b);
  return edits <= most ? edits : FAR;
}

/** Whether two neighbours changed places, and nothing else is different; of texts that aren’t the same. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** A part of a name: of three letters at the beginning of a word, of more anywhere. */
function isPart(text: string, { text: name, words }: Term): boolean {
  const bytes = Buffer.byteLength(text);
  return bytes > SHORTEST_PART ? name.includes(text) : bytes === SHORTEST_PART && words.some((word) => word.startsWith(text));
}

/** Words that were written as one: `macos`. */
const isJoined = ({ text, words }: Term, name: Term): boolean =>
  words.length === 1 && text.length > SHORTEST_PART && name.words.length > 1 && name.words.join('').startsWith(text);

/** How far the words that were written are from those of a name, in whatever order; of three or more, a few letters’ worth may be others. */
function wordsWithin(written: readonly string[], name: readonly string[]): number {
  if (written.length === 0) return FAR;
  const lengths = written.reduce((sum, word) => sum + word.length, 0);
  let edits = 0;
  let missed = 0;
  for (const word of written) {
    const isNumber = /^\p{N}+$/u.test(word);
    let least = FAR;
    for (const other of name) least = Math.min(least, wordAway(word, other, isNumber));
    if (least < FAR) edits += least;
    else missed += word.length;
    if (edits > MAX_TYPOS_OF_ALL || (missed > 0 && (written.length < 3 || missed > lengths / 3))) return FAR;
  }
  return 1 + edits + missed;
}

/** A number is right or it is another one: a year, for instance. */
function wordAway(word: string, other: string, isNumber: boolean): number {
  if (isNumber) return word === other ? 0 : FAR;
  return word.length >= 3 && other.startsWith(word) ? Math.min(1, other.length - word.length) : typos(word, other);
}

const allWithin = (words: readonly string[], others: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => word.length >= 2 && others.includes(word));
