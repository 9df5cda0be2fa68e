import type { ErrorCode } from '../errors/codes.ts';
import { joined, type Sentence, sentence } from '../text/sentence.ts';

/** What an error says of its request. */
export interface RequestContext {
  /** `GET /v1/channels`: without the query. */
  readonly operation: Sentence;
  /** Whether the request may change the account. */
  readonly change: boolean;
  /** The setting that has the address of the API that was asked. */
  readonly setting: Sentence;
  /** Whether it read a list from its beginning, which is there wherever the API is. */
  readonly isListStart: boolean;
  readonly scrub: (text: string) => string;
}

/** What to do about errors that a wrong address may cause, by the setting of the API that answered so. */
const ADDRESS_HINTS: Partial<Readonly<Record<ErrorCode, (setting: Sentence) => Sentence>>> = {
  unexpected_status: (setting) =>
    sentence`Go by what the service said. If it answers so again, check the API’s address (${setting}), or ask whoever runs the service.`,
  unexpected_body: (setting) =>
    sentence`Try again later. If it stays so, check that ${setting} is the address of the API itself, with no proxy or login page before it.`,
  redirect_refused: (setting) => sentence`Set ${setting} to the final address.`,
  unreachable: (setting) =>
    sentence`Check ${setting} and the network, then try again. Where a proxy leads out, HTTPS_PROXY has to be set where ${setting} is.`,
};

/** Undefined where the hint of the code says all. */
export const addressHint = (code: ErrorCode, { setting }: Pick<RequestContext, 'setting'>): Sentence | undefined =>
  ADDRESS_HINTS[code]?.(setting);

interface RequestTold {
  readonly status?: number;
  /** Nothing but its status tells what the service means. */
  readonly isBare?: boolean;
  /** `phrase` for people: without codes. */
  readonly plain?: Sentence;
  /** The service’s own words, quoted. */
  readonly said?: Sentence | undefined;
  readonly trace?: readonly Sentence[];
  /** A further sentence of both forms. */
  readonly after?: Sentence;
}

/**
 * What went wrong, in two forms: `message` with the request and all codes in brackets, and `words` alone, which people read of a change,
 * with what the service said behind what it means. `phrase` has no full stop yet.
 */
export function requestWords(
  phrase: Sentence,
  operation: Sentence,
  { status, isBare = false, plain = phrase, said, trace = [], after = sentence`` }: RequestTold = {},
): { readonly message: Sentence; readonly words: Sentence } {
  const code = status === undefined ? [] : [sentence`status ${status}`];
  const request = joined([operation, ...code, ...trace], ', ');
  return {
    message: sentence`${phrase}${said === undefined ? '' : sentence`; it said ${said}`} (${request}).${after}`,
    words: sentence`${joined([plain, ...(isBare ? code.map((text) => sentence`(${text})`) : [])])}.${after}${said === undefined ? '' : sentence` The service said: ${said}.`}`,
  };
}
