import type { Dispatcher } from 'undici';
import type { ApiAddress } from '../api-address.ts';
import { targetOf } from './base-url.ts';
import { ACCEPTED_ENCODINGS, eachChunk, parseJson, wholeBody } from './body.ts';
import { cancelledError, onAbort } from './cancel.ts';
import type { Credentials } from './credentials.ts';
import { type Answer, type Exchange, startExchange } from './exchange.ts';
import { cleanText } from './foreign-text.ts';
import { requireApproval } from './gate.ts';
import type { Limiter, Load } from './limiter.ts';
import type { Connections } from './pools.ts';
import { type AnyRequest, isChange, waitingSignal } from './request.ts';
import { parseRetryAfter } from './retry.ts';
import { errorFromStatus } from './status-error.ts';
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

/** An answer that is a success, its body coming: to be read once, either way. Until that has ended, its place in the limiter is held. */
export interface Opened {
  readonly status: number;
  chunks(): AsyncGenerator<Buffer>;
  whole(): Promise<Buffer>;
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
  const release = await api.limiter.acquire(waitingSignal(request));
  const watch = { exchange: undefined as Exchange | undefined, status: undefined as number | undefined };
  let stopWatching = () => {};
  const finish = (load: Load) => {
    stopWatching();
    release(load);
  };
  const asError = (thrown: unknown) =>
    errorFromTransport(thrown, { ...contextOf(api, request), sent: watch.exchange?.sent ?? false, status: watch.status });

  const leave = ({ body }: Answer, load: Load) => {
    body.leave();
    finish(load);
  };

  let answer: Answer;
  try {
    const dispatcher = await api.dispatcher(request.retry === 'never' ? 'fresh' : 'kept');
    if (request.signal?.aborted) throw new Interrupted('caller');
    // While it waited for its place, its change may have been stopped or taken over.
    requireApproval(request, () => operationOf(request, api.credentials));
    request.approval?.use();
    watch.exchange = startExchange(dispatcher, dispatchOptions(api, request));
    stopWatching = interruptOn(watch.exchange, request.signal, limit === 'total' ? api.timeouts.totalMs : 0);
    answer = await watch.exchange.answer;
  } catch (thrown) {
    finish('other');
    throw asError(thrown);
  }
  watch.status = answer.status;
  if (SUCCESSES.has(answer.status)) {
    const over = (load: Load) => leave(answer, load);
    return { status: answer.status, ...bodyReader(answer, request.maxBytes ?? api.maxBytes, { asError, over }) };
  }
  try {
    throw await refusal(api, request, answer);
  } finally {
    leave(answer, answer.status === 429 || answer.status === 503 ? 'congested' : 'fine');
  }
}

/** The two ways to read a body. `over` is called with how it went, also where the reader leaves early. */
function bodyReader(
  answer: Answer,
  maxBytes: number,
  { asError, over }: { readonly asError: (thrown: unknown) => Error; readonly over: (load: Load) => void },
): Pick<Opened, 'chunks' | 'whole'> {
  let load: Load = 'other';
  return {
    async *chunks() {
      try {
        yield* eachChunk(answer, maxBytes);
        load = 'fine';
      } catch (thrown) {
        throw asError(thrown);
      } finally {
        over(load);
      }
    },
    async whole() {
      try {
        const bytes = await wholeBody(answer, maxBytes);
        load = 'fine';
        return bytes;
      } catch (thrown) {
        throw asError(thrown);
      } finally {
        over(load);
      }
    },
  };
}

function contextOf(api: Api, request: AnyRequest) {
  return { operation: operationOf(request, api.credentials), change: isChange(request), scrub: api.credentials.scrub };
}

function dispatchOptions(api: Api, request: AnyRequest): Dispatcher.DispatchOptions {
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

function interruptOn(exchange: Exchange, signal: AbortSignal | undefined, totalMs: number): () => void {
  const stopListening = onAbort(signal, () => exchange.abort(new Interrupted('caller')));
  const timer = totalMs > 0 ? setTimeout(() => exchange.abort(new Interrupted('total-limit')), totalMs) : undefined;
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}

/** Reads as much of a refusal as its error tells. A refusal whose body can't be read is still that refusal. */
async function refusal(api: Api, request: AnyRequest, answer: Answer): Promise<Error> {
  const body = await readRefusal(answer);
  if (request.signal?.aborted && !isChange(request))
    return cancelledError({ operation: operationOf(request, api.credentials), outcome: 'not-done' });
  return errorFromStatus({
    ...contextOf(api, request),
    status: answer.status,
    body,
    redirectTo: redirectTarget(api, request, answer),
    retryAfterMs: parseRetryAfter(headerOf(answer, 'retry-after'), Date.now()),
    maxRetryAfterMs: api.maxRetryAfterMs,
    credential: api.bearer ? (request.credential ?? 'key') : undefined,
  });
}

async function readRefusal(answer: Answer): Promise<unknown> {
  try {
    return parseJson(await wholeBody(answer, MAX_ERROR_BYTES));
  } catch {
    return undefined;
  }
}

function redirectTarget(api: Api, request: AnyRequest, answer: Answer): string | undefined {
  const location = headerOf(answer, 'location');
  if (location === undefined) return undefined;
  const from = `${api.base.origin}${targetOf(api.base, request.path)}`;
  return URL.canParse(location, from) ? new URL(location, from).origin : 'an address that is no URL';
}

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
