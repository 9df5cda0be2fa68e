import type { DemoOptions } from '../harness/demo.ts';
import { type DemoService, startService } from '../harness/service.ts';

/** An answer as a client sees it; `json` is undefined if the body is not JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the service sent
  json: any;
}

export interface AskOptions {
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  raw?: string;
  key?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A small demo service that is closed after the test. */
export const startSmall = (options: DemoOptions = {}): Promise<DemoService> => startService({ views: 2000, ...options });

/** Sends one request, e.g. `ask(demo, 'GET /v1/channels')`; a path that begins with `/v1/logs` goes to the analytics API. */
export async function ask(demo: DemoService, target: string, options: AskOptions = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = target.split(' ');
  const root = path.startsWith('/v1/logs') ? demo.statsUrl : demo.baseUrl;
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const key = options.key === undefined ? demo.apiKey : options.key;
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...options.headers,
  };
  const init: RequestInit = { method, headers, redirect: 'manual' };
  if (body !== undefined) init.body = body;
  if (options.signal !== undefined) init.signal = options.signal;
  const response = await fetch(root + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first of a collection, which must not be empty. */
export function firstOf<T>(items: Iterable<T>): T {
  for (const item of items) return item;
  throw new RangeError('the collection is empty');
}
