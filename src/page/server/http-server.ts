import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownCommand } from '../../text/own-command.ts';
import { sentence } from '../../text/sentence.ts';
import { json, type PageRequest, type PageResponse, sendPage } from '../api-messages.ts';
import { isDownload, READ_LIST } from '../contract.ts';
import { PageProblem, pageErrorOf } from '../page-problem.ts';
import { checkOrigin, checkPurpose, cookieIn, cookieOf, isNavigation } from './check-request.ts';
import { entrance, sendNotOpened } from './document.ts';
import type { Events } from './events.ts';
import { documentHeaders, responseHeaders } from './headers.ts';
import { MAX_FILE_BODY_BYTES, readBody } from './read-body.ts';
import { isToken, type Sessions } from './sessions.ts';

export interface PageServerOptions {
  readonly sessions: Sessions;
  readonly events: Events;
  readonly document: () => Promise<string>;
  readonly api: (request: PageRequest) => Promise<PageResponse>;
  /** A browser was let in. */
  readonly onEntered: () => void;
  readonly log: (message: string) => void;
}

export interface PageServer {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  close(): void;
}

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 8 * 1024;
const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than a plan may take to be made again. */
const IDLE_TIMEOUT_MS = 90_000;
/** For the last event to be read. */
const CLOSING_MS = 100;

/** Serves the page on loopback, at a free port. It does not keep the process alive. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  let origin = '';
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.timeout = IDLE_TIMEOUT_MS;
  server.on('connection', (socket) => void socket.unref());
  server.on('request', (request, response) => void handle(options, origin, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  // Of a TCP server.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close() {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), CLOSING_MS).unref();
    },
  };
}

const FAILED = sentence`This server failed on that request.`;

async function handle(options: PageServerOptions, origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    checkOrigin(request, origin);
    await route(options, origin, request, response);
  } catch (thrown) {
    // A browser that goes in the middle of a request is no defect.
    const isDefect = !(thrown instanceof PageProblem) && request.errored === null;
    if (isDefect) options.log(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    const problem = thrown instanceof PageProblem ? thrown : new PageProblem(500, FAILED);
    if (response.headersSent) response.destroy();
    // A person reads what a browser goes to.
    else if (isNavigation(request)) sendNotOpened(response, problem, { connection: 'close' });
    else send(response, { ...json(pageErrorOf(problem)), status: problem.status }, { connection: 'close' });
    // The rest of a body that was refused is not read.
    if (!request.complete) response.once('finish', () => request.destroy());
  }
}

async function route(options: PageServerOptions, origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method } = request;
  if (method !== 'GET' && method !== 'POST') throw new PageProblem(405, sentence`Only GET and POST are understood.`);
  const { pathname, searchParams: query } = new URL(`${origin}${request.url ?? '/'}`);
  if (method === 'GET' && /^\/open\/[\w-]{1,100}$/.test(pathname)) {
    checkPurpose(request, 'entrance');
    return sendDocument(response, entrance());
  }
  if (method === 'POST' && pathname === '/open') {
    checkPurpose(request, 'api');
    return enter(options, request, response);
  }
  const [, folder = '', rest = ''] = /^(\/p\/[\w-]{43}\/)(.*)$/.exec(pathname) ?? [];
  const session = options.sessions.find(folder, cookieIn(request));
  if (session === undefined) throw new PageProblem(403, notLetIn());
  if (method === 'GET' && rest === '') {
    checkPurpose(request, 'document');
    return sendDocument(response, await options.document());
  }
  const path = rest.split('/').map(decoded);
  if (path.shift() !== 'api') throw new PageProblem(404, sentence`There is nothing at this address.`);
  checkPurpose(request, isDownload(path) ? 'download' : 'api');
  if (method === 'POST' && !isToken(session, tokenIn(request)))
    throw new PageProblem(403, sentence`The request was refused: it has no token of the page. Nothing was changed.`);
  if (method === 'GET' && path.join('/') === 'events') return options.events.open(response);
  const body = method === 'POST' ? await readBody(request, path.join('/') === READ_LIST ? MAX_FILE_BODY_BYTES : undefined) : {};
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  send(response, await options.api({ method, path, query, body, token: session.token, signal: gone.signal }));
}

/** Exchanges a code for a session. */
async function enter({ sessions, onEntered }: PageServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { code } = await readBody(request);
  const entered = typeof code === 'string' ? sessions.enter(code) : undefined;
  if (entered === undefined) throw new PageProblem(403, notLetIn());
  onEntered();
  send(response, json({ location: `${entered.path}${entered.view}` }), { 'set-cookie': cookieOf(entered.secret, entered.path) });
}

const notLetIn = () =>
  sentence`This address works once and for a minute, in one browser. Ask the assistant to show the page again, or start “${ownCommand('page')}” again.`;

const tokenIn = ({ headers }: IncomingMessage): string | undefined => {
  const token = headers['x-page-token'];
  return typeof token === 'string' ? token : undefined;
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new PageProblem(404, sentence`There is nothing at this address.`);
  }
}

function sendDocument(response: ServerResponse, html: string): void {
  response.writeHead(200, documentHeaders(html)).end(html);
}

function send(response: ServerResponse, answer: PageResponse, headers: Readonly<Record<string, string>> = {}): void {
  sendPage(response, answer, { ...responseHeaders(answer.contentType), ...headers });
}
