import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type Credentials } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import type { FaultPlan } from './faults.ts';
import { type DemoRequest, type Reply, refusal } from './requests.ts';
import { isProcessed, transmit } from './transmit.ts';
import type { DemoWorld } from './world.ts';

/** What both servers of a demo service share. */
export interface Shared {
  world: DemoWorld;
  behaviour: Behaviour;
  faults: FaultPlan;
  requests: DemoRequest[];
  credentials: Credentials;
  inFlight: number;
}

const MAX_BODY_BYTES = 2_000_000;

/** Starts one of the two servers on the loopback interface, at any free port. */
export async function listen(api: 'main' | 'stats', shared: Shared): Promise<{ server: Server; url: string }> {
  const server = createServer((message, response) => {
    shared.inFlight += 1;
    response.once('close', () => {
      shared.inFlight -= 1;
    });
    const request = logged(api, message, shared);
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

function logged(api: 'main' | 'stats', message: IncomingMessage, shared: Shared): DemoRequest {
  const url = message.url ?? '/';
  const cut = url.indexOf('?');
  const request: DemoRequest = {
    number: shared.requests.length + 1,
    at: Date.now(),
    api,
    method: message.method ?? 'GET',
    path: cut < 0 ? url : url.slice(0, cut),
    query: cut < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(cut + 1))),
    headers: message.headers,
    body: undefined,
    bodyBytes: 0,
    status: 'pending',
    applied: false,
    inFlight: shared.inFlight,
  };
  shared.requests.push(request);
  return request;
}

async function serve(message: IncomingMessage, response: ServerResponse, request: DemoRequest, shared: Shared): Promise<void> {
  response.once('close', () => {
    if (request.status === 'pending') request.status = 'aborted';
  });
  const body = await readBody(message);
  if (body === 'aborted') return;
  if (body === 'too-large') {
    await transmit(response, refusal(413, 'The body is too large.'), undefined, request);
    return;
  }
  const isJson = parseInto(request, body);
  const { behaviour } = shared;
  await behaviour.onRequest?.(request);
  const fault = shared.faults.take(request);
  if (fault?.kind === 'delay' && fault.processFirst !== true) await sleep(fault.ms, undefined, { ref: false });
  const reply = isProcessed(fault) ? answer({ world: shared.world, behaviour, request }, shared.credentials, isJson) : undefined;
  if (reply !== undefined) await afterProcessing(reply, request, behaviour);
  if (fault?.kind === 'delay' && fault.processFirst === true) await sleep(fault.ms, undefined, { ref: false });
  await transmit(response, reply, fault, request);
}

async function afterProcessing(reply: Reply, request: DemoRequest, behaviour: Behaviour): Promise<void> {
  request.applied = reply.status < 300;
  await behaviour.onProcessed?.(request);
}

async function readBody(message: IncomingMessage): Promise<Buffer | 'too-large' | 'aborted'> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of message) {
      // Without an encoding set, a message gives buffers.
      const bytes = piece as Buffer;
      size += bytes.length;
      // The rest is read and dropped, so that the refusal can be answered.
      if (size <= MAX_BODY_BYTES) pieces.push(bytes);
    }
  } catch {
    return 'aborted';
  }
  return size > MAX_BODY_BYTES ? 'too-large' : Buffer.concat(pieces);
}

/** Puts the body into the log; true when it is JSON. */
function parseInto(request: DemoRequest, body: Buffer): boolean {
  request.bodyBytes = body.length;
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
