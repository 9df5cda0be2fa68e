import './jitless.ts';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ParsedConfig } from '../config/parse-config.ts';
import type { App } from './app-contract.ts';
import { listing } from './listing.ts';
import { createServer } from './server.ts';

export interface ServeOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly input: Readable;
  readonly output: Writable;
  /** Requests whose responses the client has already; none by default. */
  readonly replayedIds?: Set<unknown>;
}

export interface Served {
  /** Cancels reads; a change in progress gets a short time to end its requests. */
  close(): Promise<void>;
}

/** The server on a pair of streams. The first call loads the app. */
export function serve({ config, version, log, input, output, replayedIds = new Set() }: ServeOptions): Served {
  let app: Promise<App> | undefined;
  const loadApp = () => {
    app ??= import('./app.ts').then(({ createApp }) => createApp({ config, version, log }));
    return app;
  };
  const options = { version, readOnly: config.settings.readOnly, listing: listing(), app: loadApp };
  const transport = new ReplayTransport(input, output, replayedIds);
  const handle = serveStdio(({ era }) => createServer(options, { era }), { transport, onerror: (error) => log(error.message) });
  return {
    async close() {
      await Promise.all([handle.close(), app?.then((loaded) => loaded.close())]);
    },
  };
}

/** Sends no response to a replayed request: the client has it from the handshake. */
class ReplayTransport extends StdioServerTransport {
  readonly #replayedIds: Set<unknown>;

  constructor(input: Readable, output: Writable, replayedIds: Set<unknown>) {
    super(input, output);
    this.#replayedIds = replayedIds;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const isReplayed = 'id' in message && !('method' in message) && this.#replayedIds.delete(message.id);
    if (!isReplayed) return super.send(message);
    if ('error' in message) this.onerror?.(new Error(`${message.id}: ${message.error.message}`));
  }
}
