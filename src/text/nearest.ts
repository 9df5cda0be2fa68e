import { distance as levenshtein } from 'fastest-levenshtein';

/**
 * The candidates that were probably meant, best first: mistyped, a part of the name, or its words in another order or among
 * others. Less similar names are left out, since a model takes any suggestion for advice.
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
      return { candidate, distance: distanceTo(wanted, name), extra: Math.abs(name.text.length - wanted.text.length) };
    })
    .filter((match) => match.distance < FAR)
    .sort((a, b) => a.distance - b.distance || a.extra - b.extra)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const FAR = Number.POSITIVE_INFINITY;
/** Wrong letters in a name or in one of its words, and in all its words together. */
const MAX_TYPOS = 2;
const MAX_TYPOS_OF_ALL = 3;
/** Shortest part of a name, in bytes, since two letters of Chinese or Japanese say as much as three Latin ones. */
const SHORTEST_PART = 3;

interface Term {
  readonly text: string;
  readonly words: readonly string[];
}

/** Without accents and case; camelCase is split into words. ASCII takes a short way, since there may be 50,000 titles. */
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
 * The one of a few values that was mistyped or shortened. Stricter than `nearest`, since the message lists all values anyway.
 */
export function mistyped(written: string, values: readonly string[]): string | undefined {
  const wanted = termOf(written);
  const distance = (value: string): number =>
    Math.min(typos(wanted.text, termOf(value).text), isPart(wanted.text, termOf(value)) ? 1 : FAR);
  return values.filter((value) => distance(value) < FAR).sort((a, b) => distance(a) - distance(b))[0];
}

function distanceTo(written: Term, name: Term): number {
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
  if (Math.max(a.length, b.length) - short > most) return FAR;
  const edits = levenshtein(a, b);
  return edits <= most ? edits : FAR;
}

/** Whether two neighbours changed places, and nothing else is different; of texts that aren’t the same. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let index = 0;
  while (a[index] === b[index]) index += 1;
  return a[index] === b[index + 1] && a[index + 1] === b[index] && a.slice(index + 2) === b.slice(index + 2);
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
    for (const other of name) least = Math.min(least, wordDistance(word, other, isNumber));
    if (least < FAR) edits += least;
    else missed += word.length;
    if (edits > MAX_TYPOS_OF_ALL || (missed > 0 && (written.length < 3 || missed > lengths / 3))) return FAR;
  }
  return 1 + edits + missed;
}

/** A number, such as a year, must match exactly. */
function wordDistance(word: string, other: string, isNumber: boolean): number {
  if (isNumber) return word === other ? 0 : FAR;
  return word.length >= 3 && other.startsWith(word) ? Math.min(1, other.length - word.length) : typos(word, other);
}

const allWithin = (words: readonly string[], others: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => word.length >= 2 && others.includes(word));
