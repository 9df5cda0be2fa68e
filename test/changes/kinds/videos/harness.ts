/**
 * What tests of bulk changes share: an account with many videos, every way in which a request can fail, and the whole
 * list of outcomes that a change reports, compared with the state of the service.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, vi } from 'vitest';
import { createRandom } from '../../../../src/demo/random.ts';
import type { DemoVideo } from '../../../../src/demo/records.ts';
import type { DemoRequest } from '../../../../src/demo/requests.ts';
import { definedFields } from '../../../../src/platform/defined-fields.ts';
import type { TestClient, ToolReply, Values } from '../../../harness/client.ts';
import type { Fault } from '../../../harness/faults.ts';
import { type DemoService, startService } from '../../../harness/service.ts';
import { freshHome } from '../../../harness/start.ts';

/** No person is asked: these tests are about what follows the confirmation. */
export const UNASKED = { VIDEO_HOSTING_CONFIRM: 'never' };

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token by its form, which the service may want for moves; `seconds` since the epoch. */
export const jwtUntil = (seconds: number): string => `${base64({ alg: 'none' })}.${base64({ exp: seconds })}.c2lnbmF0dXJl`;
export const JWT = jwtUntil(4_102_444_800);

export const MOVE = { method: 'POST', path: '/v1/videos/change-project' } as const;
export const COPY = { method: 'POST', path: /\/cta\/copy$/ } as const;

/** An account with so many videos, none of them in Archive. No move of the `poisoned` ones succeeds. */
export async function manyVideos(videos: number, poisoned = 0, seed = 1, accessToken?: string): Promise<Account> {
  const demo = await startService({ videos, views: 0, channels: 3, ...definedFields({ accessToken }) });
  const elsewhere = demo.world.projectNamed('Marketing').id;
  for (const video of demo.world.videos.values()) video.projectId = elsewhere;
  const ids = [...demo.world.videos.keys()];
  const random = createRandom(seed);
  while (demo.world.poisonedVideoIds.size < poisoned) demo.world.poisonedVideoIds.add(random.pick(ids));
  return { demo, ids, poisoned: demo.world.poisonedVideoIds, archive: demo.world.projectNamed('Archive').id, elsewhere };
}

/** An account and a folder with a file of ids. */
export async function withFile(videos: number, poisoned: number, lines: (ids: readonly string[]) => readonly string[], name = 'ids.txt') {
  const account = await manyVideos(videos, poisoned);
  const home = freshHome();
  const folder = freshHome();
  writeFileSync(join(folder, name), lines(account.ids).join('\n'));
  return { ...account, home, folder, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: folder } };
}

export interface Account {
  readonly demo: DemoService;
  readonly ids: readonly string[];
  readonly poisoned: ReadonlySet<string>;
  readonly archive: string;
  readonly elsewhere: string;
}

/** Ids of the videos that are in a project now. */
export function idsIn(demo: DemoService, projectId: string): string[] {
  return [...demo.world.videos.values()].filter((video) => video.projectId === projectId).map(({ id }) => id);
}

/** Lets go of what is held, once a change that runs was asked to stop. */
export async function onceStopping(client: TestClient, changeId: unknown, letGo: () => void): Promise<void> {
  const note = async () => (await client.callTool('get_change', { changeId })).data?.note;
  await vi.waitFor(async () => expect(await note()).toContain('It was asked to stop'), { timeout: 300_000 });
  letGo();
}

export const sorted = (values: Iterable<string>): string[] => [...values].sort((a, b) => (a < b ? -1 : 1));

/** Transient faults: a retry can succeed. Some occur before the request is processed, some after. */
export const PASSING: readonly Fault[] = [
  { kind: 'status', code: 500 },
  { kind: 'status', code: 500, processed: true, body: '<h1>Oops</h1>' },
  { kind: 'status', code: 502, body: '' },
  { kind: 'status', code: 504, processed: true },
  { kind: 'status', code: 408 },
  { kind: 'status', code: 429 },
  { kind: 'status', code: 429, retryAfter: 0, processed: true },
  { kind: 'status', code: 503, retryAfter: 0 },
  { kind: 'status', code: 503, retryAfter: 'Thu, 01 Jan 1970 00:00:00 GMT', processed: true },
  { kind: 'status', code: 400 },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'truncate' },
  { kind: 'delay', ms: 30 },
  { kind: 'delay', ms: 30, processFirst: true },
  { kind: 'drip', bytes: 3, ms: 1 },
  ...(['html', 'not-json', 'half-json', 'wrong-shape', 'null', 'empty'] as const).flatMap((shape): Fault[] => [
    { kind: 'garbage', shape },
    { kind: 'garbage', shape, processed: false },
  ]),
  { kind: 'garbage', shape: 'gzip-bomb', bytes: 100_000 },
];

/** Requests of one kind that the service received. */
export function requestsOf(demo: DemoService, match: { readonly path: string | RegExp }): DemoRequest[] {
  return demo.requests.filter(({ path }) => (typeof match.path === 'string' ? path === match.path : match.path.test(path)));
}

export interface Outcomes {
  readonly failed: readonly string[];
  readonly unknown: readonly string[];
}

/** Every id that a change reports as failed or not known, from its answer or, if that is cut, from its file of outcomes. */
export function outcomesOf(data: Values | undefined): Outcomes {
  const listed = (name: string) => (Array.isArray(data?.[name]) ? data[name].map((entry: Values) => String(entry.id)) : []);
  if (data?.leftOut === undefined) return { failed: listed('failed'), unknown: listed('unknown') };
  const file = String(data.notDoneFile);
  expect(existsSync(file)).toBe(true);
  const rows: { id: string; outcome: string; reason: string }[] = parse(readFileSync(file), { columns: true, bom: true });
  expect(rows.every(({ reason }) => reason !== '')).toBe(true);
  const of = (outcome: string) => rows.filter((row) => row.outcome === outcome).map(({ id }) => id);
  return { failed: of('failed'), unknown: of('unknown') };
}

/** Waits until a change of any process has ended, and returns the reply of `get_change`. */
export async function ended(client: TestClient, changeId: unknown): Promise<ToolReply> {
  for (;;) {
    const reply = await client.callTool('get_change', { changeId, waitSeconds: 20 });
    if (reply.data?.status !== 'running') return reply;
  }
}

/** Compares the answer of a move with the state of the service: apart from what is not known, exactly the videos reported as moved are moved. */
export function expectTold(account: Account, data: Values | undefined, ids: readonly string[] = account.ids): Outcomes {
  const outcomes = outcomesOf(data);
  const untold = new Set([...outcomes.failed, ...outcomes.unknown]);
  const there = new Set(idsIn(account.demo, account.archive));
  expect(outcomes.failed.filter((id) => there.has(id))).toEqual([]);
  const moved = ids.filter((id) => there.has(id) && !untold.has(id));
  expect(data).toMatchObject({ moved: moved.length, failedCount: outcomes.failed.length, unknownCount: outcomes.unknown.length });
  expect(data?.total).toBe(ids.length);
  return outcomes;
}

/** The videos that got a copy twice; there must be none. */
export function doubled(demo: DemoService): DemoVideo[] {
  return [...demo.world.videos.values()].filter(({ ctaCopies }) => ctaCopies.length > 1);
}

export const copiedIds = (demo: DemoService): string[] =>
  [...demo.world.videos.values()].filter(({ ctaCopies }) => ctaCopies.length === 1).map(({ id }) => id);

/** The folder in which an account's changes are kept. */
export function changesFolder({ dataDir }: { readonly dataDir: string }): string {
  const accounts = join(dataDir, 'accounts');
  return join(accounts, readdirSync(accounts)[0] ?? '', 'changes');
}

/** Does something, and counts the turns that the event loop had for other work meanwhile. */
export async function countTurns<T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await act().finally(() => {
    isOver = true;
  });
  return { result, turns };
}
