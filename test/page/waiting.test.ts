/** Changes that wait on the approval page: cancelled, outdated, repeated, concurrent and expired. */
import { writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { createWaitingChanges, WAITING_MS } from '../../src/changes/confirm/waiting-changes.ts';
import type { ShownPlan } from '../../src/changes/plan.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { channelAt, contentOf, writesOf } from '../changes/support/world.ts';
import { CLIENT_KINDS } from '../harness/client.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { rename, startWithPage, waitingRename } from './support.ts';

const SHORT = { VIDEO_HOSTING_CALL_BUDGET_MS: '1000' };

test.each(CLIENT_KINDS)('%s: cancelling a call withdraws its change, and the page says so', async (kind) => {
  const { client, demo, browser } = await startWithPage({ client: kind });
  const stop = new AbortController();
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)), { signal: stop.signal }).catch(() => undefined);
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  const events = await page.events();
  if (change === undefined) return;
  stop.abort();
  await call;
  await events.next((event) => event.type === 'change' && event.status === 'withdrawn');
  const decided = await page.decide(change, 'apply');
  expect(writesOf(demo)).toEqual([]);
  expect(decided).toMatchObject({ status: 409, change: { status: 'withdrawn' } });
  expect(decided.change.notes.join(' ')).toContain('Nothing was sent');
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
    change: { status: 'waiting', moved: [expect.stringContaining('was changed by someone else')] },
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

test('a repeated call joins the waiting change, and updates its plan if that is outdated', async () => {
  const { client, demo, browser } = await startWithPage({ env: SHORT });
  const first = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  channelAt(demo, 0).version += 1;
  const second = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(changeIdIn(second)).toBe(changeIdIn(first));
  const waiting = await page.waiting();
  expect(waiting).toHaveLength(1);
  expect(waiting[0]?.moved).toEqual([expect.stringContaining('was changed by someone else')]);
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
  expect(writesOf(demo)).toHaveLength(1);
  expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect((await call).data?.status).toBe('applied');
});

test('50 concurrent changes open one window, and further changes are refused', async () => {
  // Enough time to plan all of them.
  const { client, demo, browser } = await startWithPage({ channels: 2, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '15000' } });
  const calls = Array.from({ length: 55 }, (_, at) => client.callTool('update_channels', rename(channelAt(demo, 0), `Renamed ${at}`)));
  const page = await enterPage(await browser.opened());
  const replies = await Promise.all(calls);
  expect(replies.filter(({ data }) => data?.status === 'waiting')).toHaveLength(50);
  expect(replies.filter(({ isError, text }) => isError && text.includes('as many as it takes'))).toHaveLength(5);
  expect(await page.waiting(50)).toHaveLength(50);
  expect(browser.addresses()).toHaveLength(1);
  expect(writesOf(demo)).toEqual([]);
});

test('an open page shows the next change without a new window, and a closed page is opened again', async () => {
  const { page, change, client, demo, browser, call } = await waitingRename();
  const events = await page.events();
  await page.decide(change, 'decline');
  await call;
  const next = client.callTool('update_channels', rename(channelAt(demo, 1)));
  await events.next((event) => event.type === 'change' && event.status === 'waiting' && event.changeId !== change.changeId);
  expect(browser.addresses()).toHaveLength(1);
  const [waiting] = await page.waiting();
  if (waiting !== undefined) await page.decide(waiting, 'apply');
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
      { timeout: 30_000 },
    )
    .toBe(2);
});

test('a waiting change is in no file, and stop_change withdraws it', async () => {
  const { client, demo, browser, hasData } = await startWithPage({ env: SHORT });
  const asked = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(hasData()).toBe(false);
  const changeId = changeIdIn(asked);
  expect((await client.callTool('stop_change', { changeId })).data?.status).toBe('withdrawn');
  const page = await enterPage(await browser.opened());
  expect((await page.change(changeId)).status).toBe('withdrawn');
  expect((await client.callTool('get_change', { changeId })).data).toMatchObject({ status: 'withdrawn', changeId });
});

test('get_change returns the note of a declined change after the call’s time budget', async () => {
  const { client, demo, browser } = await startWithPage({ env: SHORT });
  await client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  if (change !== undefined) await page.decide(change, 'decline', 'never');
  const read = await client.callTool('get_change', { changeId: change?.changeId });
  expect(read.data?.status).toBe('declined');
  expect(read.text).toContain('In their words: "never"');
});

test('VIDEO_HOSTING_CONFIRM=page ignores forms, and without a browser a change is refused', async () => {
  const { client, demo, browser } = await startWithPage({ forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'page' } });
  const call = client.callTool('update_channels', rename(channelAt(demo, 0)));
  const page = await enterPage(await browser.opened());
  const [change] = await page.waiting();
  expect(client.forms).toEqual([]);
  if (change !== undefined) await page.decide(change, 'apply');
  expect((await call).data?.status).toBe('applied');
  const none = await startWithPage({ forms: 'accept', env: { VIDEO_HOSTING_CONFIRM: 'page', VIDEO_HOSTING_BROWSER: 'none' } });
  const refused = await none.client.callTool('update_channels', rename(channelAt(none.demo, 0)));
  expect(writesOf(none.demo)).toEqual([]);
  expect(refused).toMatchObject({ isError: true, data: { status: 'failed' } });
  expect(refused.text).toContain('VIDEO_HOSTING_BROWSER is "none"');
});

test('if the browser can’t be started, the assistant gets a token instead', async () => {
  const browser = createTestBrowser();
  writeFileSync(browser.program, '#!/nowhere/interpreter\n');
  // Less than the time after which any browser is given up.
  const { client, demo } = await startWithPage({ browser, env: { VIDEO_HOSTING_CALL_BUDGET_MS: '10000' } });
  const { data } = await client.callTool('update_channels', rename(channelAt(demo, 0)));
  expect(writesOf(demo)).toEqual([]);
  expect(data).toMatchObject({ status: 'confirmation_required', message: expect.stringContaining('no browser loaded it') });
});

const PLAN: ShownPlan = {
  kind: 'update_channels',
  preview: { summary: 'Change 1 channel.', warnings: [], lines: [], onFailure: '', undo: { possible: 'no', how: 'Not at all.' } },
  items: [{ id: 'one', label: 'One', seen: null, before: {}, after: {} }],
};

test('a change that nobody decides expires and can no longer be approved', async () => {
  let now = 1_000_000;
  const waiting = createWaitingChanges(() => now);
  const carryOut = vi.fn(async () => 'started' as const);
  const { planDigest } = waiting.propose({ changeId: 'a', requestDigest: 'request', plan: PLAN, carryOut });
  now += WAITING_MS - 1;
  expect(waiting.get('a')?.status).toBe('waiting');
  now += 1;
  expect(await waiting.approve('a', planDigest, '')).toBe('changed');
  expect(carryOut).not.toHaveBeenCalled();
  expect(waiting.get('a')?.status).toBe('expired');
  waiting.close();
});

test('withdrawing a change while it is being approved aborts the approval', async () => {
  const waiting = createWaitingChanges();
  const seen: AbortSignal[] = [];
  const carryOut = (_: unknown, signal: AbortSignal) =>
    new Promise<'started'>((_resolve, reject) => {
      seen.push(signal);
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const { planDigest } = waiting.propose({ changeId: 'a', requestDigest: 'request', plan: PLAN, carryOut });
  const approved = waiting.approve('a', planDigest, '').catch(() => 'failed');
  waiting.withdraw('a');
  expect(await approved).toBe('failed');
  expect(seen[0]?.aborted).toBe(true);
  expect(waiting.get('a')?.status).toBe('withdrawn');
  waiting.close();
});

test('after the server has closed, a waiting change can’t be approved', async () => {
  const waiting = createWaitingChanges();
  const carryOut = vi.fn(async () => 'started' as const);
  const { planDigest } = waiting.propose({ changeId: 'a', requestDigest: 'request', plan: PLAN, carryOut });
  waiting.close();
  expect(await waiting.approve('a', planDigest, '')).toBe('changed');
  expect(carryOut).not.toHaveBeenCalled();
});
