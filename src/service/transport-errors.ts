import type { ErrorCode } from '../errors/codes.ts';
import { cancelledError, VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { toTakeEffect } from '../text/own-command.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { BodyProblem } from './body.ts';
import { addressHint, type RequestContext, requestWords } from './request-words.ts';

export interface TransportContext extends RequestContext {
  /** Whether a byte of the request may have gone out. */
  readonly sent: boolean;
  readonly status?: number | undefined;
  /** Whether the caller gave it up. */
  readonly cancelled?: boolean | undefined;
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The error of a failed transport. Its `cause` has the words and the code of what was thrown. */
export function errorFromTransport(thrown: unknown, context: TransportContext): VideoHostingError {
  if (thrown instanceof VideoHostingError && context.cancelled !== true) return thrown;
  const outcome = !context.sent ? 'nothing-sent' : context.change ? 'not-known' : 'not-done';
  const facts = definedFields({ operation: context.operation, isChange: context.change, outcome, status: context.status } as const);
  if (context.cancelled === true) return cancelledError(facts);
  const { code, phrase, detail, hint = addressHint(code, context) } = classify(thrown, context);
  const told = detail === undefined ? phrase : sentence`${phrase} (${detail})`;
  const { message, words } = requestWords(told, context.operation, { plain: phrase });
  return new VideoHostingError(code, message, {
    facts: { ...facts, words, ...definedFields({ detail }) },
    hint,
    cause: safeCause(thrown, context.scrub),
  });
}

/** What is wrong with a certificate, by the codes of the TLS library. */
const CERTIFICATES: readonly { readonly codes: RegExp; readonly phrase: Sentence; readonly hint: (setting: Sentence) => Sentence }[] = [
  {
    codes: /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|CERT_(?:UNTRUSTED|SIGNATURE_FAILURE|REJECTED)|INVALID_CA)/,
    phrase: sentence`The certificate of the service is not trusted here`,
    hint: () =>
      sentence`Where a company signs certificates itself, for the service or for a proxy on the way, name the file with its authority’s certificate in NODE_EXTRA_CA_CERTS, set where this server is started.`,
  },
  {
    codes: /^(?:ERR_TLS_CERT_ALTNAME_|HOSTNAME_MISMATCH)/,
    phrase: sentence`What answers at this address shows the certificate of another host`,
    hint: (setting) =>
      sentence`Check the host’s name in ${setting}. If it is right, a login page of the network, a proxy or another server answers in its place.`,
  },
  {
    codes: /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)/,
    phrase: sentence`The certificate of the service is not valid now`,
    hint: () =>
      sentence`Check the date and time of the machine that this runs on. If they are right, whoever runs the service has to renew the certificate.`,
  },
  {
    codes: /^CERT_REVOKED/,
    phrase: sentence`The certificate of the service was revoked`,
    hint: () => sentence`Ask whoever runs the service; until then nothing is sent to it.`,
  },
];

const NO_CODE = 'no code';

const needsWebAssembly = (thrown: unknown): boolean =>
  thrown instanceof Error && (/WebAssembly|Wasm/.test(thrown.message) || needsWebAssembly(thrown.cause));

/** Codes of the TLS library for an answer that is none of TLS. */
const NO_TLS = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/;

/** `detail`: a code, for whoever runs the server. */
function classify(
  thrown: unknown,
  { sent, setting }: TransportContext,
): { code: ErrorCode; phrase: Sentence; detail?: Sentence; hint?: Sentence } {
  if (thrown instanceof BodyProblem) return { code: thrown.code, phrase: thrown.message };
  const code = transportCode(thrown);
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return { code: 'timed_out', phrase: sentence`The service did not answer within the time limit` };
  if (TIMEOUTS.has(code)) return { code: 'timed_out', phrase: sentence`The service sent nothing for too long` };
  if (code === NO_CODE && needsWebAssembly(thrown))
    return {
      code: 'unreachable',
      phrase: sentence`No request can be made: the Node that runs this server can’t use WebAssembly, which its HTTP client needs`,
      hint: sentence`Start this server without --jitless (in NODE_OPTIONS, or among its arguments) and without a limit of its address space (ulimit -v).`,
    };
  const certificate = CERTIFICATES.find(({ codes }) => codes.test(code));
  if (certificate !== undefined) {
    const { phrase, hint } = certificate;
    return { code: 'unreachable', phrase, detail: word(code), hint: hint(setting) };
  }
  const proxyStatus = thrown instanceof Error ? PROXY_REFUSAL.exec(thrown.message)?.[1] : undefined;
  if (proxyStatus !== undefined && !sent) return refusedByProxy(proxyStatus);
  if (NO_TLS.test(code))
    return {
      code: 'unreachable',
      phrase: sentence`What answers at that address does not speak https`,
      detail: word(code),
      hint: sentence`Check ${setting}: its port may be one for http, or its host another program’s.`,
    };
  if (!sent) return { code: 'unreachable', phrase: sentence`No connection to the service`, detail: word(code) };
  if (code === 'Z_DATA_ERROR' || code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI'))
    return { code: 'unexpected_body', phrase: sentence`The compressed body is damaged` };
  return { code: 'connection_lost', phrase: sentence`The connection broke before the answer was complete`, detail: word(code) };
}

/** undici's message for a proxy that opens no tunnel; the error has no field for the status. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\) !== 200/;

function refusedByProxy(status: string): ReturnType<typeof classify> {
  if (status === '407')
    return {
      code: 'settings_invalid',
      phrase: sentence`The proxy wants a user name and password, or others`,
      detail: sentence`status 407`,
      hint: sentence`Put them into HTTPS_PROXY, percent-encoded: http://user:password@proxy.example.com:8080. Then ${toTakeEffect()}.`,
    };
  return {
    code: 'unreachable',
    phrase: sentence`The proxy opened no way to the service`,
    detail: sentence`status ${word(status)}`,
    hint: sentence`Check the base URL, and whether the proxy that HTTPS_PROXY names lets it through; hosts in NO_PROXY are reached without it.`,
  };
}

function transportCode(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : NO_CODE;
}

/** The transport's errors hold sockets and pieces of responses: only the message is kept. */
function safeCause(thrown: unknown, scrub: (text: string) => string): Error {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  const cause = new Error(cleanText(scrub(words), 300));
  return Object.assign(cause, { code: transportCode(thrown) });
}
