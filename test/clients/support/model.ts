import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { endServer, listenOnLoopback } from '../../harness/loopback.ts';
import type { Dialect, Given, Request, Step } from './script.ts';

/** A model on loopback that makes the calls of a script, one after the other, and then says that it is done. */
export interface Model {
  readonly url: string;
  /** What it was given for each call of the script so far. */
  given(): readonly Given[];
  /** The last request that offered our tools. */
  lastRequest(): Request | undefined;
  close(): void;
}

/** The model's answer to a request without our tools: from a client that is not connected yet, or that wants a title. */
const NO_TOOLS = 'There are no tools yet.';

/** The number of results in a request determines the next call, so that a repeated request gets the same answer. */
export async function startModel(dialect: Dialect, steps: readonly Step[]): Promise<Model> {
  let last: Request | undefined;
  const next = (request: Request): string => {
    last = request;
    const step = steps[request.given.length];
    if (step === undefined) return dialect.say('That is all.');
    return dialect.call(typeof step === 'function' ? step(request.given) : step, request.given.length);
  };
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(message.url ?? '/', 'http://127.0.0.1').pathname;
    const request = message.method === 'POST' ? dialect.read(path, await json(message)) : undefined;
    // Other requests of clients: a title for the conversation, a count of tokens, their own features.
    if (request === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    else {
      const isOurs = request.tools.some((name) => name.endsWith('list_channels'));
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(isOurs ? next(request) : dialect.say(NO_TOOLS));
    }
  };
  const server = createServer((message, response) => {
    answer(message, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const port = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, given: () => last?.given ?? [], lastRequest: () => last, close: () => endServer(server) };
}
