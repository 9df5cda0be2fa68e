/** What the views tell and in which order, and that untrusted text is shown as text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeView } from '../../src/page/contract.ts';
import { sentence } from '../../src/text/sentence.ts';
import { gate } from '../harness/gate.ts';
import { axeProblems, enter, pageHtml, scrollsSideways, useBrowser } from './support/browser.ts';
import { type FixtureServer, startFixtureServer } from './support/fixture-server.ts';
import { fixtureData, keys, titlesFor, unknownChannel, waitingChange } from './support/fixtures.ts';

const browser = useBrowser();
let server: FixtureServer;

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>\u202Egnp.exe</bdi>';
/** Views with texts of strangers; what a server brings about is in `gallery/`. */
const UNTRUSTED = ['#/changes', '#/changes/ch_hostile', '#/channels', '#/channels/c12', '#/reports', '#/reports/r2'];

beforeAll(async () => {
  const data = fixtureData();
  const all = keys(20_000);
  const [first] = data.reports;
  data.chart = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'chart.png'));
  data.changes.push(
    waitingChange({
      changeId: 'ch_hostile',
      summary: HOSTILE,
      notices: [{ text: HOSTILE, weight: 'caution' }],
      actionLabel: HOSTILE,
      records: [
        {
          id: HOSTILE,
          name: HOSTILE,
          fields: [{ name: 'name', before: HOSTILE, after: HOSTILE }],
          lists: [{ field: 'videoKeys', what: sentence`video`, before: [HOSTILE, 'constructor', '__proto__'], after: ['__proto__'] }],
        },
      ],
      titles: { [HOSTILE]: HOSTILE },
      onFailure: HOSTILE,
      undo: { possible: 'no', how: HOSTILE },
    }),
    waitingChange({
      changeId: 'ch_large',
      records: [
        {
          id: 'large',
          name: 'Large',
          fields: [],
          lists: [{ field: 'videoKeys', what: sentence`video`, before: all, after: [...all].reverse() }],
        },
      ],
      titles: titlesFor(all),
    }),
  );
  data.changes.push(
    waitingChange({
      ...{ changeId: 'ch_none', status: 'failed', summary: 'Move 19 videos into "R&D \\"Skunkworks\\"" (5f0c11aa5f0c11aa5f0c11aa)' },
      ...{ records: [], canRetry: true, notices: [] },
      bulk: {
        ...{
          total: 19,
          facts: ['To "R&D" (5f0c11aa5f0c11aa5f0c11aa)'],
          done: 0,
          failedCount: 19,
          unknownCount: 0,
          unknown: [],
          notSent: 0,
          ids: keys(19),
        },
        failed: keys(19).map((id) => ({ id, reason: sentence`The service refused it twice, alone.` })),
      },
    }),
  );
  data.changes.push(...gravestChanges(), ...endedChanges());
  data.channels.push(unknownChannel({ id: 'c12', name: HOSTILE, contents: HOSTILE, canState: false, videoKeys: [HOSTILE] }));
  if (first !== undefined) data.reports.push({ ...first, reportId: 'r2', title: HOSTILE, rows: [[HOSTILE, HOSTILE, 1, 0.5, 2]] });
  server = await startFixtureServer(pageHtml(), data);
});
afterAll(() => server.close());

/** Much is stated and much is lost, and what is gravest is neither. */
function gravestChanges(): readonly ChangeView[] {
  const what = sentence`video`;
  const record = (name: string) => ({
    ...{ id: name, name, fields: [] },
    stated: [{ field: 'videoKeys', what, keys: keys(40), isChanged: true }] as const,
    lists: [{ field: 'videoKeys', what, before: keys(40), after: [] }] as const,
  });
  const [spring, autumn] = [record('Spring'), record('Autumn')];
  return [
    waitingChange({
      ...{ changeId: 'ch_gravest', records: [spring, autumn] },
      notices: [
        { text: '“Spring” ends up empty.', weight: 'emptied' },
        { text: 'None of the videos listed for “Autumn” was ever seen in it.', weight: 'contradicted' },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_stated', notices: [], counts: { what: 'channel', total: 2 } },
      records: [
        { ...spring, endsEmpty: true },
        { ...autumn, lists: [{ field: 'videoKeys', what, before: keys(40), after: keys(38) }] },
      ],
      undo: { possible: 'yes', how: 'What a channel held goes back as it was listed.' },
    }),
    waitingChange({
      ...{
        changeId: 'ch_rests',
        summary: 'Change 1 channel: "Autumn" (name → "Winter")',
        notices: [],
        overtakes: ['ch_waiting'],
        counts: { what: 'channel', total: 1 },
      },
      records: [{ id: 'c2', name: 'Autumn', fields: [{ name: 'Name', before: 'Autumn', after: 'Winter' }], lists: [] }],
      statedEarlier: { what: ['video'], records: 1, told: [{ words: 'Asked by nightly', at: '2026-08-03T09:00:00.000Z' }] },
    }),
    waitingChange({
      ...{ changeId: 'ch_overtaken', notices: [], records: [{ ...autumn, lists: [{ ...autumn.lists[0], after: keys(38) }] }] },
      ...{
        summary: 'Change 1 channel: "Autumn" (name → "Autumn, all parts of it", description, videos)',
        asked: 'by nightly through Codex',
      },
      conflicts: ['"Autumn" was changed meanwhile: description "Live sessions of this year." → "By a colleague", which this replaces.'],
    }),
    waitingChange({
      ...{ changeId: 'ch_nothing_left', records: [spring], problem: 'Nothing is left to be done.', isNeedless: true },
    }),
    waitingChange({
      ...{ changeId: 'ch_gravest_over', status: 'partly_applied' },
      records: [
        { ...spring, outcome: 'done' },
        { ...autumn, outcome: 'failed', reason: sentence`The name is taken.` },
      ],
    }),
    waitingChange({
      ...{
        changeId: 'ch_copy',
        records: [],
        notices: [],
        titles: { v1: 'The tour' },
        undo: { possible: 'no', how: 'This can’t be undone: a copy stays.' },
      },
      bulk: {
        ...{ total: 400, facts: [], source: 'v1', done: 0, failedCount: 0, unknownCount: 0, failed: [], unknown: [] },
        ...{ notSent: 400, ids: keys(400) },
      },
    }),
  ];
}

const LEFT = { text: '“Autumn” was changed by someone else since. It is left alone.', weight: 'caution', isLeftAlone: true } as const;

/** Those that nobody would understand by their status alone. */
function endedChanges(): readonly ChangeView[] {
  const what = sentence`video`;
  const long = { id: 'c1', name: 'Spring', fields: [], lists: [{ field: 'videoKeys', what, before: keys(50), after: [] }] } as const;
  const autumn = { id: 'c2', name: 'Autumn', fields: [], lists: [] };
  const undo = { possible: 'no', how: '“Spring” was changed since, so an undo leaves it alone.' } as const;
  return [
    waitingChange({ changeId: 'ch_left', records: [long], notices: [LEFT], undo: { possible: 'yes', how: 'Each is set back.' } }),
    waitingChange({
      ...{ changeId: 'ch_left_over', status: 'applied', notices: [LEFT], undo, counts: { what: 'channel', total: 1, done: 1 } },
      records: [
        { ...long, outcome: 'done' },
        { ...autumn, outcome: 'not_done', isLeftAlone: true },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_busy', status: 'failed', notices: [], canResume: true, press: 'Stop came too late.' },
      ...{ counts: { what: 'channel', total: 1, done: 0, notSent: 1 }, decided: 'You agreed at a terminal' },
      ...{ notes: ['Carry it on from 2099-12-30 22:41 UTC on.'], resumeFrom: '2099-12-30T22:41:00.000Z' },
      records: [{ ...autumn, outcome: 'not_done', reason: sentence`The service is unavailable.` }],
    }),
    waitingChange({
      ...{ changeId: 'ch_stuck', status: 'running', progress: { done: 0, total: 1 }, canStop: true, canUndo: true, notices: [] },
      paused: { status: 503, since: '2026-08-03T09:00:00.000Z', until: '2099-12-30T22:41:00.000Z' },
    }),
    waitingChange({
      ...{ changeId: 'ch_stopping', status: 'running', progress: { done: 1, total: 2 }, canStop: true, isStopping: true, canUndo: true },
      notices: [],
    }),
    waitingChange({
      ...{ changeId: 'ch_stopping_many', status: 'running', canStop: true, isStopping: true, canUndo: true, notices: [], records: [] },
      progress: { done: 1_000, total: 4_739, since: '2026-08-03T09:00:00.000Z', ofMany: { sent: 3_000, failed: 0, unknown: 0 } },
      bulk: {
        ...{ total: 4_739, facts: [], done: 0, failedCount: 0, unknownCount: 0, failed: [], unknown: [], notSent: 4_739, ids: [] },
      },
    }),
    waitingChange({
      ...{ changeId: 'ch_partly_undone', status: 'applied', partlyUndoneBy: 'ch_undo', notices: [], undo },
      records: [
        { ...long, outcome: 'done', since: 'changed' },
        { ...autumn, outcome: 'done', since: 'undone' },
      ],
    }),
    waitingChange({
      ...{
        changeId: 'ch_renamed',
        status: 'partly_applied',
        notices: [],
        notes: ['The name is taken.', 'Ask your assistant for another name than "Winter 2026".'],
      },
      records: [
        {
          ...{ ...autumn, outcome: 'failed', reason: sentence`The name is taken.`, newName: 'Winter 2026' },
          fields: [{ name: 'Name', before: 'Autumn', after: 'Winter 2026' }],
          lists: [{ field: 'videoKeys', what, before: keys(8), after: keys(5) }],
        },
        { ...long, outcome: 'done', newName: 'Spring 2026', fields: [{ name: 'Name', before: 'Spring', after: 'Spring 2026' }] },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_recorded', status: 'applied', notices: [], changesAccount: false, records: [{ ...long, outcome: 'done' }] },
      agreed: [
        { words: 'Asked by nightly', at: '2026-08-03T09:00:00.000Z' },
        { words: 'Nobody was asked to agree: it is covered by the standing approval summer.', isUnasked: true, isCovered: true },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_copied', status: 'partly_applied', records: [], notices: [], titles: { v1: 'The tour' } },
      ...{ counts: { what: 'video', total: 400, done: 396, failed: 3, unknown: 1, notSent: 0 }, outcome: 'nightly stopped it.' },
      bulk: {
        ...{ total: 400, facts: [], done: 396, failedCount: 3, unknownCount: 1, failed: [], unknown: [], notSent: 0, ids: keys(400) },
        source: 'v1',
      },
    }),
    waitingChange({
      ...{ changeId: 'ch_since', status: 'applied', notices: [], canUndo: true, counts: { what: 'channel', total: 2, done: 2 } },
      undo: { possible: 'partly', how: 'Each is set back. "Winter 2026" was changed since, so an undo leaves it alone.' },
      records: [
        { ...long, outcome: 'done' },
        { ...autumn, outcome: 'done', newName: 'Winter 2026', since: 'changed' },
      ],
    }),
    waitingChange({
      ...{ changeId: 'ch_from', status: 'applied', records: [], notices: [], canUndo: true },
      undo: {
        ...{ possible: 'yes', how: 'They go back.' },
        words:
          'This can be undone: the videos go back to "Marketing" (5f0c11aa5f0c11aa5f0c11aa). That they come from there was only said; nobody checked it.',
      },
    }),
    waitingChange({
      ...{ changeId: 'ch_doubtful', status: 'partly_applied', records: [], notices: [], titles: {} },
      counts: { what: 'video', total: 40, done: 0, failed: 0, unknown: 40, notSent: 0 },
      bulk: {
        ...{ total: 40, facts: [], done: 0, failedCount: 0, unknownCount: 40, failed: [], notSent: 0, ids: keys(40), source: 'v1' },
        unknown: keys(40).map((id, index) => ({ id, reason: sentence`The connection broke.`, request: index < 25 ? 2 : 5 })),
        unknownRequests: [
          { request: 2, count: 25 },
          { request: 5, count: 15 },
        ],
      },
    }),
  ];
}

test.each([1280, 360])(
  '%d pixels wide: no view of untrusted text or many rows has a finding of axe, scrolls sideways or causes an error',
  async (width) => {
    const page = await browser.open(server.open('#/changes'), { scheme: 'light', width });
    const found: Record<string, unknown> = {};
    for (const view of [...UNTRUSTED, '#/changes/ch_large']) {
      await page.emulateMedia({ colorScheme: 'light' });
      await enter(page, server.open(view));
      await page.waitForURL((url) => url.hash === view);
      await page.locator('main h1').waitFor();
      await page.locator('.appears-late').waitFor({ state: 'detached' });
      const problems = await axeProblems(page);
      // The style sheet has colours for both schemes and the rest once.
      await page.emulateMedia({ colorScheme: 'dark' });
      problems.push(...(await axeProblems(page, 'colours')));
      if (problems.length > 0 || (await scrollsSideways(page))) found[view] = problems;
    }
    expect(found).toEqual({});
  },
);

test.each(UNTRUSTED)('untrusted text is shown as text in %s', async (view) => {
  const page = await browser.open(server.open(view));
  await page.getByText('onerror').first().waitFor();
  expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
  expect(await page.title()).not.toContain('owned');
  // A character that reverses the direction of text has no effect outside its own element.
  expect(await page.locator(':not(bdi, option) > :text-is("nothing")').count()).toBe(0);
});

test('all 20,000 rows of a plan can be reached, with fewer than 80 of them in the document', async () => {
  const page = await browser.open(server.open('#/changes/ch_large'));
  const list = page.getByRole('region', { name: /^Large: videos, 19,999 rows/ });
  await list.waitFor();
  expect(await page.locator('.row').count()).toBeLessThan(80);
  await list.focus();
  await page.keyboard.press('End');
  await page.getByText('vid000002', { exact: true }).waitFor();
  await page.getByLabel('After (20,000)').check({ force: true });
  await page.getByText('vid020000', { exact: true }).waitFor();
});

test('what a view still loads is given up when the person leaves it', async () => {
  const page = await browser.open(server.open('#/changes'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { opened, open } = gate();
  await page.route('**/api/channels/c9', async (route) => {
    await opened;
    await route.continue().catch(() => undefined);
  });
  const [asked] = await Promise.all([page.waitForRequest('**/api/channels/c9'), page.evaluate("location.hash = '#/channels/c9'")]);
  const [failed] = await Promise.all([
    page.waitForEvent('requestfailed', (request) => request.url() === asked.url()),
    page.evaluate("location.hash = '#/reports'"),
  ]);
  expect(failed.failure()?.errorText).toContain('ABORTED');
  open();
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
});

test('a video key named like an object’s property has no title', async () => {
  const page = await browser.open(server.open('#/changes/ch_hostile'));
  const row = page.locator('.losses .row', { hasText: 'constructor' });
  expect(await row.locator('.video').textContent()).toBe('constructor');
});

test('the URL of a view opens it, and its heading has the focus', async () => {
  const page = await browser.open(server.open('#/changes/ch_bulk'));
  const heading = page.getByRole('heading', { level: 1, name: 'Move 4,739 videos into “Archive”' });
  await heading.waitFor();
  expect(await page.evaluate('document.activeElement === document.querySelector("h1")')).toBe(true);
});

test('the document loads nothing from other origins, and has no inline handlers, inline styles or eval', () => {
  const html = pageHtml();
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  expect(html.match(/<(script|style)/g)).toEqual(['<style', '<script']);
  expect(html.replace(script, '').match(/\son\w+=|\sstyle=|https?:/g)).toBeNull();
  expect(script.match(/\beval\(|new Function\(|https?:\/\/(?!www\.w3\.org\/)[^"'`]*/g)).toBeNull();
  expect(html.length).toBeLessThan(205_000);
});

const textOf = (page: { locator: (selector: string) => { innerText: () => Promise<string> } }) => page.locator('main').innerText();

test('of a change that an agent asked for, who asked until when it waits and why no standing approval covers it come first, then what is not known, what is lost, and other changes last', async () => {
  const page = await browser.open(server.open('#/changes/ch_kept'), { scheme: 'light', width: 390 });
  // What else waits comes with an answer of its own.
  await page.getByRole('heading', { level: 2, name: /other changes wait for you/ }).waitFor();
  const text = await textOf(page);
  const order = [
    'Change 3 channels, as nightly asked',
    'Asked by nightly through Codex at 3 Aug 2026, 09:00; waits until 1 Jan 2099, 00:00.',
    'Why a person is asked: 880 over today’s 5,000 of nightly-archive (move_videos).',
    'What “Autumn” holds now is not known',
    'What would be removed',
    'What changes',
    'other changes wait for you',
  ];
  const places = order.map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

const FIRST_SCREEN = [
  [1280, 800],
  [390, 844],
] as const;

test.each(FIRST_SCREEN)(
  'at %d × %d, what is emptied or contradicted, and that a copy can’t be undone, can be read before scrolling however long the lists are',
  async (width, height) => {
    const page = await browser.open(server.open('#/changes/ch_gravest'), { scheme: 'light', width });
    await page.setViewportSize({ width, height });
    // The lists stand there before what is measured.
    await expect.poll(() => page.locator('main .row').count()).toBeGreaterThan(3);
    const bar = async () => (await page.getByRole('region', { name: 'Your decision' }).boundingBox())?.y ?? 0;
    const endOf = async (words: string) => {
      const { y = Number.NaN, height: tall = 0 } = (await page.getByText(words).first().boundingBox()) ?? {};
      return y + tall;
    };
    for (const words of ['“Spring” ends up empty.', 'None of the videos listed for “Autumn” was ever seen in it.'])
      expect(await endOf(words)).toBeLessThan(await bar());
    await enter(page, server.open('#/changes/ch_copy'));
    await page.getByText('Add the calls to action of “The tour” v1 to 400 videos.').waitFor();
    // Where the buttons are, in the colour of what is not to be overlooked, and nowhere else.
    await page
      .getByRole('region', { name: 'Your decision' })
      .locator('.tone-caution', { hasText: 'This can’t be undone: a copy stays.' })
      .waitFor();
    expect(await page.getByText('be undone').count()).toBe(1);
  },
);

test.each(FIRST_SCREEN)(
  'at %d × %d, on whose earlier word a list rests, and what would be overtaken, can be read before scrolling',
  async (width, height) => {
    const page = await browser.open(server.open('#/changes/ch_rests'), { scheme: 'light', width });
    await page.setViewportSize({ width, height });
    const bar = page.getByRole('region', { name: 'Your decision' });
    await bar.getByRole('button').first().waitFor();
    for (const words of [
      'Another change of this channel waits too; what is applied last counts',
      'a video missing from it drops out for good',
      'Asked by nightly on',
    ]) {
      const { y = Number.NaN, height: tall = 0 } = (await page.getByText(words).first().boundingBox()) ?? {};
      expect(y + tall).toBeLessThan((await bar.boundingBox())?.y ?? 0);
    }
  },
);

test.each(FIRST_SCREEN)(
  'at %d × %d, what others changed meanwhile, and that a stated list may be older, can be read before scrolling',
  async (width, height) => {
    const page = await browser.open(server.open('#/changes/ch_overtaken'), { scheme: 'light', width });
    await page.setViewportSize({ width, height });
    const bar = page.getByRole('region', { name: 'Your decision' });
    await bar.getByRole('button').first().waitFor();
    for (const words of ['By a colleague', 'The list was given before that, and may be out of date.']) {
      const { y = Number.NaN, height: tall = 0 } = (await page.getByText(words).first().boundingBox()) ?? {};
      expect(y + tall).toBeLessThan((await bar.boundingBox())?.y ?? 0);
    }
  },
);

test.each(FIRST_SCREEN)(
  'at %d × %d, whether it can be undone and what is left alone can be read before scrolling',
  async (width, height) => {
    const page = await browser.open(server.open('#/changes/ch_left'), { scheme: 'light', width });
    await page.setViewportSize({ width, height });
    const bar = page.getByRole('region', { name: 'Your decision' });
    await bar.getByText('This can be undone, which puts the 50 videos back, until somebody else changes the channel.').waitFor();
    const top = async (words: string) => (await page.getByText(words).first().boundingBox())?.y ?? Number.NaN;
    expect(await top(LEFT.text)).toBeLessThan((await bar.boundingBox())?.y ?? 0);
    expect(await top(LEFT.text)).toBeLessThan(await top('What would be removed'));
    await enter(page, server.open('#/changes/ch_left_over'));
    const told = page.locator('.notice.tone-caution').filter({ hasText: 'It was applied, but for what was left alone.' });
    await told.getByText(LEFT.text).waitFor();
    // And why there is no button for it.
    await told.getByText('so an undo leaves it alone').waitFor();
    await page.getByText('– left alone').waitFor();
  },
);

test('what could not be sent is told as lost, with why and from when it can be carried on, and a press that did nothing first', async () => {
  const page = await browser.open(server.open('#/changes/ch_busy'));
  const told = page.locator('.notice.tone-loss');
  await told.getByText('The service is unavailable.').waitFor();
  await told.getByText('carry it on from 30 Dec 2099, 22:41 on').waitFor();
  await page.locator('article .status.tone-loss', { hasText: 'not done' }).waitFor();
  // Before its time, it says when.
  expect(await page.getByRole('button', { name: 'Carry on …' }).isDisabled()).toBe(true);
  await page.getByText('Can be carried on from 30 Dec 2099, 22:41.').waitFor();
  const text = await textOf(page);
  expect(text.indexOf('It failed.')).toBeLessThan(text.indexOf('Stop came too late.'));
});

test('what keeps a running change from going on stands above its bar, and it can be stopped to be undone', async () => {
  const page = await browser.open(server.open('#/changes/ch_stuck'));
  await page.locator('.notice.tone-caution', { hasText: 'next try at 30 Dec 2099, 22:41' }).waitFor();
  for (const name of ['Stop', 'Stop and undo …']) await page.getByRole('button', { name, exact: true }).waitFor();
  const text = await textOf(page);
  // In one notice, under what it is called.
  expect(text).not.toContain('This is being applied.');
  expect(await page.locator('.notice').count()).toBe(1);
  await page.locator('.above .status.tone-caution', { hasText: 'Paused' }).waitFor();
});

test('one that was asked to stop says that it waits, of many videos for how many, and nothing can be pressed until its end', async () => {
  const page = await browser.open(server.open('#/changes/ch_stopping'));
  await page.getByText('It waits for what was sent already.').waitFor();
  await page.getByText('Stop was pressed. Once it has ended, you see here what can be done with it.').waitFor();
  await page.locator('.above .status.tone-caution', { hasText: 'Stopping' }).waitFor();
  for (const name of ['Stop', 'Stop and undo …']) {
    const button = page.getByRole('button', { name, exact: true });
    expect(await button.isDisabled()).toBe(true);
  }
  await enter(page, server.open('#/changes/ch_stopping_many'));
  await page.getByText('It is stopping. 3,000 were sent and can’t be stopped any more; the other 739 will not be sent.').waitFor();
  const tiles = await page.locator('dl.figures').innerText();
  expect(tiles.replace(/\s+/g, ' ')).toBe('Done 1,000 Sent, no answer yet 3,000 Not sent 739');
  expect(await page.getByText(/a second|a minute|left$/).count()).toBe(0);
});

test('of one that was undone in part, each record says what became of it since, and no button is there where nothing can be undone', async () => {
  const page = await browser.open(server.open('#/changes/ch_partly_undone'));
  await page.locator('.above .status', { hasText: 'Partly undone' }).waitFor();
  await page.locator('.notice.tone-caution', { hasText: 'It was applied, and part of it was undone later.' }).waitFor();
  await page.locator('article', { hasText: 'Spring' }).locator('.status', { hasText: 'changed since, stays as it is' }).waitFor();
  await page.locator('article', { hasText: 'Autumn' }).locator('.status', { hasText: 'undone' }).waitFor();
  expect(await page.getByRole('button', { name: /Undo/ }).count()).toBe(0);
  await enter(page, server.open('#/changes'));
  await page.getByRole('list', { name: 'History of changes' }).locator('.status', { hasText: 'Partly undone' }).waitFor();
});

test('a record that was renamed is called by its new name, and one that could not be is told with the name it was to get, once', async () => {
  const page = await browser.open(server.open('#/changes/ch_renamed'));
  await page.locator('.notice', { hasText: 'The name is taken.' }).waitFor();
  expect(await page.getByText('The name is taken.').count()).toBe(1);
  await page.locator('.notice').getByText('Ask your assistant for another name than “Winter 2026”.').waitFor();
  const heading = (name: string) => page.getByRole('article').getByRole('heading', { name });
  await expect.poll(() => heading('Spring 2026').innerText()).toMatch(/^Spring 2026\s+was Spring\s+✓ done$/);
  await expect.poll(() => heading('Autumn').innerText()).toMatch(/^Autumn\s+✕ failed$/);
  // What is done is told as that.
  const done = page.getByRole('article').filter({ hasText: 'Spring 2026' });
  await done.getByText('− 50 removed').waitFor();
  await done.getByText('What changed').waitFor();
  await done.getByRole('columnheader', { name: 'After' }).waitFor();
});

test('what was not done is told as asked for, without weight, and not as how it is after the change', async () => {
  const page = await browser.open(server.open('#/changes/ch_renamed'));
  const failed = page.getByRole('article').filter({ hasText: 'failed' });
  await failed.getByRole('columnheader', { name: 'Asked for' }).waitFor();
  await failed.getByText('Asked for: 8 videos → 5').waitFor();
  await failed.getByText('Asked for (5)').waitFor();
  expect(await failed.getByText('After').count()).toBe(0);
  const weight = (name: string) =>
    page.getByRole('cell', { name, exact: true }).evaluate((cell) => Number(getComputedStyle(cell).fontWeight));
  expect(await weight('Winter 2026')).toBeLessThan(await weight('Spring 2026'));
  // On a phone each value has its column’s name beside it.
  const labels = page.locator('td[data-label]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label')));
  expect(await labels).toEqual(['Before', 'Asked for', 'Before', 'After']);
});

test('beside the button stands which part of a change can be undone, and on whose word that rests', async () => {
  const page = await browser.open(server.open('#/changes/ch_since'));
  const bar = page.getByRole('region', { name: 'What can be done with it' });
  await bar.getByText('“Spring” can be undone, but not “Winter 2026”, which was changed since.').waitFor();
  // One fact has one place.
  expect((await textOf(page)).match(/which was changed since|leaves it alone/g)).toHaveLength(1);
  const marks = (name: string) => page.getByRole('article').filter({ hasText: name }).locator('.status').allInnerTexts();
  expect(await marks('Winter 2026')).toEqual(['✓ done', 'changed since, stays as it is']);
  expect(await marks('Spring')).toEqual(['✓ done']);
  await enter(page, server.open('#/changes/ch_from'));
  await bar
    .getByText('This can be undone: the videos go back to “Marketing”. That they come from there was only said; nobody checked it.')
    .waitFor();
});

test('of a copy that is in doubt, the videos of each request are listed apart', async () => {
  const page = await browser.open(server.open('#/changes/ch_doubtful'));
  const rowsOf = (name: string) => page.getByRole('list', { name }).getByRole('listitem');
  await rowsOf('Sent together, 1 of 2: 25 videos').first().waitFor();
  expect(await rowsOf('Sent together, 1 of 2: 25 videos').count()).toBe(25);
  expect(await rowsOf('Sent together, 2 of 2: 15 videos').count()).toBe(15);
  expect(await page.getByRole('heading', { name: /^Sent together/ }).count()).toBe(2);
});

test('of what only recorded something it is said that it was recorded, and a standing approval is where it can be revoked', async () => {
  const page = await browser.open(server.open('#/changes/ch_recorded'));
  await page.getByRole('heading', { name: 'What was recorded' }).waitFor();
  // It has a line of its own, in the ink of what matters.
  const line = page.locator('.notice p:not(.quiet)', {
    hasText: 'Nobody was asked to agree: it is covered by the standing approval summer.',
  });
  await line.waitFor();
  expect(await line.innerText()).not.toContain('Asked by');
  await page.getByRole('link', { name: 'See or revoke it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Standing approvals' }).waitFor();
});

test('who stopped a change leads, with how much was done; a copy names its video by the title first', async () => {
  const page = await browser.open(server.open('#/changes/ch_copied'));
  await page.getByText('nightly stopped it. Of 1 it is not known whether it was done; 396 of 400 were, and 3 were not.').waitFor();
  await page.getByText('Add the calls to action of “The tour” v1 to 400 videos.').waitFor();
});

test('what several channels lose is summed up before any list, and what changes stands before what is stated, both folded where long', async () => {
  const page = await browser.open(server.open('#/changes/ch_stated'), { scheme: 'light', width: 390 });
  const bar = page.getByRole('region', { name: 'Your decision' });
  await bar
    .getByText('This can be undone, except for this: a video missing from the assistant’s list can’t be put back.', { exact: true })
    .waitFor();
  const lost = page.getByRole('region', { name: 'What would be removed' });
  // The worst first, then on what it rests, then which.
  const told = [
    '“Spring” ends up empty: all 40 videos are removed.',
    '“Autumn” loses 2 of 40 videos.',
    'This sends the assistant’s whole lists of these channels, unchecked. A video missing from them drops out for good.',
    'Listed: 80 videos; sent: 38 videos.',
    'What would be removed',
  ];
  await page.getByText('Listed: 80 videos').waitFor();
  const places = await textOf(page).then((all) => told.map((words) => all.indexOf(words)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  const first = lost.getByText('vid000001', { exact: true }).first();
  expect(await first.isVisible()).toBe(false);
  await lost.getByText('40 videos', { exact: true }).click();
  await first.waitFor();
  const stated = page.getByRole('region', { name: /^The lists? that (was|were) given$/ });
  expect(await stated.locator('.row').first().isVisible()).toBe(false);
  const text = await textOf(page);
  expect(text.indexOf('What changes')).toBeLessThan(text.indexOf('The lists that were given'));
  await stated.getByText('The whole list').first().click();
  await stated.locator('.row').first().waitFor();
  expect(await axeProblems(page, 'everything')).toEqual([]);
});

test('of one that has nothing left to be done, the plan is folded away, and nothing is said of an undo', async () => {
  const page = await browser.open(server.open('#/changes/ch_nothing_left'));
  await page.getByText('It is as wanted already: dismiss it.').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  expect(await page.getByRole('heading', { name: 'What would be removed' }).isVisible()).toBe(false);
  expect(await textOf(page)).not.toContain('be undone');
  await page.getByText('The plan as it was asked for').click();
  await page.getByRole('heading', { name: 'What would be removed' }).waitFor();
});

test('on a phone the bar of a statement says that nothing in the account changes', async () => {
  const page = await browser.open(server.open('#/channels/c10'), { scheme: 'light', width: 390 });
  await page.getByRole('region', { name: 'State the contents' }).getByText('Nothing in the account changes now.').waitFor();
  // What was only said is not shown as what was seen.
  await page.locator('.above .status.tone-plain', { hasText: 'As somebody said' }).waitFor();
  expect(await page.locator('.above').getByText('Known').count()).toBe(0);
});

test('the history tells how many there are, what became of them and who agreed, and what needs a look comes first', async () => {
  const page = await browser.open(server.open('#/changes'));
  // What may have been done or not comes first.
  const doubtful = page.getByRole('list', { name: 'Changes that need a look' });
  await doubtful.getByText('396 of 400 videos done, 3 failed, 1 not known').waitFor();
  const history = page.getByRole('list', { name: 'History of changes' });
  expect(await history.getByText('1 not known').count()).toBe(0);
  // Of a single one there is nothing to count.
  await history.getByText('not sent', { exact: true }).waitFor();
  await history.getByText('You agreed at a terminal').waitFor();
});

test('of one that can’t be applied now it is said what can be done about it', async () => {
  const page = await browser.open(server.open('#/changes/ch_unplannable'));
  const told = page.locator('.notice', { hasText: 'This can’t be applied now.' });
  await told.getByText('“Gone” is gone').waitFor();
  await told.getByText('If it was deleted, turn this down').waitFor();
  // Nobody needs to read what is not done.
  expect(await page.getByRole('heading', { name: 'What would be removed' }).isVisible()).toBe(false);
  await page.getByText('The plan as it was asked for').click();
  await page.getByRole('heading', { name: 'What would be removed' }).waitFor();
});

test('of a change that is over, what became of each channel and why comes before what the assistant stated', async () => {
  const page = await browser.open(server.open('#/changes/ch_gravest_over'), { scheme: 'light', width: 390 });
  await page.getByText('1 of 2 was done; 1 was not.').waitFor();
  const text = await textOf(page);
  const places = ['“Autumn”: The name is taken.', 'What became of each', 'The lists that were given'].map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
});

test('of a change that failed, the result and its reason are first, each reason is told once, and the rest is offered', async () => {
  const page = await browser.open(server.open('#/changes/ch_none'));
  await page.getByText('It failed: none of 19 could be done.').waitFor();
  // Above the figures and above the list.
  expect(await page.getByText('The service refused it twice, alone.').count()).toBe(2);
  expect(await page.getByText('vid000001', { exact: true }).count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Try again …' }).count()).toBe(1);
  // A single number tells no more than the sentence.
  expect(await page.locator('.figure').count()).toBe(0);
});

test('names are set in typographic quotation marks, and ids in small type, without them in the headline', async () => {
  const page = await browser.open(server.open('#/changes/ch_none'));
  const heading = page.getByRole('heading', { level: 1 });
  await heading.waitFor();
  await expect.poll(() => heading.innerText()).toBe('Move 19 videos into “R&D "Skunkworks"”');
  const sizes = await page.evaluate(
    "['.panel p', '.panel p .record-id'].map((one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize))",
  );
  expect((sizes as number[])[1]).toBeLessThan((sizes as number[])[0] ?? 0);
});

test('what runs is on top of the list, with its bar, its rate and the time that is left', async () => {
  const page = await browser.open(server.open('#/changes'));
  const running = page.getByRole('list', { name: 'Changes that run' });
  await running.getByText('1,200 of 4,739').waitFor();
  await running
    .getByText(/a second, about .* left|a minute, about .* left/)
    .first()
    .waitFor();
  const [above, below] = await Promise.all(
    [running, page.getByRole('list', { name: 'Changes that wait for you' })].map((list) => list.boundingBox()),
  );
  expect(above?.y).toBeLessThan(below?.y ?? 0);
  server.send({ type: 'change', changeId: 'ch_running', status: 'running', progress: { done: 2_400, total: 4_739 } });
  await running.getByText('2,400 of 4,739').waitFor();
});

test('a list that can’t be loaded says why in a notice, and is loaded by “Try again”', async () => {
  const page = await browser.open(server.open('#/reports'));
  await page.getByRole('list', { name: 'Reports' }).waitFor();
  const refuse = (more = {}) =>
    page.route('**/api/channels*', (route) =>
      route.fulfill({ status: 404, body: JSON.stringify({ message: 'The service refused it.', ...more }) }),
    );
  await refuse();
  await page.getByRole('link', { name: 'Channels' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'The service refused it.' });
  await notice.waitFor();
  await page.unroute('**/api/channels*');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('It is known what 3 of 4 channels hold').waitFor();
  // Before that can help, it says from when on.
  await refuse({ retryAt: '2099-12-30T22:41:00.000Z' });
  await page.reload({ waitUntil: 'domcontentloaded' });
  await notice.getByText('from 30 Dec 2099, 22:41 on').waitFor();
  expect(await notice.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true);
});

test('what is not there offers nothing to try again', async () => {
  const page = await browser.open(server.open('#/changes/no-such-change'));
  await page.getByRole('alert').getByText('There is nothing of this name.').waitFor();
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});
