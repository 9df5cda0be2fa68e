/** Changes that wait on the approval page: cancelled, outdated, repeated and concurrent. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { changeIdIn, confirmPreview } from '../changes/support/confirm.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { channelAt, contentOf, writesOf } from '../changes/support/world.ts';
import { ERAS, type ToolReply } from '../harness/client.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { asked, rename, startWithPage, waitingRename } from './support.ts';

test.each(ERAS)('%s: cancelling a call withdraws its change, and the page says so', async (kind) => {
  const { client, demo, browser } = await startWithPage({ client: kind });
  const stop = new AbortController();
  const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0)), stop.signal);
  const events = await page.events();
  stop.abort();
  await call.catch(() => undefined);
  await events.next((event) => event.type === 'change' && event.status === 'withdrawn');
  const decided = await page.decide(change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  expect(decided).toMatchObject({ status: 409, change: { status: 'withdrawn' } });
  expect(decided.change.outcome).toContain('Nothing was sent');
});

test('that a move would go into another project of the same name is told with both, and nothing is sent', async () => {
  const { client, demo, browser } = await startWithPage();
  const [target, from] = [...demo.world.projects.values()];
  if (target === undefined || from === undefined) throw new Error('no projects');
  const { id, name } = target;
  const [video = ''] = [...demo.world.videos.keys()];
  const args = { videoIds: [video], targetProject: name, fromProject: from.id };
  const { page, change } = await asked({ client, browser }, 'move_videos', args);
  Object.assign(target, { name: 'Something else' });
  const other = demo.world.addProject({ name });
  const { status, change: shown } = await page.decide(change, 'apply');
  expect([status, writesOf(demo)]).toEqual([409, []]);
  expect(shown.conflicts).toEqual([
    `The videos would go into another project now: "${name}" (id ${other.id}), in place of "${name}" (id ${id}).`,
  ]);
});

test('an outdated plan is shown again instead of applied, and the new plan can be applied', async () => {
  const { page, change, demo, id, call } = await waitingRename();
  const { videoKeys } = contentOf(demo, id);
  const channel = channelAt(demo, 0);
  Object.assign(channel, { description: 'Of someone else', version: channel.version + 1 });
  const first = await page.decide(change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  expect(first).toMatchObject({
    status: 409,
    change: { status: 'waiting', conflicts: [expect.stringContaining('was changed meanwhile')] },
  });
  expect(first.change.planDigest).not.toBe(change.planDigest);
  // A decision on the old plan is still refused.
  expect((await page.decide(change, 'apply')).status).toBe(409);
  expect(writesOf(demo)).toEqual([]);
  expect((await page.decide(first.change, 'apply')).status).toBe(200);
  expect(channel).toMatchObject({ name: 'Renamed', description: 'Of someone else' });
  expect(contentOf(demo, id).videoKeys).toEqual(videoKeys);
  expect((await call).data?.status).toBe('applied');
});

const SOON = { timeout: 300_000, interval: 100 };

test('two equal calls to show emails are two questions, and each answer has the records', async () => {
  const { client, browser } = await startWithPage({ env: { VIDEO_HOSTING_PERSONAL_DATA: 'allowed' } });
  const given = new AbortController();
  const args = { showRecords: true };
  const cancelled = client.callTool('get_collected_emails', args, { signal: given.signal }).catch(() => undefined);
  const page = await enterPage(await browser.opened());
  const calls = [client.callTool('get_collected_emails', args), client.callTool('get_collected_emails', args)];
  await vi.waitFor(async () => expect(await page.waiting()).toHaveLength(3), SOON);
  given.abort();
  await cancelled;
  await vi.waitFor(async () => expect(await page.waiting()).toHaveLength(2), SOON);
  for (const change of await page.waiting()) expect((await page.decide(change, 'apply')).status).toBe(200);
  for (const { data, text } of await Promise.all(calls)) {
    expect(data, text).toMatchObject({ status: 'applied' });
    expect(data?.records, text).toContainEqual(expect.anything());
  }
});

test('a repeated call joins the waiting change, and updates its plan if that is outdated', async () => {
  const { client, demo, browser } = await startWithPage({ shortCalls: true });
  const first = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  channelAt(demo, 0).version += 1;
  const second = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(changeIdIn(second)).toBe(changeIdIn(first));
  const waiting = await page.waiting();
  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.conflicts).toEqual([expect.stringContaining('was changed meanwhile')]);
  expect(browser.addresses()).toHaveLength(1);
});

test('two changes wait side by side, and each is decided separately', async () => {
  const { client, demo, browser } = await startWithPage();
  const calls = [0, 1].map((at) => client.callTool('update_channels', rename(channelAt(demo, at), `Renamed ${at}`)));
  const page = await enterPage(await browser.opened());
  const waiting = await page.waiting(2);
  const of = (at: number) => waiting.find(({ records }) => records[0]?.id === channelAt(demo, at).id);
  const [first, second] = [of(0), of(1)];
  if (first === undefined || second === undefined) throw new Error('Both wait.');
  await page.decide(first, 'decline');
  await page.decide(second, 'apply');
  expect(channelAt(demo, 0).name).not.toBe('Renamed 0');
  expect(channelAt(demo, 1).name).toBe('Renamed 1');
  expect((await Promise.all(calls)).map(({ data }) => data?.status)).toEqual(['declined', 'applied']);
});

test('of concurrent decisions on a change, only one takes effect', async () => {
  const { page, change, demo, call } = await waitingRename();
  const decided = await Promise.all([page.decide(change, 'apply'), page.decide(change, 'apply'), page.decide(change, 'decline')]);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const isApplied = decided.slice(0, 2).some(({ status }) => status === 200);
  expect(writesOf(demo)).toHaveLength(isApplied ? 1 : 0);
  expect((await call).data?.status).toBe(isApplied ? 'applied' : 'declined');
});

test('50 concurrent changes open one window, and further changes are refused', async () => {
  const { client, demo, browser } = await startWithPage({ channels: 2 });
  const replies: ToolReply[] = [];
  for (let at = 0; at < 55; at += 1)
    client.callTool('update_channels', rename(channelAt(demo, 0), `Renamed ${at}`)).then(
      (reply) => replies.push(reply),
      () => undefined, // those that wait end with the server
    );
  const page = await enterPage(await browser.opened());
  // It stays open.
  await page.events();
  expect(await page.waiting(50)).toHaveLength(50);
  await expect.poll(() => replies.filter(({ isError, text }) => isError && text.includes('as many as it takes'))).toHaveLength(5);
  expect(replies).toHaveLength(5);
  expect(browser.addresses()).toHaveLength(1);
  expect(writesOf(demo)).toEqual([]);
});

test('an open page shows the next change without a new window, and a closed page is opened again', async () => {
  const { page, change, client, demo, browser, call } = await waitingRename({ intervals: { browserMs: 100, connectingMs: 200 } });
  const events = await page.events();
  await page.decide(change, 'decline');
  await call;
  const next = client.callTool('update_channels', rename(channelAt(demo, 1)));
  await events.next((event) => event.type === 'change' && event.status === 'waiting' && event.changeId !== change.changeId);
  expect(browser.addresses()).toHaveLength(1);
  const waiting = await page.firstWaiting();
  await page.decide(waiting, 'apply');
  expect((await next).data?.status).toBe('applied');
  expect(channelAt(demo, 1).name).toBe('Renamed');
  events.close();
  // The server waits a moment, since the page could be reloading.
  await expect
    .poll(
      async () => {
        await client.callTool('show_to_user', { what: 'changes' });
        return browser.addresses().length;
      },
      { timeout: 300_000 },
    )
    .toBe(2);
});

test('a waiting change is not in the journal, and stop_change withdraws it', async () => {
  const { client, demo, browser, dataDir } = await startWithPage({ shortCalls: true });
  const asked = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(changeFiles(dataDir)).toEqual([]);
  const changeId = changeIdIn(asked);
  expect((await client.callTool('stop_change', { changeId })).data?.status).toBe('withdrawn');
  const page = await enterPage(await browser.opened());
  expect((await page.change(changeId)).status).toBe('withdrawn');
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'withdrawn', changeId });
});

test('get_change returns the note of a declined change after the call’s time budget', async () => {
  const { client, demo, browser } = await startWithPage({ shortCalls: true });
  await client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  const change = await page.firstWaiting();
  await page.decide(change, 'decline', 'never');
  const read = await client.callTool('get_change', { changeId: change.changeId });
  expect(read.data?.status).toBe('declined');
  expect(read.text).toContain('In their words: "never"');
});

test('VIDEO_HOSTING_CONFIRM=page ignores forms, and without a browser a change is refused', async () => {
  const { client, demo, browser } = await startWithPage({ forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'page' } });
  const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0)));
  expect(client.forms).toEqual([]);
  await page.decide(change, 'apply');
  expect((await call).data?.status).toBe('applied');
  const none = await startWithPage({ forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'page', VIDEO_HOSTING_BROWSER: 'none' } });
  const refused = await none.client.callTool('update_channels', rename(channelAt(none.demo, 0)));
  expect(writesOf(none.demo)).toEqual([]);
  expect(refused).toMatchObject({ isError: true, data: { status: 'failed' } });
  expect(refused.text).toContain('VIDEO_HOSTING_BROWSER is "none"');
});

test.each([
  ['can’t be started', () => '#!/nowhere/interpreter\n'],
  ['exits with an error', (program: string) => program.replace('exit 0', 'exit 3')],
])('if the browser %s, the assistant gets a token instead', async (_how, broken) => {
  const browser = createTestBrowser();
  writeFileSync(browser.program, broken(readFileSync(browser.program, 'utf8')));
  // Less than the time after which any browser is given up.
  const { client, demo } = await startWithPage({ browser, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '10000' } });
  const asked = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(writesOf(demo)).toEqual([]);
  expect(asked.data).toMatchObject({
    status: 'confirmation_required',
    message: expect.stringMatching(/^The approval page was opened, but no browser loaded it\. NOT DONE YET\./),
  });
  // No change waits on a page that nobody sees, and the next call uses the token without a browser.
  expect((await client.callTool('list_changes', { status: 'waiting' })).data).toEqual({ changes: [] });
  const tried = browser.addresses().length;
  expect((await confirmPreview(client, asked)).data?.status).toBe('applied');
  expect(browser.addresses()).toHaveLength(tried);
});

test('an approved plan that moved to nothing is over: nothing is sent or recorded, and nothing is left to be pressed', async () => {
  const { page, change, demo, id, call, client, dataDir } = await waitingRename();
  demo.world.editChannel(id, { name: 'Renamed' });
  const pressed = await page.decide(change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  expect(changeFiles(dataDir)).toEqual([]);
  expect(pressed).toMatchObject({ status: 200, change: { status: 'needless', summary: 'Everything is already as wanted' } });
  expect(pressed.change.planDigest).toBeUndefined();
  expect((await page.decide(change, 'apply')).status).toBe(409);
  const reply = await call;
  expect(reply.data).toEqual({ status: 'applied', message: 'Everything is already as wanted. Nothing had to be sent.' });
  const { data } = await client.callTool('get_change', { changeId: change.changeId });
  expect(data).toMatchObject({ status: 'needless', message: expect.stringContaining('Nothing was sent.') });
});

test('a press whose call is given up while the plan is made again finds the change withdrawn', async () => {
  const { client, demo, browser, log } = await startWithPage();
  const stop = new AbortController();
  const { call, page, change } = await asked({ client, browser }, 'update_channels', rename(channelAt(demo, 0)), stop.signal);
  const seen = demo.requests.length;
  demo.faults.always({ match: { method: 'GET' }, do: { kind: 'delay', ms: 1_000 } });
  const pressed = page.decide(change, 'apply');
  await vi.waitUntil(() => demo.requests.length > seen, 10_000);
  stop.abort();
  await call.catch(() => undefined);
  expect(await pressed).toMatchObject({ status: 409, change: { status: 'withdrawn' } });
  expect(writesOf(demo)).toEqual([]);
  expect(log()).not.toContain('Error');
});

/** A rename that was applied, and its undo, which the person asked for on the page. */
async function ownUndo(options: Parameters<typeof startWithPage>[0] = {}) {
  const session = await waitingRename(options);
  const { page, change } = session;
  await page.decide(change, 'apply');
  const { changeId } = change;
  expect((await page.post(`api/changes/${changeId}/undo`)).status).toBe(200);
  const own = await page.firstWaiting();
  return { ...session, changeId, own };
}

test('the assistant can’t withdraw what the person asked for on the page', async () => {
  const { page, client, changeId, own, demo, id } = await ownUndo();
  const reply = await client.callTool('stop_change', { changeId: own.changeId });
  expect(await page.change(own.changeId)).toMatchObject({ status: 'waiting', isOwn: true });
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain('only they can cancel it');
  const stop = new AbortController();
  const call = client.callTool('undo_change', { changeId }, { signal: stop.signal }).catch(() => undefined);
  setTimeout(() => stop.abort(), 300);
  await call;
  expect((await page.decide(own, 'apply')).change.status).toBe('applied');
  expect(channelAt(demo, 0)).toMatchObject({ id, name: expect.not.stringMatching('Renamed') });
});

test('a call for the same that finds no page leaves the person’s own proposal there', async () => {
  const { page, client, browser, changeId, own } = await ownUndo({ shortCalls: true, intervals: { connectingMs: 200 } });
  browser.setBroken(true);
  // As long as the page may still be open, the server asks there.
  let reply = await client.callTool('undo_change', { changeId });
  while (reply.data?.status === 'waiting') reply = await client.callTool('undo_change', { changeId });
  expect(reply.data?.status).toBe('confirmation_required');
  expect((await page.change(own.changeId)).status).toBe('waiting');
});

test('what the assistant proposed becomes the person’s own where they ask for the same', async () => {
  const { page, client, changeId, call } = await waitingRename({ shortCalls: true }).then(async (session) => {
    await session.page.decide(session.change, 'apply');
    return { ...session, changeId: session.change.changeId };
  });
  await call;
  const asked = await client.callTool('undo_change', { changeId });
  expect((await page.post(`api/changes/${changeId}/undo`)).status).toBe(200);
  const reply = await client.callTool('stop_change', { changeId: changeIdIn(asked) });
  expect(await page.change(changeIdIn(asked))).toMatchObject({ status: 'waiting', isOwn: true });
  expect(reply.isError).toBe(true);
});
