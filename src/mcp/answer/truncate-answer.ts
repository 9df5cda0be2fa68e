import type { Scalar } from '../../analytics/contract.ts';
import type { Values } from '../../platform/is-object.ts';
import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import { DEFAULT_LENGTH, type SanitizedAnswer } from './sanitize-answer.ts';

/** Of an answer, text and structured content together: 25,000, less the error of the estimate. */
const MAX_TOKENS = 22_000;

/** The maximum size of an answer, and how it is measured. */
export interface Limit {
  readonly max: number;
  readonly measure: (answer: Values, text: string) => number;
}

const TOKEN_LIMIT: Limit = {
  max: MAX_TOKENS,
  measure: (answer, text) => {
    const json = JSON.stringify(answer);
    // The estimate is never above the number of bytes, which most answers are within.
    const bytes = Buffer.byteLength(text) + Buffer.byteLength(json);
    return bytes <= MAX_TOKENS ? bytes : estimateTokens(text + json);
  },
};

/**
 * Cuts lists of an answer until it is within the limit: first those named in `cuttable` (`channels`, `contents.videoKeys`),
 * then the longest. `omitted` in the answer says what was cut, followed by `ifCut`. `render` makes the text.
 */
export function truncateAnswer(
  answer: SanitizedAnswer<Values>,
  cuttable: readonly string[],
  render: (answer: Values) => string,
  limit = TOKEN_LIMIT,
  ifCut = IF_CUT,
): { readonly answer: SanitizedAnswer<Values>; readonly text: string } {
  const cuts = new Map<string, Cut>();
  let current = answer;
  for (;;) {
    const text = render(current);
    const total = limit.measure(current, text);
    const next = total <= limit.max ? undefined : nextCut(current, cuttable);
    if (next === undefined) return { answer: current, text };
    const { path, length } = next;
    const keep = Math.max(1, Math.min(length - 1, Math.floor((length * limit.max * 0.95) / total)));
    const name = path.join('.');
    cuts.set(name, { of: cuts.get(name)?.of ?? length, left: (cuts.get(name)?.left ?? 0) + length - keep });
    current = { ...replaced(current, path, keep), omitted: joined([...cuts].map(([where, cut]) => leftOut(where, cut, ifCut))) };
  }
}

interface Cut {
  readonly of: number;
  readonly left: number;
}

const IF_CUT = sentence`ask for a smaller page or a narrower filter`;

const leftOut = (where: string, { of, left }: Cut, ifCut: Sentence): Sentence =>
  sentence`The last ${left} of ${of} in ${word(where)} are left out to keep this answer short; ${ifCut}.`;

interface Cuttable {
  readonly path: readonly string[];
  readonly length: number;
}

function nextCut(answer: Values, cuttable: readonly string[]): Cuttable | undefined {
  for (const name of cuttable) {
    const path = name.split('.');
    const length = entriesOf(path.reduce<unknown>((node, step) => at(node, step), answer)).length;
    if (length > 1) return { path, length };
  }
  return longest(answer, []);
}

/** An object with more entries is data, and can be cut like a list. */
const MAX_FIELDS = 40;

/** The path of the longest list or large object. */
function longest(node: unknown, path: readonly string[]): Cuttable | undefined {
  const entries = entriesOf(node);
  const isData = entries.length > (Array.isArray(node) ? 1 : MAX_FIELDS);
  let best: Cuttable | undefined = isData ? { path, length: entries.length } : undefined;
  for (const [name, inner] of entries) {
    const found = longest(inner, [...path, name]);
    if (found !== undefined && found.length > (best?.length ?? 0)) best = found;
  }
  return best;
}

function entriesOf(node: unknown): [string, unknown][] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : [];
}

const at = (node: unknown, step: string): unknown => entriesOf(node).find(([name]) => name === step)?.[1];

/** A copy with only the first entries of the list at a path. */
function replaced<T>(node: T, [step, ...rest]: readonly string[], keep: number): T {
  const entries = entriesOf(node);
  const changed =
    step === undefined
      ? entries.slice(0, keep)
      : entries.map(([name, inner]) => [name, name === step ? replaced(inner, rest, keep) : inner] as const);
  // The same type: a list that is shorter.
  return (Array.isArray(node) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)) as T;
}

/** Of rows, as text and as structured content together; the rest of an answer's tokens are for its notes. */
const MAX_ROW_TOKENS = 18_000;

/** The first rows, up to a limit and what fits an answer. */
export function cutRows(rows: readonly (readonly Scalar[])[], limit: number): readonly (readonly Scalar[])[] {
  let left = MAX_ROW_TOKENS;
  const end = rows.slice(0, limit).findIndex((row) => {
    const shown = row.map((value) => (typeof value === 'string' ? value.slice(0, DEFAULT_LENGTH) : value));
    left -= estimateTokens(JSON.stringify(shown)) + estimateTokens(shown.join(' | ')) + 1;
    return left < 0;
  });
  return rows.slice(0, end < 0 ? limit : Math.max(1, end));
}

/** What a tokenizer rarely takes together more of: signs of JSON, the letters of a word, small letters, capitals, digits; else one character. */
const PIECES = /[{}[\],:"]{1,3}|[A-Z]?[a-z]{3}|[a-z]{1,2}|[A-Z]{1,2}|[0-9]{1,3}|[!-~]|\n/g;
const NOT_ASCII = /[^\0-\x7f]+/g;
/** No script takes more a byte of UTF-8, but for some that hardly anybody writes. */
const TOKENS_PER_BYTE = 0.9;

/**
 * How many tokens a text costs a model, without a tokenizer: a bound for o200k_base, at most an eighth too low (for random
 * small letters, and for nothing but signs of JSON, two fifths), and up to twice too high for ordinary prose.
 */
export function estimateTokens(text: string): number {
  const others = text.match(NOT_ASCII)?.join('') ?? '';
  return (text.match(PIECES)?.length ?? 0) + TOKENS_PER_BYTE * Buffer.byteLength(others);
}
