/** A source of numbers that gives the same sequence for the same seed, on every machine. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `length` characters of `alphabet`. */
  text(alphabet: string, length: number): string;
}

export const HEX = '0123456789abcdef';
export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';

function stir(state: number, part: number): number {
  const once = Math.imul(state ^ part, 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** Mixes up to three whole numbers into one of 32 bits; the same input always gives the same output. */
export function mix(first: number, second = 0, third = 0): number {
  return stir(stir(stir(0x9e3779b9, first), second), third) >>> 0;
}

/** A number of 32 bits from a text, so that each part of the account has a sequence of its own. */
export function seedFrom(seed: number, name: string): number {
  let state = mix(seed);
  for (let i = 0; i < name.length; i += 1) state = mix(state, name.charCodeAt(i));
  return state;
}

/** Makes a Random by the mulberry32 method. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const text = (alphabet: string, length: number): string => {
    let out = '';
    for (let i = 0; i < length; i += 1) out += alphabet.charAt(int(alphabet.length));
    return out;
  };
  return { next, int, text, chance: (probability) => next() < probability, pick: (list) => itemAt(list, int(list.length)) };
}

/** The item at an index that must exist. */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no item ${index} in a list of ${list.length}`);
  return item;
}
