/** The calls that the scripted model makes, and the results that it was given. */

/** One call of one of our tools, by the tool's own name. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call, or a function that makes one from earlier results, for example with a token or a change id. */
export type Step = Call | ((given: readonly Given[]) => Call);

/** What the client passed to the model as the result of one call. */
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

/** The request and answer format of one model's API. */
export interface Dialect {
  /** Parses a request; undefined for a path that is no request to the model. */
  read(path: string, body: unknown): Request | undefined;
  /** The body of an answer, as server-sent events, that calls a tool or contains a text. */
  call(call: Call, number: number): string;
  say(text: string): string;
}

export const events = (list: readonly object[]): string =>
  list.map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');
