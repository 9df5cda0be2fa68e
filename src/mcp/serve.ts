import '../app/jitless.ts';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ParsedConfig } from '../config/parse-config.ts';
import type { App } from './app-contract.ts';
import { REPLAYED } from './handshake.ts';
import { listing } from './listing.ts';
import { createServer } from './server.ts';

export interface ServeOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly input: Readable;
  readonly output: Writable;
}

export interface Served {
  /** Cancels reads; a change in progress gets a short time to end its requests. */
  close(): Promise<void>;
}

/** The server on a pair of streams. The first call loads the app. */
export function serve({ config, version, log, input, output }: ServeOptions): Served {
  let app: Promise<App> | undefined;
  const loadApp = () => {
    app ??= import('./app.ts').then(({ createApp }) => createApp({ config, version, log }));
    return app;
  };
  const options = { version, settings: config.settings, listing: listing(), app: loadApp };
  const transport = new ReplayTransport(input, output);
  const handle = serveStdio(({ era }) => createServer(options, { era }), { transport, onerror: (error) => log(error.message) });
  return {
    async close() {
      await Promise.all([handle.close(), app?.then((loaded) => loaded.close())]);
    },
  };
}

/** Sends no response to a replayed request: the client has it from the handshake. */
class ReplayTransport extends StdioServerTransport {
  override async send(message: JSONRPCMessage): Promise<void> {
    const id = 'id' in message && !('method' in message) ? String(message.id) : '';
    if (!id.startsWith(REPLAYED)) return super.send(message);
    if ('error' in message) this.onerror?.(new Error(`replayed ${id.slice(REPLAYED.length)}: ${message.error.message}`));
  }
}
