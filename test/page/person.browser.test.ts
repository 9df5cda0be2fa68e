/** A person and an assistant: the built command opens its page in a real browser, and the tests use only what is visible. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { gate } from '../harness/gate.ts';
import { type DemoService, hold, startService } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';
import { useBrowser } from './support/browser.ts';
import { rename, startWithPage } from './support.ts';

const browser = useBrowser();

async function startForPerson(demo?: DemoService, env: Record<string, string> = {}) {
  const service = demo ?? (await startService({ channels: 3, projects: 3 }));
  const catalogue = join(freshHome(), 'videos.json');
  writeFileSync(catalogue, JSON.stringify([...service.world.videos.values()].map(({ id, key, title }) => ({ id, key, title }))));
  const session = await startWithPage({ demo: service, via: 'process', env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue, ...env } });
  let opened = 0;
  return {
    ...session,
    /** The page that the server opened next. */
    page: async (): Promise<Page> => browser.open(await session.browser.opened(opened++)),
    /** A call whose answer can arrive after the test has ended. */
    call: (name: string, args: Record<string, unknown>) => {
      const reply = session.client.callTool(name, args);
      reply.catch(() => undefined);
      return reply;
    },
  };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('a double click on its button applies a change, and does not press the button that replaces it', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const { id, name } = channelAt(demo, 0);
  const { videoKeys } = contentOf(demo, id);
  const [renamed] = rename(channelAt(demo, 0)).changes;
  const reply = call('update_channels', { changes: [{ ...renamed, removeVideoKeys: [videoKeys[0]] }] });
  const page = await nextPage();
  await heading(page, /^Change “.*”: name → /).waitFor();
  await page.getByRole('region', { name: 'What would be removed' }).getByText(String(videoKeys[0])).waitFor();
  await page.getByRole('cell', { name, exact: false }).first().waitFor();
  // The loss is shown once, and not again as a warning.
  expect(await page.getByText(/^1 of \d+ videos$/).count()).toBe(1);
  expect(writesOf(demo)).toEqual([]);
  await button(page, 'Change 1 channel').dblclick();
  await page.getByText('Everything was applied.').first().waitFor();
  await button(page, 'Undo …').waitFor();
  expect(channelAt(demo, 0).name).toBe('Renamed');
  expect(contentOf(demo, id).videoKeys).toEqual(videoKeys.slice(1));
  expect(writesOf(demo)).toHaveLength(1);
  expect(await button(page, 'Change 1 channel').count()).toBe(0);
  await heading(page, /^Change “.*”: name → /).waitFor();
  expect((await reply).data).toMatchObject({ status: 'applied' });
});

test('what the assistant states that a channel holds is read whole, after what changes and before whether that can be undone', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const { id, videoKeys } = channelAt(demo, 0);
  const [held = ''] = videoKeys;
  const changes = [{ channel: id, name: 'Renamed', currentVideoKeys: [held], currentProjectKeys: [] }];
  const reply = call('update_channels', { changes });
  const page = await nextPage();
  await button(page, 'Change 1 channel').waitFor();
  const stated = page.getByRole('region', { name: 'The list that was given' });
  await stated.getByText('by what the assistant says, it holds 1 video and no projects; that replaces what is there').waitFor();
  await stated.getByText(held).waitFor();
  const text = await page.locator('main').innerText();
  const places = ['Renamed', 'What changes', held, 'can be undone'].map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  await page.getByRole('heading', { level: 1, name: 'to “Renamed”' }).waitFor();
  await button(page, 'Change 1 channel').click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(contentOf(demo, id).videoKeys).toEqual([held]);
  const receipt = page.getByRole('region', { name: 'The list that was given' });
  await receipt.getByText('The whole list').click();
  await receipt.getByText(held).waitFor();
  await reply;
});

test('a person chooses one of two waiting changes, and its button applies only that change', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  void call('update_channels', rename(channelAt(demo, 0), 'First'));
  const page = await nextPage();
  await page.getByRole('link', { name: /Changes.*1 waits for you/ }).waitFor();
  await page.getByLabel('Note for the assistant').fill('thinking');
  const second = call('update_channels', rename(channelAt(demo, 1), 'Second'));
  // The open change and its note stay; the other change is offered.
  await page.getByRole('link', { name: /Changes.*2 wait for you/ }).waitFor();
  expect(await page.getByLabel('Note for the assistant').inputValue()).toBe('thinking');
  await page.getByRole('link', { name: 'All changes' }).click();
  await heading(page, '2 changes wait for you').waitFor();
  await page.getByRole('list', { name: 'Changes that wait for you' }).getByRole('link').first().click();
  await page.getByText('Second').first().waitFor();
  await button(page, 'Change 1 channel').click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect([channelAt(demo, 0).name === 'First', channelAt(demo, 1).name]).toEqual([false, 'Second']);
  expect(writesOf(demo)).toHaveLength(1);
  expect((await second).data).toMatchObject({ status: 'applied' });
  await page.getByRole('complementary', { name: /wait/ }).getByRole('link').click();
  await page.getByText('First').first().waitFor();
});

test('an outdated plan is shown again, and can be applied only after the person confirmed reading it, not by a double click on that', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const channel = channelAt(demo, 0);
  const reply = call('update_channels', { changes: [{ ...rename(channel).changes[0], description: 'New' }] });
  const page = await nextPage();
  await heading(page, /^Change “.*”: name → .*, description → /).waitFor();
  channel.description = 'By somebody else';
  channel.version += 1;
  await button(page, 'Change 1 channel').click();
  const notice = page.getByRole('alert').filter({ hasText: 'The account changed since this plan was first shown' });
  await notice.waitFor();
  expect(writesOf(demo)).toEqual([]);
  await page.getByText('By somebody else').first().waitFor();
  await page.getByText('The list was given before that, and may be out of date.').waitFor();
  expect(await button(page, 'Change 1 channel').count()).toBe(0);
  await button(page, 'I have read the new plan').dblclick();
  await expect.poll(() => button(page, 'Change 1 channel').isEnabled()).toBe(true);
  expect(writesOf(demo)).toEqual([]);
  await button(page, 'Change 1 channel').click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(channelAt(demo, 0)).toMatchObject({ name: 'Renamed', description: 'New' });
  expect(writesOf(demo)).toHaveLength(1);
  expect((await reply).data).toMatchObject({ status: 'applied' });
});

test('when the server is killed, the page says so and removes its buttons, and nothing is sent', async () => {
  const { demo, call, server, page: nextPage } = await startForPerson();
  void call('update_channels', rename(channelAt(demo, 0)));
  const page = await nextPage();
  await button(page, 'Change 1 channel').waitFor();
  server?.child.kill('SIGKILL');
  await page.getByRole('alert').filter({ hasText: 'The server of this page has ended.' }).waitFor();
  expect(await page.getByRole('region', { name: 'Your decision' }).count()).toBe(0);
  // What was shown can still be read.
  await heading(page, /^Rename/).waitFor();
  expect(writesOf(demo)).toEqual([]);
});

test('a move can be watched and stopped, and a separate change, which is shown first, undoes it', async () => {
  const demo = await startService({ channels: 1, projects: 3, videos: 12_000 });
  const [first, target] = [...demo.world.projects.values()];
  const videos = [...demo.world.videos.values()];
  for (const video of videos) video.projectId = first?.id ?? '';
  const isMove = ({ path }: { readonly path: string }): boolean => path.includes('change-project');
  const release = hold(demo, (request) => isMove(request) && demo.requests.filter(isMove).length > 1);
  const { call, page: nextPage } = await startForPerson(demo);
  void call('move_videos', { targetProject: target?.id, fromProject: first?.id, videoIds: videos.map(({ id }) => id) });
  const page = await nextPage();
  await button(page, 'Move 12,000 videos').click();
  await page.getByText('This is being applied.').first().waitFor();
  await page.getByRole('progressbar').waitFor();
  await page.route(/\/stop$/, async (route) => {
    const response = await route.fetch();
    release();
    await page.getByText('You stopped it.').first().waitFor();
    await route.fulfill({ response });
  });
  // The press is answered after what it did was shown, and says that it runs: so the page looks again.
  const lookedAgain = page.waitForResponse(/\/stop$/).then(() => page.waitForResponse(/\/changes\/chg-[\w-]+$/));
  await button(page, /^Stop$/).click();
  await lookedAgain;
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await page.getByText('You stopped it.').first().waitFor();
  const moved = videos.filter(({ projectId }) => projectId === target?.id).length;
  expect(moved).toBeGreaterThan(0);
  expect(moved).toBeLessThan(12_000);
  await button(page, 'Undo …').click();
  await button(page, /^Move .* videos back$/).waitFor();
  expect(videos.filter(({ projectId }) => projectId === target?.id)).toHaveLength(moved);
  // The person proposed it, so no assistant waits for a note.
  expect(await page.getByLabel('Note for the assistant').count()).toBe(0);
  await button(page, 'Cancel').click();
  await page.getByText('You cancelled it. Nothing was sent.').first().waitFor();
  expect(videos.filter(({ projectId }) => projectId === target?.id)).toHaveLength(moved);
  await page.goBack();
  await button(page, 'Undo …').click();
  await button(page, /^Move .* videos back$/).click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(videos.filter(({ projectId }) => projectId === target?.id)).toHaveLength(0);
});

test('a person states the contents of a channel: pastes a list, reorders it by keyboard and confirms it', async () => {
  const service = await startService({ channels: 3, projects: 3 });
  const [a = '', b = '', c = ''] = videoKeysOf(service, 3);
  const title = 'Said, once: the title';
  Object.assign(service.world.videosByKey.get(c) ?? {}, { title });
  const [project] = [...service.world.projects.values()];
  const projectName = 'Press releases 2026';
  Object.assign(project ?? {}, { name: projectName });
  const { demo, client, call, page: nextPage } = await startForPerson(service);
  const { id, name } = channelAt(demo, 0);
  const byId = demo.world.videosByKey.get(b)?.id ?? '';
  void call('show_to_user', { what: 'channel', id });
  const page = await nextPage();
  await heading(page, name).waitFor();
  await page.getByLabel('Paste keys, ids or titles').fill(`${a}\n${title}\n\n${a}\nnoSuchKey1\n${byId}`);
  await page.getByText(/5 entries read.*: 4 new, 1 repeated, 1 blank/).waitFor();
  await page.getByText('1 is not in the video catalogue').waitFor();
  await button(page, 'Add 4 videos').click();
  const list = page.getByRole('listbox');
  await list.focus();
  await page.keyboard.press('Home');
  for (const key of ['ArrowDown', 'ArrowDown', 'Delete', 'ArrowUp', 'Alt+Home']) await page.keyboard.press(key);
  expect(await list.getByRole('option').allTextContents()).toEqual([c, a, b].map((key) => expect.stringContaining(key)));
  await page.getByLabel('These', { exact: true }).check();
  const projects = page.getByLabel('Project keys or names, one a line');
  await projects.fill(`${projectName}\n`);
  await button(page, 'This is what it holds now: 3 videos').click();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect.poll(() => projects.inputValue()).toBe(`${projectName}\n`);
  await page.goBack();
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({ contents: { known: false } });
  await button(page, 'Record it').click();
  await page.getByText('It is recorded.').first().waitFor();
  expect(writesOf(demo)).toEqual([]);
  expect((await client.callTool('get_channel', { channel: id })).data).toMatchObject({
    contents: { known: true, videoKeys: [c, a, b], projectKeys: [project?.key] },
  });
  await page.getByRole('link', { name: 'To the channel' }).click();
  await page.getByText('As somebody said', { exact: true }).first().waitFor();
  // The list that was begun is over, so what is known is shown.
  expect(await projects.inputValue()).toBe(project?.key);
});

test('a new report appears on the page at once, as chart, table and CSV file', async () => {
  const { demo, client, call, page: nextPage } = await startForPerson();
  const days = String(demo.world.views.at(0).date).slice(0, 10);
  void call('show_to_user', { what: 'changes' });
  const page = await nextPage();
  await page.getByText('Nothing has been changed yet.').waitFor();
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByText('There are no reports yet.').waitFor();
  await client.callTool('query_analytics', { from: days, groupBy: ['day'] });
  await page.getByRole('list', { name: 'Reports' }).getByRole('link').first().click();
  await page.getByRole('columnheader', { name: 'views' }).waitFor();
  await page.getByRole('img', { name: /^Chart: / }).waitFor();
  await expect.poll(() => page.evaluate('document.querySelector("img.chart").naturalWidth')).toBeGreaterThan(100);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect(
    readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n'),
  ).toHaveLength(await page.getByRole('row').count());
});

/** From now on, the page’s timers of 600 ms end only when they are told to. */
const holdTimers = (page: Page) =>
  page.evaluate(() => {
    const real = setTimeout;
    const held: (() => void)[] = [];
    const hold = (act: () => void, ms?: number) => (ms === 600 ? -held.push(act) : real(act, ms));
    Object.assign(globalThis, { setTimeout: hold, held });
  });
/** Ends them, and returns how many there were. */
const endTimers = (page: Page) => page.evaluate('held.map((act) => act()).length');

test('presses that were meant for the last plan do nothing to one that comes into view by itself', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const first = call('create_channels', { channels: [{ name: 'Brand new', videoKeys: videoKeysOf(demo, 2) }] });
  const page = await nextPage();
  await button(page, 'Create 1 channel').click();
  await first;
  await page.getByText('Everything was applied.').first().waitFor();
  await holdTimers(page);
  const { name } = channelAt(demo, 1);
  const second = call('update_channels', rename(channelAt(demo, 1), 'Second'));
  const apply = button(page, 'Change 1 channel');
  await apply.waitFor();
  await apply.click({ force: true });
  await apply.press('Enter');
  await button(page, 'Decline').click({ force: true });
  // The presses began the delay anew.
  expect(await endTimers(page)).toBeGreaterThan(1);
  expect(writesOf(demo)).toHaveLength(1);
  expect(channelAt(demo, 1).name).toBe(name);
  await apply.click();
  expect((await second).data?.status).toBe('applied');
  expect(channelAt(demo, 1).name).toBe('Second');
});

test('with the page in seven tabs, Apply works, and each tab shows what came of it, also once the first one is closed', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const first = call('update_channels', rename(channelAt(demo, 0), 'First'));
  const page = await nextPage();
  await button(page, 'Change 1 channel').waitFor();
  const tabs: Page[] = [];
  for (let count = 0; count < 6; count += 1) {
    const tab = await page.context().newPage();
    await tab.goto(page.url(), { waitUntil: 'domcontentloaded' });
    await button(tab, 'Change 1 channel').waitFor();
    tabs.push(tab);
  }
  await button(page, 'Change 1 channel').click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(channelAt(demo, 0).name).toBe('First');
  expect((await first).data?.status).toBe('applied');
  for (const tab of tabs) await tab.getByText('Everything was applied.').first().waitFor();
  // The change begins to wait while no tab has a stream, so that no event tells of it.
  const { opened: connected, open: connect } = gate();
  for (const tab of tabs) await tab.route('**/api/events', (route) => connected.then(() => route.continue()));
  await page.close();
  const second = call('update_channels', rename(channelAt(demo, 1), 'Second'));
  await expect.poll(async () => (await call('list_changes', { status: 'waiting' })).data?.changes).toHaveLength(1);
  connect();
  const [next, ...others] = tabs;
  if (next === undefined) throw new Error('There are tabs.');
  for (const tab of others) await tab.getByText('A change waits for you').first().waitFor();
  await next.getByRole('link', { name: 'Show it' }).click();
  await button(next, 'Change 1 channel').click();
  expect((await second).data?.status).toBe('applied');
  expect(channelAt(demo, 1).name).toBe('Second');
});

test('a press that the browser can’t send is given up, and not sent later', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  void call('update_channels', rename(channelAt(demo, 0)));
  const page = await nextPage();
  await button(page, 'Change 1 channel').waitFor();
  const { opened: full, open: release } = gate();
  // As in a browser that has no connection left for it.
  await page.route('**/api/**', async (route) => {
    await full;
    await route.continue().catch(() => undefined);
  });
  await button(page, 'Change 1 channel').click();
  await page.getByRole('alert').filter({ hasText: 'so nothing was sent' }).waitFor();
  release();
  await page.unroute('**/api/**');
  expect(writesOf(demo)).toEqual([]);
  await button(page, 'Decline').click();
  await page.getByText('It was declined').first().waitFor();
  expect(writesOf(demo)).toEqual([]);
});

test('a press whose answer is lost is not said to have changed nothing, and a page whose server lives goes on', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  const reply = call('update_channels', rename(channelAt(demo, 0)));
  const page = await nextPage();
  await button(page, 'Change 1 channel').waitFor();
  const { opened: answered, open: answer } = gate();
  const release = hold(demo, ({ method }) => method === 'PUT');
  // It arrives and is carried out; what the server answers does not come back.
  await page.route('**/decision', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
    answer();
  });
  await button(page, 'Change 1 channel').click();
  await answered;
  const told = page.getByText(/No answer came|This is being applied/).first();
  await told.waitFor();
  expect(await page.locator('main').innerText()).not.toContain('nothing was changed');
  release();
  expect((await reply).data?.status).toBe('applied');
  await page.getByText('Everything was applied.').first().waitFor();
  // Longer than a lost connection may take to come back.
  await page.waitForTimeout(4_500);
  expect(await page.getByText('The server of this page has ended.').count()).toBe(0);
  expect(channelAt(demo, 0).name).toBe('Renamed');
});

test('a change that waits again to be carried on is no plan that moved', async () => {
  const { demo, call, page: nextPage } = await startForPerson();
  demo.faults.next({ match: { method: 'PUT' }, do: { kind: 'status', code: 401 } });
  const reply = call('update_channels', rename(channelAt(demo, 0)));
  const page = await nextPage();
  await button(page, 'Change 1 channel').click();
  await heading(page, /^Rename/).waitFor();
  const { data } = await reply;
  await button(page, 'Change 1 channel').waitFor({ state: 'detached' });
  const rest = call('resume_change', { changeId: String(data?.changeId) });
  await page.getByRole('link', { name: 'Show it' }).click();
  await heading(page, /Carry on/).waitFor();
  expect(await page.getByText('The account changed since').count()).toBe(0);
  await button(page, 'Change 1 channel').click();
  expect((await rest).data?.status).toBe('applied');
  expect(channelAt(demo, 0).name).toBe('Renamed');
});

test('where a file with personal data goes is shown before it is written, and the assistant receives the note of who declines', async () => {
  const files = freshHome();
  const { call, page: nextPage } = await startForPerson(undefined, { VIDEO_HOSTING_FILES_DIR: files });
  const reply = call('get_collected_emails', { exportAs: 'csv' });
  const page = await nextPage();
  await page.getByText(`Into the folder “${files}”, readable by its owner alone.`).waitFor();
  await page.getByLabel('Note for the assistant').fill('not the third one');
  await button(page, 'Decline').click();
  await page.getByText('It was declined').first().waitFor();
  expect((await reply).data?.status).toBe('declined');
  expect((await reply).text).toContain('not the third one');
  expect(readdirSync(files)).toEqual([]);
});
