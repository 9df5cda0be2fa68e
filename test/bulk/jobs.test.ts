/** A bulk change as a job: how far it is, who waits for it, who may stop it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { CLIENT_KINDS, type Progress, recordsIn } from '../harness/client.ts';
import { freshHome, start } from '../harness/start.ts';
import { type Account, ended, expectTold, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const args = ({ ids }: Account) => ({ targetProject: 'Archive', videoIds: ids });

/** Every move takes this long. */
function slow({ demo }: Account, ms: number): void {
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms } });
}

const begun = ({ demo }: Account, requests = 1) =>
  vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThanOrEqual(requests), { timeout: 10_000 });

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('tells how far it is: done of total, the rate, the time left', async () => {
    const account = await manyVideos(20_000);
    slow(account, 150);
    const { client } = await start({ client: kind, demo: account.demo, env: UNASKED });
    const seen: Progress[] = [];
    const { data } = await client.callTool('move_videos', args(account), { onProgress: (progress) => seen.push(progress) });
    expect(data).toMatchObject({ status: 'applied' });
    const steps = seen.filter(({ total }) => total === 20_000);
    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(steps.map(({ progress }) => progress)).toEqual(steps.map(({ progress }) => progress).toSorted((a, b) => a - b));
    for (const { progress, message } of steps) {
      expect(progress).toBeLessThanOrEqual(20_000);
      expect(message).toMatch(/^\d+ of 20000, \d+ a second(, \d+ s left)?$/);
    }
  });

  test('a client that gives up stops it after the requests in flight', async () => {
    const account = await manyVideos(60_000);
    slow(account, 100);
    const { client } = await start({ client: kind, demo: account.demo, env: UNASKED });
    const giveUp = new AbortController();
    const call = client.callTool('move_videos', args(account), { signal: giveUp.signal });
    call.catch(() => undefined);
    await begun(account, 6);
    giveUp.abort('enough');
    await expect(call).rejects.toThrow();
    const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
    const { data, text } = await ended(client, change?.changeId);
    const sent = requestsOf(account.demo, MOVE).length;
    await sleep(300);
    expect(requestsOf(account.demo, MOVE)).toHaveLength(sent);
    expect(sent).toBeLessThanOrEqual(16);
    expect(expectTold(account, data)).toEqual({ failed: [], unknown: [] });
    expect(idsIn(account.demo, account.archive)).toHaveLength(sent * 1_000);
    expect(data).toMatchObject({ status: 'stopped', moved: sent * 1_000, notSentCount: 60_000 - sent * 1_000 });
    expect(text).toContain('resume_change carries it on.');
  });

  test('goes on after the call’s budget, and get_change waits for it within the same budget', async () => {
    const account = await manyVideos(25_000);
    slow(account, 450);
    const budget = 1_000;
    const env = { ...UNASKED, VIDEO_HOSTING_CALL_BUDGET_MS: String(budget) };
    const { client } = await start({ client: kind, demo: account.demo, env });
    const first = await client.callTool('move_videos', args(account), { timeoutMs: 10 * budget });
    expect(first.data).toMatchObject({ status: 'running', total: 25_000, changeId: expect.any(String) });
    expect(first.text).toContain(`get_change ${String(first.data?.changeId)}`);
    const { changeId } = first.data ?? {};
    const statuses: unknown[] = [];
    while (statuses.at(-1) !== 'applied') {
      const { data } = await client.callTool('get_change', { changeId, waitSeconds: 3_600 }, { timeoutMs: 10 * budget });
      statuses.push(data?.status);
      expect(data).toMatchObject({ status: expect.toSatisfy((status) => status === 'running' || status === 'applied') });
    }
    expect(idsIn(account.demo, account.archive)).toHaveLength(25_000);
    // It waits: a job of more than a second isn't asked about a hundred times.
    expect(statuses.length).toBeLessThan(10);
  });
});

test('looking on and giving up stops nothing', async () => {
  const account = await manyVideos(20_000);
  slow(account, 100);
  const { client } = await start({ demo: account.demo, env: { ...UNASKED, VIDEO_HOSTING_CALL_BUDGET_MS: '1000' } });
  const call = client.callTool('move_videos', args(account));
  await begun(account);
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  const giveUp = new AbortController();
  const look = client.callTool('get_change', { changeId: change?.changeId, waitSeconds: 30 }, { signal: giveUp.signal });
  look.catch(() => undefined);
  await sleep(50);
  giveUp.abort();
  await expect(look).rejects.toThrow();
  await call;
  expect((await ended(client, change?.changeId)).data).toMatchObject({ status: 'applied', moved: 20_000 });
});

describe.each(['the same process', 'another process'])('from %s', (where) => {
  /** A job under way, and a client that is not the one who asked for it. */
  async function underWay(account: Account) {
    const home = freshHome();
    const env = { ...UNASKED, VIDEO_HOSTING_CALL_BUDGET_MS: '1000' };
    const options = { demo: account.demo, home, env, via: 'process' } as const;
    const owner = await start(options);
    const other = where === 'the same process' ? owner : await start(options);
    const call = owner.client.callTool('move_videos', args(account));
    await begun(account, 4);
    const [change] = recordsIn((await other.client.callTool('list_changes', { status: 'running' })).data, 'changes');
    return { client: other.client, changeId: String(change?.changeId), call };
  }

  test('stop_change ends it after the requests in flight, and resume_change carries it on', { timeout: 60_000 }, async () => {
    const account = await manyVideos(60_000);
    slow(account, 200);
    const { client, changeId, call } = await underWay(account);
    const stopped = await client.callTool('stop_change', { changeId });
    await call;
    const told = await ended(client, changeId);
    const sent = requestsOf(account.demo, MOVE).length;
    expect(idsIn(account.demo, account.archive)).toHaveLength(sent * 1_000);
    expect(sent).toBeLessThan(50);
    expect(told.data).toMatchObject({ status: 'stopped', moved: sent * 1_000, unknownCount: 0 });
    expect(stopped.data).toMatchObject({ changeId, status: expect.toSatisfy((status) => status === 'stopped' || status === 'running') });
    account.demo.faults.clear();
    const { data } = await client.callTool('resume_change', { changeId });
    expect(requestsOf(account.demo, MOVE)).toHaveLength(60);
    expect((await ended(client, data?.changeId)).data).toMatchObject({ status: 'applied', moved: 60_000, requests: 60, changeId });
  });

  test('it can’t be carried on while it runs', { timeout: 60_000 }, async () => {
    const account = await manyVideos(30_000);
    slow(account, 200);
    const { client, changeId, call } = await underWay(account);
    const refused = await client.callTool('resume_change', { changeId });
    expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'running_elsewhere' } });
    const undo = await client.callTool('undo_change', { changeId });
    expect(undo.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
    await call;
    expect((await ended(client, changeId)).data).toMatchObject({ status: 'applied', moved: 30_000 });
    expect(requestsOf(account.demo, MOVE)).toHaveLength(30);
  });

  test('get_change waits for it', { timeout: 60_000 }, async () => {
    const account = await manyVideos(20_000);
    slow(account, 250);
    const { client, changeId, call } = await underWay(account);
    const statuses: unknown[] = [];
    while (statuses.at(-1) !== 'applied') {
      const { data } = await client.callTool('get_change', { changeId, waitSeconds: 30 });
      statuses.push(data?.status);
      expect(data).toMatchObject({ status: expect.toSatisfy((status) => status === 'running' || status === 'applied') });
    }
    expect(idsIn(account.demo, account.archive)).toHaveLength(20_000);
    // Each waits for as long as its budget allows; one that didn't would be asked hundreds of times.
    expect(statuses.length).toBeLessThan(12);
    await call;
  });
});

test('one that has ended needs no stopping, and there is none to stop or carry on that isn’t there', async () => {
  const account = await manyVideos(10);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const { changeId } = (await client.callTool('move_videos', args(account))).data ?? {};
  expect((await client.callTool('stop_change', { changeId })).data).toMatchObject({ status: 'applied' });
  expect((await client.callTool('resume_change', { changeId })).data).toMatchObject({ error: { code: 'not_resumable' } });
  for (const missing of ['chg-000000000-0000', '../../x', 'chg-000000000-0000.ids', 'x'.repeat(60)])
    for (const tool of ['stop_change', 'resume_change', 'undo_change', 'get_change'])
      expect((await client.callTool(tool, { changeId: missing })).text).toMatch(/There is no change/);
  const project = await client.callTool('create_project', { name: 'New', region: 'use-s' });
  expect((await client.callTool('resume_change', { changeId: project.data?.changeId })).data).toMatchObject({
    error: { code: 'not_resumable' },
  });
});

test('a stop ends the waiting for a service that asked for it', { timeout: 60_000 }, async () => {
  const account = await manyVideos(10_000);
  account.demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 429, retryAfter: 50 } });
  const { client } = await start({ demo: account.demo, env: { ...UNASKED, VIDEO_HOSTING_CALL_BUDGET_MS: '1500' } });
  const call = client.callTool('move_videos', args(account));
  // Two went through; the first refusal holds back the rest.
  await begun(account, 3);
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  await client.callTool('stop_change', { changeId: change?.changeId });
  await call;
  const { data } = await ended(client, change?.changeId);
  const sent = requestsOf(account.demo, MOVE).length;
  expect(sent).toBeLessThanOrEqual(8);
  expectTold(account, data);
  expect(data).toMatchObject({ status: 'stopped', moved: 2_000 });
});
