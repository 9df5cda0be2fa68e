/**
 * Malformed calls to a server in this process. Each call must get exactly one answer or clear error; nothing may be logged
 * as a defect, changed, leaked or stored.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { envelope, REVISIONS } from '../../scripts/raw-client.mjs';
import { parseConfig } from '../../src/config/parse-config.ts';
import { listing } from '../../src/mcp/listing/listing.ts';
import { startDemoService } from '../harness/demo.ts';
import { hiddenIn } from '../harness/hidden-text.ts';
import { plantHostileTexts } from '../harness/planting.ts';
import { serveInProcess } from '../harness/serve.ts';
import { isPolluted, wildNumber, wildText, wildValue } from './fuzz-values.ts';

export interface Figures {
  readonly calls: number;
  readonly answers: number;
  readonly errors: number;
  /** The first problems, a sentence each. */
  readonly problems: readonly string[];
  readonly ms: number;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly count: number;
  readonly onProgress?: (done: number) => void;
}

export type Values = Readonly<Record<string, unknown>>;

export const KEY = 'sk_Fuzz+Secret/Zq81.kX7';
const MAX_PROBLEMS = 20;
/** A call that takes longer hangs. */
export const PATIENCE_MS = 300_000;
const AT_ONCE = 20;
const DEFECT = /This server failed on that call|This is a defect/;

interface SchemaNode {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

/** Values that mostly fit the schema: a call that is wrong everywhere would be refused by the first check. */
function fitting(node: SchemaNode, texts: readonly string[]): fc.Arbitrary<unknown> {
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map((inner) => fitting(inner, texts)));
  switch (node.type) {
    case 'string':
      return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: wildText });
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: 1, max: 60 }), wildNumber);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(mostly(node.items ?? {}, texts), { maxLength: 4 });
    case 'object':
      return objectOf(node.properties ?? {}, texts);
    default:
      return wildValue;
  }
}

const mostly = (node: SchemaNode, texts: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fitting(node, texts) }, { weight: 1, arbitrary: wildValue });

function objectOf(properties: Readonly<Record<string, SchemaNode>>, texts: readonly string[]): fc.Arbitrary<unknown> {
  const known = fc.record(Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, mostly(node, texts)])), {
    requiredKeys: [],
  });
  const strange = fc.dictionary(fc.oneof(wildText, fc.constantFrom('__proto__', 'constructor', 'limit ', 'Channel')), wildValue, {
    maxKeys: 1,
  });
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: fc.tuple(known, strange).map(([a, b]) => ({ ...a, ...b })) });
}

/**
 * One message's method and parameters. Invalid messages (parameters or a `_meta` that is not an object) are left out: the
 * SDK drops them before they become calls.
 */
function requests(texts: readonly string[]): fc.Arbitrary<readonly [method: string, params: unknown]> {
  const { tools, prompts, resourceTemplates } = listing();
  const ofTool = fc.oneof(
    ...tools.map(({ name, inputSchema }) =>
      objectOf((inputSchema as SchemaNode).properties ?? {}, texts).map((args): readonly [string, unknown] => [
        'tools/call',
        { name, arguments: args },
      ]),
    ),
  );
  const name = fc.oneof(fc.constantFrom(...tools.map((tool) => tool.name), ...prompts.map((prompt) => prompt.name)), wildText);
  const uri = fc.oneof(
    wildText,
    fc
      .tuple(
        fc.constantFrom(...resourceTemplates.map(({ uriTemplate }) => uriTemplate.slice(0, uriTemplate.indexOf('{')))),
        fc.oneof(wildText, fc.constantFrom(...texts)),
      )
      .map((parts) => parts.join('')),
  );
  const ref = fc.oneof(
    fc.record({ type: fc.constant('ref/prompt'), name }),
    fc.record({ type: fc.constant('ref/resource'), uri }),
    wildValue,
  );
  const of = (method: string, params: fc.Arbitrary<unknown>) => params.map((made): readonly [string, unknown] => [method, made]);
  return fc.oneof(
    { weight: 12, arbitrary: ofTool },
    { weight: 2, arbitrary: of('tools/call', fc.record({ name, arguments: wildValue })) },
    {
      weight: 1,
      arbitrary: of(
        'tools/call',
        fc.dictionary(fc.oneof(wildText, fc.constantFrom('name', 'arguments', 'task')), wildValue, { maxKeys: 4 }),
      ),
    },
    { weight: 1, arbitrary: of('resources/read', fc.record({ uri })) },
    { weight: 1, arbitrary: of('prompts/get', fc.record({ name, arguments: fc.dictionary(wildText, wildText, { maxKeys: 3 }) })) },
    {
      weight: 1,
      arbitrary: of(
        'completion/complete',
        fc.record({ ref, argument: fc.oneof(fc.record({ name: wildText, value: wildText }), wildValue) }),
      ),
    },
  );
}

/** A server in this process that is sent messages, with a home of its own. Its output is not stored. */
export function serve(settings: Readonly<Record<string, string>>, onLine: (line: string) => void) {
  const home = mkdtempSync(join(tmpdir(), 'video-hosting-fuzz-'));
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data'), VIDEO_HOSTING_CONFIRM: 'token', ...settings };
  const config = parseConfig([], env, process.platform);
  const { clientEnd, log, close } = serveInProcess(config, onLine);
  log.push(...config.problems);
  const waiting = new Map<unknown, (answer: Values) => void>();
  clientEnd.onmessage = (message) => {
    const answer: Values = { ...message };
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  };
  void clientEnd.start();
  // The receiver validates it.
  const send = (message: Values): void => void clientEnd.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const ask = (id: unknown, method: string, params: unknown) =>
    new Promise<Values>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      send({ id, method, params });
    });
  return {
    log,
    ask,
    /** Begins the connection as a client of the older era does. */
    async initialize() {
      await ask(0, 'initialize', { protocolVersion: REVISIONS.legacy, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } });
      send({ method: 'notifications/initialized' });
    },
    async close() {
      await close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const ENVELOPE = envelope();
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The problem with an answer, if any. */
export function problemIn({ result, error }: Values): string | undefined {
  if (isObject(error))
    return typeof error.message === 'string' && error.message !== '' ? undefined : 'no answer, or an error without words';
  if (!isObject(result)) return 'neither a result nor an error';
  if (result.isError !== true) return undefined;
  const [block] = Array.isArray(result.content) ? (result.content as readonly Values[]) : [];
  const text = String(block?.text ?? '');
  if (DEFECT.test(text)) return 'a defect';
  return /\nNext: ./.test(text) || text.length > 20 ? undefined : `an error that teaches nothing: ${text}`;
}

/** Makes a number of malformed calls, half of them in each era of the protocol. */
export async function fuzzCalls({ seed, count, onProgress }: FuzzOptions): Promise<Figures> {
  const { figures, note, ended } = tally();
  const demo = await startDemoService({ channels: 5, projects: 3, videos: 20, views: 20, apiKey: KEY });
  plantHostileTexts(demo.world);
  const before = JSON.stringify([[...demo.world.channels.values()], [...demo.world.projects.values()], [...demo.world.videos.values()]]);
  const onLine = (line: string) => {
    if (line.includes(KEY)) note('the credential came out');
    if (hiddenIn(line).length > 0 && !line.includes('"error":{"code"')) note(`something hidden came out: ${hiddenIn(line)[0]}`);
  };
  const texts = [...demo.world.channels.keys(), ...demo.world.projects.keys(), ...demo.world.videos.keys()]
    .slice(0, 12)
    .concat('2026-03-01', 'chg-000000000-none');
  const arbitrary = requests(texts);
  for (const era of ['legacy', 'modern'] as const) {
    const server = serve({ VIDEO_HOSTING_BASE_URL: demo.baseUrl, VIDEO_HOSTING_API_KEY: KEY }, onLine);
    if (era === 'legacy') await server.initialize();
    const half = era === 'legacy' ? Math.ceil(count / 2) : Math.floor(count / 2);
    for (let done = 0; done < half; done += 500) {
      const made = fc.sample(arbitrary, { seed: seed + done + (era === 'legacy' ? 0 : 1_000_003), numRuns: Math.min(500, half - done) });
      await atOnce(made, async ([method, params], at) => {
        const id = 1 + done + at;
        const sent = era === 'modern' && isObject(params) ? { ...params, _meta: ENVELOPE } : params;
        figures.calls += 1;
        const answer = await server.ask(id, method, sent).catch((): Values => ({ error: { message: '' } }));
        const problem = problemIn(answer);
        if (problem !== undefined) note(`${problem}: ${method} ${JSON.stringify(params).slice(0, 300)}`);
        const failed = 'error' in answer || (isObject(answer.result) && answer.result.isError === true);
        figures[failed ? 'errors' : 'answers'] += 1;
      });
      onProgress?.(figures.calls);
    }
    for (const line of server.log) note(`logged: ${line.slice(0, 600)}`);
    await server.close();
  }
  const after = JSON.stringify([[...demo.world.channels.values()], [...demo.world.projects.values()], [...demo.world.videos.values()]]);
  if (after !== before) note('the account was changed');
  await demo.close();
  return ended();
}

/** Counts the calls, and keeps the first problems. */
export function tally() {
  const begun = Date.now();
  const figures = { calls: 0, answers: 0, errors: 0, problems: [] as string[] };
  const note = (problem: string) => void (figures.problems.length < MAX_PROBLEMS && figures.problems.push(problem));
  const ended = (): Figures => {
    if (isPolluted()) note('what every object inherits was changed');
    return { ...figures, ms: Date.now() - begun };
  };
  return { figures, note, ended };
}

export async function atOnce<T>(items: readonly T[], act: (item: T, at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await act(items[at] as T, at); // within the list's length
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
