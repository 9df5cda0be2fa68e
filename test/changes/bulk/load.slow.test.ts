/** How many requests are in flight: fewer while the service refuses, more again afterwards; and an early end if it only fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { start } from '../../harness/start.ts';
import { expectTold, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const args = (ids: readonly string[]) => ({ targetProject: 'Archive', videoIds: ids });

test.concurrent('up to eight batches are in flight at once', async () => {
  const { demo, ids } = await manyVideos(50_000);
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 1_000 } });
  const { client } = await start({ demo, env: UNASKED });
  await client.callTool('move_videos', args(ids));
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together)).toBe(8);
});

test.concurrent.each([429, 503])('fewer requests are in flight while the service answers %i, and more again afterwards', async (code) => {
  const account = await manyVideos(60_000);
  const { demo } = account;
  const refusesFrom = 12;
  const refusals = 10;
  const isRefusing = (number: number) => number > refusesFrom && number <= refusesFrom + refusals;
  // All take the same time, so that none looks slow beside another, and longer than a busy machine takes to send several.
  demo.behaviour.onRequest = ({ path }) => (path === MOVE.path ? sleep(400) : undefined);
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
});

test.concurrent('refusals during the search for failing ids reduce the requests in flight only while they last', async () => {
  const account = await manyVideos(20_000, 60);
  const { demo } = account;
  const moves = () => requestsOf(demo, MOVE).length;
  const refusesFrom = 60;
  const refusals = 10;
  const isRefusing = (number: number) => number > refusesFrom && number <= refusesFrom + refusals;
  demo.faults.always({ match: { ...MOVE, when: () => !isRefusing(moves()) }, do: { kind: 'delay', ms: 80 } });
  demo.faults.always({ match: MOVE, do: { kind: 'status', code: 429, retryAfter: 0 } });
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(expectTold(account, data).failed).toHaveLength(60);
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together.slice(refusesFrom + refusals - 5, refusesFrom + refusals))).toBeLessThanOrEqual(2);
  expect(Math.max(...together.slice(refusesFrom + refusals))).toBeGreaterThanOrEqual(5);
});

test.concurrent('a move waits for a service that answers 429 for seconds without a Retry-After', async () => {
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

test.concurrent('a Retry-After that is too long ends the move and is named in the answer', async () => {
  const account = await manyVideos(5_000);
  account.demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 429, retryAfter: 86_400 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data, text } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(2_000);
  // Nothing is retried; the service got only what was in flight.
  const sent = requestsOf(account.demo, MOVE).length;
  expect(sent).toBeGreaterThanOrEqual(3);
  expect(sent).toBeLessThanOrEqual(5);
  expect(expectTold(account, data).failed).toEqual([]);
  expect(data).toMatchObject({ status: 'partly_applied', moved: 2_000 });
  expect(text).toContain('86400 seconds');
  expect(text).toContain('resume_change carries it on');
});

test.concurrent.each([
  ['a 500', { kind: 'status', code: 500 }],
  ['a 503 without Retry-After', { kind: 'status', code: 503 }],
  ['a closed connection', { kind: 'reset-before' }],
] as const)('a move ends after a few requests if all of them get %s, and resume_change completes it', async (_, fault) => {
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

test.concurrent('most of a long list is not sent to a service that only fails', async () => {
  const account = await manyVideos(40_000);
  account.demo.faults.always({ match: MOVE, do: { kind: 'status', code: 500 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(requestsOf(account.demo, MOVE).length).toBeLessThanOrEqual(60);
  expect(data).toMatchObject({ moved: 0, failedCount: 0, notSentCount: 36_000, unknownCount: 4_000 });
});

test.concurrent('a move waits as long as the Retry-After of a 503 asks', async () => {
  const account = await manyVideos(3_000);
  account.demo.faults.next({ match: MOVE, times: 20, do: { kind: 'status', code: 503, retryAfter: 1 } });
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(idsIn(account.demo, account.archive)).toHaveLength(3_000);
  expect(data).toMatchObject({ status: 'applied', moved: 3_000 });
});
