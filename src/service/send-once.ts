import type { Dispatcher } from 'undici';
import type { ApiAddress } from '../config/api-address.ts';
import { cancelledError } from '../errors.ts';
import { limitedSignal } from '../platform/limited-signal.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { asSentence, type Sentence } from '../text/sentence.ts';
import { ACCEPTED_ENCODINGS, eachBodyChunk, parseJson } from './body.ts';
import type { Connections } from './connections.ts';
import type { CredentialExpiries, Credentials } from './credentials.ts';
import type { Limiter, Load } from './limiter.ts';
import { targetOf } from './path.ts';
import { type AnyRequest, assertApproved, assertStillApproved, isChange, isFirstOfList, waitingSignal } from './request.ts';
import type { RequestContext } from './request-words.ts';
import { maxWaitMs, parseRetryAfter, type RetryPolicy } from './retry.ts';
import type { ServiceClock } from './service-clock.ts';
import { errorFromStatus } from './status-errors.ts';
import { errorFromTransport } from './transport-errors.ts';

export interface Timeouts {
  readonly connectMs: number;
  /** From the request to the headers of its response. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** One attempt in all; 0 for none. A streamed body has none. */
  readonly totalMs: number;
}

/** One of the two APIs, and what every request to it needs. */
export interface Api {
  readonly base: ApiAddress;
  /** The setting that has its address. */
  readonly setting: Sentence;
  readonly limiter: Limiter;
  readonly clock: ServiceClock;
  readonly timeouts: Timeouts;
  readonly maxBytes: number;
  readonly policy: RetryPolicy;
  readonly credentials: Credentials;
  readonly expiries: CredentialExpiries;
  /** Whether this API gets the credential at all. */
  readonly bearer: boolean;
  readonly userAgent: string;
  dispatcher(connections: Connections): Promise<Dispatcher>;
}

type Response = Dispatcher.ResponseData;

/** A success whose body is still to be read. The request holds its place in the limiter until `chunks` has ended. */
export interface SuccessResponse {
  readonly status: number;
  readonly context: RequestContext;
  readonly chunks: AsyncGenerator<Buffer>;
}

/** Largest part of an error's body that is read. */
const MAX_ERROR_BYTES = 65_536;

const SUCCESSES = new Set([200, 201, 202, 203, 204]);

/** Sends a request once, within `totalMs`. Throws for every response that is no success. */
export async function sendOnce(api: Api, request: AnyRequest, totalMs: number): Promise<SuccessResponse> {
  const { scrub } = api.credentials;
  // A path is percent-encoded, so nothing in it reads as words.
  const context: RequestContext = {
    operation: asSentence(`${request.method} ${cleanText(scrub(request.path), 200)}`),
    change: isChange(request),
    setting: api.setting,
    isListStart: isFirstOfList(request),
    scrub,
  };
  assertApproved(request, context.operation);
  const release = await api.limiter.acquire(waitingSignal(request), maxWaitMs(request, api.policy));
  const { signal, release: endLimit } = limitedSignal(totalMs > 0 ? totalMs : Number.POSITIVE_INFINITY, request.signal);
  let sent = false;
  let response: Response | undefined;
  const asError = (thrown: unknown) =>
    errorFromTransport(thrown, { ...context, sent, status: response?.statusCode, cancelled: request.signal?.aborted });
  /** Also drops the rest of a body, and its connection with it. */
  const finish = (load: Load) => {
    endLimit();
    response?.body.destroy();
    release(load);
  };
  try {
    const dispatcher = await api.dispatcher(request.retry === 'never' ? 'fresh' : 'kept');
    await assertStillApproved(request, context.operation);
    signal.throwIfAborted();
    // Its change may have been stopped or taken over while it waited.
    assertApproved(request, context.operation);
    const sentMs = Date.now();
    if (sentMs > (request.notAfterMs ?? Number.POSITIVE_INFINITY)) throw cancelledError();
    request.approval?.use();
    response = await transmit(dispatcher, requestOptions(api, request), signal, () => {
      sent = true;
    });
    // What a cache on the way kept has the date of then.
    if (headerOf(response, 'age') === undefined) api.clock.note(headerOf(response, 'date'), sentMs, Date.now());
    response.body.on('error', () => {}); // the reader of the body gets it too
  } catch (thrown) {
    finish('other');
    throw asError(thrown);
  }
  const { statusCode: status } = response;
  if (SUCCESSES.has(status)) return { status, context, chunks: successChunks(response, request.maxBytes ?? api.maxBytes, asError, finish) };
  try {
    throw await refusal(api, request, response, context);
  } finally {
    finish(status === 429 || status === 503 ? 'congested' : 'fine');
  }
}

/**
 * Sends a request and waits for the headers of its response. Aborting the signal ends it and its body at any moment. `onSent` is
 * called before a byte can go out, so that a failure without it has reached nobody.
 */
function transmit(dispatcher: Dispatcher, options: Dispatcher.RequestOptions, signal: AbortSignal, onSent: () => void): Promise<Response> {
  let isStarted = false;
  // undici calls `onRequestStart` just before it writes to a connection.
  const noteStart: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (given, handler) =>
    dispatch(given, {
      onRequestStart(controller, context) {
        // A dispatcher that starts again by itself would send twice; only our own retry rules decide that.
        if (isStarted) return controller.abort(new Error('the connection was lost'));
        handler.onRequestStart?.(controller, context);
        if (controller.aborted) return;
        isStarted = true;
        onSent();
      },
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
  return new Promise((resolve, reject) => {
    // undici itself would wait for a connection before it heeds the signal.
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    dispatcher
      .compose(noteStart)
      .request({ ...options, signal })
      .then(resolve, reject)
      // The caller's signal may live as long as the process.
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The body of a success. `finish` is called also where the reader leaves early. */
async function* successChunks(
  response: Response,
  maxBytes: number,
  asError: (thrown: unknown) => Error,
  finish: (load: Load) => void,
): AsyncGenerator<Buffer> {
  let load: Load = 'other';
  try {
    yield* eachBodyChunk(response, maxBytes);
    load = 'fine';
  } catch (thrown) {
    throw asError(thrown);
  } finally {
    finish(load);
  }
}

function requestOptions(api: Api, request: AnyRequest): Dispatcher.RequestOptions {
  return {
    origin: api.base.origin,
    path: targetOf(api.base, request.path, request.query),
    method: request.method,
    headersTimeout: api.timeouts.headersMs,
    bodyTimeout: api.timeouts.bodyMs,
    ...(request.body === undefined ? {} : { body: Buffer.isBuffer(request.body) ? request.body : JSON.stringify(request.body) }),
    headers: {
      accept: 'application/json',
      'accept-encoding': ACCEPTED_ENCODINGS,
      'user-agent': api.userAgent,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(api.bearer ? { authorization: api.credentials.bearer(request.credential ?? 'key') } : {}),
    },
  };
}

/** The error of a response that is no success, also where its body can't be read. */
async function refusal(api: Api, request: AnyRequest, response: Response, context: RequestContext): Promise<Error> {
  const bytes = await firstBytes(response);
  const credential = api.bearer ? (request.credential ?? 'key') : undefined;
  const expiry = credential && api.expiries[credential];
  const body = jsonOrUndefined(bytes, api.credentials.scrubJson);
  const serviceNowMs = Date.now() + (api.clock.differenceMs() ?? 0);
  if (request.signal?.aborted && !context.change)
    return cancelledError({ operation: context.operation, isChange: false, outcome: 'not-done' });
  return errorFromStatus({
    ...context,
    status: response.statusCode,
    body,
    isPage: body === undefined && /^\s*<(?:!doctype|html|head|body)/i.test(bytes.toString('latin1', 0, 500)),
    redirectTo: redirectTarget(api, request, response),
    retryAfterMs: parseRetryAfter(headerOf(response, 'retry-after'), serviceNowMs),
    maxRetryAfterMs: maxWaitMs(request, api.policy),
    credential: credential && api.credentials.sentAs(credential),
    expired: expiry !== undefined && Date.parse(expiry.expires) < serviceNowMs ? expiry : undefined,
  });
}

/** As much of an error’s body as can be read. */
async function firstBytes(response: Response): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of eachBodyChunk(response, MAX_ERROR_BYTES)) pieces.push(piece);
  } catch {
    // What came before it counts.
  }
  return Buffer.concat(pieces);
}

function jsonOrUndefined(bytes: Buffer, scrub: (text: string) => string): unknown {
  try {
    return parseJson(bytes, scrub);
  } catch {
    return undefined;
  }
}

function redirectTarget(api: Api, request: AnyRequest, response: Response): string | undefined {
  const location = headerOf(response, 'location');
  if (location === undefined) return undefined;
  const from = `${api.base.origin}${targetOf(api.base, request.path)}`;
  return URL.canParse(location, from) ? new URL(location, from).origin : 'an address that is no URL';
}

const headerOf = ({ headers }: Response, name: string): string | undefined => [headers[name]].flat()[0];
