import type { SanitizedAnswer } from './sanitize-answer.ts';
import { estimateJsonTokens, estimateTokens } from './token-estimate.ts';

/** What one answer may take of a context, text and structured content together: 25,000, less what the estimate may be short by. */
const MAX_TOKENS = 22_000;

/** What an answer may be at most, and how that is measured. */
export interface Limit {
  readonly max: number;
  readonly measure: (answer: Values, text: string) => number;
}

const MODEL: Limit = {
  max: MAX_TOKENS,
  measure: (answer, text) => estimateTokens(text) + estimateJsonTokens(answer),
};

type Values = Readonly<Record<string, unknown>>;

export interface Fitted {
  readonly answer: SanitizedAnswer<Values>;
  readonly text: string;
}

/**
 * Shortens the answer's lists until it fits one message's share of a context, and says in it what was left out: those
 * named as cuttable (`channels`, `contents.videoKeys`) first, then whichever is longest. `render` makes the text from
 * the shortened answer; `ifCut` is what to do for the rest.
 */
export function truncateAnswer(
  answer: SanitizedAnswer<Values>,
  cuttable: readonly string[],
  render: (answer: Values) => string,
  limit = MODEL,
  ifCut = IF_CUT,
): Fitted {
  const cuts = new Map<string, Cut>();
  let current = answer;
  for (;;) {
    const text = render(current);
    const total = limit.measure(current, text);
    const place = total <= limit.max ? undefined : nextCut(current, cuttable);
    if (place === undefined) return { answer: current, text };
    const { path, length } = place;
    const keep = Math.max(1, Math.min(length - 1, Math.floor((length * limit.max * 0.95) / total)));
    const name = path.join('.');
    cuts.set(name, { of: cuts.get(name)?.of ?? length, left: (cuts.get(name)?.left ?? 0) + length - keep });
    current = { ...replaced(current, path, keep), omitted: [...cuts].map(([where, cut]) => sentence(where, cut, ifCut)).join(' ') };
  }
}

interface Cut {
  readonly of: number;
  readonly left: number;
}

const IF_CUT = 'ask for a smaller page or a narrower filter';

const sentence = (where: string, { of, left }: Cut, ifCut: string): string =>
  `The last ${left} of ${of} in ${where} are left out to keep this answer short; ${ifCut}.`;

interface Place {
  readonly path: readonly string[];
  readonly length: number;
}

function nextCut(answer: Values, cuttable: readonly string[]): Place | undefined {
  for (const name of cuttable) {
    const path = name.split('.');
    const length = entriesOf(path.reduce<unknown>((node, step) => at(node, step), answer)).length;
    if (length > 1) return { path, length };
  }
  return longest(answer, []);
}

/** Few entries are the shape of an answer, many are data. */
const SHAPE = 40;

/** The list, or the object with many entries, that has most of them. */
function longest(node: unknown, path: readonly string[]): Place | undefined {
  const entries = entriesOf(node);
  const isData = entries.length > (Array.isArray(node) ? 1 : SHAPE);
  let best: Place | undefined = isData ? { path, length: entries.length } : undefined;
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

/** A copy in which the list at a path has its first entries alone. */
function replaced<T>(node: T, [step, ...rest]: readonly string[], keep: number): T {
  const entries = entriesOf(node);
  const changed =
    step === undefined
      ? entries.slice(0, keep)
      : entries.map(([name, inner]) => [name, name === step ? replaced(inner, rest, keep) : inner] as const);
  // The same shape, only shorter.
  return (Array.isArray(node) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed)) as T;
}
