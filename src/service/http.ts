import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { ApiAddress } from '../config/api-address.ts';
import type { ProxySettings } from '../config/proxy.ts';
import { cancelledError } from '../errors.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { parseJson, readBytes } from './body.ts';
import { createConnections } from './connections.ts';
import { type CredentialExpiries, createCredentials } from './credentials.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { parseBase } from './path.ts';
import type { AnyRequest, ApiRequest } from './request.ts';
import { parseResponse } from './response-schema.ts';
import { DEFAULT_RETRY, type RetryPolicy, type RetryTools, sleepFor, withRetries } from './retry.ts';
import { type Api, type SuccessResponse, sendOnce, type Timeouts } from './send-once.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import { createSwapCheck } from './swapped-addresses.ts';
import { errorFromTransport } from './transport-errors.ts';

export interface HttpOptions {
  /** {base_url} of the API document; a path and a trailing slash are fine. `https`, save on loopback. */
  readonly baseUrl: string;
  readonly statsUrl: string;
  readonly apiKey: string;
  /** A token for the `videos` endpoints, where the key is not enough. */
  readonly accessToken?: string | undefined;
  /** When each credential expires, as an ISO time, with the setting that it is from; undefined where it says nothing of it. */
  readonly expiries?: CredentialExpiries | undefined;
  /** Whether the analytics API gets the credential; its samples send none. */
  readonly statsAuth?: 'none' | 'bearer';
  readonly timeouts?: Partial<Timeouts>;
  /** Largest body accepted unless a request says otherwise: 64 MiB. */
  readonly maxBytes?: number | undefined;
  readonly retry?: Partial<RetryPolicy>;
  /** Requests under way at one API, to begin with. */
  readonly concurrency?: { readonly initial: number };
  readonly userAgent?: string | undefined;
  readonly random?: () => number;
  /** Waits; should reject when `signal` aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Sends everything through this instead of our own connections, and leaves it open. */
  readonly dispatcher?: Dispatcher;
  /** The proxy to go through, save to this machine; none unless given. */
  readonly proxy?: ProxySettings | undefined;
}

/** Sends every request to the service: limits, retries, errors, and the check of each response. */
export interface Http {
  /** Sends a request and checks its response. Throws `VideoHostingError` only, whose `facts.outcome` says whether a change may have been done. */
  send<T>(request: ApiRequest<T>): Promise<T>;
  /** The raw body of a read, piece by piece, without a limit on the whole time. Retried only before the first piece. */
  stream(request: AnyRequest): AsyncGenerator<Buffer>;
  /** JSON that was read from a stream, with the credential masked in it. `send` does it itself. */
  scrubJson(text: string): string;
  readonly limiter: { readonly main: Limiter; readonly stats: Limiter };
  readonly clock: { readonly main: ServiceClock; readonly stats: ServiceClock };
  /** Nothing more is sent; requests under way get a moment to finish. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 120_000 };
const DEFAULT_MAX_BYTES = 64 * 1_024 * 1_024;
/** Requests under way at each API, unless the service asks for fewer. A client may make many small calls at once; a page of views is large. */
const MAX_CONCURRENCY = { main: 16, stats: 8 };

/** Opens nothing before the first request. Throws `settings_invalid`. */
export function createHttp(options: HttpOptions): Http {
  const closing = new AbortController();
  // Every pause listens to it, one for each refused request: Node would warn of a leak.
  setMaxListeners(0, closing.signal);
  const sleep = options.sleep ?? sleepFor;
  const random = options.random ?? Math.random;
  const policy: RetryPolicy = { ...DEFAULT_RETRY, ...options.retry };
  const timeouts: Timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const credentials = createCredentials(options.apiKey, options.accessToken);
  const bases = {
    main: parseBase(sentence`base URL (VIDEO_HOSTING_BASE_URL)`, options.baseUrl),
    stats: parseBase(sentence`analytics URL (VIDEO_HOSTING_STATS_URL)`, options.statsUrl),
  };
  const isLocal = bases.main.loopback && bases.stats.loopback;
  const pools = createConnections({
    shared: options.dispatcher,
    connectMs: timeouts.connectMs,
    proxy: isLocal ? undefined : options.proxy,
  });

  function createApi(setting: Sentence, base: ApiAddress, bearer: boolean, max: number): Api {
    return {
      base,
      setting,
      bearer,
      credentials,
      expiries: options.expiries ?? {},
      timeouts,
      maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
      policy,
      userAgent: options.userAgent ?? 'video-hosting-mcp',
      limiter: createLimiter({ max, ...options.concurrency, sleep: (ms) => sleep(ms, closing.signal) }),
      clock: createServiceClock(),
      async dispatcher(connections) {
        if (closing.signal.aborted) throw cancelledError();
        return pools.of(base, connections);
      },
    };
  }

  const apis = {
    main: createApi(sentence`VIDEO_HOSTING_BASE_URL`, bases.main, true, MAX_CONCURRENCY.main),
    stats: createApi(sentence`VIDEO_HOSTING_STATS_URL`, bases.stats, options.statsAuth === 'bearer', MAX_CONCURRENCY.stats),
  };

  const tools: RetryTools = { policy, sleep, random };
  const withSwappedAddresses = createSwapCheck(apis);

  return {
    limiter: { main: apis.main.limiter, stats: apis.stats.limiter },
    clock: { main: apis.main.clock, stats: apis.stats.clock },
    async send(request) {
      const api = apis[request.api ?? 'main'];
      return withRetries(request, api.limiter, tools, async () =>
        readResponse(request, await sendOnce(api, request, timeouts.totalMs), credentials.scrubJson),
      ).catch((error: unknown) => withSwappedAddresses(error, request));
    },
    async *stream(request) {
      const api = apis[request.api ?? 'main'];
      const { first, chunks } = await withRetries(request, api.limiter, tools, async () => {
        const { chunks } = await sendOnce(api, request, 0);
        return { first: await chunks.next(), chunks };
      }).catch((error: unknown) => withSwappedAddresses(error, request));
      try {
        if (!first.done) yield first.value;
        yield* chunks;
      } finally {
        await chunks.return(undefined);
      }
    },
    scrubJson: credentials.scrubJson,
    async close() {
      closing.abort();
      await pools.close();
    },
  };
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop of its own, so that what arrives meanwhile is read between two responses. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

async function readResponse<T>(
  request: ApiRequest<T>,
  { status, context, chunks }: SuccessResponse,
  scrub: (text: string) => string,
): Promise<T> {
  const bytes = await readBytes(chunks);
  await ownTurn();
  let json: unknown;
  try {
    json = parseJson(bytes, scrub);
  } catch (problem) {
    throw errorFromTransport(problem, { ...context, status, sent: true });
  }
  return parseResponse(request.expect, json, { ...context, status });
}
