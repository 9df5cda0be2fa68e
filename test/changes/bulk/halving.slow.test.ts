/** The search for the ids that fail: what it costs, and where it ends. */
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/demo/random.ts';
import { start } from '../../harness/start.ts';
import { agree } from '../support/confirm.ts';
import { type Account, expectTold, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

/** At most one request for each thousand, two for each halving down to each failing id, and two tries of each of those. */
function bound(bad: number, of: number): number {
  return Math.ceil(of / 1_000) + Math.ceil(2 * bad * (Math.log2(of / bad) + 1.5));
}

async function moveAll({ demo, ids }: Account) {
  const { client } = await start({ demo, env: UNASKED });
  return client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
}

function poison({ demo, ids }: Account, share: number): void {
  const random = createRandom(3);
  for (const id of ids) if (random.chance(share)) demo.world.poisonedVideoIds.add(id);
}

describe.concurrent.each([true, false])('a service that moves the other ids of a failing batch: %s', (movesGoodOnes) => {
  test.each([
    [1, 1_000],
    [1, 10_000],
    [7, 5_000],
    [50, 10_000],
    [3, 3],
    [1, 1],
    [2, 1_001],
  ])('%i failing ids of %i cost about 2k·log2(n/k) requests', async (bad, of) => {
    const account = await manyVideos(of, bad);
    account.demo.behaviour.moveAppliesGoodOnes = movesGoodOnes;
    const { data } = await moveAll(account);
    expect(idsIn(account.demo, account.archive)).toHaveLength(of - bad);
    expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(bound(bad, of));
    const { failed, unknown } = expectTold(account, data);
    expect([sorted(failed), unknown]).toEqual([sorted(account.poisoned), []]);
    expect(data).toMatchObject({ status: bad === of ? 'failed' : 'partly_applied' });
  });
});

test.concurrent('the ids of each request are neighbours in the list, and none is sent more often than the search needs', async () => {
  const account = await manyVideos(4_000, 4);
  await moveAll(account);
  const times = new Map<string, number>();
  for (const { body } of requestsOf(account.demo, MOVE)) {
    const { videoIds } = body as { videoIds: string[] }; // as move sends it
    const first = account.ids.indexOf(String(videoIds[0]));
    expect(videoIds).toEqual(account.ids.slice(first, first + videoIds.length));
    for (const id of videoIds) times.set(id, (times.get(id) ?? 0) + 1);
  }
  expect(Math.max(...times.values())).toBeLessThanOrEqual(1 + Math.ceil(Math.log2(1_000)) + 1);
});

test.concurrent('ids that the service does not know are reported as failed', async () => {
  const account = await manyVideos(1_500);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const wrong = ['nope', 'b1d0-not-one', [...account.demo.world.videosByKey.keys()][5] ?? ''];
  const videoIds = [...account.ids.slice(0, 700), ...wrong, ...account.ids.slice(700)];
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds });
  expect(idsIn(account.demo, account.archive)).toHaveLength(1_500);
  expect(data).toMatchObject({ moved: 1_500, failed: wrong.map((id) => ({ id })), unknown: [] });
});

test.concurrent('a list of failing ids only ends at the limit of requests, and the rest is not known', async () => {
  const account = await manyVideos(5_000);
  poison(account, 1);
  const { client } = await start({ demo: account.demo });
  const args = { targetProject: 'Archive', videoIds: account.ids };
  const { data } = await agree(client, 'move_videos', args);
  expect(idsIn(account.demo, account.archive)).toEqual([]);
  expect(requestsOf(account.demo, MOVE)).toHaveLength(5_005);
  const { failed, unknown } = expectTold(account, data);
  expect(failed.length + unknown.length).toBe(5_000);
  expect(unknown.length).toBeGreaterThan(1_000);
  // The failures found before the limit are reported.
  expect(failed.length).toBeGreaterThan(1_000);
  expect(data).toMatchObject({ requests: 5_005, notSentCount: 0, note: expect.stringContaining('The limit of 5,005 requests') });
  expect(JSON.stringify(data?.unknown)).toContain('The limit of requests for one change was reached');
});

test.concurrent('refused batches are not known at the limit of requests, and resume_change finds their failing ids', async () => {
  // Every second id fails, so finding them all takes some 6,000 requests.
  const account = await manyVideos(3_000);
  const bad = new Set(account.ids.filter((_, at) => at % 2 === 1));
  account.demo.faults.always({ match: { ...MOVE, when: ({ body }) => names(body, bad) }, do: { kind: 'status', code: 400 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  let { data, text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(expectTold(account, data).unknown.length).toBeGreaterThan(100);
  expect(data).toMatchObject({ status: 'partly_applied', notSentCount: 0 });
  expect(text).toContain('The limit of 5,003 requests for one change was reached');
  for (let turns = 0; turns < 5 && data?.unknownCount !== 0; turns += 1)
    ({ data, text } = await client.callTool('resume_change', { changeId: data?.changeId }));
  expect(idsIn(account.demo, account.archive)).toHaveLength(1_500);
  expect(sorted(expectTold(account, data).failed)).toEqual(sorted(bad));
});

test.concurrent('the limit of requests counts retries too', async () => {
  const account = await manyVideos(3_000);
  poison(account, 1);
  account.demo.faults.random({ rate: 0.1, seed: 5, faults: [{ kind: 'status', code: 500, retryAfter: 0 }] });
  const { data } = await moveAll(account);
  // Requests in flight when the limit is reached can each be retried.
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(5_003 + 8 * 3);
  expect(data?.requests).toBe(requestsOf(account.demo, MOVE).length);
  expectTold(account, data);
});

test.concurrent('a batch that gets a 500 is halved until each id that causes it is alone', async () => {
  const account = await manyVideos(20_000);
  const bad = new Set([777, 5_500, 19_999].map((at) => account.ids[at] ?? ''));
  account.demo.faults.always({
    match: { ...MOVE, when: ({ body }) => names(body, bad) },
    do: { kind: 'status', code: 500, retryAfter: 0 },
  });
  const { data } = await moveAll(account);
  expect(idsIn(account.demo, account.archive)).toHaveLength(19_997);
  // A 500 does not show that nothing was done.
  expect(data).toMatchObject({ status: 'partly_applied', moved: 19_997, failed: [], unknownCount: 3 });
  expect(sorted(expectTold(account, data).unknown)).toEqual(sorted(bad));
});

test.concurrent('the search goes on even if every batch has an id that the service can’t process', async () => {
  const account = await manyVideos(12_000);
  const bad = new Set(account.ids.filter((_, at) => at % 1_000 === 500));
  account.demo.faults.always({
    match: { ...MOVE, when: ({ body }) => names(body, bad) },
    do: { kind: 'garbage', shape: 'null', processed: false },
  });
  const { data } = await moveAll(account);
  expect(idsIn(account.demo, account.archive)).toHaveLength(11_988);
  expect(data).toMatchObject({ moved: 11_988, unknownCount: 12, notSentCount: 0 });
});

test.concurrent('a batch that gets a 400 is halved until the ids that cause it are found', async () => {
  const account = await manyVideos(3_000);
  const bad = new Set(account.ids.slice(1_234, 1_236));
  const refusal = { kind: 'status', code: 400, body: { message: 'One of them has no file.' } } as const;
  account.demo.faults.always({ match: { ...MOVE, when: ({ body }) => names(body, bad) }, do: refusal });
  const { data } = await moveAll(account);
  expect(idsIn(account.demo, account.archive)).toHaveLength(2_998);
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(bound(2, 3_000));
  expect(data).toMatchObject({ moved: 2_998, failedCount: 2, unknownCount: 0 });
  expect(JSON.stringify(data?.failed)).toContain('One of them has no file.');
});

test.concurrent('a 400 counts as caused by the ids unless the service reports that the project is gone', async () => {
  const account = await manyVideos(3_000);
  const { demo, archive } = account;
  const bad = new Set(account.ids.slice(1_234, 1_235));
  demo.faults.always({ match: { ...MOVE, when: ({ body }) => names(body, bad) }, do: { kind: 'status', code: 400 } });
  const { client } = await start({ demo, env: UNASKED });
  const isBegun = () => requestsOf(demo, MOVE).length > 0;
  const fails = { kind: 'status', code: 500, retryAfter: 0 } as const;
  demo.faults.always({ match: { method: 'GET', path: `/v1/projects/${archive}`, when: isBegun }, do: fails });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: account.ids });
  expect(idsIn(demo, archive)).toHaveLength(2_999);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_999, failedCount: 1, unknownCount: 0 });
});

test.concurrent('a single id that is refused once is tried again', async () => {
  const account = await manyVideos(1);
  account.demo.faults.next({ match: MOVE, do: { kind: 'status', code: 400, body: { message: 'Not now.' } } });
  const { data } = await moveAll(account);
  expect(idsIn(account.demo, account.archive)).toEqual(account.ids);
  expect(data).toMatchObject({ status: 'applied', moved: 1, failedCount: 0 });
});

test.concurrent('a request that is too large is halved', async () => {
  const account = await manyVideos(2_000);
  const isLarge = ({ bodyBytes }: { bodyBytes: number }) => bodyBytes > 8_000;
  account.demo.faults.always({ match: { ...MOVE, when: isLarge }, do: { kind: 'status', code: 413 } });
  const { data } = await moveAll(account);
  expect(idsIn(account.demo, account.archive)).toHaveLength(2_000);
  expect(data).toMatchObject({ status: 'applied', moved: 2_000 });
});

function names(body: unknown, ids: ReadonlySet<string>): boolean {
  const { videoIds } = body as { videoIds?: unknown }; // of a fault's request, which is a move
  return Array.isArray(videoIds) && videoIds.some((id) => ids.has(String(id)));
}
