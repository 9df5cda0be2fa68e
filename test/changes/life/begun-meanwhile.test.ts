/** What was begun, answered or named in another way after a preview is noticed before the preview is carried out. */
import { expect, test, vi } from 'vitest';
import { APPLY, afterThinking, recordsIn, type ToolReply, type Values } from '../../harness/client.ts';
import { createTestBrowser, enterPage } from '../../harness/page.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, type StartOptions, start } from '../../harness/start.ts';
import { openPage, rename, startWithPage, waitingRename } from '../../page/support.ts';
import { COPY, doubled, MOVE, manyVideos, requestsOf } from '../kinds/videos/harness.ts';
import { approvedAndKilled } from '../proposals/harness.ts';
import { agree, changeIdIn, confirmPreview } from '../support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../support/world.ts';

const TOKEN = { VIDEO_HOSTING_CONFIRM: 'token' };

/** The requests of one copy to several: to the first alone, then to the others. */
const ONE_COPY = 2;

/** A source, nine targets, and a server. */
async function nineTargets(options: StartOptions = {}) {
  const { demo, ids } = await manyVideos(10);
  const [sourceVideoId, ...targetVideoIds] = ids;
  const session = await start({ demo, env: TOKEN, ...options });
  return { ...session, args: { sourceVideoId, targetVideoIds } };
}

const OTHER_CALL = 'Another call began the same while this one waited for an answer: this is what came of that.';

const withStatus = (replies: readonly ToolReply[], status: string) => replies.filter(({ data }) => data?.status === status);

test('of two tokens for one copy, the second lapses when the first is used', async () => {
  const { client, demo, args } = await nineTargets();
  const asked = [await client.callTool('copy_cta', args), await client.callTool('copy_cta', args)];
  const replies: ToolReply[] = [];
  for (const preview of asked) replies.push(await confirmPreview(client, preview));
  expect(doubled(demo)).toEqual([]);
  expect(requestsOf(demo, COPY)).toHaveLength(ONE_COPY);
  expect(replies.map(({ data }) => data?.status)).toEqual(['applied', 'failed']);
  expect(replies[1]?.text).toContain('lapsed when the same request was answered otherwise');
});

test('a copy that another request made after the preview is shown, and nothing is sent', async () => {
  const { client, demo, args } = await nineTargets();
  const some = { ...args, targetVideoIds: args.targetVideoIds.slice(0, 4) };
  const asked = await client.callTool('copy_cta', args);
  const made = await agree(client, 'copy_cta', some);
  const reply = await confirmPreview(client, asked);
  expect(doubled(demo)).toEqual([]);
  expect(requestsOf(demo, COPY)).toHaveLength(ONE_COPY);
  expect(reply.data?.status).toBe('failed');
  expect(reply.text).toMatch(/4 of them \(.*\) got CTAs of this video before, last by/);
  expect(reply.text).toContain(changeIdIn(made));
});

test('of two copies that wait on the page, the second is shown anew once the first was begun', async () => {
  const browser = createTestBrowser();
  const { client, demo, args } = await nineTargets({ shortCalls: true, env: { ...browser.env, VIDEO_HOSTING_CONFIRM: 'page' } });
  await client.callTool('copy_cta', args);
  await client.callTool('copy_cta', { ...args, batchSize: 50 });
  const page = await enterPage(await browser.opened());
  const [one, two] = await page.waiting(2);
  if (one === undefined || two === undefined) throw new Error('Two wait.');
  expect((await page.decide(one, 'apply')).change.status).toBe('applied');
  const pressed = await page.decide(two, 'apply');
  expect(doubled(demo)).toEqual([]);
  expect(pressed).toMatchObject({ status: 409, change: { status: 'waiting', conflicts: [expect.stringContaining('All of them got')] } });
  expect(pressed.change.notices.map(({ text }) => text).join(' ')).toContain(one.changeId);
});

test.concurrent.each(['apply', 'decline'] as const)(
  'after %s on the page, a token of the same request counts no more',
  async (decision) => {
    const browser = createTestBrowser();
    const { demo, ids, archive } = await manyVideos(3);
    const { client } = await start({ demo, shortCalls: true, env: browser.env });
    const args = { videoIds: ids, targetProject: archive };
    browser.setBroken(true);
    const asked = await client.callTool('move_videos', args);
    browser.setBroken(false);
    const page = await openPage({ client, browser });
    await client.callTool('move_videos', args);
    const [change] = await page.waiting();
    if (change === undefined) throw new Error('Nothing waits.');
    await page.decide(change, decision);
    const reply = await confirmPreview(client, asked);
    expect(requestsOf(demo, MOVE)).toHaveLength(decision === 'apply' ? 1 : 0);
    expect(reply.data?.status).toBe('failed');
    expect(reply.text).toContain('lapsed when the same request was answered otherwise');
  },
);

test('what the user agrees to in a form is asked no more on the page, where they had asked for it themselves', async () => {
  const browser = createTestBrowser();
  const demo = await startService({ channels: 3, projects: 2 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, forms: 'accept', env: browser.env });
  const { id, name } = channelAt(demo, 0);
  const changeId = changeIdIn(await client.callTool('update_channels', { changes: [{ channel: id, name: 'Other' }] }));
  const page = await openPage({ client, browser });
  expect((await page.post(`api/changes/${changeId}/undo`)).status).toBe(200);
  const [own] = await page.waiting();
  if (own === undefined) throw new Error('Nothing waits.');
  await client.callTool('undo_change', { changeId });
  expect(channelAt(demo, 0).name).toBe(name);
  const pressed = await page.decide(own, 'apply');
  expect(writesOf(demo)).toHaveLength(2);
  expect(pressed).toMatchObject({ status: 409, change: { status: 'withdrawn' } });
});

test('of two forms that are open for one request, the second counts no more once the first began it', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  let shown = 0;
  const { client } = await start({
    demo,
    forms: async () => {
      shown += 1;
      const isApplied = async () => recordsIn((await client.callTool('list_changes', { status: 'applied' })).data, 'changes').length === 1;
      if (shown === 2) await vi.waitUntil(isApplied, 20_000);
      else await vi.waitUntil(() => shown === 2, 20_000);
      return APPLY;
    },
  });
  const args = { videoIds: ids, targetProject: archive };
  const replies = await Promise.all([client.callTool('move_videos', args), client.callTool('move_videos', args)]);
  expect(requestsOf(demo, MOVE)).toHaveLength(1);
  expect(client.forms).toHaveLength(2);
  expect(replies.map(({ data }) => data?.status)).toEqual(['applied', 'applied']);
  expect(new Set(replies.map(changeIdIn)).size).toBe(1);
  expect(replies.filter(({ text }) => text.includes(OTHER_CALL))).toHaveLength(1);
});

test.each([
  ['one server', 1],
  ['two servers with one data folder', 2],
])('of copies that are confirmed at the same moment in %s, one is made', async (_where, servers) => {
  const home = freshHome();
  const { client, demo, args } = await nineTargets({ home });
  const other = servers === 1 ? client : (await start({ demo, home, env: TOKEN })).client;
  const tries: readonly (readonly [typeof client, Values])[] = [
    [client, args],
    [other, { ...args, batchSize: 50 }],
    [client, { ...args, batchSize: 100 }],
  ];
  const asked = await Promise.all(tries.map(([one, given]) => one.callTool('copy_cta', given)));
  const replies = await Promise.all(tries.map(([one, _given], index) => confirmPreview(one, asked[index] as ToolReply)));
  expect(doubled(demo)).toEqual([]);
  expect(requestsOf(demo, COPY)).toHaveLength(ONE_COPY);
  expect(replies.map(({ data }) => data?.status).sort()).toEqual(['applied', 'failed', 'failed']);
});

test('what a running copy has not sent yet is warned of', async () => {
  const { client, demo, args } = await nineTargets({ shortCalls: true });
  demo.faults.next({ match: COPY, times: 9, do: { kind: 'delay', ms: 2_500 } });
  const first = await agree(client, 'copy_cta', { ...args, batchSize: 1 });
  expect(first.data?.status).toBe('running');
  const asked = await client.callTool('copy_cta', args);
  expect(asked.text).toContain('All of them may have got CTAs of this video before');
  expect(asked.text).toContain(`last by ${changeIdIn(first)}, which is still running`);
  await client.callTool('stop_change', { changeId: changeIdIn(first) });
});

test.each<[string, readonly string[], (name: string, description: string, videoKeys: readonly string[]) => Values]>([
  ['create_channels', ['Twin', 'Twin'], (name, description, videoKeys) => ({ channels: [{ name, videoKeys, description }] })],
  ['create_channels', ['Caf\u00e9', 'Cafe\u0301'], (name, _, videoKeys) => ({ channels: [{ name, videoKeys }] })],
  ['create_project', ['Twin', 'Twin'], (name, description) => ({ name, region: 'use-s', description })],
])('%s: of two of one name (%j) that are confirmed at the same moment in two servers, one is made', async (tool, names, argsOf) => {
  const demo = await startService({ channels: 3, projects: 2 });
  const home = freshHome();
  const sessions = [await start({ demo, home, env: TOKEN }), await start({ demo, home, env: TOKEN })];
  const argsFor = (index: number): Values => argsOf(names[index] ?? '', `${index}`, videoKeysOf(demo, 1));
  // The second is planned again while the first is on its way.
  demo.faults.next({ match: { method: 'POST' }, do: { kind: 'delay', ms: 400 } });
  const asked = await Promise.all(sessions.map(({ client }, index) => client.callTool(tool, argsFor(index))));
  const replies = await Promise.all(sessions.map(({ client }, index) => confirmPreview(client, asked[index] as ToolReply)));
  const all = [...demo.world.channels.values(), ...demo.world.projects.values()];
  expect(all.filter(({ name }) => name !== undefined && names.includes(name))).toHaveLength(1);
  expect(replies.map(({ data }) => data?.status).sort()).toEqual(['applied', 'failed']);
  expect(withStatus(replies, 'failed')[0]?.text).toMatch(
    /which runs now, gives the name "[^"]+" too|created "[^"]+" a short while ago|There is already a \w+ called "[^"]+"/,
  );
});

test('a project that is made after the list was read, and before the journal was, is noticed', async () => {
  const demo = await startService({ channels: 1, projects: 2 });
  const home = freshHome();
  const [first, second] = [await start({ demo, home, env: TOKEN }), await start({ demo, home, env: TOKEN })];
  const argsOf = (description: string) => ({ name: 'Twin', region: 'use-s', description });
  const toFirst = await first.client.callTool('create_project', argsOf('one'));
  const toSecond = await second.client.callTool('create_project', argsOf('two'));
  demo.faults.next({ match: { method: 'POST' }, do: { kind: 'delay', ms: 1_500 } });
  const made = confirmPreview(first.client, toFirst);
  await vi.waitFor(() => expect(demo.requests.filter(({ method }) => method === 'POST')).toHaveLength(1), { timeout: 30_000 });
  // The list is read for the plan that the token is looked at with, and again before the change is begun.
  demo.faults.next({ match: { method: 'GET' }, times: 2, do: { kind: 'delay', ms: 1_000, processFirst: true } });
  const reply = await confirmPreview(second.client, toSecond);
  expect([...demo.world.projects.values()].filter(({ name }) => name === 'Twin')).toHaveLength(1);
  expect((await made).data?.status).toBe('applied');
  expect(reply.data?.status).toBe('failed');
});

test.each([
  ['create_channels', (keys: readonly string[]) => ({ channels: [{ name: 'Twin', videoKeys: keys }] })],
  ['create_project', () => ({ name: 'Twin', region: 'use-s' })],
] as const)('%s: one whose answer was lost, and that may still appear, is warned of when it is asked for again', async (tool, argsOf) => {
  const demo = await startService({ channels: 3, projects: 2 });
  const { client } = await start({ demo, env: TOKEN });
  const args = argsOf(videoKeysOf(demo, 1));
  demo.faults.next({ match: { method: 'POST' }, do: { kind: 'reset-before' } });
  const lost = await agree(client, tool, args);
  expect(lost.data).toMatchObject({ unknown: [{ id: 'new' }] });
  const asked = await client.callTool(tool, args);
  expect(asked.text).toContain(`${changeIdIn(lost)} may have created "Twin" already, or it may still appear.`);
  const made = await confirmPreview(client, asked);
  expect(made.data?.status).toBe('applied');
});

test('a rename onto a name that was taken since the preview is shown anew', async () => {
  const demo = await startService({ channels: 3 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, env: TOKEN });
  const args = { changes: [{ channel: channelAt(demo, 0).id, name: 'Taken' }] };
  const asked = await client.callTool('update_channels', args);
  expect(asked.text).not.toContain('same name');
  await agree(client, 'update_channels', { changes: [{ channel: channelAt(demo, 1).id, name: 'Taken' }] });
  const reply = await confirmPreview(client, asked);
  expect(channelAt(demo, 0).name).not.toBe('Taken');
  expect(reply.data?.status).toBe('failed');
  expect(reply.text).toContain('will have the same name as another channel: "Taken"');
});

test('an undo that gives back a name warns where another channel has it by now, also if that comes after the preview', async () => {
  const demo = await startService({ channels: 3 });
  demo.behaviour.channelRecordsShowContents = true;
  const { client } = await start({ demo, env: TOKEN });
  const { id, name: old = '' } = channelAt(demo, 0);
  const changeId = changeIdIn(await agree(client, 'update_channels', { changes: [{ channel: id, name: 'Other' }] }));
  const asked = await client.callTool('undo_change', { changeId });
  await agree(client, 'create_channels', { channels: [{ name: old, videoKeys: videoKeysOf(demo, 1) }] });
  const before = writesOf(demo).length;
  const reply = await confirmPreview(client, asked);
  expect(writesOf(demo)).toHaveLength(before);
  expect(channelAt(demo, 0).name).toBe('Other');
  expect(reply.text).toContain('will have the same name as another channel');
  expect((await agree(client, 'undo_change', { changeId })).data?.status).toBe('applied');
  expect(channelAt(demo, 0).name).toBe(old);
});

test('a call that waits on the page, or in a form, tells what came of the same that another client began', async () => {
  const session = await startWithPage();
  const args = rename(channelAt(session.demo, 0));
  const onPage = session.client.callTool('update_channels', args);
  const page = await enterPage(await session.browser.opened());
  const change = await page.firstWaiting();
  let isBegun = false;
  const inForm = await start({
    ...{ demo: session.demo, home: session.home },
    forms: async () => {
      await vi.waitUntil(() => isBegun, 20_000);
      return APPLY;
    },
  });
  const asked = inForm.client.callTool('update_channels', args);
  await vi.waitUntil(() => inForm.client.forms.length === 1, 20_000);
  const { client } = await start({ demo: session.demo, home: session.home, forms: afterThinking(APPLY) });
  const begun = changeIdIn(await client.callTool('update_channels', args));
  isBegun = true;
  const replies = await Promise.all([onPage, asked]);
  expect(writesOf(session.demo)).toHaveLength(1);
  for (const { data, text } of replies) {
    expect(data).toMatchObject({ status: 'applied', changeId: begun });
    expect(text).toContain(OTHER_CALL);
  }
  const told = await session.client.callTool('get_change', { changeId: change.changeId });
  expect(told.data).toMatchObject({ status: 'withdrawn', message: expect.stringContaining(`get_change ${begun} tells what came of that`) });
});

test('what another process is about to begin when the call’s time ends is told as that', async () => {
  const { client, call, change, dataDir, demo } = await waitingRename({ env: { VIDEO_HOSTING_CALL_BUDGET_MS: '4000' } });
  approvedAndKilled(dataDir, change.changeId, {});
  const { data, isError } = await call;
  expect(writesOf(demo)).toEqual([]);
  expect(isError).not.toBe(true);
  expect(data).toMatchObject({ status: 'running', changeId: change.changeId });
  expect(data?.message).toContain(`about to begin: get_change ${change.changeId} tells what comes of it.`);
  expect((await client.callTool('get_change', { changeId: change.changeId })).data).toMatchObject({ status: 'running' });
});

test('of two calls for one request that no browser loads, each goes on in a way of its own, and nothing waits on the page', async () => {
  const { client, demo } = await startWithPage({ env: { VIDEO_HOSTING_CALL_BUDGET_MS: '22500' } });
  const args = rename(channelAt(demo, 0));
  const calls = [client.callTool('update_channels', args)];
  await vi.waitUntil(async () => recordsIn((await client.callTool('list_changes')).data, 'changes').length === 1, 20_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  calls.push(client.callTool('update_channels', args));
  const replies = await Promise.all(calls);
  const tokens = withStatus(replies, 'confirmation_required');
  expect(tokens).toHaveLength(2);
  expect(new Set(replies.map(changeIdIn)).size).toBe(2);
  const { data } = await client.callTool('list_changes', { status: 'waiting' });
  expect(data).toEqual({ changes: [] });
  // The other one’s end took nothing from it.
  const [first] = tokens;
  if (first === undefined) throw new Error('None has a token.');
  expect((await confirmPreview(client, first)).data).toMatchObject({ status: 'applied' });
  expect(writesOf(demo)).toHaveLength(1);
});
