/** What a person sees first, in a real browser: what weighs, what can be done, one clock, and nothing that moves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageEvent } from '../../src/page/contract.ts';
import { axeProblems, pageHtml, scrollsSideways, useBrowser } from './support/browser.ts';
import { type FixtureData, type FixtureServer, startFixtureServer } from './support/fixture-server.ts';
import { fixtureData, unknownChannel, waitingChange } from './support/fixtures.ts';

const browser = useBrowser();
let server: FixtureServer;
let data: FixtureData;
const LATER = '2099-12-30T22:41:00.000Z';

beforeAll(async () => {
  data = fixtureData();
  data.changes.push(
    waitingChange({
      ...{ changeId: 'ch_weighty', summary: 'Weighty into "Archive" (7e03e526fbc905b16ad32347)' },
      weighs: [
        { text: 'empties 1 channel', weight: 'emptied' },
        { text: '1 channel loses most: 8 of 12 videos', weight: 'lost' },
        { text: 'can’t be undone', weight: 'final' },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_stuck', status: 'running', summary: 'Stuck', progress: { done: 0, total: 1 } },
      paused: { status: 503, since: '2026-08-03T09:00:00.000Z', until: LATER },
    }),
    waitingChange({
      ...{ changeId: 'ch_refused', status: 'failed', summary: 'Refused', records: [], notices: [] },
      why: 'The service refused the request. The service said: "The name is taken.".',
    }),
    waitingChange({
      ...{ changeId: 'ch_busy', status: 'failed', summary: 'Busy', records: [], notices: [], canResume: true, resumeFrom: LATER },
      notes: ['Seen since 2099-12-29.', '“Show 2099-12-29” is a name.'],
      steps: ['Carry it on from 2099-12-30 22:41 UTC on.'],
    }),
    waitingChange({ changeId: 'ch_passing', problem: 'The service is not available.', problemSteps: [], isPassing: true }),
  );
  data.channels.push(
    unknownChannel({ id: 'c12', name: 'Half', contents: 'As it was stated.', isStated: true, videoKeys: ['nobodyKnows'] }),
  );
  data.reports.push({
    ...{ reportId: 'r2', title: 'Views by day', at: '2026-08-03T09:00:00.000Z', page: 1, pages: 1, total: 1, hasChart: false },
    ...{ columns: ['day', 'video'].map((name) => ({ name, isPercent: false })), rows: [['2026-05-11', 'Dashboards']] },
    ...{ notes: [], unread: ['Missing: 2026-05-11 to 2026-05-13.'] },
  });
  data.chart = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'chart.png'));
  server = await startFixtureServer(pageHtml(), data);
});
afterAll(() => server.close());

test.each([1280, 390])(
  'at a width of %d, a row says what of its change weighs, that it can’t be applied, until when it is paused, and why it failed',
  async (width) => {
    const page = await browser.open(server.open('#/changes'), { scheme: 'dark', width });
    const marks = async (list: string, name: string) => {
      const row = page.getByRole('list', { name: list }).getByRole('listitem').filter({ hasText: name });
      return (await row.locator('.mark, .why').allInnerTexts()).map((text) => text.trim());
    };
    await page.getByRole('list', { name: 'History of changes' }).waitFor();
    expect(await marks('Changes that wait for you', 'Weighty')).toEqual([
      'empties 1 channel',
      '1 channel loses most: 8 of 12 videos',
      'can’t be undone',
    ]);
    // What has an id is named with it on the page of the change.
    await page.getByRole('link', { name: 'Weighty into “Archive”', exact: true }).waitFor();
    // Nothing is to be decided of it, so it is not said to wait for anybody.
    const gone = page.getByRole('list', { name: 'Changes that can’t be applied' }).getByRole('listitem').filter({ hasText: 'Gone again' });
    expect(await gone.locator('.status').allInnerTexts()).toEqual(['– Can’t be applied now']);
    expect(await marks('Changes that run', 'Stuck')).toEqual(['The service has been too busy; tried again at 30 Dec 2099, 22:41']);
    expect(await marks('History of changes', 'Refused')).toEqual([
      'The service refused the request. The service said: “The name is taken.”',
    ]);
    expect(await axeProblems(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  },
);

test('a row follows what is seen of its change while the list is open, and nobody is led away by it', async () => {
  const page = await browser.open(server.open('#/changes'));
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await row('Weighty').waitFor();
  const sees = (event: PageEvent, count: () => Promise<number>) =>
    expect
      // What it reads as it connects may be older.
      .poll(async () => {
        server.send(event);
        return count();
      })
      .toBe(1);
  await sees({ type: 'change', changeId: 'ch_weighty', status: 'waiting', unfit: 'Can’t be applied now' }, () =>
    row('Weighty').getByText('Can’t be applied now').count(),
  );
  await page.getByRole('heading', { level: 1, name: /wait for you/ }).waitFor();
  await sees({ type: 'change', changeId: 'ch_stuck', status: 'running', progress: { done: 1, total: 2 } }, async () =>
    (await row('Stuck').getByText('tried again at').count()) === 0 ? 1 : 0,
  );
});

test('of one that could not be looked at just now nothing is said to be wrong, and it can be tried again', async () => {
  const page = await browser.open(server.open('#/changes/ch_passing'));
  const told = page.getByText('Whether this can be applied could not be looked at just now.');
  await told.waitFor();
  expect(await page.getByText('This can’t be applied').count()).toBe(0);
  // The plan can be read all the same.
  await page.getByRole('heading', { name: 'What would be removed' }).waitFor();
  data.changes[data.changes.findIndex(({ changeId }) => changeId === 'ch_passing')] = waitingChange({ changeId: 'ch_passing' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await told.waitFor({ state: 'detached' });
});

test('all times are by the clock of the person, whose zone is named once', async () => {
  const page = await browser.open(server.open('#/changes/ch_busy'), { scheme: 'light', width: 1280, timeZone: 'Asia/Tokyo' });
  await page.getByText('carry it on from 31 Dec 2099, 07:41 on').waitFor();
  // A day in a name is a part of it.
  await page.getByText('Seen since 29 Dec 2099.').waitFor();
  await page.getByText('“Show 2099-12-29” is a name.').waitFor();
  await page.getByText('Can be carried on from 31 Dec 2099, 07:41.').waitFor();
  const text = await page.locator('body').innerText();
  expect(text).not.toContain('UTC');
  expect(text.match(/Asia\/Tokyo/g)).toEqual(['Asia/Tokyo']);
});

test.each([1280, 390])('at a width of %d, a chart is whole, and what is below it does not move once it is there', async (width) => {
  const page = await browser.open('about:blank', { scheme: 'light', width });
  // Each place of the heading of the rows, from the first moment on.
  await page.addInitScript(`
    window.places = [];
    addEventListener('DOMContentLoaded', function look() {
      const heading = document.getElementById('rows');
      if (heading !== null) places.push(Math.round(heading.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(look);
    });`);
  const sizes: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/chart.png')) sizes.push(searchParams.get('size'));
  });
  await page.goto(server.open('#/reports/r1'), { waitUntil: 'commit' });
  const chart = page.locator('img.chart');
  await chart.waitFor();
  await page.getByRole('heading', { name: '1,915 rows' }).waitFor();
  const box = await chart.boundingBox();
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? width) <= width).toBe(true);
  expect(new Set((await page.evaluate('places')) as number[]).size).toBe(1);
  expect(sizes).toEqual([width === 390 ? 'narrow' : 'wide']);
});

test.each([1280, 390])(
  'at a width of %d, a link that was used, and a page of another browser, say in the look of the page what to do',
  async (width) => {
    const address = server.open('#/changes');
    const own = await browser.open(address);
    await own.getByRole('heading', { level: 1 }).waitFor();
    const page = await browser.open('about:blank', { scheme: 'dark', width }, [403]);
    for (const used of [address, own.url()]) {
      await page.goto(used);
      await page
        .getByText(/^This address works once and for a minute, in one browser\. Ask the assistant to show the page again/)
        .waitFor();
      expect(await page.getByRole('heading').allInnerTexts()).toEqual(['This page can’t be opened']);
      expect(await axeProblems(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
    }
  },
);

test.each([
  ['#/changes/ch_none', 'All changes'],
  ['#/channels/c_none', 'All channels'],
  ['#/reports/r_none', 'All reports'],
])('what is not there (%s) says so, and leads back to its list', async (view, list) => {
  const page = await browser.open(server.open(view), { scheme: 'light', width: 390 });
  const told = page.getByRole('alert');
  await told.getByText('There is nothing of this name.').waitFor();
  // What it means, or what to do, before the way on.
  await told.getByText(/may have been deleted|may be cut off|Ask your assistant the question again/).waitFor();
  await page.getByRole('link', { name: list }).click();
  await page.getByRole('list').first().waitFor();
});

test('a report takes two lines of its list: what it is of, then of which time and when it was asked', async () => {
  const page = await browser.open(server.open('#/reports'), { scheme: 'light', width: 390 });
  const [row = ''] = await page.getByRole('list', { name: 'Reports' }).getByRole('listitem').allInnerTexts();
  expect(row.split('\n').slice(1)).toEqual(['1 to 28 February 2026 (UTC); countries: DE · asked 3 Aug 2026, 09:00']);
});

test('once its server has ended, the page says what to do with an assistant, and folds what does it without one', async () => {
  const [first] = data.changes;
  const other = await startFixtureServer(pageHtml(), { ...data, changes: first === undefined ? [] : [first] });
  const page = await browser.open(other.open('#/changes'), { scheme: 'light', width: 390 });
  await page.getByRole('heading', { level: 1 }).waitFor();
  other.send({ type: 'ended' });
  other.close();
  const told = page.locator('.notice', { hasText: 'The server of this page has ended.' });
  await told.getByText('Ask your assistant to go on, or start it again: it opens a new page.').waitFor();
  expect(await told.locator('code').isVisible()).toBe(false);
  await told.getByText('Without an assistant').click();
  expect(await told.locator('code').innerText()).toBe('node /srv/video-hosting-mcp/dist/main.cjs page');
});

test('a page names the product and the account, and at a server’s end what becomes of a change that ran', async () => {
  const running = waitingChange({ changeId: 'ch_runs', status: 'running', summary: 'Runs', progress: { done: 1, total: 2 } });
  const other = await startFixtureServer(pageHtml(), { ...data, changes: [running] });
  const page = await browser.open(other.open('#/changes'), { scheme: 'dark', width: 390 });
  await page.getByRole('list', { name: 'Changes that run' }).waitFor();
  expect((await page.getByRole('banner').innerText()).split('\n').slice(0, 2)).toEqual(['Video hosting', 'Demo account']);
  other.send({ type: 'ended' });
  other.close();
  const told = page.getByRole('alert').filter({ hasText: 'The server of this page has ended.' });
  await told.getByText(/A change was running\. .* nothing more is sent\. .* it can be carried on or undone\./).waitFor();
  expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});

test.each([1280, 390])(
  'at a width of %d, a channel says what its state means for later changes, and which videos have no title',
  async (width) => {
    const page = await browser.open(server.open('#/channels/c9'), { scheme: 'light', width });
    await page.getByText(/A change of it, even of its name, could empty it\./).waitFor();
    await page.goto(server.open('#/channels/c10'));
    await page.getByText('Nobody saw it. Later changes, even of the name, send this list: what it lacks is lost then.').waitFor();
    await page.goto(server.open('#/channels/c12'));
    await page.getByText('Title not known').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  },
);

test('of a report that is not whole, the page says which days are missing and what to do, with its days in one form', async () => {
  const page = await browser.open(server.open('#/reports/r2'), { scheme: 'dark', width: 390 });
  const told = page.locator('.notice', { hasText: 'Not all views of this time are counted.' });
  await told.getByText('Missing: 11 May 2026 to 13 May 2026.').waitFor();
  await told.getByText('Ask your assistant the same question again').waitFor();
  await page.getByRole('cell', { name: '11 May 2026' }).waitFor();
  expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});
