import { type ErrorCode, type ErrorFacts, VideoHostingError } from '../errors.ts';
import type { CredentialKind } from './credentials.ts';
import { cleanText, withoutPersonal } from './sanitize-text.ts';

/** What is known when the service answered with another status than success. */
export interface StatusContext {
  readonly operation: string;
  readonly change: boolean;
  readonly status: number;
  /** The parsed body; undefined when there was none or it was no JSON. */
  readonly body: unknown;
  /** Where a redirect points to. */
  readonly redirectTo?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly maxRetryAfterMs: number;
  /** What the request carried; undefined where nothing. */
  readonly credential?: CredentialKind | undefined;
  readonly scrub: (text: string) => string;
}

const MAX_TEXT_LENGTH = 300;
const MAX_KEYS = 1_000;
const MAX_KEY_LENGTH = 100;
const KEYS_IN_MESSAGE = 10;

const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'service_validation',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'service_not_found',
  408: 'timed_out',
  422: 'service_validation',
  429: 'rate_limited',
};

const PHRASES: Partial<Readonly<Record<ErrorCode, string>>> = {
  service_validation: 'the service found the request invalid',
  unauthorized: 'the service refused the credential',
  forbidden: 'the service does not allow this credential to do that',
  service_not_found: 'the service knows no such record, or this credential has no access to it',
  timed_out: 'the service gave up waiting for the request',
  rate_limited: 'the service asked for fewer requests',
  service_failed: 'the service failed',
};

/**
 * Statuses after which nothing was changed: the documented refusals, and those that by HTTP's own meaning come before
 * a request is carried out. Of 429 and 503 the API document says nothing, so a change may have been done.
 */
const NOT_DONE = new Set([307, 308, 400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 431]);

/** One error for every answer that is not a success ("Errors" in the API document), whatever its body. */
export function errorFromStatus(context: StatusContext): VideoHostingError {
  if (context.status >= 300 && context.status < 400 && context.redirectTo !== undefined) return redirectError(context, context.redirectTo);
  const said = readBody(context);
  const absurd = context.retryAfterMs !== undefined && context.retryAfterMs > context.maxRetryAfterMs;
  const code = absurd ? 'rate_limited' : codeOf(context.status);
  const phrase = PHRASES[code] ?? 'the service answered in a way that its documentation does not show';
  const wait = absurd ? `; it asked to wait ${Math.ceil((context.retryAfterMs ?? 0) / 1_000)} seconds, which is too long to wait here` : '';
  const quoted = said.serviceMessage === undefined ? '' : `; it said ${JSON.stringify(said.serviceMessage)}`;
  const trace = said.problem?.traceId === undefined ? '' : `, trace ${JSON.stringify(said.problem.traceId)}`;
  const message = `${context.operation}: ${phrase} (status ${context.status}${trace})${wait}${quoted}${keysSentence(said.invalidVideoKeys)}.`;
  const hint = code === 'unauthorized' ? CREDENTIAL_HINTS[context.credential ?? 'none'] : undefined;
  return new VideoHostingError(code, message, { facts: { ...baseFacts(context), ...said }, ...(hint === undefined ? {} : { hint }) });
}

/** Which setting a refused credential came from; that of the API key is what the error's own hint names. */
const CREDENTIAL_HINTS: Partial<Readonly<Record<CredentialKind | 'none', string>>> = {
  none: 'It was asked without a credential: if this API wants one, set VIDEO_HOSTING_STATS_AUTH to "bearer" and restart the server.',
  token:
    'Check VIDEO_HOSTING_ACCESS_TOKEN: the service may want a JWT for videos. Where it is not set, VIDEO_HOSTING_API_KEY is sent. Restart the server after a change.',
};

function codeOf(status: number): ErrorCode {
  return CODES[status] ?? (status >= 500 && status < 600 ? 'service_failed' : 'unexpected_status');
}

function baseFacts(context: StatusContext): ErrorFacts {
  return {
    status: context.status,
    operation: context.operation,
    outcome: context.change && !NOT_DONE.has(context.status) ? 'not-known' : 'not-done',
    ...(context.retryAfterMs === undefined ? {} : { retryAfterMs: context.retryAfterMs }),
  };
}

function redirectError(context: StatusContext, target: string): VideoHostingError {
  const to = JSON.stringify(cleanText(context.scrub(target), 100));
  const message = `${context.operation}: the service redirects to ${to} (status ${context.status}); redirects are not followed.`;
  return new VideoHostingError('redirect_refused', message, { facts: baseFacts(context) });
}

function keysSentence(keys: readonly string[] | undefined): string {
  if (keys === undefined || keys.length === 0) return '';
  const shown = keys.slice(0, KEYS_IN_MESSAGE).map((key) => JSON.stringify(key));
  const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : '';
  return `. Invalid video keys: ${shown.join(', ')}${more}`;
}

/** Takes from a body what is documented, each only when it is of the documented type. */
function readBody({ body, scrub }: StatusContext): Pick<ErrorFacts, 'serviceMessage' | 'invalidVideoKeys' | 'problem'> {
  if (typeof body !== 'object' || body === null) return {};
  const { message, title, detail, error, type, status, traceId, invalidVideoKeys } = body as Record<string, unknown>; // an object, of unknown values
  // What a service says of its own failure may name a viewer.
  const text = (value: unknown) => {
    const long = typeof value === 'string' ? cleanAndScrub(value, MAX_TEXT_LENGTH * 4, scrub) : undefined;
    return long === undefined ? undefined : cleanText(withoutPersonal(long), MAX_TEXT_LENGTH);
  };
  const serviceMessage = text(message) ?? text(detail) ?? text(title) ?? text(error);
  const problem = present({
    type: text(type),
    title: text(title),
    status: typeof status === 'number' ? status : undefined,
    traceId: text(traceId),
  });
  return present({
    serviceMessage,
    problem: Object.keys(problem).length === 0 ? undefined : problem,
    invalidVideoKeys: Array.isArray(invalidVideoKeys) ? keysOf(invalidVideoKeys, scrub) : undefined,
  });
}

function keysOf(keys: readonly unknown[], scrub: (text: string) => string): string[] {
  return keys
    .filter((key) => typeof key === 'string')
    .slice(0, MAX_KEYS)
    .map((key) => cleanAndScrub(key, MAX_KEY_LENGTH, scrub) ?? '');
}

/** Scrubbed before and after cleaning: hidden characters may have split a credential, and a cut may leave half of one. */
function cleanAndScrub(text: string, maxLength: number, scrub: (text: string) => string): string | undefined {
  const clean = cleanText(scrub(cleanText(scrub(text), Number.POSITIVE_INFINITY)), maxLength);
  return clean === '' ? undefined : clean;
}

/** Without the properties that are undefined. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Only undefined values are taken away, which is what the type says.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
