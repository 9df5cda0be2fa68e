/**
 * Finds where values of JSON end, in bytes and without making anything of them. Each function is given a place at which a
 * value begins, and answers the place behind it; or -1 for what is damaged, and for what is rare: white space between values,
 * escapes, exponents, long integers. Whoever gets -1 has `JSON.parse` decide.
 */

/** How deep objects and lists may stand within each other. */
const MAX_DEPTH = 8;
/** Integers of so many digits are exact. */
const MAX_DIGITS = 15;

/** The place after the JSON value that begins at `at`, or -1 where none does. So are the others, each for its kind of value. */
export function skipValue(bytes: Buffer, at: number, depth = 0): number {
  const byte = bytes[at] as number;
  if (byte === QUOTE) return skipText(bytes, at);
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return depth < MAX_DEPTH ? skipInner(bytes, at, depth) : -1;
  return byte === MINUS || isDigit(byte) ? skipNumber(bytes, at) : skipWord(bytes, at);
}

function skipInner(bytes: Buffer, at: number, depth: number): number {
  const isObject = bytes[at] === OPEN_BRACE;
  const close = isObject ? CLOSE_BRACE : CLOSE_BRACKET;
  let place = at + 1;
  if (bytes[place] === close) return place + 1;
  for (;;) {
    if (isObject) {
      place = bytes[place] === QUOTE ? skipText(bytes, place) : -1;
      if (place < 0 || bytes[place] !== COLON) return -1;
      place += 1;
    }
    place = skipValue(bytes, place, depth + 1);
    if (place < 0) return -1;
    const byte = bytes[place];
    place += 1;
    if (byte === close) return place;
    if (byte !== COMMA) return -1;
  }
}

function skipText(bytes: Buffer, at: number): number {
  for (let place = at + 1; ; place += 1) {
    const byte = bytes[place] as number;
    if (byte === QUOTE) return place + 1;
    if (!(byte >= BLANK) || byte === BACKSLASH) return -1;
  }
}

function skipNumber(bytes: Buffer, at: number): number {
  const end = skipInteger(bytes, at);
  if (end < 0 || bytes[end] !== POINT) return end;
  let place = end + 1;
  while (isDigit(bytes[place] as number)) place += 1;
  return place === end + 1 ? -1 : place;
}

/** For an integer that a number holds exactly. */
export function skipInteger(bytes: Buffer, at: number): number {
  const first = bytes[at] === MINUS ? at + 1 : at;
  let place = first;
  while (isDigit(bytes[place] as number)) place += 1;
  const count = place - first;
  const isPlain = count > 0 && count <= MAX_DIGITS && (bytes[first] !== ZERO || (count === 1 && first === at));
  return isPlain ? place : -1;
}

/** `null`, `true` or `false`. */
export function skipWord(bytes: Buffer, at: number): number {
  const word = bytes[at] === LETTER_N ? NULL : bytes[at] === LETTER_T ? TRUE : FALSE;
  for (let place = 0; place < word.length; place += 1) if (bytes[at + place] !== word[place]) return -1;
  return at + word.length;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE;

export const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
export const NEW_LINE = 0x0a;
export const BLANK = 0x20;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const LETTER_N = 0x6e;
const LETTER_T = 0x74;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
/** The lowest byte that is no ASCII. */
export const NO_ASCII = 0x80;
