import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { ApiAddress } from '../config/api-address.ts';
import type { ProxySettings } from '../config/proxy.ts';
import { cancelledError } from '../errors.ts';
import { type Api, type Opened, openOnce, operationOf, type Timeouts } from './attempt.ts';
import { BodyProblem, parseJson, wholeOf } from './body.ts';
import { createConnections, parseProxy } from './connections.ts';
import { createCredentials } from './credentials.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { parseBase } from './path.ts';
import { type AnyRequest, type ApiRequest, isChange } from './request.ts';
import { parseResponse } from './response-schema.ts';
import { DEFAULT_RETRY, type RetryPolicy, type RetryTools, retrying, sleepFor } from './retry.ts';
import { errorFromTransport } from './transport-error.ts';

export interface HttpOptions {
  /** {base_url} of the API document; a path and a trailing slash are fine. `https`, save on loopback. */
  readonly baseUrl: string;
  /** {stats_url} of the API document. */
  readonly statsUrl: string;
  readonly apiKey: string;
  /** A token for the `videos` endpoints, where the key is not enough. */
  readonly accessToken?: string | undefined;
  /** Whether the analytics API gets the credential; its samples send none. */
  readonly statsAuth?: 'none' | 'bearer';
  readonly timeouts?: Partial<Timeouts>;
  /** Largest body accepted unless a request says otherwise: 64 MiB. */
  readonly maxBytes?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Requests under way at one API: to begin with, and at most. */
  readonly concurrency?: { readonly initial?: number; readonly max?: number };
  readonly userAgent?: string;
  readonly random?: () => number;
  /** Waits; should reject when `signal` aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Sends everything through this instead of our own connections, and leaves it open. */
  readonly dispatcher?: Dispatcher;
  /** The proxy to go through, save to this machine; none unless given. */
  readonly proxy?: ProxySettings | undefined;
}

/** The one way out to the service: limits, retries, status to error, shape of the answer. */
export interface Http {
  /** Sends a request and checks its answer. Throws `VideoHostingError` alone, whose `facts.outcome` says whether a change may have been done. */
  send<T>(request: ApiRequest<T>): Promise<T>;
  /** The raw body of a read, piece by piece; no limit on the whole time. Retried only before the first piece. */
  stream(request: AnyRequest): AsyncGenerator<Buffer>;
  /** What was read of a stream, without the credential, should the service have sent it back. `send` does it itself. */
  scrubbed(value: unknown): unknown;
  /** How many requests each API bears now. */
  readonly limiter: { readonly main: Limiter; readonly stats: Limiter };
  /** Ends: nothing more is sent; what is under way gets a moment to finish. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 120_000 };
const DEFAULT_MAX_BYTES = 64 * 1_024 * 1_024;
/** Requests under way at each API, while the service bears them. A client may make many small calls at once; a page of views is large. */
const MAX_CONCURRENCY = { main: 16, stats: 8 };

/** Opens nothing before the first request. Throws `settings_invalid`. */
export function createHttp(options: HttpOptions): Http {
  const closing = new AbortController();
  // Every pause listens to it, and each request that was refused makes one: Node would take them for a leak, and say so.
  setMaxListeners(0, closing.signal);
  const sleep = options.sleep ?? sleepFor;
  const random = options.random ?? Math.random;
  const policy: RetryPolicy = { ...DEFAULT_RETRY, ...options.retry };
  const timeouts: Timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const credentials = createCredentials(options.apiKey, options.accessToken);
  const bases = {
    main: parseBase('base URL (VIDEO_HOSTING_BASE_URL)', options.baseUrl),
    stats: parseBase('analytics URL (VIDEO_HOSTING_STATS_URL)', options.statsUrl),
  };
  const isAllHere = bases.main.loopback && bases.stats.loopback;
  const proxy = isAllHere || options.proxy === undefined ? undefined : parseProxy(options.proxy);
  const pools = createConnections({ shared: options.dispatcher, connectMs: timeouts.connectMs, proxy });

  function createApi(base: ApiAddress, bearer: boolean, max: number): Api {
    return {
      base,
      bearer,
      credentials,
      timeouts,
      maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
      maxRetryAfterMs: policy.maxRetryAfterMs,
      userAgent: options.userAgent ?? 'video-hosting-mcp',
      limiter: createLimiter({ max, ...options.concurrency, sleep: (ms) => sleep(ms, closing.signal) }),
      async dispatcher(connections) {
        if (closing.signal.aborted) throw cancelledError();
        return pools.of(base, connections);
      },
    };
  }

  const apis = {
    main: createApi(bases.main, true, MAX_CONCURRENCY.main),
    stats: createApi(bases.stats, options.statsAuth === 'bearer', MAX_CONCURRENCY.stats),
  };

  const again: RetryTools = { policy, sleep, random };

  return {
    limiter: { main: apis.main.limiter, stats: apis.stats.limiter },
    async send<T>(request: ApiRequest<T>): Promise<T> {
      const api = apis[request.api ?? 'main'];
      return retrying(request, api.limiter, again, async () => {
        const opened = await openOnce(api, request, 'total');
        return readAnswer(api, request, opened);
      });
    },
    async *stream(request) {
      const api = apis[request.api ?? 'main'];
      const { first, rest } = await retrying(request, api.limiter, again, async () => {
        const opened = await openOnce(api, request, 'none');
        const rest = opened.chunks();
        return { first: await rest.next(), rest };
      });
      try {
        if (!first.done) yield first.value;
        yield* rest;
      } finally {
        await rest.return(undefined);
      }
    },
    scrubbed: (value) => credentials.scrubValue(value),
    async close() {
      closing.abort();
      await pools.close();
    },
  };
}

async function readAnswer<T>(api: Api, request: ApiRequest<T>, opened: Opened): Promise<T> {
  // Worked out where something is wrong, since the name of the operation is cleaned as all that is shown.
  const context = () => ({ operation: operationOf(request, api.credentials), change: isChange(request), status: opened.status });
  const { scrub, scrubValue } = api.credentials;
  const bytes = await wholeOf(opened.chunks());
  const value = orTold(
    () => ({ ...context(), sent: true, scrub }),
    () => scrubValue(parseJson(bytes)),
  );
  return parseResponse(request.expect, value, context);
}

function orTold<T>(context: () => Parameters<typeof errorFromTransport>[1], parse: () => T): T {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof BodyProblem) throw errorFromTransport(thrown, context());
    throw thrown;
  }
}
