/** Stands between clients and a server over HTTP, as a proxy would, and keeps what they said to each other. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { KEEP_ALIVE_MS } from '../../../src/http/http-server.ts';
import { fieldsIn, type Values } from '../../../src/platform/is-object.ts';
import { parseJsonOrUndefined } from '../../../src/platform/parse-json.ts';
import { endServer, listenOnLoopback } from '../../harness/loopback.ts';

/** One request to `/mcp`. */
export interface Passed {
  readonly headers: IncomingHttpHeaders;
  readonly message: Values;
  /** The body of the answer, as far as it has come. */
  readonly answer: string;
}

export interface Tap {
  readonly url: string;
  readonly passed: readonly Passed[];
  /** Where the server listens. */
  leadTo(origin: string): void;
  /** Resolves once this tool is called. */
  called(tool: string): Promise<Passed>;
  close(): void;
}

/** The tool that a message calls. */
export const toolIn = ({ message: { method, params } }: Passed): unknown => (method === 'tools/call' ? fieldsIn(params).name : undefined);

export async function startTap(): Promise<Tap> {
  const passed: (Passed & { answer: string })[] = [];
  const listeners = new Set<() => void>();
  let target = '';

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const body = await buffer(incoming);
    const one = { headers, message: fieldsIn(parseJsonOrUndefined(body.toString())), answer: '' };
    if (url === '/mcp') passed.push(one);
    for (const listener of listeners) listener();
    // A connection that is kept may be closed by the server just now.
    const sent = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        one.answer += chunk.toString();
      });
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.once('close', () => sent.destroy());
    sent.end(body);
  }

  // The server's own answers promise that a connection is kept for so long.
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()),
  );
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    leadTo(origin) {
      target = origin;
    },
    called: (tool) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = passed.find((one) => toolIn(one) === tool);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    close: () => endServer(server),
  };
}
