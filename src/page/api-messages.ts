import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

/** A request to the API, from a browser that was let in. */
export interface PageRequest {
  readonly method: 'GET' | 'POST';
  /** The parts of the path after `api/`, decoded. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Of a POST. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the page that was let in: its requests that change something name it. */
  readonly token?: string;
  /** Who is signed in, where there are several people. */
  readonly viewer?: Viewer | undefined;
  /** Aborted when the browser gives the request up. */
  readonly signal: AbortSignal;
}

/** A person who looks at the page, and what they may do. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly ('read' | 'propose' | 'approve')[];
  /** Everybody as they are now, so that those are named who may decide. */
  readonly everybody?: () => readonly Omit<Viewer, 'everybody'>[];
}

export interface PageResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer | Readable;
  /** The name of a file to save. */
  readonly fileName?: string;
}

/** Begins the response of a server, and sends the body. */
export function sendPage(response: ServerResponse, { status, body, fileName }: PageResponse, headers: OutgoingHttpHeaders): void {
  response.writeHead(status, {
    ...headers,
    ...(fileName !== undefined && { 'content-disposition': `attachment; filename="${fileName}"` }),
  });
  if (!(body instanceof Readable)) response.end(body);
  // A browser that goes, or a file that can’t be read to its end, ends both.
  else pipeline(body, response, () => undefined);
}

export const json = (value: unknown): PageResponse => ({
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});
