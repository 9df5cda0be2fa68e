/**
 * Malformed responses of a service: with any bytes, status and headers, a read or a change must soon end in its result or in
 * one of our clear errors, without a credential.
 */
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { VideoHostingError } from '../../src/errors.ts';
import { mintApproval } from '../../src/service/approval.ts';
import { createServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { createHttp } from '../../src/service/http.ts';
import { startDemoService } from '../harness/demo.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { endServer, listenOnLoopback } from '../harness/loopback.ts';
import { type Figures, type FuzzOptions, KEY, PATIENCE_MS, tally } from './fuzz-calls.ts';
import { wildText, wildValue } from './fuzz-values.ts';

const MAX_WORDS = 8_000;

interface Made {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** The bodies that a service should send, by endpoint. */
export async function goodBodies(): Promise<ReadonlyMap<string, unknown>> {
  const demo = await startDemoService({ channels: 4, projects: 3, videos: 20, views: 20, apiKey: KEY });
  const get = async (path: string): Promise<unknown> =>
    (await fetch(demo.baseUrl + path, { headers: { authorization: `Bearer ${KEY}` } })).json();
  const views = await fetch(`${demo.statsUrl}/v1/logs/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"from":"2020-01-01","size":5}',
  });
  const [channel] = demo.world.channels.keys();
  const [project] = demo.world.projects.keys();
  const emails = await get('/v1/videos/collected-emails');
  const bodies = new Map<string, unknown>([
    ['channels', await get('/v1/channels')],
    ['channel', await get(`/v1/channels/${channel}`)],
    ['templates', await get('/v1/channels/templates')],
    ['projects', await get('/v1/projects')],
    ['project', await get(`/v1/projects/${project}`)],
    ['plans', await get('/v1/plans')],
    ['emails', Array.isArray(emails) ? emails.slice(0, 3) : []],
    ['views', await views.json()],
    ['ok', { ok: true }],
    ['copied', { ok: false, message: 'x', data: {} }],
  ]);
  await demo.close();
  return bodies;
}

type Ask = (client: ServiceClient) => Promise<unknown>;
const id = (text: string) => text as never; // ids are branded by kind; any will do here

/** Each method of the client, with the body that answers it. Changes are included: their answers are read like any other. */
const ASKS: readonly (readonly [body: string, ask: Ask])[] = [
  ['channels', (client) => client.channels.list()],
  ['channels', (client) => client.channels.all()],
  ['channel', (client) => client.channels.get(id('a'))],
  ['templates', (client) => client.templates.list()],
  ['projects', (client) => client.projects.list()],
  ['project', (client) => client.projects.get(id('a'))],
  ['plans', (client) => client.plans.list()],
  ['views', (client) => client.viewLogs.page({ from: '2026-01-01' })],
  [
    'emails',
    async (client) => {
      for await (const _email of client.emails.collected());
    },
  ],
  ['channel', (client) => client.channels.create(mintApproval(), { name: 'a', videoKeys: [id('v')] })],
  ['project', (client) => client.projects.create(mintApproval(), { name: 'a', region: 'b' })],
  ['ok', (client) => client.videos.move(mintApproval(), id('p'), [id('v')])],
  ['copied', (client) => client.videos.copyCta(mintApproval(), id('v'), [id('w')])],
];

/** A copy of a value with a change somewhere in it. */
export function mutated(value: unknown, random: Random, wild: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.2)) return wild;
  if (Array.isArray(value)) {
    const list = [...(value as readonly unknown[])];
    if (list.length === 0 || random.chance(0.1)) return [...list, wild];
    const at = random.int(list.length);
    return list.map((entry, index) => (index === at ? mutated(entry, random, wild) : entry));
  }
  const entries = Object.entries(value);
  const at = random.int(entries.length + 1);
  if (at === entries.length) return { ...value, [JSON.stringify(wild).replaceAll('\\', '/').slice(0, 50)]: wild };
  return Object.fromEntries(
    entries.flatMap(([name, entry], index) =>
      index !== at ? [[name, entry]] : random.chance(0.2) ? [] : [[name, mutated(entry, random, wild)]],
    ),
  );
}

const STATUSES = [
  200, 200, 200, 200, 200, 200, 201, 204, 206, 299, 301, 302, 307, 304, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 599,
];

/** The next response of the service. */
function make(good: unknown, random: Random, wild: unknown, text: string): Made {
  const value = random.chance(0.05)
    ? good
    : random.chance(0.1)
      ? wild
      : mutated(random.chance(0.1) ? { message: good, invalidVideoKeys: good } : good, random, wild);
  const echo = random.chance(0.1) ? { message: `${text} ${KEY}`, key: Buffer.from(KEY).toString('base64'), value } : value;
  let body = Buffer.from(JSON.stringify(echo));
  const how = random.int(12);
  if (how === 0) body = body.subarray(0, random.int(body.length + 1));
  else if (how === 1) body = Buffer.from(text);
  else if (how === 2) for (let flips = 0; flips < 3 && body.length > 0; flips += 1) body[random.int(body.length)] = random.int(256);
  else if (how === 3) body = Buffer.concat([body, Buffer.from(random.pick([',', ']', '}', '\u0000', '[]', '\ufeff']))]);
  else if (how === 4) body = Buffer.from(`${'['.repeat(random.int(20_000))}${random.chance(0.5) ? ']'.repeat(20_000) : ''}`);
  else if (how === 5) body = Buffer.from(body.toString('utf8').replaceAll('"id"', '"\\u005f_proto__"'));
  const headers: OutgoingHttpHeaders = { 'content-type': random.pick(['application/json', 'text/html', 'application/octet-stream']) };
  const packed = random.int(16);
  if (packed === 0) body = gzipSync(body);
  if (packed === 1) body = brotliCompressSync(body);
  if (packed <= 3) headers['content-encoding'] = random.pick(['gzip', 'br', 'gzip', 'deflate', 'gzip, br', 'x']);
  if (random.chance(0.1))
    headers['retry-after'] = random.pick(['0', '-1', '99999999999999999999', 'soon', 'Wed, 21 Oct 2015 07:28:00 GMT', '1e9', KEY]);
  if (random.chance(0.2))
    headers.location = random.pick(['', '//evil.example', `https://x.example/${KEY}`, 'http://[', 'javascript:alert(1)', '\\\\x']);
  return { status: random.chance(0.7) ? 200 : random.pick(STATUSES), headers, body };
}

/** The problem with the result of a request, if any. */
function problemWith(thrown: unknown): string | undefined {
  if (!(thrown instanceof VideoHostingError))
    return `not an error of ours: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`;
  const { code, message, hint, facts, cause } = thrown;
  if (code === 'internal') return `a defect: ${message}`;
  if (message === '' || hint === '' || message.length > MAX_WORDS) return `no clear words: ${message.slice(0, 200)}`;
  const shown = JSON.stringify([message, hint, facts, cause instanceof Error ? cause.message : cause]);
  if (shown.includes(KEY) || shown.includes(Buffer.from(KEY).toString('base64'))) return 'the credential came out';
  return hiddenIn(shown).length > 0 ? `something hidden came out: ${hiddenIn(shown)[0]}` : undefined;
}

/** Sends a number of malformed responses. */
export async function fuzzBodies({ seed, count, onProgress }: FuzzOptions): Promise<Figures> {
  const { figures, note, ended } = tally();
  const bodies = await goodBodies();
  const waiting = new Map<string, Made>();
  const server = createServer(({ headers }, response) => {
    const made = waiting.get(lane(headers));
    response.writeHead(made?.status ?? 500, made?.headers).end(made?.body);
  });
  const port = await listenOnLoopback(server);

  async function work(name: string, offset: number): Promise<void> {
    const random = createRandom(seed + offset);
    const url = `http://127.0.0.1:${port}`;
    // The server tells the lanes apart by the user agent.
    const http = createHttp({
      baseUrl: url,
      statsUrl: url,
      apiKey: KEY,
      statsAuth: 'bearer',
      userAgent: name,
      retry: { attempts: 1 },
      sleep: async () => {},
      maxBytes: 4_000_000,
    });
    const client = createServiceClient(http);
    for (let batch = 0; figures.calls < count; batch += 1) {
      const wilds = fc.sample(wildValue, { seed: seed + offset + batch, numRuns: 200 });
      const texts = fc.sample(wildText, { seed: seed + offset + batch, numRuns: 200 });
      for (const [at, wild] of wilds.entries()) {
        if (figures.calls >= count) break;
        figures.calls += 1;
        if (figures.calls % 1_000 === 0) onProgress?.(figures.calls);
        const [body, ask] = random.pick(ASKS);
        waiting.set(name, make(bodies.get(body), random, wild, texts[at] ?? ''));
        const ended = await inTime(ask(client));
        if (ended === 'answered') figures.answers += 1;
        else figures.errors += 1;
        const problem = ended === 'answered' ? undefined : ended === 'hangs' ? 'it hangs' : problemWith(ended.thrown);
        if (problem !== undefined)
          note(
            `${problem}: ${body} ${JSON.stringify({ ...waiting.get(name), body: waiting.get(name)?.body.toString('latin1').slice(0, 300) })}`,
          );
      }
    }
    await http.close();
  }

  await Promise.all([work('one', 0), work('two', 7_919), work('three', 104_729), work('four', 1_299_709)]);
  endServer(server);
  return ended();
}

const lane = (headers: IncomingHttpHeaders): string => String(headers['user-agent']);

async function inTime(asked: Promise<unknown>): Promise<'answered' | 'hangs' | { readonly thrown: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'hangs'>((resolve) => {
    timer = setTimeout(() => resolve('hangs'), PATIENCE_MS);
  });
  const ended = asked.then(
    () => 'answered' as const,
    (thrown: unknown) => ({ thrown }),
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}
