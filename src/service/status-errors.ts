import { ERRORS, type ErrorCode } from '../errors/codes.ts';
import { type ErrorFacts, VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { setAnew, toTakeEffect, withInstall } from '../text/own-command.ts';
import { cleanText, withoutPersonal } from '../text/sanitize-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { timeFrom } from '../text/time-text.ts';
import type { CredentialSent } from './credentials.ts';
import { addressHint, type RequestContext, requestWords } from './request-words.ts';

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
  /** The same for people, who read of it in what became of a change; without it as it stands. */
  readonly plain?: Sentence;
  readonly hint?: Sentence;
  /** What a person does who did not set this server up. */
  readonly person?: Sentence;
}

const REFUSED: StatusMeaning = {
  code: 'service_validation',
  phrase: sentence`The service refused the request`,
  plain: sentence`The service refused it`,
};
const THROTTLED: StatusMeaning = {
  code: 'rate_limited',
  phrase: sentence`The service asked for fewer requests`,
  plain: sentence`The service is too busy`,
};
const FAILED: StatusMeaning = {
  code: 'service_failed',
  phrase: sentence`The service failed`,
  plain: sentence`The service had a problem of its own`,
};
const UNAVAILABLE = 503;
const UNEXPECTED: StatusMeaning = {
  code: 'unexpected_status',
  phrase: sentence`The service answered in a way that its documentation does not show`,
};

/** What statuses mean; those with code `unexpected_status` the API document does not show, and HTTP does. */
const STATUSES: Readonly<Record<number, StatusMeaning>> = {
  400: REFUSED,
  401: {
    code: 'unauthorized',
    phrase: sentence`The service refused the credential`,
    plain: sentence`The service did not let this server in: it refused its key`,
  },
  403: {
    code: 'forbidden',
    phrase: sentence`The service does not allow this credential to do that`,
    plain: sentence`The service does not allow this server to do that`,
  },
  404: {
    code: 'service_not_found',
    phrase: sentence`The service knows no such record, or this credential has no access to it`,
    plain: sentence`The service can’t find it, or does not show it to this server`,
  },
  408: { code: 'timed_out', phrase: sentence`The service gave up waiting for the request` },
  409: {
    code: 'unexpected_status',
    phrase: sentence`The service says that this conflicts with what the record is now`,
    plain: sentence`The service says that this does not fit what is there now`,
    hint: sentence`Somebody else may be changing it. Look at it, then try again later.`,
    person: sentence`Somebody else may have changed it: look at it first. A list that was sent may be out of date now; then ask for this anew, with a fresh list.`,
  },
  422: REFUSED,
  423: {
    code: 'unexpected_status',
    phrase: sentence`The service says that the record is locked`,
    plain: sentence`The service says that it is locked`,
    hint: sentence`Somebody else may be working on it. Ask the user who does, and try again later.`,
    person: sentence`Somebody else may be working on it: ask who does, and try again later.`,
  },
  429: THROTTLED,
  502: {
    code: 'service_failed',
    phrase: sentence`A gateway before the service got no answer from it that it could use`,
    plain: sentence`No usable answer came from the service`,
  },
  [UNAVAILABLE]: {
    code: 'service_failed',
    phrase: sentence`The service is not available`,
    plain: sentence`The service is not available right now`,
  },
  504: {
    code: 'service_failed',
    phrase: sentence`A gateway before the service waited too long for its answer`,
    plain: sentence`No answer came from the service in time`,
  },
};

/** What a page means where the API itself would answer in JSON. */
const PAGES: Readonly<Record<number, Pick<StatusMeaning, 'phrase' | 'plain' | 'hint'>>> = {
  401: {
    phrase: sentence`The credential was refused with an HTML page, perhaps by something between this server and the service`,
    plain: sentence`This server’s key was refused, perhaps by something between this server and the service`,
  },
  403: {
    phrase: sentence`The request was refused with an HTML page, so by something between this server and the service, not by its API`,
    plain: sentence`Something between this server and the service refused it`,
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
  const { code, phrase, plain = phrase, hint: usualHint } = { ...meaning, ...page };
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
    ...{ status: context.status, isBare: said === undefined, said, trace, after, plain: sentence`${plain}${wait}` },
  });
  const later = back === undefined ? undefined : sentence`Try again from ${back} on.`;
  const credentialHint = isAboutCredential(code) ? CREDENTIAL_HINTS[code][context.credential ?? 'none']?.() : undefined;
  const expiredHint = code === 'unauthorized' && context.expired !== undefined ? expiredText(context.expired) : undefined;
  const hint = expiredHint ?? page?.hint ?? credentialHint ?? later ?? usualHint ?? addressHint(code, context);
  const expired = expiredHint === undefined ? undefined : context.expired?.expires;
  return new VideoHostingError(code, message, {
    facts: { ...baseFacts(context), words, ...documented, ...definedFields({ expired }) },
    ...{ hint, person: page?.hint ?? meaning.person },
  });
}

/** A list that is not found is no matter of records: the API has it wherever it is. */
const noSuchPath = ({ setting }: StatusContext): StatusMeaning => ({
  code: 'service_not_found',
  phrase: sentence`What answers at ${setting} does not know this path of the API`,
  hint: sentence`Correct ${setting}: it is the root of the API, before /v1. Then ${toTakeEffect(setting)}.`,
  person: sentence`Whoever set up this server can correct the address of the service.`,
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
