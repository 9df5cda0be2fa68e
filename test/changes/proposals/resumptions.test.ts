/** What is asked for to carry a change on: it has an id of its own until it begins, and hides nothing of that change. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldsIn } from '../../../src/platform/is-object.ts';
import { digestOf } from '../../../src/platform/stable-json.ts';
import type { TestClient } from '../../harness/client.ts';
import { freshHome, start } from '../../harness/start.ts';
import { asked, openPage, startWithPage } from '../../page/support.ts';
import { idsIn, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { personOf, WAIT, waitingAgent } from './harness.ts';

const { signal } = new AbortController();
const FORMS = { forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'form' }, shortCalls: true } as const;

/** A move of 30 videos of which 20 were refused and one got no answer, as another server of the person left it. */
async function stopped() {
  const account = await manyVideos(30);
  const { demo, ids, archive, elsewhere } = account;
  const home = freshHome();
  const refused = ids.slice(0, 20);
  const doubtful = ids[20] ?? '';
  for (const id of refused) demo.world.poisonedVideoIds.add(id);
  const isDoubtful = ({ body }: { readonly body: unknown }) => JSON.stringify(fieldsIn(body).videoIds) === JSON.stringify([doubtful]);
  demo.faults.always({ match: { ...MOVE, when: isDoubtful }, do: { kind: 'status', code: 500 } });
  const first = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const moved = await first.client.callTool('move_videos', { videoIds: ids, targetProject: archive, fromProject: elsewhere });
  demo.faults.clear();
  demo.world.poisonedVideoIds.clear();
  return { ...account, home, changeId: changeIdIn(moved) };
}

const look = async (client: TestClient, changeId: string) => (await client.callTool('get_change', { changeId })).data;
const list = async (client: TestClient) => (await client.callTool('list_changes')).data?.changes as readonly Record<string, unknown>[];

/** The same, while the resumption of an agent waits on disk. */
async function waitingResumption() {
  const account = await stopped();
  const { demo, home, changeId } = account;
  const { client: agent, dataDir } = await start({ demo, home, env: WAIT, shortCalls: true });
  const reply = await agent.callTool('resume_change', { changeId });
  expect(reply.data?.status).toBe('waiting');
  return { ...account, agent, dataDir, resumption: changeIdIn(reply) };
}

test('while it waits, the change is told as it is, with what waits to carry it on, and neither hides the other', async () => {
  const { demo, home, agent, changeId, resumption } = await waitingResumption();
  expect(resumption).not.toBe(changeId);
  expect(await look(agent, changeId)).toMatchObject({
    status: 'partly_applied',
    note: expect.stringContaining(`${resumption} to carry it on`),
  });
  expect(await look(agent, resumption)).toMatchObject({ status: 'waiting', message: expect.stringContaining(`Carry on ${changeId}`) });
  const listed = (await list(agent)).map((change) => [change.changeId, change.status]);
  expect(listed).toEqual([
    [resumption, 'waiting'],
    [changeId, 'partly_applied'],
  ]);
  const page = await openPage(await startWithPage({ demo, home }));
  expect(await page.change(changeId)).toMatchObject({ status: 'partly_applied', canUndo: true, canResume: true });
  expect(await page.change(resumption)).toMatchObject({ status: 'waiting', actionLabel: expect.stringContaining('Move') });
});

test('whoever runs the change sees and stops it under its id, while the resumption of another waited', async () => {
  const { demo, home, agent, archive, changeId, resumption } = await waitingResumption();
  const { client: person } = await start({ demo, home, ...FORMS });
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const before = requestsOf(demo, MOVE).length;
  demo.behaviour.onRequest = (request) => (request.path === MOVE.path ? opened : undefined);
  expect((await person.callTool('resume_change', { changeId, retryFailed: true })).data).toMatchObject({ status: 'running', changeId });
  await expect.poll(() => requestsOf(demo, MOVE).length, { timeout: 300_000 }).toBeGreaterThan(before);
  expect((await look(person, changeId))?.status).toBe('running');
  expect(await look(agent, resumption)).toMatchObject({
    ...{ status: 'withdrawn', message: expect.stringContaining(`${changeId} was carried on by another call`) },
  });
  const page = await openPage(await startWithPage({ demo, home }));
  expect(await page.change(changeId)).toMatchObject({ status: 'running', canStop: true });
  const stopping = person.callTool('stop_change', { changeId });
  open();
  expect((await stopping).isError).toBe(false);
  await expect.poll(() => idsIn(demo, archive).length, { timeout: 300_000 }).toBe(30);
  expect((await agent.callTool('stop_change', { changeId: resumption })).data?.status).toBe('withdrawn');
  expect(await list(agent)).not.toContainEqual(expect.objectContaining({ status: 'waiting' }));
});

test('stopped by its own id, it is withdrawn; the change stays as it is', async () => {
  const { agent, demo, changeId, resumption, home } = await waitingResumption();
  const before = requestsOf(demo, MOVE).length;
  expect((await agent.callTool('stop_change', { changeId: resumption })).data?.status).toBe('withdrawn');
  expect((await look(agent, resumption))?.status).toBe('withdrawn');
  expect((await look(agent, changeId))?.status).toBe('partly_applied');
  const { client: other } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  await other.callTool('resume_change', { changeId });
  expect(requestsOf(demo, MOVE).length).toBe(before + 1);
});

test('once a person approves it, the change goes on in its own record, and the other id leads there', async () => {
  const { agent, demo, home, archive, dataDir, changeId, resumption } = await waitingResumption();
  const page = await openPage(await startWithPage({ demo, home }));
  const { status, change } = await page.decide(await page.change(resumption), 'apply');
  expect([status, change.changeId]).toEqual([200, changeId]);
  await expect.poll(() => idsIn(demo, archive).length, { timeout: 300_000 }).toBe(10);
  await expect.poll(async () => (await look(agent, resumption))?.status, { timeout: 300_000 }).toBe('partly_applied');
  expect(await look(agent, resumption)).toMatchObject({ changeId, note: expect.stringContaining(`${resumption} carried on ${changeId}`) });
  expect((await page.change(resumption)).changeId).toBe(changeId);
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  const journals = readdirSync(join(dataDir, 'accounts', account, 'changes')).filter((name) => name.endsWith('.jsonl'));
  expect(journals).toEqual([`${changeId}.jsonl`]);
  expect(await list(agent)).toHaveLength(1);
});

test.each(['token', 'page'] as const)(
  'what waits in another process to carry it on ends once the change is carried on (%s)',
  async (route) => {
    const { demo, home, changeId } = await stopped();
    const session = await startWithPage({ demo, home, env: { VIDEO_HOSTING_CONFIRM: route }, shortCalls: true });
    const resumption =
      route === 'page'
        ? (await asked(session, 'resume_change', { changeId })).change.changeId
        : changeIdIn(await session.client.callTool('resume_change', { changeId }));
    const { client: never } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    // Other arguments, so that it is no answer to the same request.
    await never.callTool('resume_change', { changeId, retryFailed: true });
    expect(resumption).not.toBe(changeId);
    expect((await look(session.client, resumption))?.status).toBe('withdrawn');
    expect((await look(session.client, changeId))?.status).toBe('applied');
  },
);

test('of two that wait to carry a change on, the other ends when one is approved, and what would be carried on ends when that is undone', async () => {
  const { agent, demo, home, changeId, resumption } = await waitingResumption();
  const other = changeIdIn(await agent.callTool('resume_change', { changeId, retryFailed: true }));
  expect([other === resumption, other === changeId]).toEqual([false, false]);
  const { person } = await waitingAgent({ home }, { demo, ids: [], archive: '', elsewhere: '', poisoned: new Set() });
  const one = await personOf(person);
  const change = await one.decisions.get(resumption);
  if (change === undefined) throw new Error(`${resumption} does not wait`);
  expect(await one.decisions.approve(await one.decisions.preview(change, signal), 'terminal', signal)).toBe('started');
  await one.jobs.get(changeId)?.wait({ until: Date.now() + 600_000, signal, progress: () => undefined });
  expect((await look(agent, other))?.status).toBe('withdrawn');
  const last = changeIdIn(await agent.callTool('resume_change', { changeId, retryFailed: true }));
  const { client: never } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  const undo = changeIdIn(await never.callTool('undo_change', { changeId }));
  expect(await look(agent, last)).toMatchObject({
    status: 'withdrawn',
    message: expect.stringContaining(`${undo} began to undo ${changeId}`),
  });
});

test('one that an earlier version kept under the id of its change is read on, and carried out', async () => {
  const { demo, home, archive, agent, dataDir, changeId, resumption } = await waitingResumption();
  const [account = ''] = readdirSync(join(dataDir, 'accounts'));
  const fileOf = (id: string, ending: string) => join(dataDir, 'accounts', account, 'kept', `${id}.${ending}`);
  const { digest: _, resumes: _resumes, ...body } = fieldsIn(JSON.parse(readFileSync(fileOf(resumption, 'json'), 'utf8')));
  const old = { ...body, format: 1, changeId };
  writeFileSync(fileOf(changeId, 'lists'), readFileSync(fileOf(resumption, 'lists')));
  writeFileSync(fileOf(changeId, 'json'), JSON.stringify({ ...old, digest: digestOf(account, old) }));
  await agent.callTool('stop_change', { changeId: resumption });
  expect((await look(agent, changeId))?.status).toBe('waiting');
  const page = await openPage(await startWithPage({ demo, home }));
  expect((await page.decide(await page.change(changeId), 'apply')).status).toBe(200);
  await expect.poll(() => idsIn(demo, archive).length, { timeout: 300_000 }).toBe(10);
  await expect.poll(async () => (await look(agent, changeId))?.status, { timeout: 300_000 }).toBe('partly_applied');
});
