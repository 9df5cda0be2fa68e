import '../app/zod-options.ts';
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ParsedConfig } from '../config/parse-config.ts';
import { findOwnCommand } from '../platform/find-own-command.ts';
import { setOwnCommand } from '../text/own-command.ts';
import type { App } from './app-contract.ts';
import { confirmationWords, type DeclaredCapabilities, declaredIn } from './listing/confirmation-words.ts';
import { listing } from './listing/listing.ts';
import { offeredBy } from './listing/offered.ts';
import { REPLAYED_ID } from './protocol/handshake.ts';
import { normalizeFrames, type RequestsInFlight } from './protocol/normalize-frames.ts';
import { type CreateServerOptions, createServer } from './server.ts';

export interface ServeOptions {
  readonly config: ParsedConfig;
  readonly version: string;
  readonly log: (message: string) => void;
  readonly input: Readable;
  readonly output: Writable;
  /** For the build: stands in the instructions for how changes are confirmed. */
  readonly confirmation?: string;
}

/** For the answers of calls that only waited, of the time that a client gives a server whose input it closed. */
const ANSWERED_MS = 200;
const LOOK_MS = 5;

export interface Served {
  /** Answers what waits with what is so now, and cancels reads; a change in progress gets a short time to end its requests. */
  close(): Promise<void>;
}

/** The server on a pair of streams. The first call loads the app. */
export function serve({ config, version, log, input, output, confirmation }: ServeOptions): Served {
  setOwnCommand(() => findOwnCommand(import.meta.dirname, config.settings.desktop));
  let app: Promise<App> | undefined;
  const loadApp = () => {
    app ??= import('./app.ts').then(({ createApp }) => createApp({ config, version, log }));
    return app;
  };
  const { settings } = config;
  const lists = listing();
  const options = { version, settings, listing: lists, offered: offeredBy(lists, settings), app: loadApp };
  const inFlight = new Set<unknown>();
  // The transport is told of a stream that broke. Of one that ended it would be gone at once: what is in flight is answered first, by `close`.
  const frames = new PassThrough();
  const broken = (error: Error | null | undefined): unknown => error && frames.destroy(error);
  pipeline(input, normalizeFrames(output, inFlight), broken).pipe(frames, { end: false });
  const handle = serveConnection(options, new AnsweringTransport(frames, output, inFlight), log, confirmation);
  return {
    async close() {
      app?.then((loaded) => loaded.end()).catch(() => undefined);
      for (const until = performance.now() + ANSWERED_MS; inFlight.size > 0 && performance.now() < until; ) await sleep(LOOK_MS);
      await Promise.all([handle.close(), app?.then((loaded) => loaded.close())]);
    },
  };
}

/** Serves one client. Its first message says what it shows, on which the instructions depend. */
export function serveConnection(
  options: CreateServerOptions,
  transport: Transport,
  log: ServeOptions['log'],
  confirmation?: string,
): StdioServerHandle {
  let declared: DeclaredCapabilities | undefined;
  const create = (era: 'legacy' | 'modern') =>
    createServer(options, { era, confirmation: confirmation ?? confirmationWords(options.settings, declared) });
  const handle = serveStdio(({ era }) => create(era), { transport, onerror: (error) => log(error.message) });
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    if ('params' in message) declared = declaredIn(message.params) ?? declared;
    receive?.(message, extra);
  };
  return handle;
}

/** Notes which requests are answered. Sends no response to the replayed one: the client has it from the handshake. */
class AnsweringTransport extends StdioServerTransport {
  readonly #inFlight: RequestsInFlight;

  constructor(input: Readable, output: Writable, inFlight: RequestsInFlight) {
    super(input, output);
    this.#inFlight = inFlight;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) return super.send(message);
    this.#inFlight.delete(message.id);
    if (message.id !== REPLAYED_ID) return super.send(message);
    if ('error' in message) this.onerror?.(new Error(`replayed initialize: ${message.error.message}`));
  }
}
