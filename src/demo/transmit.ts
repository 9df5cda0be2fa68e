import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Fault, GarbageShape } from './faults.ts';
import type { DemoRequest, Reply } from './requests.ts';

type StatusFault = Extract<Fault, { kind: 'status' }>;
type GarbageFault = Extract<Fault, { kind: 'garbage' }>;

/** Whether a request takes effect in spite of the fault that strikes it. */
export function isProcessed(fault: Fault | undefined): boolean {
  switch (fault?.kind) {
    case 'status':
    case 'hang':
      return fault.processed ?? false;
    case 'garbage':
      return fault.processed ?? true;
    case 'reset-before':
    case 'redirect':
      return false;
    default:
      return true;
  }
}

/** Sends a reply, or what the fault makes of it, and notes in the request what was sent. */
export async function transmit(
  response: ServerResponse,
  reply: Reply | undefined,
  fault: Fault | undefined,
  request: DemoRequest,
): Promise<void> {
  if (response.destroyed) return;
  switch (fault?.kind) {
    case 'reset-before':
    case 'reset-after':
      request.status = 'reset';
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      request.status = 'hang';
      return;
    case 'hang-body':
    case 'truncate':
      await sendHalf(response, reply, fault.kind, request);
      return;
    case 'drip':
      await sendSlowly(response, reply, fault, request);
      return;
    case 'status':
      sendReply(response, statusReply(fault), request);
      return;
    case 'redirect':
      sendReply(response, { status: fault.code ?? 302, headers: { location: fault.location } }, request);
      return;
    case 'garbage':
      sendGarbage(response, fault, request);
      return;
    default:
      if (reply !== undefined) sendReply(response, reply, request);
  }
}

function bodyOf(reply: Reply): Buffer {
  if (reply.text !== undefined) return Buffer.from(reply.text);
  return reply.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(reply.body));
}

function writeHead(response: ServerResponse, reply: Reply, length: number): void {
  const type = length === 0 ? {} : { 'content-type': reply.contentType ?? 'application/json; charset=utf-8' };
  const size = reply.status === 204 || reply.status === 304 ? {} : { 'content-length': length };
  response.writeHead(reply.status, { ...type, ...size, ...reply.headers });
}

function sendReply(response: ServerResponse, reply: Reply, request: DemoRequest): void {
  const body = reply.status === 204 || reply.status === 304 ? Buffer.alloc(0) : bodyOf(reply);
  request.status = reply.status;
  writeHead(response, reply, body.length);
  response.end(body);
}

async function sendHalf(
  response: ServerResponse,
  reply: Reply | undefined,
  kind: 'hang-body' | 'truncate',
  request: DemoRequest,
): Promise<void> {
  if (reply === undefined) return;
  const body = bodyOf(reply);
  request.status = kind === 'truncate' ? 'truncated' : 'hang';
  writeHead(response, reply, Math.max(body.length, 2));
  await new Promise<void>((resolve) => response.write(body.length < 2 ? '{' : body.subarray(0, body.length >>> 1), () => resolve()));
  if (kind === 'truncate') response.socket?.destroy();
}

async function sendSlowly(
  response: ServerResponse,
  reply: Reply | undefined,
  fault: { bytes?: number; ms?: number },
  request: DemoRequest,
): Promise<void> {
  if (reply === undefined) return;
  const body = bodyOf(reply);
  const step = fault.bytes ?? 16;
  request.status = reply.status;
  writeHead(response, reply, body.length);
  for (let at = 0; at < body.length && !response.destroyed; at += step) {
    response.write(body.subarray(at, at + step));
    await sleep(fault.ms ?? 20, undefined, { ref: false });
  }
  response.end();
}

function statusReply(fault: StatusFault): Reply {
  const retry = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  const reply: Reply = { status: fault.code, headers: { ...retry, ...fault.headers } };
  if (fault.contentType !== undefined) reply.contentType = fault.contentType;
  if (typeof fault.body !== 'string') return { ...reply, body: fault.body ?? { message: `Fault ${fault.code}.` } };
  const contentType = fault.contentType ?? (fault.body.startsWith('<') ? 'text/html' : 'text/plain');
  return { ...reply, text: fault.body, contentType };
}

const GARBAGE: Record<Exclude<GarbageShape, 'huge' | 'gzip-bomb'>, Pick<Reply, 'text' | 'contentType'>> = {
  html: { text: '<!doctype html><html><body>Please sign in to the network.</body></html>', contentType: 'text/html' },
  'not-json': { text: 'OK, done!' },
  'half-json': { text: '{"pager":{"page":1,' },
  'wrong-shape': {
    text: '{"result":[["unexpected",1,{"ok":"yes"}]],"id":{"a":1},"channels":7,"projects":"x","plans":null,"views":{"0":1},"pager":[]}',
  },
  null: { text: 'null' },
  empty: {},
};

function sendGarbage(response: ServerResponse, fault: GarbageFault, request: DemoRequest): void {
  const bytes = fault.bytes ?? 10_000_000;
  if (fault.shape !== 'huge' && fault.shape !== 'gzip-bomb') {
    sendReply(response, { status: 200, ...GARBAGE[fault.shape] }, request);
    return;
  }
  const isPacked = fault.shape === 'gzip-bomb';
  const plain = Buffer.alloc(bytes, ' ');
  plain.write('[');
  const body = isPacked ? gzipSync(plain) : plain;
  request.status = 200;
  writeHead(response, { status: 200, headers: isPacked ? { 'content-encoding': 'gzip' } : {} }, body.length);
  response.end(body);
}
