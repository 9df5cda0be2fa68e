/** As much at once as the service bears: fewer while it refuses, more again when it doesn't; and an end where it only fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { start } from '../../harness/start.ts';
import { expectTold, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const args = (ids: readonly string[]) => ({ targetProject: 'Archive', videoIds: ids });

test.concurrent('several batches are in flight at once, and never more than eight', async () => {
  const { demo, ids } = await manyVideos(50_000);
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 100 } });
  const { client } = await start({ demo, env: UNASKED });
  await client.callTool('move_videos', args(ids));
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together)).toBe(8);
});

test.concurrent.each([429, 503])(
  'while it answers %i fewer requests are under way, and all come back after',
  { timeout: 90_000 },
  async (code) => {
    const account = await manyVideos(60_000);
    const { demo } = account;
    const refusesFrom = 12;
    const refusals = 10;
    const isRefusing = (number: number) => number > refusesFrom && number <= refusesFrom + refusals;
    // All take the same time, so that none looks slow beside another.
    demo.behaviour.onRequest = ({ path }) => (path === MOVE.path ? sleep(40) : undefined);
    demo.faults.always({
      match: { ...MOVE, when: () => isRefusing(requestsOf(demo, MOVE).length) },
      do: { kind: 'status', code, retryAfter: 0 },
    });
    const { client } = await start({ demo, env: UNASKED });
    const { data } = await client.callTool('move_videos', args(account.ids));
    expect(idsIn(demo, account.archive)).toHaveLength(60_000);
    expect(data).toMatchObject({ status: 'applied', moved: 60_000, failed: [], unknown: [] });
    const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
    expect(Math.max(...together.slice(0, refusesFrom))).toBeGreaterThan(3);
    expect(Math.max(...together.slice(refusesFrom + refusals - 2, refusesFrom + refusals))).toBeLessThanOrEqual(3);
    expect(Math.max(...together.slice(-15))).toBeGreaterThanOrEqual(3);
  },
);

test.concurrent('refusals while single ids are looked for narrow it for their time alone', { timeout: 90_000 }, async () => {
  const account = await manyVideos(20_000, 60);
  const { demo } = account;
  const moves = () => requestsOf(demo, MOVE).length;
  const refusesFrom = 60;
  const refusals = 10;
  const isRefusing = (number: number) => number > refusesFrom && number <= refusesFrom + refusals;
  demo.faults.always({ match: { ...MOVE, when: () => !isRefusing(moves()) }, do: { kind: 'delay', ms: 10 } });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 429, retryAfter: 0 } });
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(expectTold(account, data).failed).toHaveLength(60);
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together.slice(refusesFrom + refusals - 5, refusesFrom + refusals))).toBeLessThanOrEqual(2);
  expect(Math.max(...together.slice(refusesFrom + refusals))).toBeGreaterThanOrEqual(5);
});

test.concurrent('a service that refuses everything for seconds without saying for how long is waited for', async () => {
  const account = await manyVideos(5_000);
  const until = Date.now() + 4_000;
  account.demo.faults.always({ match: { ...MOVE, when: () => Date.now() < until }, do: { kind: 'status', code: 429 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(5_000);
  expect(data).toMatchObject({ status: 'applied', moved: 5_000 });
  // A handful of attempts a second, not hundreds.
  expect(requestsOf(account.demo, MOVE).length).toBeLessThan(80);
});

test.concurrent('a wait that the service asks for beyond all patience ends it, with what it asked for', async () => {
  const account = await manyVideos(5_000);
  account.demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 429, retryAfter: 86_400 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(2_000);
  // It is not asked again; what was in flight is all that it got.
  expect(requestsOf(account.demo, MOVE)).toHaveLength(5);
  expect(expectTold(account, data).failed).toEqual([]);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_000 });
  expect(text).toContain('86400 seconds');
  expect(text).toContain('resume_change carries it on');
});

test.concurrent.each([
  ['an error of its own', { kind: 'status', code: 500 }],
  ['an error of its own that names no time to come back', { kind: 'status', code: 503 }],
  ['a closed connection', { kind: 'reset-before' }],
] as const)('a service that answers every request with %s is left in peace after a few, and resume_change carries on', async (_, fault) => {
  const account = await manyVideos(3_000);
  const { demo } = account;
  demo.faults.always({ match: MOVE, do: fault });
  const { client } = await start({ demo, env: UNASKED });
  const { data, text } = await client.callTool('move_videos', args(account.ids));
  expect(requestsOf(demo, MOVE).length).toBeLessThanOrEqual(60);
  expect(idsIn(demo, account.archive)).toEqual([]);
  expect(expectTold(account, data).failed).toEqual([]);
  expect(text).toContain('resume_change carries it on');
  demo.faults.clear();
  const resumed = await client.callTool('resume_change', { changeId: data?.changeId });
  expect(idsIn(demo, account.archive)).toHaveLength(3_000);
  expect(resumed.data).toMatchObject({ status: 'applied', moved: 3_000 });
});

test.concurrent('of a long list most is not sent to a service that only fails', async () => {
  const account = await manyVideos(40_000);
  account.demo.faults.always({ match: MOVE, do: { kind: 'status', code: 500 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(60);
  expect(data).toMatchObject({ moved: 0, failedCount: 0, notSentCount: 36_000, unknownCount: 4_000 });
});

test.concurrent('a 503 that names a time to come back is waited for', async () => {
  const account = await manyVideos(3_000);
  account.demo.faults.next({ match: MOVE, times: 20, do: { kind: 'status', code: 503, retryAfter: 1 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(3_000);
  expect(data).toMatchObject({ status: 'applied', moved: 3_000 });
});
