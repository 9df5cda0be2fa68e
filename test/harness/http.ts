/**
 * A server over HTTP in this process, with people, and clients of theirs on a loopback socket. After each test, neither the account's credential
 * nor anybody's secret may be in what was logged.
 *
 *   const { people, connect } = await startHttp();
 *   const client = await connect(people.bob, 'v2 client, modern');
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as V2HttpTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as V1HttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { parseConfig } from '../../src/config/parse-config.ts';
import { serveHttp } from '../../src/http/serve-http.ts';
import { addPerson, type WithSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import type { Role } from '../../src/people/roles.ts';
import { INTERVALS } from '../../src/platform/intervals.ts';
import { atEnd, freshHome } from './cleanup.ts';
import type { TestClient } from './client.ts';
import { connectSdk, type SdkKind } from './sdk-clients.ts';
import { API_KEY, type DemoService, type Environment, NO_HURRY, settingsFor, startService } from './service.ts';
import { type Spawned, spawnServer } from './spawn.ts';
import { withValidation } from './validate.ts';

/** Ann may do everything, Bob asks, Eve only reads, and Dan decides alone. */
const ROLES = {
  ann: ['read', 'propose', 'approve'],
  bob: ['read', 'propose'],
  eve: ['read'],
  dan: ['read', 'approve'],
} as const satisfies Record<string, readonly Role[]>;
export type PersonName = keyof typeof ROLES;

export interface HttpServerOptions {
  readonly demo?: DemoService;
  readonly env?: Environment;
  readonly home?: string;
  /** Those of an earlier server on the same folder. */
  readonly people?: Readonly<Record<PersonName, WithSecrets>>;
}

export interface HttpSession {
  readonly demo: DemoService;
  readonly home: string;
  readonly dataDir: string;
  /** Where it listens: `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly people: Readonly<Record<PersonName, WithSecrets>>;
  /** A client with somebody's token. */
  connect(person: WithSecrets, kind?: SdkKind): Promise<TestClient>;
  /** A bare request for `/mcp`, or another path, of somebody. */
  post(person: WithSecrets | undefined, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The lines of JSON that were logged, one for each request. */
  requests(): readonly Readonly<Record<string, unknown>>[];
  log(): string;
  /** Ends the server, as SIGTERM does. */
  stop(): Promise<void>;
}

export async function addPeople(file: string): Promise<Record<PersonName, WithSecrets>> {
  const added: [string, WithSecrets][] = [];
  for (const [name, roles] of Object.entries(ROLES)) added.push([name, await addPerson(file, name, roles, new AbortController().signal)]);
  return Object.fromEntries(added) as Record<PersonName, WithSecrets>; // of the same names
}

/** A client with somebody's token. */
export async function connectHttp(url: string, { secrets }: WithSecrets, kind: SdkKind = 'v2 client, modern'): Promise<TestClient> {
  const requestInit = { headers: { authorization: `Bearer ${secrets.clientToken}` } };
  const address = new URL('/mcp', url);
  const transport = kind === 'v1 client' ? new V1HttpTransport(address, { requestInit }) : new V2HttpTransport(address, { requestInit });
  // The two SDKs' transports differ only in the types of optional members.
  const client = withValidation(await connectSdk(kind, transport as V2HttpTransport, 'none'));
  atEnd(() => client.close().catch(() => undefined));
  return client;
}

export interface SpawnedHttp extends Pick<HttpSession, 'demo' | 'home' | 'dataDir' | 'url' | 'people' | 'connect' | 'post' | 'requests'> {
  readonly server: Spawned;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
  /** Another one in its place: the same folder, people and address. */
  again(env?: Environment): Promise<SpawnedHttp>;
}

/** The built command, which listens on a port of its own. */
export async function spawnHttp(options: HttpServerOptions & { readonly demo: DemoService }): Promise<SpawnedHttp> {
  const { demo, home = freshHome(), env } = options;
  const dataDir = join(home, 'data');
  const file = env?.VIDEO_HOSTING_PEOPLE ?? peopleFileIn(dataDir);
  const people = options.people ?? (await addPeople(file));
  const settings = { VIDEO_HOSTING_DATA_DIR: dataDir, VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0', VIDEO_HOSTING_BROWSER: undefined };
  const server = spawnServer({ argv: ['serve', '--http'], home, env: { ...settings, ...NO_HURRY, ...settingsFor(demo), ...env } });
  const address = () => /listening on (http:[^)\s]+)/.exec(server.stderr())?.[1];
  const ended = server.exit.then(() => Promise.reject(new Error(`The server ended: ${server.stderr()}`)));
  ended.catch(() => undefined);
  while (address() === undefined) await Promise.race([once(server.child.stderr, 'data'), ended]);
  const url = address() ?? '';
  atEnd(() => {
    if (secretsOf(people).some((secret) => server.stderr().includes(secret))) throw new Error('The log contains a secret.');
    if (server.stdout() !== '') throw new Error('It wrote to stdout.');
  });
  return {
    ...{ demo, people, server, home, dataDir, url },
    connect: (person, kind) => connectHttp(url, person, kind),
    post: (person, body, headers) => postTo(url, person, body, headers),
    requests: () =>
      server
        .stderr()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [])),
    async kill() {
      server.child.kill('SIGKILL');
      await server.exit;
    },
    again: (more) =>
      spawnHttp({ demo, home, people, env: { ...env, VIDEO_HOSTING_HTTP_LISTEN: new URL(url).host, NODE_OPTIONS: undefined, ...more } }),
  };
}

const secretsOf = (people: HttpSession['people']): readonly string[] => [
  API_KEY,
  ...Object.values(people).flatMap(({ secrets }) => Object.values(secrets)),
];

const PROTOCOL_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const postTo = (
  url: string,
  person: WithSecrets | undefined,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...PROTOCOL_HEADERS, ...(person && { authorization: `Bearer ${person.secrets.clientToken}` }), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

export async function startHttp(options: HttpServerOptions = {}): Promise<HttpSession> {
  const home = options.home ?? freshHome();
  const dataDir = join(home, 'data');
  const demo = options.demo ?? (await startService());
  const people = options.people ?? (await addPeople(options.env?.VIDEO_HOSTING_PEOPLE ?? peopleFileIn(dataDir)));
  const env = {
    ...{ HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir, VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0' },
    ...NO_HURRY,
    ...settingsFor(demo),
    ...options.env,
  };
  const config = parseConfig(['serve', '--http'], env, process.platform);
  if (config.problems.length > 0) throw new Error(config.problems.join('\n'));
  const log: string[] = [];
  const requests: string[] = [];
  const stop = new AbortController();
  let onListening: ({ origin }: { readonly origin: string }) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = ({ origin }) => resolve(origin);
  });
  const served = serveHttp({
    ...{ config, version: '0.0.0-test', signal: stop.signal, onListening },
    log: (line) => log.push(line),
    logRequest: (line) => requests.push(line),
    intervals: { ...INTERVALS, changeMs: 20, historyMs: 50 },
  });
  const url = await Promise.race([listening, served.then(() => Promise.reject(new Error('The server ended.')))]);
  const end = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  atEnd(async () => {
    await end();
    const written = [...log, ...requests].join('\n');
    if (secretsOf(people).some((secret) => written.includes(secret))) throw new Error('The log contains a secret.');
  });
  return {
    ...{ demo, home, dataDir, url, people },
    connect: (person, kind) => connectHttp(url, person, kind),
    post: (person, body, headers) => postTo(url, person, body, headers),
    requests: () => requests.map((line) => JSON.parse(line) as Record<string, unknown>),
    log: () => log.join('\n'),
    stop: end,
  };
}

/** A call of a tool, as a client of the older era sends it. */
export const toolCall = (name: string, args: object = {}, id = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: args },
});
