import { cancelledError, ERRORS, type ErrorCode, type ErrorFacts, VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { setAnew, toTakeEffect, withInstall } from '../text/own-command.ts';
import { cleanText, withoutPersonal } from '../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { timeFrom } from '../text/time-text.ts';
import { BodyProblem } from './body.ts';
import type { CredentialSent } from './credentials.ts';

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

export interface TransportContext extends RequestContext {
  /** Whether a byte of the request may have gone out. */
  readonly sent: boolean;
  readonly status?: number | undefined;
  /** Whether the caller gave it up. */
  readonly cancelled?: boolean | undefined;
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

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** The error of a failed transport. Its `cause` has the words and the code of what was thrown. */
export function errorFromTransport(thrown: unknown, context: TransportContext): VideoHostingError {
  if (thrown instanceof VideoHostingError && context.cancelled !== true) return thrown;
  const outcome = !context.sent ? 'nothing-sent' : context.change ? 'not-known' : 'not-done';
  const facts = definedFields({ operation: context.operation, isChange: context.change, outcome, status: context.status } as const);
  if (context.cancelled === true) return cancelledError(facts);
  const { code, phrase, hint = addressHint(code, context) } = classify(thrown, context);
  const { message, words } = requestWords(phrase, context.operation);
  return new VideoHostingError(code, message, { facts: { ...facts, words }, hint, cause: safeCause(thrown, context.scrub) });
}

interface RequestTold {
  readonly status?: number;
  /** Nothing but its status tells what the service means. */
  readonly isBare?: boolean;
  /** The service’s own words, quoted. */
  readonly said?: Sentence | undefined;
  readonly trace?: readonly Sentence[];
  /** A further sentence of both forms. */
  readonly after?: Sentence;
}

/**
 * What went wrong, in two forms: `message` with the request in brackets, and `words` alone, which people read of a change, with what the
 * service said behind what it means. `phrase` has no full stop yet.
 */
export function requestWords(
  phrase: Sentence,
  operation: Sentence,
  { status, isBare = false, said, trace = [], after = sentence`` }: RequestTold = {},
): { readonly message: Sentence; readonly words: Sentence } {
  const code = status === undefined ? [] : [sentence`status ${status}`];
  const request = joined([operation, ...code, ...trace], ', ');
  const known = [...(isBare ? code : []), ...trace].map((text) => sentence`(${text})`);
  return {
    message: sentence`${phrase}${said === undefined ? '' : sentence`; it said ${said}`} (${request}).${after}`,
    words: sentence`${joined([phrase, ...known])}.${after}${said === undefined ? '' : sentence` The service said: ${said}.`}`,
  };
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

function classify(thrown: unknown, { sent, setting }: TransportContext): { code: ErrorCode; phrase: Sentence; hint?: Sentence } {
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
    return { code: 'unreachable', phrase: sentence`${phrase} (${word(code)})`, hint: hint(setting) };
  }
  const proxyStatus = thrown instanceof Error ? PROXY_REFUSAL.exec(thrown.message)?.[1] : undefined;
  if (proxyStatus !== undefined && !sent) return refusedByProxy(proxyStatus);
  if (NO_TLS.test(code))
    return {
      code: 'unreachable',
      phrase: sentence`What answers at that address does not speak https (${word(code)})`,
      hint: sentence`Check ${setting}: its port may be one for http, or its host another program’s.`,
    };
  if (!sent) return { code: 'unreachable', phrase: sentence`No connection to the service (${word(code)})` };
  if (code === 'Z_DATA_ERROR' || code.startsWith('ERR__ERROR') || code.startsWith('ERR_BROTLI'))
    return { code: 'unexpected_body', phrase: sentence`The compressed body is damaged` };
  return { code: 'connection_lost', phrase: sentence`The connection broke before the answer was complete (${word(code)})` };
}

/** undici's message for a proxy that opens no tunnel; the error has no field for the status. */
const PROXY_REFUSAL = /^Proxy response \((\d{3})\) !== 200/;

function refusedByProxy(status: string): ReturnType<typeof classify> {
  if (status === '407')
    return {
      code: 'settings_invalid',
      phrase: sentence`The proxy wants a user name and password, or others (status 407)`,
      hint: sentence`Put them into HTTPS_PROXY, percent-encoded: http://user:password@proxy.example.com:8080. Then ${toTakeEffect()}.`,
    };
  return {
    code: 'unreachable',
    phrase: sentence`The proxy opened no way to the service (status ${word(status)})`,
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

/** A response that is no success. */
export interface StatusContext extends RequestContext {
  readonly status: number;
  /** The parsed body; undefined when there was none or it was no JSON. */
  readonly body: unknown;
  /** Whether the body is an HTML page, which the API has no use for. */
  readonly isPage?: boolean;
  readonly redirectTo?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly maxRetryAfterMs: number;
  readonly credential?: CredentialSent | undefined;
  /** Where the credential is one that has expired: when, and the setting that it is from. */
  readonly expired?: { readonly expires: string; readonly setting: string } | undefined;
}

const MAX_TEXT_LENGTH = 300;
const MAX_KEYS = 1_000;
const MAX_KEY_LENGTH = 100;
const KEYS_IN_MESSAGE = 50;
const SHOWN_KEY_LENGTH = 24;

interface StatusMeaning {
  readonly code: ErrorCode;
  readonly phrase: Sentence;
  readonly hint?: Sentence;
}

const REFUSED: StatusMeaning = { code: 'service_validation', phrase: sentence`The service refused the request` };
const THROTTLED: StatusMeaning = { code: 'rate_limited', phrase: sentence`The service asked for fewer requests` };
const FAILED: StatusMeaning = { code: 'service_failed', phrase: sentence`The service failed` };
const UNAVAILABLE = 503;
const UNEXPECTED: StatusMeaning = {
  code: 'unexpected_status',
  phrase: sentence`The service answered in a way that its documentation does not show`,
};

/** What statuses mean; those with code `unexpected_status` the API document does not show, and HTTP does. */
const STATUSES: Readonly<Record<number, StatusMeaning>> = {
  400: REFUSED,
  401: { code: 'unauthorized', phrase: sentence`The service refused the credential` },
  403: { code: 'forbidden', phrase: sentence`The service does not allow this credential to do that` },
  404: { code: 'service_not_found', phrase: sentence`The service knows no such record, or this credential has no access to it` },
  408: { code: 'timed_out', phrase: sentence`The service gave up waiting for the request` },
  409: {
    code: 'unexpected_status',
    phrase: sentence`The service says that this conflicts with what the record is now`,
    hint: sentence`Somebody else may be changing it. Look at it, then try again later.`,
  },
  422: REFUSED,
  423: {
    code: 'unexpected_status',
    phrase: sentence`The service says that the record is locked`,
    hint: sentence`Somebody else may be working on it. Ask the user who does, and try again later.`,
  },
  429: THROTTLED,
  502: { code: 'service_failed', phrase: sentence`A gateway before the service got no answer from it that it could use` },
  [UNAVAILABLE]: { code: 'service_failed', phrase: sentence`The service is not available` },
  504: { code: 'service_failed', phrase: sentence`A gateway before the service waited too long for its answer` },
};

/** What a page means where the API itself would answer in JSON. */
const PAGES: Readonly<Record<number, Pick<StatusMeaning, 'phrase' | 'hint'>>> = {
  401: {
    phrase: sentence`The credential was refused with an HTML page, perhaps by something between this server and the service`,
  },
  403: {
    phrase: sentence`The request was refused with an HTML page, so by something between this server and the service, not by its API`,
    hint: sentence`It may be a gateway, a proxy or a protection against bots: ask whoever runs the network or the service to let this server through. The credential was probably not looked at.`,
  },
};

const meaningOf = (status: number): StatusMeaning => STATUSES[status] ?? (status >= 500 && status < 600 ? FAILED : UNEXPECTED);

/**
 * Statuses after which nothing was changed: the documented refusals, and those that by HTTP's own meaning come before
 * a request is carried out. Of 429 and 503 the API document says nothing, so a change may have been done.
 */
const NOT_DONE = new Set([307, 308, 400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 423, 431]);

/** The error of a response that is no success ("Errors" in the API document), whatever its body. */
export function errorFromStatus(context: StatusContext): VideoHostingError {
  if (context.status >= 300 && context.status < 400 && context.redirectTo !== undefined) return redirectError(context, context.redirectTo);
  const documented = readBody(context);
  const meaning = context.isListStart && context.status === 404 ? noSuchPath(context) : meaningOf(context.status);
  const page = context.isPage ? PAGES[context.status] : undefined;
  const { code, phrase, hint: usualHint } = { ...meaning, ...page };
  const { retryAfterMs = 0, maxRetryAfterMs } = context;
  const back = retryAfterMs > maxRetryAfterMs ? timeFrom(Date.now() + retryAfterMs) : undefined;
  const asked = context.status === UNAVAILABLE ? sentence`it says that it is back at` : sentence`it asked to wait until`;
  const wait = back === undefined ? sentence`` : sentence`; ${asked} ${back}`;
  const { serviceMessage } = documented;
  const said = serviceMessage === undefined ? undefined : inQuotes(serviceMessage, serviceMessage.length);
  const trace =
    documented.problem?.traceId === undefined
      ? []
      : [sentence`trace ${inQuotes(documented.problem.traceId, documented.problem.traceId.length)}`];
  const after = keysSentence(documented.invalidVideoKeys);
  const { message, words } = requestWords(sentence`${phrase}${wait}`, context.operation, {
    ...{ status: context.status, isBare: said === undefined, said, trace, after },
  });
  const later = back === undefined ? undefined : sentence`Try again from ${back} on.`;
  const credentialHint = isAboutCredential(code) ? CREDENTIAL_HINTS[code][context.credential ?? 'none']?.() : undefined;
  const expiredHint = code === 'unauthorized' && context.expired !== undefined ? expiredText(context.expired) : undefined;
  const hint = expiredHint ?? page?.hint ?? credentialHint ?? later ?? usualHint ?? addressHint(code, context);
  return new VideoHostingError(code, message, { facts: { ...baseFacts(context), words, ...documented }, hint });
}

/** A list that is not found is no matter of records: the API has it wherever it is. */
const noSuchPath = ({ setting }: StatusContext): StatusMeaning => ({
  code: 'service_not_found',
  phrase: sentence`What answers at ${setting} does not know this path of the API`,
  hint: sentence`Correct ${setting}: it is the root of the API, before /v1. Then ${toTakeEffect(setting)}.`,
});

const withoutCredential = (): Sentence =>
  sentence`It was asked without a credential: if this API wants one, set VIDEO_HOSTING_STATS_AUTH to "bearer" and ${toTakeEffect()}.`;

const keyHint = (): Sentence => withInstall(ERRORS.unauthorized.hint);

/** The setting of a refused credential, and how a new one is set. */
const CREDENTIAL_HINTS: Readonly<Record<'unauthorized' | 'forbidden', Partial<Readonly<Record<CredentialSent | 'none', () => Sentence>>>>> =
  {
    unauthorized: {
      none: withoutCredential,
      key: keyHint,
      'key for videos': () =>
        sentence`${keyHint()} If the key works for all else, the service may want a JWT for videos (VIDEO_HOSTING_ACCESS_TOKEN).`,
      token: () =>
        withInstall(
          sentence`Check VIDEO_HOSTING_ACCESS_TOKEN, which is sent for videos: correct it and ${toTakeEffect('VIDEO_HOSTING_ACCESS_TOKEN')}.`,
          'access token',
        ),
    },
    forbidden: { none: withoutCredential, key: () => withInstall(sentence`${ERRORS.forbidden.hint}`) },
  };

const SETTING_OF_KEY = 'VIDEO_HOSTING_API_KEY';

const expiredText = ({ expires, setting }: NonNullable<StatusContext['expired']>): Sentence =>
  withInstall(
    sentence`The JWT that was sent expired on ${word(expires.slice(0, 10))}. Have a new one issued, ${setAnew(setting)}.`,
    setting === SETTING_OF_KEY ? 'key' : 'access token',
  );

const isAboutCredential = (code: ErrorCode): code is keyof typeof CREDENTIAL_HINTS => code in CREDENTIAL_HINTS;

function baseFacts(context: StatusContext): ErrorFacts {
  const { status, operation, change, retryAfterMs } = context;
  const outcome: ErrorFacts['outcome'] = change && !NOT_DONE.has(status) ? 'not-known' : 'not-done';
  return definedFields({ status, operation, isChange: change, outcome, retryAfterMs });
}

function redirectError(context: StatusContext, target: string): VideoHostingError {
  const to = inQuotes(context.scrub(target), 100);
  const phrase = sentence`The service redirects to ${to}; redirects are not followed`;
  const { message, words } = requestWords(phrase, context.operation, { status: context.status });
  return new VideoHostingError('redirect_refused', message, {
    facts: { ...baseFacts(context), words },
    hint: addressHint('redirect_refused', context),
  });
}

function keysSentence(keys: readonly string[] | undefined): Sentence {
  if (keys === undefined || keys.length === 0) return sentence``;
  const cut = (key: string) => (key.length > SHOWN_KEY_LENGTH ? `${key.slice(0, SHOWN_KEY_LENGTH)}…` : key);
  const shown = keys.slice(0, KEYS_IN_MESSAGE).map((key) => inQuotes(cut(key)));
  const more = keys.length > shown.length ? sentence` and ${keys.length - shown.length} more` : sentence``;
  return sentence` Invalid video keys: ${joined(shown, ', ')}${more}.`;
}

/** The documented fields of a body, each only when it is of the documented type. */
function readBody({ body, scrub }: StatusContext): Pick<ErrorFacts, 'serviceMessage' | 'invalidVideoKeys' | 'problem'> {
  const { message, title, detail, error, type, status, traceId, invalidVideoKeys } = fieldsIn(body);
  // The message of a failure may name a viewer.
  const text = (value: unknown) =>
    typeof value === 'string'
      ? cleanText(withoutPersonal(cleanText(scrub(value), MAX_TEXT_LENGTH * 4)), MAX_TEXT_LENGTH) || undefined
      : undefined;
  const serviceMessage = text(message) ?? text(detail) ?? text(title) ?? text(error);
  const problem = definedFields({
    type: text(type),
    title: text(title),
    status: typeof status === 'number' ? status : undefined,
    traceId: text(traceId),
  });
  return definedFields({
    serviceMessage,
    problem: Object.keys(problem).length === 0 ? undefined : problem,
    invalidVideoKeys: Array.isArray(invalidVideoKeys) ? keysOf(invalidVideoKeys, scrub) : undefined,
  });
}

function keysOf(keys: readonly unknown[], scrub: (text: string) => string): string[] {
  return keys
    .filter((key) => typeof key === 'string')
    .slice(0, MAX_KEYS)
    .map((key) => cleanText(scrub(key), MAX_KEY_LENGTH));
}
