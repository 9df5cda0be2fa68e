import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type DemoCredentials } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { type DemoRequest, type Exchange, failure } from './requests.ts';
import { send } from './transmit.ts';
import type { DemoWorld } from './world.ts';

export interface Shared {
  world: DemoWorld;
  behaviour: Behaviour;
  requests: DemoRequest[];
  credentials: DemoCredentials;
  inFlight: number;
}

const MAX_BODY_BYTES = 2_000_000;

/** Starts one of the two servers on the loopback interface, at any free port. */
export async function listen(api: 'main' | 'stats', shared: Shared): Promise<{ server: Server; url: string }> {
  const server = createServer((message, response) => {
    shared.inFlight += 1;
    const request = logRequest(api, message, shared);
    response.sendDate = false;
    const ms = shared.behaviour.date?.();
    if (ms !== undefined) response.setHeader('date', new Date(ms).toUTCString());
    response.once('close', () => {
      shared.inFlight -= 1;
      if (request.status === 'pending') request.status = 'aborted';
    });
    serve(message, response, request, shared).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has an address of this kind.
  const address = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${address.port}` };
}

function logRequest(api: 'main' | 'stats', message: IncomingMessage, shared: Shared): DemoRequest {
  const [path = '/', ...query] = (message.url ?? '/').split('?');
  const request: DemoRequest = {
    number: shared.requests.length + 1,
    at: Date.now(),
    api,
    method: message.method ?? 'GET',
    path,
    query: Object.fromEntries(new URLSearchParams(query.join('?'))),
    headers: message.headers,
    body: undefined,
    status: 'pending',
    applied: false,
    inFlight: shared.inFlight,
  };
  shared.requests.push(request);
  return request;
}

async function serve(message: IncomingMessage, response: ServerResponse, request: DemoRequest, shared: Shared): Promise<void> {
  const { world, behaviour, credentials } = shared;
  const body = await readBody(message);
  if (body === undefined) return send(response, failure(413, 'The body is too large.'), request);
  const isJson = parseInto(request, body);
  await behaviour.onRequest?.(request);
  const exchange: Exchange = {
    request,
    response,
    async carryOut() {
      const reply = answer({ world, behaviour, request }, credentials, isJson);
      request.applied = reply.status < 300;
      await behaviour.onProcessed?.(request);
      return reply;
    },
    answer: async () => send(response, await exchange.carryOut(), request),
  };
  await (behaviour.onExchange?.(exchange) ?? exchange.answer());
}

async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    // Without an encoding set, a message gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    // The rest is read and dropped, so that the refusal can be answered.
    if (size <= MAX_BODY_BYTES) chunks.push(bytes);
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

/** Puts the body into the log; true when it is JSON. */
function parseInto(request: DemoRequest, body: Buffer): boolean {
  if (body.length === 0) return false;
  const text = body.toString('utf8');
  try {
    request.body = JSON.parse(text);
    return true;
  } catch {
    request.body = text;
    return false;
  }
}
