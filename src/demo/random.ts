/** A source of numbers that gives the same sequence for the same seed, on every machine. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** An integer from 0 to `below - 1`. */
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
export const DAY_MS = 86_400_000;

function stir(state: number, part: number): number {
  const once = Math.imul(state ^ part, 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

export function mix(first: number, second = 0, third = 0): number {
  return stir(stir(stir(0x9e3779b9, first), second), third) >>> 0;
}

/** A seed of 32 bits from a text, so that each part of the account has a sequence of its own. */
export function seedFrom(seed: number, name: string): number {
  let state = mix(seed);
  for (let i = 0; i < name.length; i += 1) state = mix(state, name.charCodeAt(i));
  return state;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  const text = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet.charAt(int(alphabet.length))).join('');
  return { next, int, text, chance: (probability) => next() < probability, pick: (list) => itemAt(list, int(list.length)) };
}

/** An ISO time `days` days and up to a day more before `now` (milliseconds). */
export function instantBefore(now: number, days: number, random: Random): string {
  return new Date(now - days * DAY_MS - random.int(DAY_MS)).toISOString();
}

/** The item at an index that must exist. */
export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no item ${index} in a list of ${list.length}`);
  return item;
}

export function words(text: string): string[] {
  return text.split(/\s+/);
}

/** The first index whose value is not below `wanted`, in ascending values; their number when there is none. */
export function lowerBound(values: Float64Array, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(values, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
