import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** One request as the demo service received it, with its outcome. */
export interface DemoRequest {
  number: number;
  /** Milliseconds since 1970 at which its headers arrived. */
  at: number;
  api: 'main' | 'stats';
  method: string;
  path: string;
  /** Query parameters; of a repeated one, the last. */
  query: Record<string, string>;
  /** Headers as received, the credential included. */
  headers: IncomingHttpHeaders;
  /** The parsed JSON, or the text where it isn't JSON; undefined without a body. */
  body: unknown;
  /** The answer. `pending` until then; `aborted` when the client disconnected before it. */
  status: number | 'pending' | 'reset' | 'hang' | 'truncated' | 'aborted';
  /** Whether the service carried it out, whatever answer the client received. */
  applied: boolean;
  /** Requests in flight when it arrived, itself included. */
  inFlight: number;
}

/** An answer. `text` is sent as it is; otherwise `body`, a Buffer as it is and the rest as JSON; neither: empty. */
export interface Reply {
  status: number;
  body?: unknown;
  text?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

/** A request that was read and is to be answered. */
export interface Exchange {
  readonly request: DemoRequest;
  readonly response: ServerResponse;
  /** Carries the request out, and returns the reply to it. */
  carryOut(): Promise<Reply>;
  answer(): Promise<void>;
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** An error whose body has a `message`, and other fields where the document names them. */
export function failure(status: number, message: string, fields: Record<string, unknown> = {}): Reply {
  return { status, body: { message, ...fields } };
}
