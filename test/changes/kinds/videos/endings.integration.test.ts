/** What ends a move early, and how the rest is then reported. */
import { describe, expect, test } from 'vitest';
import { recordsIn } from '../../../harness/client.ts';
import type { Fault } from '../../../harness/faults.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { expectTold, idsIn, JWT, MOVE, manyVideos, outcomesOf, requestsOf, sorted, UNASKED } from './harness.ts';

const args = (ids: readonly string[]) => ({ targetProject: 'Archive', videoIds: ids });

test('one video that may not be moved is found and named, and all others are moved', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(3_000);
  demo.behaviour.managerProjects = new Set([elsewhere, archive]);
  const forbidden = ids[1_500] ?? '';
  const outside = [...demo.world.projects.keys()].find((id) => id !== elsewhere && id !== archive) ?? '';
  Object.assign(demo.world.videos.get(forbidden) ?? {}, { projectId: outside });
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', { ...args(ids), fromProject: elsewhere });
  expect(sorted(idsIn(demo, archive))).toEqual(sorted(ids.filter((id) => id !== forbidden)));
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_999, notSentCount: 0 });
  expect(data?.failed).toMatchObject([{ id: forbidden, reason: expect.stringContaining('You have no access to the project') }]);
});

test('a token that may move nothing ends the move after some parts were tried, with the service’s message', async () => {
  const account = await manyVideos(20_000, 0, 1, JWT);
  account.demo.behaviour.managerProjects = new Set(['another']);
  const { client } = await start({ demo: account.demo, env: { ...UNASKED, VIDEO_HOSTING_ACCESS_TOKEN: JWT } });
  const { data, isError, text } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toEqual([]);
  // Forty, and those that were in flight together.
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(48);
  expect(isError).toBe(true);
  expect(data).toMatchObject({ status: 'failed', moved: 0, notSentCount: 20_000, failed: [], unknown: [] });
  expect(text).toContain('You have no access to the project of one or more videos.');
  expect(text).toContain('It looks as if this key may move none of these videos.');
  expect(text).toMatch(/Next: A manager is limited to some projects.*resume_change sends the rest, of which some may be allowed/);
});

test('where hundreds in a row are forbidden after some were moved, the rest is told as not sent, and carried on once it is allowed', async () => {
  const { demo, ids, archive, elsewhere } = await manyVideos(4_000, 0, 1, JWT);
  demo.behaviour.managerProjects = new Set([elsewhere, archive]);
  const outside = [...demo.world.projects.keys()].find((id) => id !== elsewhere && id !== archive) ?? '';
  const allowed = new Set(ids.slice(0, 1_000));
  for (const id of ids.slice(1_000)) Object.assign(demo.world.videos.get(id) ?? {}, { projectId: outside });
  const { client } = await start({ demo, env: { ...UNASKED, VIDEO_HOSTING_ACCESS_TOKEN: JWT } });
  const { data } = await client.callTool('move_videos', args(ids));
  expect(new Set(idsIn(demo, archive))).toEqual(allowed);
  expect(requestsOf(demo, MOVE).length).toBeLessThanOrEqual(510);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 1_000, unknownCount: 0 });
  expect(Number(data?.notSentCount)).toBeGreaterThan(2_000);
  expect(data?.note).toMatch(/answered so to \d+ requests in a row, so the rest was not sent\. It may move some videos/);
  demo.behaviour.managerProjects = new Set(demo.world.projects.keys());
  const resumed = await client.callTool('resume_change', { changeId: data?.changeId, retryFailed: true });
  expect(idsIn(demo, archive)).toHaveLength(4_000);
  expect(resumed.data).toMatchObject({ status: 'applied', moved: 4_000 });
});

test.each([
  ['401', { kind: 'status', code: 401, body: { message: 'Expired.' } }],
  ['404', { kind: 'status', code: 404, body: { message: 'Gone.' } }],
  ['302', { kind: 'redirect', location: 'https://elsewhere.example/' }],
  ['405', { kind: 'status', code: 405, body: { message: 'No.' } }],
] as const)('a %s during the search for failing ids leaves the outcome of what was sent before not known', async (_, fault: Fault) => {
  const account = await manyVideos(1_000, 1);
  // The first answer, ok: false, has moved 999 of them.
  account.demo.faults.always({ match: MOVE, skip: 1, do: fault });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(999);
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(3);
  const { failed, unknown } = outcomesOf(data);
  expect(failed).toEqual([]);
  expect(sorted(unknown)).toEqual(sorted(account.ids));
  expect(data).toMatchObject({ moved: 0, unknownCount: 1_000, notSentCount: 0 });
});

test('a Retry-After that is too long ends the move and is named in the answer', async () => {
  const account = await manyVideos(5_000);
  account.demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 429, retryAfter: 86_400 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(2_000);
  // Nothing is retried; the service got only what was in flight.
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(5);
  expect(expectTold(account, data).failed).toEqual([]);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_000 });
  expect(text).toMatch(/it asked to wait until \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);
  expect(text).toContain('resume_change carries it on');
});

test('a target project that is deleted during the move ends it', async () => {
  const account = await manyVideos(30_000);
  account.demo.behaviour.onProcessed = () => {
    if (requestsOf(account.demo, MOVE).length === 10) account.demo.world.projects.delete(account.archive);
  };
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('move_videos', args(account.ids));
  expect(requestsOf(account.demo, MOVE).length).toBeLessThan(30);
  expect(idsIn(account.demo, account.archive)).toHaveLength(Number(data?.moved));
  expect(expectTold(account, data)).toEqual({ failed: [], unknown: [] });
  expect(data?.moved).toBeGreaterThanOrEqual(8_000);
  expect(text).toContain('The target project could not be resolved.');
});

describe('a service that becomes unavailable during a move', () => {
  test('ends it with the rest not sent, and resume_change completes it when the service is back', async () => {
    const account = await manyVideos(40_000);
    account.demo.faults.always({ skip: 12, do: { kind: 'reset-before' } });
    const home = freshHome();
    const { client } = await start({ demo: account.demo, env: UNASKED, home });
    const other = await start({ demo: account.demo, env: UNASKED, home });
    const { data, text } = await client.callTool('move_videos', args(account.ids));
    const before = expectTold(account, data);
    expect(before.failed).toEqual([]);
    // Eight are in flight, and five more may have begun when the sixth in a row was lost.
    expect(before.unknown.length).toBeLessThanOrEqual(13_000);
    expect(data).toMatchObject({ status: 'partly_applied', notSentCount: 40_000 - Number(data?.moved) - before.unknown.length });
    expect(Number(data?.notSentCount)).toBeGreaterThanOrEqual(15_000);
    expect(text).toContain('resume_change carries it on');
    const listed = async (status: string) => recordsIn((await other.client.callTool('list_changes', { status })).data, 'changes').length;
    expect([await listed('partly_applied'), await listed('applied')]).toEqual([1, 0]);
    const sentBefore = requestsOf(account.demo, MOVE).length;
    account.demo.faults.clear();
    const resumed = await client.callTool('resume_change', { changeId: data?.changeId });
    expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(account.ids));
    expect(resumed.data).toMatchObject({ status: 'applied', moved: 40_000, unknownCount: 0, notSentCount: 0 });
    expect([await listed('applied'), await listed('partly_applied')]).toEqual([1, 0]);
    const again = requestsOf(account.demo, MOVE).slice(sentBefore);
    const ids = again.flatMap(({ body }) => (body as { videoIds: string[] }).videoIds); // as move sends it
    expect(ids).toHaveLength(40_000 - Number(data?.moved));
  });

  test('leaves the ids that were never sent as not sent, if it can’t be reached at all', async () => {
    const account = await manyVideos(30_000);
    account.demo.behaviour.onProcessed = ({ path }) => {
      if (path === MOVE.path && requestsOf(account.demo, MOVE).length === 10) void account.demo.close();
    };
    const { client } = await start({ demo: account.demo, env: UNASKED });
    const { data } = await client.callTool('move_videos', args(account.ids));
    const { failed, unknown } = expectTold(account, data);
    const arrived = requestsOf(account.demo, MOVE).length;
    expect(failed).toEqual([]);
    // Only those whose request arrived can be in doubt.
    expect(unknown.length).toBeLessThanOrEqual(8_000);
    // Of the other requests in flight, some may have reached a connection that closed before they were read.
    expect(Number(data?.notSentCount)).toBeGreaterThanOrEqual(30_000 - (arrived + 7) * 1_000);
    expect(Number(data?.moved) + unknown.length + Number(data?.notSentCount)).toBe(30_000);
  });
});
