import type { IncomingHttpHeaders } from 'node:http';

/** One request as the demo service received it, and what became of it. */
export interface DemoRequest {
  /** 1 for the first request received. */
  number: number;
  /** Milliseconds since 1970 at which its headers arrived. */
  at: number;
  api: 'main' | 'stats';
  method: string;
  /** The path as received, without the query. */
  path: string;
  /** Query parameters; of a repeated one, the last. */
  query: Record<string, string>;
  /** Headers as received, the credential included. */
  headers: IncomingHttpHeaders;
  /** The parsed JSON, or the text where it isn't JSON; undefined without a body. */
  body: unknown;
  /** Length of the body in bytes. */
  bodyBytes: number;
  /** What was answered. `pending` until then; `aborted` when the client left before. */
  status: number | 'pending' | 'reset' | 'hang' | 'truncated' | 'aborted';
  /** Whether the service carried it out (it would answer, or did answer, 2xx), whatever the client got to see. */
  applied: boolean;
  /** Requests under way when it arrived, itself included. */
  inFlight: number;
}

/** What the service answers, before any fault. `text` is sent as it is; otherwise `body` as JSON; neither: empty. */
export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A 200 with a JSON body. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** An error whose body has a `message`, and other fields where the document names them. */
export function refusal(status: number, message: string, fields: Record<string, unknown> = {}): Reply {
  return { status, body: { message, ...fields } };
}
