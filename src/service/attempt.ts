import type { Dispatcher } from 'undici';
import type { ApiAddress } from '../config/api-address.ts';
import { cancelledError } from '../errors.ts';
import { ACCEPTED_ENCODINGS, eachChunk, parseJson, wholeOf } from './body.ts';
import type { Connections } from './connections.ts';
import type { Credentials } from './credentials.ts';
import type { Limiter, Load } from './limiter.ts';
import { targetOf } from './path.ts';
import { type AnyRequest, assertApproved, isChange, waitingSignal } from './request.ts';
import { parseRetryAfter } from './retry.ts';
import { cleanText } from './sanitize-text.ts';
import { errorFromStatus } from './status-error.ts';
import { type Transmission, transmit } from './transport.ts';
import { errorFromTransport, Interrupted } from './transport-error.ts';

export interface Timeouts {
  /** To open a connection. */
  readonly connectMs: number;
  /** From the request to the headers of its answer. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** One attempt in all; 0 for none. What is streamed has none. */
  readonly totalMs: number;
}

/** One of the two APIs, and what every attempt at it needs. */
export interface Api {
  readonly base: ApiAddress;
  readonly limiter: Limiter;
  readonly timeouts: Timeouts;
  readonly maxBytes: number;
  readonly maxRetryAfterMs: number;
  readonly credentials: Credentials;
  /** Whether this API gets the credential at all. */
  readonly bearer: boolean;
  readonly userAgent: string;
  dispatcher(connections: Connections): Promise<Dispatcher>;
}

type Response = Dispatcher.ResponseData;

/** A success, its body coming: to be read once. Until that has ended, its place in the limiter is held. */
export interface Opened {
  readonly status: number;
  chunks(): AsyncGenerator<Buffer>;
}

/** What is read of the body of an error. */
const MAX_ERROR_BYTES = 65_536;

const SUCCESSES = new Set([200, 201, 202, 203, 204]);

/** `GET /v1/channels`: what was asked, without its query. */
export function operationOf(request: AnyRequest, credentials: Credentials): string {
  return `${request.method} ${cleanText(credentials.scrub(request.path), 200)}`;
}

/** Sends a request once. Throws for whatever is not a success. */
export async function openOnce(api: Api, request: AnyRequest, limit: 'total' | 'none'): Promise<Opened> {
  const operation = () => operationOf(request, api.credentials);
  assertApproved(request, operation);
  const release = await api.limiter.acquire(waitingSignal(request));
  const interruption = interruptionOf(request.signal, limit === 'total' ? api.timeouts.totalMs : 0);
  let transmission: Transmission | undefined;
  let response: Response | undefined;
  const asError = (thrown: unknown) =>
    errorFromTransport(thrown, { ...contextOf(api, request), sent: transmission?.sent ?? false, status: response?.statusCode });
  /** What is still to come of a body is not waited for: its connection ends with it. */
  const finish = (load: Load) => {
    interruption.release();
    response?.body.destroy();
    release(load);
  };

  try {
    const dispatcher = await api.dispatcher(request.retry === 'never' ? 'fresh' : 'kept');
    interruption.signal.throwIfAborted();
    // While it waited for its place, its change may have been stopped or taken over.
    assertApproved(request, operation);
    request.approval?.use();
    transmission = transmit(dispatcher, requestOptions(api, request), interruption.signal);
    response = await transmission.response;
    response.body.on('error', () => {}); // whoever reads the body is told
  } catch (thrown) {
    finish('other');
    throw asError(thrown);
  }
  if (SUCCESSES.has(response.statusCode)) {
    const body = response;
    return { status: body.statusCode, chunks: () => chunksOf(body, request.maxBytes ?? api.maxBytes, { asError, finish }) };
  }
  try {
    throw await refusal(api, request, response);
  } finally {
    finish(response.statusCode === 429 || response.statusCode === 503 ? 'congested' : 'fine');
  }
}

/** The body of a success. `finish` is called with how it went, also where the reader leaves early. */
async function* chunksOf(
  response: Response,
  maxBytes: number,
  { asError, finish }: { readonly asError: (thrown: unknown) => Error; readonly finish: (load: Load) => void },
): AsyncGenerator<Buffer> {
  let load: Load = 'other';
  try {
    yield* eachChunk(response, maxBytes);
    load = 'fine';
  } catch (thrown) {
    throw asError(thrown);
  } finally {
    finish(load);
  }
}

function contextOf(api: Api, request: AnyRequest) {
  return { operation: operationOf(request, api.credentials), change: isChange(request), scrub: api.credentials.scrub };
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

/** Aborts with what ends an attempt from our side: the caller's signal, or the limit on its whole time. */
function interruptionOf(caller: AbortSignal | undefined, totalMs: number): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const onAbort = () => controller.abort(new Interrupted('caller'));
  if (caller?.aborted) onAbort();
  caller?.addEventListener('abort', onAbort, { once: true });
  const timer = totalMs > 0 ? setTimeout(() => controller.abort(new Interrupted('total-limit')), totalMs) : undefined;
  return {
    signal: controller.signal,
    release() {
      // A signal that lives long gathers no listeners.
      caller?.removeEventListener('abort', onAbort);
      clearTimeout(timer);
    },
  };
}

/** Reads as much of a refusal as its error tells. A refusal whose body can't be read is still that refusal. */
async function refusal(api: Api, request: AnyRequest, response: Response): Promise<Error> {
  const body = await refusalBody(response);
  if (request.signal?.aborted && !isChange(request))
    return cancelledError({ operation: operationOf(request, api.credentials), outcome: 'not-done' });
  return errorFromStatus({
    ...contextOf(api, request),
    status: response.statusCode,
    body,
    redirectTo: redirectTarget(api, request, response),
    retryAfterMs: parseRetryAfter(headerOf(response, 'retry-after'), Date.now()),
    maxRetryAfterMs: api.maxRetryAfterMs,
    credential: api.bearer ? (request.credential ?? 'key') : undefined,
  });
}

async function refusalBody(response: Response): Promise<unknown> {
  try {
    return parseJson(await wholeOf(eachChunk(response, MAX_ERROR_BYTES)));
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

function headerOf(response: Response, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
