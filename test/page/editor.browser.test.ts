/** The editor of a stated list: pasting, selecting, ordering by mouse and keyboard, and undo. */

import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { pageHtml, useBrowser } from './support/browser.ts';
import { type FixtureData, type FixtureServer, startFixtureServer } from './support/fixture-server.ts';
import { fixtureData, keyOf, keys, waitingChange } from './support/fixtures.ts';

const StatementSchema = z.object({ videoKeys: z.array(z.string()) });
let data: FixtureData;
let server: FixtureServer;
beforeEach(async () => {
  data = fixtureData();
  server = await startFixtureServer(pageHtml(), data);
});
// Registered first, so it runs after the pages are closed.
afterEach(() => server.close());
const browser = useBrowser();

const open = (channel: string): Promise<Page> => browser.open(server.open(`#/channels/${channel}`));
const list = (page: Page) => page.getByRole('listbox');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** Submits the list, and returns the video keys that the server receives. */
async function stated(page: Page): Promise<readonly string[]> {
  await button(page, /^This is what it holds now/).click();
  await expect.poll(() => server.stated.length).toBe(1);
  return StatementSchema.parse(server.stated[0]).videoKeys;
}

test('5,000 videos can be reordered with the keyboard alone', async () => {
  const page = await open('c11');
  await list(page).focus();
  // The last one to the top, the two below it to the bottom, the next one down by two.
  const pressed = 'End Alt+Home ArrowDown Space ArrowDown Space Alt+End Escape Home ArrowDown Alt+ArrowDown Alt+ArrowDown';
  for (const key of pressed.split(' ')) await page.keyboard.press(key);
  await page.getByText('1 video moved, now from position 4 of 5,000.').waitFor({ state: 'attached' });
  expect(await page.getByRole('option').count()).toBeLessThan(60);
  expect(
    await page.evaluate('document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent'),
  ).toContain(keyOf(3));
  const order = await stated(page);
  expect(order).toHaveLength(5000);
  expect(order.slice(0, 5)).toEqual([5000, 4, 5, 3, 6].map(keyOf));
  expect(order.slice(-3)).toEqual([4999, 1, 2].map(keyOf));
});

test('selected videos move to a position together, and the last edit can be undone', async () => {
  const page = await open('c10');
  await list(page).focus();
  for (const key of ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
  await page.getByText('3 of 12 selected').waitFor();
  await page.getByLabel('To position').fill('10');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await button(page, 'Remove').click();
  await page.getByText('9 videos', { exact: true }).waitFor();
  await button(page, 'Undo the removal').click();
  expect(await stated(page)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3].map(keyOf));
});

test('dragging a selected row moves all selected rows', async () => {
  const page = await open('c10');
  const row = (number: number) => page.getByRole('option').filter({ hasText: keyOf(number) });
  await row(1).click();
  await row(2).click();
  await row(2).dragTo(row(6), { targetPosition: { x: 200, y: 45 } });
  expect(await stated(page)).toEqual([3, 4, 5, 6, 1, 2, 7, 8, 9, 10, 11, 12].map(keyOf));
});

test('pasted entries are counted as new, already listed, repeated, blank, unknown or left out', async () => {
  const page = await open('c10');
  const box = page.getByLabel('Paste keys, ids or titles');
  await box.fill(`key,title\n${keyOf(1)},x\n${keyOf(20)},y\n${keyOf(20)},y\nnewer1,z\n,\nno such title,z`);
  await page.getByText(/5 entries read.*: 2 new, 1 already in the list, 1 repeated, 1 blank, 1 left out/).waitFor();
  await page.getByText('line 7: the catalogue has no title "no such title", and it looks like no key of it.').waitFor();
  await page.getByText('1 is not in the video catalogue.').waitFor();
  await page.getByLabel('Column that holds the videos').selectOption('title');
  await page.getByText('5 entries are left out:').waitFor();
  await page.getByLabel('Column that holds the videos').selectOption('key');
  await button(page, 'Add 2 videos').click();
  await page.getByText('? not in the catalogue').waitFor();
  expect(await stated(page)).toEqual([...keys(12), keyOf(20), 'newer1']);
});

test('a file is read, and the page says how', async () => {
  const page = await open('c9');
  const buffer = Buffer.from(`\ufeff"Video Key";"Title"\r\n"${keyOf(2)}";"a;b"\r\n${keyOf(1)};c\r\n`);
  await page.getByLabel('A file with the list').setInputFiles({ name: 'list.csv', mimeType: 'text/plain', buffer });
  await page.getByText('2 entries read from list.csv').waitFor();
  await button(page, 'Add 2 videos').click();
  expect(await stated(page)).toEqual([2, 1].map(keyOf));
});

test('videos seen in views can be added, and found by title', async () => {
  const page = await open('c9');
  await page.getByText('25 videos seen, 25 not in the list').waitFor();
  await page.getByLabel('Find here and in the video catalogue').fill('(part 300)');
  await button(page, /^Add .*\(part 300\)$/).click();
  await page.getByLabel('Find here and in the video catalogue').fill('');
  await button(page, 'Add all 25').click();
  await page.getByText('all of them in the list').waitFor();
  expect(await stated(page)).toEqual([keyOf(300), ...keys(25, 40)]);
});

test('an unfinished list is kept while another view is open, with what was said of projects', async () => {
  const page = await open('c9');
  await button(page, 'Add all 25').click();
  await page.getByLabel('None', { exact: true }).check();
  await page.getByRole('link', { name: 'Reports' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
  await page.goBack();
  await page.getByText('25 videos', { exact: true }).waitFor();
  await button(page, /^This is what it holds now/).click();
  await expect.poll(() => server.stated).toMatchObject([{ videoKeys: keys(25, 40), projects: { kind: 'none' } }]);
});

test('what was typed of projects is sent as it is, and blanks alone say nothing', async () => {
  const page = await open('c9');
  await page.getByLabel('These', { exact: true }).check();
  const box = page.getByLabel('Project keys or names, one a line');
  const text = ' Press releases 2026\n\nk1, k2;k3\n';
  await box.fill(' \n\t');
  expect(await button(page, 'This is what it holds now').isDisabled()).toBe(true);
  await box.fill(text);
  expect(await stated(page)).toEqual([]);
  expect(server.stated).toMatchObject([{ projects: { kind: 'these', text } }]);
});

test.each([
  ['a list is over', [], 'Nothing is in the list yet.'],
  ['a list that was edited since is kept', ['Home', 'Delete'], '24 videos'],
])('once its statement is recorded, %s', async (_what, edited, shown) => {
  const page = await open('c9');
  await button(page, 'Add all 25').click();
  await stated(page);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByText('25 videos', { exact: true }).waitFor();
  await list(page).focus();
  for (const key of edited) await page.keyboard.press(key);
  await page.goBack();
  await page.getByRole('link', { name: 'Back to the list' }).waitFor();
  data.changes[0] = waitingChange({ status: 'applied' });
  server.send({ type: 'change', changeId: 'ch_waiting', status: 'applied' });
  await page.getByRole('link', { name: 'To the channel' }).click();
  await page.getByText(shown, { exact: true }).waitFor();
});

test('a view that the assistant shows does not interrupt an unfinished list', async () => {
  const page = await open('c9');
  await button(page, 'Add all 25').click();
  server.send({ type: 'show', view: '#/reports/r1' });
  await page.getByRole('alert').getByRole('link', { name: 'Show it' }).click();
  await page.getByRole('heading', { level: 1, name: /^views, play_rate/ }).waitFor();
  server.send({ type: 'show', view: '#/changes' });
  await page.getByRole('heading', { level: 1, name: /wait for you/ }).waitFor();
});
