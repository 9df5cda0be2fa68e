/**
 * How many tokens a text costs a model, without a tokenizer: somewhat more than it does, at worst a little less. The
 * rates are those that o200k_base needs for random text of each kind; ordinary text of most languages needs fewer.
 */

/** Up to which UTF-16 unit a rate, in tokens a unit, holds. */
const RATES: readonly (readonly [below: number, rate: number])[] = [
  [0x100, 1.05], // Latin
  [0x370, 1.9], // rarer Latin, phonetics
  [0x590, 1.2], // Greek, Cyrillic
  [0x1100, 1.3], // Hebrew, Arabic, the scripts of India, Thai
  [0x3000, 2.1], // Ethiopic, Khmer, symbols
  [0x3100, 1.2], // Kana
  [0xa000, 1.95], // ideographs
  [0xac00, 3], // Yi and others
  [0xd800, 2.25], // Hangul
  [0xe000, 2], // half of a character beyond the first plane
  [0x10000, 3],
];

/** A run of letters and digits, any other plain character, or a run of the rest. */
const RUNS = /[A-Za-z0-9]+|[\0-\x7f]|[^\0-\x7f]+/g;
const WORD = /^[A-Z]?[a-z]{1,12}$/;

export function estimateTextTokens(text: string): number {
  let total = 0;
  for (const [run] of text.matchAll(RUNS)) total += costOf(run);
  return total;
}

function costOf(run: string): number {
  if (run.charCodeAt(0) >= 0x80) {
    let sum = 0;
    for (let at = 0; at < run.length; at += 1) sum += rateOf(run.charCodeAt(at));
    return sum;
  }
  if (run === ' ') return 0.2;
  if (!/\w/.test(run)) return 0.8;
  if (WORD.test(run)) return Math.max(1, 0.5 + run.length * 0.3);
  return /^\d+$/.test(run) ? Math.ceil(run.length / 3) : run.length * 0.65;
}

function rateOf(unit: number): number {
  return RATES.find(([below]) => unit < below)?.[1] ?? 3;
}

/** Never less than the estimate, of a text or of a value's JSON, and much quicker: no rate is over 1.05 tokens a byte of UTF-8. */
export function tokensAtMost(text: string): number {
  return 1.05 * Buffer.byteLength(text);
}

/** The same as the estimate of a text for a value as JSON, in which names of fields and signs are cheaper than in any text. */
export function estimateJsonTokens(value: unknown): number {
  if (typeof value === 'string') return 1.5 + estimateTextTokens(value);
  if (typeof value !== 'object' || value === null) return 0.5 + String(value).length / 3;
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + 0.5 + estimateJsonTokens(entry), 1);
  return Object.entries(value).reduce((sum, [name, entry]) => sum + fieldCost(name) + estimateJsonTokens(entry), 1);
}

const fieldCost = (name: string): number => (/^[a-zA-Z]{1,24}$/.test(name) ? 1.5 + name.length / 5 : 2 + estimateTextTokens(name));
