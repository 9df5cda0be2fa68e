/** A bulk change as a job: how far it is, who waits for it, who can stop it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { type Progress, recordsIn } from '../../../harness/client.ts';
import { hold } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { type Account, ended, expectTold, idsIn, MOVE, manyVideos, requestsOf, UNASKED } from './harness.ts';

const args = ({ ids }: Account) => ({ targetProject: 'Archive', videoIds: ids });

/** Every move takes this long. */
function slow({ demo }: Account, ms: number): void {
  demo.faults.always({ match: MOVE, do: { kind: 'delay', ms } });
}

const holdMoves = ({ demo }: Account) => hold(demo, ({ path }) => path === MOVE.path);

/** The number of moves that are in flight at once until one has succeeded: the key, which is no JWT, may not be one for moves. */
const WIDTH = 1;

const begun = ({ demo }: Account, requests = WIDTH) =>
  vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThanOrEqual(requests), { timeout: 400_000 });

test('a move reports its progress: done of total, the rate, the time left', async () => {
  const account = await manyVideos(20_000);
  slow(account, 150);
  const { client } = await start({ demo: account.demo, env: UNASKED });
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

test('a cancelled call stops the move after the requests in flight', async () => {
  const account = await manyVideos(60_000);
  const letGo = holdMoves(account);
  const { client } = await start({ demo: account.demo, env: UNASKED });
  const giveUp = new AbortController();
  const call = client.callTool('move_videos', args(account), { signal: giveUp.signal });
  call.catch(() => undefined);
  await begun(account);
  giveUp.abort('enough');
  await expect(call).rejects.toThrow();
  // Once this later call is answered, the cancellation has arrived.
  const [change] = recordsIn((await client.callTool('list_changes')).data, 'changes');
  letGo();
  const { data, text } = await ended(client, change?.changeId);
  await sleep(300);
  expect(requestsOf(account.demo, MOVE)).toHaveLength(WIDTH);
  expect(expectTold(account, data)).toEqual({ failed: [], unknown: [] });
  expect(idsIn(account.demo, account.archive)).toHaveLength(WIDTH * 1_000);
  expect(data).toMatchObject({ status: 'stopped', moved: WIDTH * 1_000, notSentCount: 60_000 - WIDTH * 1_000 });
  expect(text).toContain('resume_change carries it on');
});

test('a move goes on after the call’s time budget, and get_change waits for it within the same budget', async () => {
  const account = await manyVideos(25_000);
  const letGo = holdMoves(account);
  const { client } = await start({ demo: account.demo, shortCalls: true, env: UNASKED });
  const first = await client.callTool('move_videos', args(account));
  expect(first.data).toMatchObject({ status: 'running', total: 25_000, changeId: expect.any(String) });
  expect(first.text).toContain(`get_change ${String(first.data?.changeId)}`);
  const { changeId } = first.data ?? {};
  const look = () => client.callTool('get_change', { changeId, waitSeconds: 3_600 });
  expect((await look()).data).toMatchObject({ status: 'running' });
  letGo();
  expect((await ended(client, changeId)).data).toMatchObject({ status: 'applied' });
  expect(idsIn(account.demo, account.archive)).toHaveLength(25_000);
});

describe.each(['the same process', 'another process'])('from %s', (where) => {
  /** A running job whose requests are held until `letGo`, and a client of the same or another process. */
  async function underWay(account: Account, shortCalls = true) {
    const letGo = holdMoves(account);
    const home = freshHome();
    const options = { demo: account.demo, home, env: UNASKED, shortCalls, via: 'process' } as const;
    const owner = await start(options);
    const other = where === 'the same process' ? owner : await start(options);
    const call = owner.client.callTool('move_videos', args(account));
    call.catch(() => undefined);
    await begun(account);
    const [change] = recordsIn((await other.client.callTool('list_changes', { status: 'running' })).data, 'changes');
    return { client: other.client, changeId: String(change?.changeId), call, letGo };
  }

  test('stop_change ends a change after the requests in flight, and resume_change continues it', async () => {
    const account = await manyVideos(60_000);
    const { client, changeId, call, letGo } = await underWay(account);
    // stop_change waits longer than the other process takes to notice the request.
    const stopped = await client.callTool('stop_change', { changeId });
    expect(stopped.data).toMatchObject({ changeId, status: 'running' });
    letGo();
    await call;
    const told = await ended(client, changeId);
    const sent = requestsOf(account.demo, MOVE).length;
    expect(idsIn(account.demo, account.archive)).toHaveLength(sent * 1_000);
    expect(sent).toBeLessThanOrEqual(2 * WIDTH);
    expect(told.data).toMatchObject({ status: 'stopped', moved: sent * 1_000, unknownCount: 0 });
    const { data } = await client.callTool('resume_change', { changeId });
    expect((await ended(client, data?.changeId)).data).toMatchObject({ status: 'applied', moved: 60_000, requests: 60, changeId });
    expect(requestsOf(account.demo, MOVE)).toHaveLength(60);
  });

  test('a running change can be neither resumed nor undone', async () => {
    const account = await manyVideos(30_000);
    const { client, changeId, call, letGo } = await underWay(account);
    const refused = await client.callTool('resume_change', { changeId });
    expect(refused.data).toMatchObject({ status: 'failed', error: { code: 'running_elsewhere' } });
    const undo = await client.callTool('undo_change', { changeId });
    expect(undo.data).toMatchObject({ status: 'failed', error: { code: 'not_undoable' } });
    letGo();
    await call;
    expect((await ended(client, changeId)).data).toMatchObject({ status: 'applied', moved: 30_000 });
    expect(requestsOf(account.demo, MOVE)).toHaveLength(30);
  });

  test('get_change waits for a running change', async () => {
    const account = await manyVideos(20_000);
    const { client, changeId, call, letGo } = await underWay(account, false);
    const look = client.callTool('get_change', { changeId, waitSeconds: 30 });
    // Once this later call is answered, get_change has seen that the change runs.
    await client.callTool('list_changes');
    letGo();
    expect((await look).data).toMatchObject({ status: 'applied' });
    expect(idsIn(account.demo, account.archive)).toHaveLength(20_000);
    await call;
  });
});

test('stop_change returns an ended change, resume_change refuses it, and unknown ids are refused', async () => {
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

test('stop_change ends a wait that the service asked for', async () => {
  const account = await manyVideos(10_000);
  account.demo.faults.always({ match: MOVE, skip: 2, do: { kind: 'status', code: 429, retryAfter: 50 } });
  const { client } = await start({ demo: account.demo, shortCalls: true, env: UNASKED });
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
