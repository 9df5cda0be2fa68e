/** What the scripted model does in place of a real one, and what it was given for it. */

/** One call of one of our tools, by the tool's own name. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call, or one that is made from what earlier calls gave: a token, a change id. */
export type Step = Call | ((given: readonly Given[]) => Call);

/** What the client put before the model as the result of one call. */
export interface Given {
  readonly text: string;
  readonly pictures: readonly Buffer[];
}

/** One request to the model, as far as it matters here. */
export interface Request {
  /** The results of all calls so far, in order. */
  readonly given: readonly Given[];
  /** The tools that the client offers, by the client's own names. */
  readonly tools: readonly string[];
  /** Everything that the model reads before the person's words. */
  readonly instructions: string;
}

/** How one model's API is spoken. */
export interface Dialect {
  /** What a request to this path says; nothing for a path that is no question to the model. */
  read(path: string, body: unknown): Request | undefined;
  /** The body of an answer, as server-sent events, that calls a tool, or says something. */
  call(call: Call, number: number): string;
  say(text: string): string;
}

export const events = (list: readonly object[]): string =>
  list.map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
