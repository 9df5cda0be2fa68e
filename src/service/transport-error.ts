import { type ErrorCode, VideoHostingError } from '../errors.ts';
import { AddressRefused } from './addresses.ts';
import { BodyProblem } from './body.ts';
import { cancelledError } from './cancel.ts';
import { cleanText } from './foreign-text.ts';

/** Why we ended an exchange ourselves. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly by: 'caller' | 'total-limit';

  constructor(by: 'caller' | 'total-limit') {
    super(by);
    this.by = by;
  }
}

export interface TransportContext {
  readonly operation: string;
  readonly change: boolean;
  /** Whether a byte of the request may have gone out. */
  readonly sent: boolean;
  readonly status?: number | undefined;
  readonly scrub: (text: string) => string;
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** One error for whatever went wrong between us and the service. What was thrown stays, harmless, as its `cause`. */
export function errorFromTransport(thrown: unknown, context: TransportContext): VideoHostingError {
  if (thrown instanceof VideoHostingError) return thrown;
  const outcome = !context.sent ? 'nothing-sent' : context.change ? 'not-known' : 'not-done';
  const facts = { operation: context.operation, outcome, ...(context.status === undefined ? {} : { status: context.status }) } as const;
  if (thrown instanceof Interrupted && thrown.by === 'caller') return cancelledError(facts);
  const { code, phrase, hint } = classify(thrown, context.sent);
  return new VideoHostingError(code, `${context.operation}: ${phrase}.`, {
    facts,
    ...(hint === undefined ? {} : { hint }),
    cause: safeCause(thrown, context.scrub),
  });
}

/** What the TLS library says of a certificate that it can’t verify. */
const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_UNTRUSTED)/;

const ADDRESS_HINT = 'Correct VIDEO_HOSTING_BASE_URL, or VIDEO_HOSTING_STATS_URL for analytics, and restart the server.';

function classify(thrown: unknown, sent: boolean): { code: ErrorCode; phrase: string; hint?: string } {
  if (thrown instanceof BodyProblem) return { code: thrown.code, phrase: thrown.message };
  if (thrown instanceof AddressRefused)
    return { code: 'settings_invalid', phrase: `${thrown.message}, so nothing was sent to it`, hint: ADDRESS_HINT };
  const code = codeOf(thrown);
  if (thrown instanceof Interrupted) return { code: 'timed_out', phrase: 'the service did not answer within the time limit' };
  if (TIMEOUTS.has(code)) return { code: 'timed_out', phrase: 'the service sent nothing for too long' };
  if (UNTRUSTED.test(code))
    return {
      code: 'unreachable',
      phrase: `the certificate of the service is not trusted on this machine (${code})`,
      hint: 'Where a company signs certificates itself, for the service or for a proxy on the way, name the file with its authority’s certificate in NODE_EXTRA_CA_CERTS, set where this server is started.',
    };
  if (!sent) return { code: 'unreachable', phrase: `no connection to the service (${code})` };
  if (code === 'Z_DATA_ERROR' || code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI'))
    return { code: 'unexpected_body', phrase: 'the compressed body is damaged' };
  return { code: 'connection_lost', phrase: `the connection broke before the answer was complete (${code})` };
}

function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'no code';
}

/** The transport's errors carry sockets and pieces of answers; only their words are kept. */
function safeCause(thrown: unknown, scrub: (text: string) => string): Error {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = new Error(cleanText(scrub(words), 300));
  return Object.assign(cause, { code: codeOf(thrown) });
}
