import type { ServerResponse } from 'node:http';
import type { DemoRequest, Reply } from './requests.ts';

/** Sends a reply, and records its status in the request. */
export function send(response: ServerResponse, reply: Reply, request: DemoRequest): void {
  if (response.destroyed) return;
  request.status = reply.status;
  response.end(begin(response, reply));
}

/** Writes the head for a body of `minBytes` or more, and returns that body. */
export function begin(response: ServerResponse, reply: Reply, minBytes = 0): Buffer {
  const isBodiless = reply.status === 204 || reply.status === 304;
  const body = isBodiless ? Buffer.alloc(0) : bodyOf(reply);
  const length = Math.max(body.length, minBytes);
  const type = length === 0 ? {} : { 'content-type': reply.contentType ?? 'application/json; charset=utf-8' };
  response.writeHead(reply.status, { ...type, ...(isBodiless ? {} : { 'content-length': length }), ...reply.headers });
  return body;
}

function bodyOf({ text, body }: Reply): Buffer {
  if (text !== undefined) return Buffer.from(text);
  if (body instanceof Buffer) return body;
  return body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
}
