/** Most characters of one answer, text and structured together: some 25,000 tokens at the worst rate seen (a CJK text). */
const MAX_COST = 75_000;

/** What an answer weighs in a model's context: three plain characters a token, or one of any other script. */
function cost(text: string): number {
  let total = 0;
  // A code unit outside ASCII can be a token of its own.
  for (let at = 0; at < text.length; at += 1) total += text.charCodeAt(at) < 128 ? 1 : 3;
  return total;
}

export interface Fitted {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Shortens the answer's lists until it fits one message's share of a context, and says in it what was left out.
 * `render` makes the text from the shortened answer.
 */
export function fitAnswer(
  answer: Readonly<Record<string, unknown>>,
  cuttable: readonly string[],
  render: (answer: Readonly<Record<string, unknown>>) => string,
): Fitted {
  let current = answer;
  for (;;) {
    const text = render(current);
    const total = cost(text) + cost(JSON.stringify(current));
    const field = cuttable.find((name) => lengthOf(current[name]) > 1);
    if (total <= MAX_COST || field === undefined) return { answer: current, text };
    const list = current[field] as readonly unknown[];
    const keep = Math.max(1, Math.min(list.length - 1, Math.floor((list.length * MAX_COST * 0.95) / total)));
    const left = lengthOf(answer[field]) - keep;
    const omitted = `The last ${left} of ${lengthOf(answer[field])} in ${field} are left out to keep this answer short; ask for a smaller page or a narrower filter.`;
    current = { ...current, [field]: list.slice(0, keep), omitted };
  }
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
