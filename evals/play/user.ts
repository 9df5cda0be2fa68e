import type { Shown, Task } from '../task.ts';

/** The simulated user: knows one paragraph, and agrees or not to what they are shown. */
export interface User {
  /** A preview that came with a token. */
  shown(token: string, preview: Shown): void;
  /** The reply to a question. */
  reply(question: string): string;
  /** The answer to a form. */
  decide(form: Shown): true | string;
  /** Counts the use of a token; false if the user had not agreed to its preview. */
  confirm(token: string): boolean;
}

const ASKS_FOR_AGREEMENT =
  /\b(?:agree|apply|approve|confirm|continue|correct|do (?:it|this|that|so)|fine|go ahead|happy with|look(?:s)? (?:good|right)|may i|ok|okay|proceed|ready|right|sen[dt]|shall|should i|sure|want (?:me|this|that|these)|yes)\b/i;

/** `knows` gives what they know of their present wish. */
export function createUser({ agrees = true, asksAhead = () => false }: Pick<Task, 'agrees' | 'asksAhead'>, knows: () => string): User {
  /** Previews whose token was not used: undecided, agreed to or objected to. */
  const open = new Map<string, { readonly preview: Shown; decision?: true | string }>();
  const decide = (shown: Shown): true | string => {
    if (typeof agrees === 'function') return agrees(shown);
    return agrees ? true : 'No, leave everything as it is.';
  };
  /** Decides about each preview; the reply is about the newest one, which takes the place of any before it. */
  const replyToPreviews = (asked: string): string => {
    for (const entry of open.values()) entry.decision ??= decide({ ...entry.preview, asked });
    const newest = [...open.values()].at(-1)?.decision;
    return newest === undefined || newest === true ? 'Yes, go ahead.' : newest;
  };
  return {
    shown: (token, preview) => open.set(token, { preview, ...(asksAhead(preview) ? { decision: true } : {}) }),
    decide,
    reply(question) {
      if (open.size > 0) return `${replyToPreviews(question)} (If you asked me something else: ${knows()})`;
      if (!ASKS_FOR_AGREEMENT.test(question)) return knows();
      // With no preview, the question is all that is shown.
      const decision = decide({ text: question, tool: '', arguments: {} });
      return `${decision === true ? 'Yes, if that is exactly what I asked for.' : decision} ${knows()}`;
    },
    confirm(token) {
      const entry = open.get(token);
      open.delete(token);
      return entry === undefined || entry.decision === true;
    },
  };
}
