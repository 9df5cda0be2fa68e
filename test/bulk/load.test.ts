/** As much at once as the service bears: fewer while it strains or refuses, more again when it doesn't. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createPacer } from '../../src/changes/bulk/pacer.ts';
import { createPatience } from '../../src/changes/bulk/patience.ts';
import { VideoHostingError } from '../../src/errors.ts';
import { atEnd } from '../harness/cleanup.ts';
import { start } from '../harness/start.ts';
import { expectTold, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const args = (ids: readonly string[]) => ({ targetProject: 'Archive', videoIds: ids });

test('several batches are in flight at once, and never more than eight', async () => {
  const { demo, ids } = await manyVideos(50_000);
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms: 100 } });
  const { client } = await start({ demo, env: UNASKED });
  await client.callTool('move_videos', args(ids));
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together)).toBe(8);
});

test.each([429, 503])('while it answers %i there is one request at a time, and all comes back after', async (code) => {
  const account = await manyVideos(60_000);
  const { demo } = account;
  const refusesFrom = 12;
  const refusals = 30;
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
  expect(Math.max(...together.slice(refusesFrom + refusals - 5, refusesFrom + refusals))).toBeLessThanOrEqual(2);
  expect(Math.max(...together.slice(-15))).toBeGreaterThanOrEqual(3);
});

test('refusals while single ids are looked for narrow it for their time alone', { timeout: 60_000 }, async () => {
  const account = await manyVideos(20_000, 60);
  const { demo } = account;
  const moves = () => requestsOf(demo, MOVE).length;
  const refusesFrom = 60;
  const refusals = 20;
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

test('a service that refuses everything for seconds without saying for how long is waited for', async () => {
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

test('a wait that the service asks for beyond all patience ends it, with what it asked for', async () => {
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
  expect(text).toContain('resume_change carries it on.');
});

test('batches that take much longer than the quickest did narrow it, and quick ones widen it', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  atEnd(() => void vi.useRealTimers());
  const pacer = createPacer(8);
  const batch = (ms: number, sort = '1000 done') => {
    const finish = pacer.begin();
    vi.advanceTimersByTime(ms);
    finish(sort);
  };
  for (let round = 0; round < 3; round += 1) batch(5);
  expect(pacer.width).toBe(8);
  for (let round = 0; round < 4; round += 1) batch(250);
  expect(pacer.width).toBe(4);
  for (let round = 0; round < 14; round += 1) batch(5);
  expect(pacer.width).toBe(8);
  for (let round = 0; round < 4; round += 1) batch(250);
  // A refusal is quick because nothing is done for it: what is done is not slow beside it.
  for (let round = 0; round < 8; round += 1) {
    batch(1, '500 refused');
    batch(90, '500 done');
  }
  expect(pacer.width).toBe(8);
});

test('rising latency of the service narrows what is in flight', async () => {
  const account = await manyVideos(60_000);
  const { demo } = account;
  demo.faults.next({ match: MOVE, times: 16, do: { kind: 'delay', ms: 30 } });
  demo.faults.next({ match: MOVE, times: 25, do: { kind: 'delay', ms: 400 } });
  const { client } = await start({ demo, env: UNASKED });
  const { data } = await client.callTool('move_videos', args(account.ids));
  expect(data).toMatchObject({ status: 'applied', moved: 60_000 });
  const together = requestsOf(demo, MOVE).map(({ inFlight }) => inFlight);
  expect(Math.max(...together.slice(0, 16))).toBeGreaterThan(4);
  expect(Math.max(...together.slice(29, 36))).toBeLessThanOrEqual(3);
});

const refusal = (retryAfterMs?: number) =>
  new VideoHostingError('rate_limited', 'Too many.', { facts: retryAfterMs === undefined ? {} : { retryAfterMs } });
const never = new AbortController().signal;

test('pauses double up to a minute, and end after ten minutes in all; any answer that makes sense starts anew', async () => {
  let now = 0;
  const slept: number[] = [];
  const sleepNow = async (ms: number) => {
    slept.push(ms);
    now += ms;
  };
  const patience = createPatience({ sleep: sleepNow, now: () => now });
  const untilItEnds = async () => {
    while (!patience.busy(refusal(), never)) await patience.pause;
  };
  await untilItEnds();
  expect(slept.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(now).toBeGreaterThan(8 * 60_000);
  expect(now).toBeLessThanOrEqual(10 * 60_000);
  const inAll = now;
  patience.answered();
  await untilItEnds();
  // As long again, and as slowly.
  expect(now).toBe(2 * inAll);
  expect(slept.slice(slept.length / 2)).toEqual(slept.slice(0, slept.length / 2));
  patience.answered();
  slept.length = 0;
  expect(patience.busy(refusal(25_000), never)).toBe(false);
  await patience.pause;
  expect(slept).toEqual([25_000]);
  expect(patience.busy(refusal(9 * 60_000 + 40_000), never)).toBe(true);
});

test('a stop ends the pause that is on, and no pause stays on that could not be slept through', async () => {
  const stop = new AbortController();
  const patience = createPatience({});
  expect(patience.busy(refusal(600_000 - 1_000), stop.signal)).toBe(false);
  expect(patience.pause).toBeDefined();
  stop.abort();
  await patience.pause;
  expect(patience.pause).toBeUndefined();
});

test('of refusals during one pause only the first makes one', async () => {
  let letGo = (): void => {};
  const slept: number[] = [];
  const sleepLong = (ms: number) => {
    slept.push(ms);
    return new Promise<void>((resolve) => {
      letGo = resolve;
    });
  };
  const patience = createPatience({ sleep: sleepLong, now: () => 0 });
  for (let count = 0; count < 5; count += 1) expect(patience.busy(refusal(), never)).toBe(false);
  const { pause } = patience;
  letGo();
  await pause;
  patience.busy(refusal(), never);
  expect(slept).toEqual([1_000, 2_000]);
});

test('fates that are not known, one after the other, end it where the service is gone, or goes on like that', async () => {
  let isThere = true;
  let probes = 0;
  const probe = async () => {
    probes += 1;
    return isThere;
  };
  const patience = createPatience({ probe });
  const unknowns = async (most: number) => {
    for (let count = 1; count <= most; count += 1) if (await patience.unknown()) return count;
    return undefined;
  };
  expect(await unknowns(59)).toBeUndefined();
  expect(probes).toBe(9);
  expect(await unknowns(1)).toBe(1);
  patience.answered();
  isThere = false;
  expect(await unknowns(5)).toBeUndefined();
  expect(patience.isDoubtful).toBe(false);
  patience.answered();
  expect(await unknowns(60)).toBe(6);
  expect(patience.isDoubtful).toBe(true);
  patience.answered();
  expect(patience.isDoubtful).toBe(false);
  // Nobody to ask, so that doubt is enough.
  const blind = createPatience({});
  for (let count = 1; count <= 6; count += 1) expect(await blind.unknown()).toBe(count === 6);
});
