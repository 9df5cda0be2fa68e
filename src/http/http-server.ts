import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListenAddress, PAGE_API_PATH } from '../config/http-address.ts';
import { diskError } from '../errors/disk-error.ts';
import { VideoHostingError } from '../errors.ts';
import { pageErrorOf } from '../page/page-problem.ts';
import { isNavigation } from '../page/server/check-request.ts';
import { refusalDocument } from '../page/server/document.ts';
import { documentHeaders, responseHeaders } from '../page/server/headers.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import { addressOf, checkHost, checkNoCredential, checkOnce, checkOrigin } from './check-request.ts';
import { HttpRefusal } from './refusal.ts';
import { type LogEntry, logLine } from './request-log.ts';

/** A request with what is known of it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: URL;
  /** What is logged once it is answered. */
  readonly entry: LogEntry;
}

export interface Route {
  readonly path: string | RegExp;
  /** Whether it is asked with any `Host`, as what looks after a server does. */
  readonly isForAnyHost?: true;
  /** Throws `HttpRefusal` for what is not to be done. */
  handle(exchange: Exchange): Promise<void> | void;
}

export interface HttpServerOptions {
  readonly listen: ListenAddress;
  /** Undefined for the address that it listens on. */
  readonly publicUrl: string | undefined;
  /** Takes a line of the log. */
  readonly logRequest: (line: string) => void;
  readonly log: (message: string) => void;
  /** The longest that an answer may take to begin. */
  readonly answerMs: number;
}

export interface HttpServer {
  /** `http://127.0.0.1:8765`. */
  readonly origin: string;
  readonly publicUrl: string;
  /** Answers requests from now on, by the first route whose path fits. Before, each is asked to come again. */
  serve(routes: readonly Route[]): void;
  /** What is to be done when it begins to end: whoever only listens is told, since what they have open would end no other way. */
  onDrain(begin: () => Promise<void>): void;
  /** What is to be closed once nothing is in flight any more. */
  onClose(close: () => Promise<void>): void;
  /** Takes nothing new, and resolves once everything in flight is answered, or its time is over. */
  drain(graceMs: number): Promise<void>;
  /** Ends all connections, and what is behind them. */
  close(): Promise<void>;
}

const MAX_HEADER_BYTES = 16 * 1_024;
const HEADERS_TIMEOUT_MS = 10_000;
/** For 4 MiB over a slow line. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Above that of proxies, so that none sends a request into a connection that is being closed. */
export const KEEP_ALIVE_MS = 65_000;
/** Who reads nothing of an answer for so long, beyond the time for one, is cut off: what isn’t read is kept in memory. */
const UNREAD_MS = 60_000;
/** Each layer waits for the end of a response, and Node’s own pipeline several times. Of more than ten Node warns in the log. */
const MAX_LISTENERS = 30;
const DRAIN_LOOK_MS = 50;
const STARTING = sentence`This server is being started. Try again in a moment.`;
const CLOSING = sentence`This server is being ended. Try again once it runs again.`;

/** Listens. Throws where the address can’t be listened on. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { listen, log } = options;
  const inFlight = new Set<ServerResponse>();
  const drainers: (() => Promise<void>)[] = [];
  const closers: (() => Promise<void>)[] = [];
  let routes: readonly Route[] | undefined;
  let isClosing = false;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: 1_000,
  });
  server.setTimeout(options.answerMs + UNREAD_MS);
  server.on('error', (error) => log(error.message));
  server.listen(listen.port, listen.host);
  await Promise.race([once(server, 'listening'), once(server, 'error').then(([error]) => Promise.reject(notListening(listen, error)))]);
  // Of a TCP server.
  const { port } = server.address() as AddressInfo;
  const origin = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
  const publicUrl = options.publicUrl ?? origin;
  const oneByOne = createConnectionTurns();
  server.on('request', (request, response) =>
    oneByOne(request, response, () => {
      inFlight.add(response);
      response.setMaxListeners(MAX_LISTENERS);
      response.once('close', () => inFlight.delete(response));
      void answer({ ...options, publicUrl, routes, isClosing }, request, response);
    }),
  );
  return {
    ...{ origin, publicUrl },
    serve(all) {
      routes = all;
    },
    onDrain(begin) {
      drainers.push(begin);
    },
    onClose(close) {
      closers.push(close);
    },
    async drain(graceMs) {
      isClosing = true;
      server.close();
      server.closeIdleConnections();
      await Promise.all(drainers.map((begin) => begin()));
      const until = Date.now() + graceMs;
      while (inFlight.size > 0 && Date.now() < until) await sleep(DRAIN_LOOK_MS);
    },
    async close() {
      isClosing = true;
      server.close();
      server.closeAllConnections();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/**
 * Begins the requests of a connection one after the other, as each client of ours sends them. Thousands that came at once (pipelining) would all
 * be begun before anybody else’s next one. One may come while the end of the answer before it is still sent; with more the connection ends.
 */
function createConnectionTurns() {
  /** Of each connection the last request, and whether it waits for the one before. */
  const last = new WeakMap<Socket, { readonly response: ServerResponse; readonly waits: boolean }>();
  return ({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void => {
    // What came with those that ended it.
    if (socket.destroyed) return;
    const before = last.get(socket);
    if (before?.waits === true && !before.response.closed) return void socket.destroy();
    const waits = before !== undefined && !before.response.closed;
    last.set(socket, { response, waits });
    if (waits) before.response.once('close', begin);
    else begin();
  };
}

function notListening({ host, port }: ListenAddress, error: unknown): VideoHostingError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return new VideoHostingError('settings_invalid', sentence`The address ${word(host)}:${port} can’t be listened on (${word(code)}).`, {
    cause: error,
    hint: sentence`Set VIDEO_HOSTING_HTTP_LISTEN to an address of this machine and a port that no other program has.`,
  });
}

interface Answering extends Omit<HttpServerOptions, 'publicUrl'> {
  readonly publicUrl: string;
  readonly routes: readonly Route[] | undefined;
  readonly isClosing: boolean;
}

async function answer(options: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  const entry: LogEntry = { method: request.method ?? '', path: (request.url ?? '').split(/[?#]/)[0] ?? '' };
  response.once('close', () => options.logRequest(logLine(entry, { status: statusOf(response), ms: performance.now() - startedAt })));
  try {
    if (options.isClosing) throw new HttpRefusal(503, CLOSING, { 'retry-after': '10', connection: 'close' });
    if (options.routes === undefined) throw new HttpRefusal(503, STARTING, { 'retry-after': '1' });
    checkOnce(request);
    // Whatever an answer’s own header says.
    if (/\bclose\b/i.test(request.headers.connection ?? '')) response.once('finish', () => request.socket.end());
    const address = addressOf(request);
    checkNoCredential(address);
    const route = options.routes.find(({ path }) => (typeof path === 'string' ? path === address.pathname : path.test(address.pathname)));
    if (route?.isForAnyHost !== true) checkHost(request, options.publicUrl);
    checkOrigin(request, options.publicUrl);
    if (route === undefined) throw new HttpRefusal(404, sentence`There is nothing at this address.`);
    await route.handle({ request, response, address, entry });
  } catch (thrown) {
    if (thrown instanceof HttpRefusal && thrown.status === 429) await sleep(HOLD_MS);
    refuse(options, thrown, request, response);
  }
}

/** Whoever sends too much has it told a moment later: a client that tries again at once would send thousands a second, and each takes time. */
const HOLD_MS = 250;

/** Where the client went before it was answered, 499, as proxies log it. */
const statusOf = ({ headersSent, statusCode }: ServerResponse): number => (headersSent ? statusCode : 499);

function refuse({ log, publicUrl }: Answering, thrown: unknown, request: IncomingMessage, response: ServerResponse): void {
  const refusal = thrown instanceof HttpRefusal ? thrown : failure(thrown, request, log);
  const { status } = refusal;
  const { body, ...told } = refusalFor(request, refusal, publicUrl);
  const headers = { ...told.headers, ...refusal.headers };
  if (response.headersSent) response.destroy();
  else if (request.complete || request.destroyed) response.writeHead(status, headers).end(body);
  else sendBeforeBodyEnds(request, response, { status, headers, body });
}

interface Told {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** A person’s browser shows a document, what asks the page’s API reads JSON, and everything else a line of text. */
function refusalFor(request: IncomingMessage, { status, message, again }: HttpRefusal, publicUrl: string): Told {
  const isOfApi = request.url?.startsWith(PAGE_API_PATH) === true;
  if (isNavigation(request) || (!isOfApi && request.headers.accept?.includes('text/html') === true)) {
    const html = refusalDocument(status, message, { words: NEXT[status] ?? 'Go to the page of this server', address: `${publicUrl}/app/` });
    return { headers: documentHeaders(html), body: html };
  }
  if (isOfApi) return { headers: JSON_HEADERS, body: JSON.stringify(pageErrorOf({ message, again })) };
  return { headers: TEXT_HEADERS, body: `${message}\n` };
}

const NEXT: Readonly<Record<number, string>> = { 401: 'Go to the page, and sign in', 404: 'Go to the changes' };

const LINGER_MS = 2_000;

/**
 * Answers a request whose body is still coming. The rest of it is thrown away for a moment: a connection that is closed with a part of it
 * unread is reset, and what was answered is lost to a client, or a proxy, that still sends.
 */
function sendBeforeBodyEnds(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Told & { readonly status: number },
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(() => {
    end();
    request.destroy();
  }, LINGER_MS);
  request.once('end', end).once('close', end);
  discard(request);
}

/** 13 MB a second of all bodies that were refused, whoever sends them: reading them is to take nothing of anybody’s time. */
const DISCARD_EVERY_MS = 5;
const refusedBodies = new Set<IncomingMessage>();
let discarding: NodeJS.Timeout | undefined;

/** Reads and drops what a request still sends, a part of one request at a time. */
function discard(request: IncomingMessage): void {
  // Most have no more than this.
  request.read();
  refusedBodies.add(request);
  request.once('close', () => refusedBodies.delete(request));
  discarding ??= setInterval(() => {
    const [next] = refusedBodies;
    if (next === undefined) {
      clearInterval(discarding);
      discarding = undefined;
      return;
    }
    refusedBodies.delete(next);
    next.read();
    // Behind the others.
    if (!next.readableEnded && !next.destroyed) refusedBodies.add(next);
  }, DISCARD_EVERY_MS).unref();
}

function failure(thrown: unknown, request: IncomingMessage, log: (message: string) => void): HttpRefusal {
  // The file of people, or the data folder, can’t be used now: its message is safe, and its path is for the log alone.
  const told = thrown instanceof VideoHostingError ? thrown : diskError(thrown);
  if (told !== undefined) {
    log(told.message);
    return new HttpRefusal(503, CANT_ANSWER, { 'retry-after': '10' });
  }
  // A client that goes in the middle of a request is no defect.
  if (request.errored === null) log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  return new HttpRefusal(500, FAILED);
}

const CANT_ANSWER = sentence`This server can’t answer now. Try again in a moment; if that goes on, whoever runs it finds in its log why.`;
const FAILED = sentence`This server failed on that request. Whoever runs it finds in its log why.`;

export function sendText(response: ServerResponse, status: number, message: Sentence, headers: HttpRefusal['headers'] = {}): void {
  response.writeHead(status, { ...TEXT_HEADERS, ...headers });
  response.end(`${message}\n`);
}

const TEXT_HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const;
const JSON_HEADERS = responseHeaders('application/json; charset=utf-8');
