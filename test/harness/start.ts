/**
 * Starts a demo service, our server and a client in one call.
 *
 *   const { client, demo } = await start();                                  // v2 legacy client, in process
 *   const { client } = await start({ demo, client: 'v1 client', forms: 'accept', env: { VIDEO_HOSTING_READ_ONLY: '1' } });
 *   const { server } = await start({ via: 'process' });                      // the built command
 *   const { client } = await startRaw({ demo, era: 'modern' });              // bare messages
 *
 * For two servers on one data folder, give both the same `home`. After each test, the output must not contain the credential, and each
 * structured content must have matched its output schema.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Transport } from '@modelcontextprotocol/client';
import { parseConfig } from '../../src/config/parse-config.ts';
import type { Intervals } from '../../src/platform/intervals.ts';
import { atEnd, freshHome } from './cleanup.ts';
import type { ClientKind, FormConduct, FormHandler, TestClient } from './client.ts';
import { connectRaw, type RawClient, type RawOptions } from './raw-client.ts';
import { connectSdk } from './sdk-clients.ts';
import { serveInProcess } from './serve.ts';
import {
  API_KEY,
  type DemoService,
  type Environment,
  NO_BROWSER,
  NO_HURRY,
  SHORT_CALLS,
  SHORT_CALLS_OF_PROCESS,
  settingsFor,
  startService,
} from './service.ts';
import { type Spawned, spawnServer } from './spawn.ts';
import { withValidation } from './validate.ts';

export { freshHome, homeWithFiles } from './cleanup.ts';

export interface ServerOptions {
  /** The service; by default a new small one. With `null`, the server's settings name none. */
  readonly demo?: DemoService | null;
  /** Added to the settings of the service; `undefined` removes one. */
  readonly env?: Environment;
  readonly argv?: readonly string[];
  readonly via?: 'memory' | 'process';
  /** Of a server in memory, which otherwise looks often for what nothing tells. */
  readonly intervals?: Partial<Intervals>;
  /**
   * Calls are answered after two seconds (five of a process), while their changes wait or go on. A call that the machine was too slow to plan in
   * that time did nothing, and is made again.
   */
  readonly shortCalls?: boolean;
  /** With `via: 'process'`, the path of a `main.cjs`; by default the built one. */
  readonly command?: string;
  /** The home folder; by default a new one. The data folder is `data` in it. */
  readonly home?: string;
}

export interface StartOptions extends ServerOptions {
  readonly client?: ClientKind;
  /** Default `none`. */
  readonly forms?: FormConduct | FormHandler;
}

export interface Session<C extends TestClient = TestClient> {
  readonly client: C;
  readonly demo: DemoService;
  readonly home: string;
  readonly dataDir: string;
  /** Whether the data folder exists. */
  hasData(): boolean;
  /** All that the server wrote to stdout and to its log. */
  output(): string;
  log(): string;
  /** Only with `via: 'process'`. */
  readonly server: Spawned | undefined;
  /** Ends the client and waits until the server has ended too. */
  stop(): Promise<void>;
}

export async function start(options: StartOptions = {}): Promise<Session> {
  const { client: kind = 'v2 client, legacy', forms = 'none' } = options;
  if (kind === 'raw lines' || kind === 'raw lines, modern')
    return startRaw({ ...options, forms, era: kind === 'raw lines' ? 'legacy' : 'modern' });
  return startWith(options, (transport) => connectSdk(kind, transport, forms));
}

export async function startRaw(options: ServerOptions & RawOptions = {}): Promise<Session<RawClient>> {
  return startWith(options, (transport) => connectRaw(transport, options));
}

async function startWith<C extends TestClient>(options: ServerOptions, connect: (transport: Transport) => Promise<C>): Promise<Session<C>> {
  const home = options.home ?? freshHome();
  const dataDir = join(home, 'data');
  const demo = options.demo ?? (await startService());
  const settings = options.demo === null ? {} : settingsFor(demo);
  const short = options.via === 'process' ? SHORT_CALLS_OF_PROCESS : SHORT_CALLS;
  const budget = options.shortCalls ? short : NO_HURRY;
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, ...NO_BROWSER, ...budget, ...settings, ...options.env };
  const server = options.via === 'process' ? spawnServer({ env, argv: options.argv ?? [], home, command: options.command }) : undefined;
  const written: string[] = [];
  const config = parseConfig(options.argv ?? [], env, process.platform);
  const inside = server === undefined ? serveInProcess(config, (line) => written.push(line), options.intervals) : undefined;
  const transport = server?.transport ?? inside?.clientEnd;
  if (transport === undefined) throw new Error('There is no server.');
  const log = () => server?.stderr() ?? inside?.log.join('\n') ?? '';
  const output = () => `${server?.stdout() ?? written.join('\n')}\n${log()}`;
  const connected = withValidation(await connect(transport));
  const client = options.shortCalls ? withRepeatedCalls(connected) : connected;
  const stop = async () => {
    await client.close().catch(() => {});
    await server?.exit;
    await inside?.close();
  };
  atEnd(async () => {
    if (server === undefined) await stop();
    if (output().includes(API_KEY)) throw new Error('The output contains the credential.');
  });
  return { client, demo, home, dataDir, hasData: () => existsSync(dataDir), output, log, server, stop };
}

/** The same client, which makes a call again that was ended before its work could be planned. */
function withRepeatedCalls<C extends TestClient>(client: C): C {
  const { callTool } = client;
  client.callTool = async (...call) => {
    for (;;) {
      const reply = await callTool(...call);
      if (!reply.isError || !reply.text.startsWith('This call took longer than its budget')) return reply;
    }
  };
  return client;
}
