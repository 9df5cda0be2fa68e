import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Exchange, Reply } from '../../src/demo/requests.ts';
import { begin, send } from '../../src/demo/transmit.ts';
import type { Fault, GarbageShape } from './faults.ts';

const UNPROCESSED: ReadonlySet<string | undefined> = new Set(['status', 'hang', 'reset-before', 'redirect']);

function isProcessed(fault: Fault): boolean {
  return ('processed' in fault ? fault.processed : undefined) ?? !UNPROCESSED.has(fault.kind);
}

/** Carries out the request if the fault says so, and sends the reply as the fault changes it. */
export async function fail(exchange: Exchange, fault: Fault): Promise<void> {
  const delay = fault.kind === 'delay' ? fault : undefined;
  if (delay !== undefined && delay.processFirst !== true) await sleep(delay.ms, undefined, { ref: false });
  const reply = isProcessed(fault) ? await exchange.carryOut() : undefined;
  if (delay?.processFirst === true) await sleep(delay.ms, undefined, { ref: false });
  await transmit(exchange, reply, fault);
}

async function transmit({ response, request }: Exchange, reply: Reply | undefined, fault: Fault): Promise<void> {
  if (response.destroyed) return;
  switch (fault.kind) {
    case 'reset-before':
    case 'reset-after':
      request.status = 'reset';
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      request.status = 'hang';
      return;
    case 'status':
      return send(response, statusReply(fault), request);
    case 'redirect':
      return send(response, { status: fault.code ?? 302, headers: { location: fault.location } }, request);
    case 'garbage':
      return send(response, { status: 200, ...garbage(fault.shape, fault.bytes ?? 10_000_000) }, request);
  }
  if (reply === undefined) return;
  if (fault.kind === 'hang-body' || fault.kind === 'truncate') await sendHalf(response, reply, fault.kind, request);
  else if (fault.kind === 'drip') await sendSlowly(response, reply, fault, request);
  else send(response, reply, request);
}

async function sendHalf(
  response: ServerResponse,
  reply: Reply,
  kind: 'hang-body' | 'truncate',
  request: Exchange['request'],
): Promise<void> {
  request.status = kind === 'truncate' ? 'truncated' : 'hang';
  const body = begin(response, reply, 2);
  await new Promise<void>((resolve) => response.write(body.length < 2 ? '{' : body.subarray(0, body.length >>> 1), () => resolve()));
  if (kind === 'truncate') response.socket?.destroy();
}

async function sendSlowly(
  response: ServerResponse,
  reply: Reply,
  { bytes = 16, ms = 20 }: { bytes?: number; ms?: number },
  request: Exchange['request'],
): Promise<void> {
  request.status = reply.status;
  const body = begin(response, reply);
  for (let offset = 0; offset < body.length && !response.destroyed; offset += bytes) {
    response.write(body.subarray(offset, offset + bytes));
    await sleep(ms, undefined, { ref: false });
  }
  response.end();
}

function statusReply({ code, headers, retryAfter, body }: Extract<Fault, { kind: 'status' }>): Reply {
  const reply = { status: code, headers: { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...headers } };
  if (typeof body !== 'string') return { ...reply, body: body ?? { message: `Fault ${code}.` } };
  return { ...reply, text: body, contentType: body.startsWith('<') ? 'text/html' : 'text/plain' };
}

const GARBAGE: Record<Exclude<GarbageShape, 'huge' | 'gzip-bomb'>, Omit<Reply, 'status'>> = {
  html: { text: '<!doctype html><html><body>Please sign in to the network.</body></html>', contentType: 'text/html' },
  'not-json': { text: 'OK, done!' },
  'half-json': { text: '{"pager":{"page":1,' },
  'wrong-shape': {
    text: '{"result":[["unexpected",1,{"ok":"yes"}]],"id":{"a":1},"channels":7,"projects":"x","plans":null,"views":{"0":1},"pager":[]}',
  },
  null: { text: 'null' },
  empty: {},
};

function garbage(shape: GarbageShape, bytes: number): Omit<Reply, 'status'> {
  if (shape !== 'huge' && shape !== 'gzip-bomb') return GARBAGE[shape];
  const body = Buffer.alloc(bytes, ' ');
  body.write('[');
  return shape === 'huge' ? { body } : { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } };
}
