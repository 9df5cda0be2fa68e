import './jitless.ts';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ParsedConfig } from '../config.ts';
import type { App } from './app-contract.ts';
import { listing } from './listing.ts';
import type { Begun } from './opening/door.ts';
import { createServer } from './server.ts';

export interface ServeOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly input: Readable;
  readonly output: Writable;
  /** What was said before the server came; nothing by default. */
  readonly begun?: Begun;
}

export interface Served {
  /** Ends what is under way; a change that has begun is given a moment. */
  close(): Promise<void>;
}

/** The server on a pair of streams. The app behind it is loaded by the first call that needs it. */
export function serve({ config, version, log, input, output, begun = NOTHING_SAID }: ServeOptions): Served {
  let app: Promise<App> | undefined;
  const load = () => {
    app ??= import('./app.ts').then(({ createApp }) => createApp({ config, version, log }));
    return app;
  };
  const shell = { version, readOnly: config.settings.readOnly, listing: listing(), app: load };
  const transport = new JoiningTransport(input, output, begun);
  const handle = serveStdio(({ era }) => createServer(shell, { era }), { transport, onerror: (error) => log(error.message) });
  return {
    async close() {
      await Promise.all([handle.close(), app?.then((loaded) => loaded.close())]);
    },
  };
}

const NOTHING_SAID: Begun = { said: [], rest: Buffer.alloc(0) };

/**
 * A connection on which the conversation may have begun already. The server first hears what was said, and its answers
 * to that, which the client has, go nowhere; then it goes on where the door left.
 */
class JoiningTransport extends StdioServerTransport {
  readonly #input: Readable;
  readonly #begun: Begun;
  #unanswered: number;
  #caughtUp = (): void => {};

  constructor(input: Readable, output: Writable, begun: Begun) {
    super(input, output);
    this.#input = input;
    this.#begun = begun;
    this.#unanswered = begun.said.filter((message) => Object.hasOwn(Object(message), 'id')).length;
  }

  override async start(): Promise<void> {
    const { said, rest } = this.#begun;
    const caughtUp = new Promise<void>((resolve) => {
      this.#caughtUp = resolve;
    });
    // They are messages as the SDK itself would read them.
    for (const message of said) this.onmessage?.(message as JSONRPCMessage);
    if (this.#unanswered > 0) await caughtUp;
    await super.start();
    // As if it came from the pipe; and what it leads to comes before what follows, which may be the end.
    if (rest.length > 0) this.#input.emit('data', rest);
    setImmediate(() => this.#input.resume());
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (this.#unanswered === 0) return super.send(message);
    this.#unanswered -= 1;
    if (this.#unanswered === 0) this.#caughtUp();
  }
}
