/** Several people on one page, each in a browser of their own: whose what waits is, who decides, downloads, and the end of a sign-in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { rotateSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { freshHome } from '../harness/cleanup.ts';
import { type PersonName, type SpawnedHttp, spawnHttp } from '../harness/http.ts';
import { type Environment, pathsOf, startService } from '../harness/service.ts';
import { axeProblems, type Look, scrollsSideways, useBrowser } from '../page/support/browser.ts';

const browser = useBrowser();
const never = new AbortController().signal;
const CLOCK = join(import.meta.dirname, '..', 'harness', 'clock.cjs');
const LOOKS: readonly Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 1280 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
];
const PHONE: Look = { scheme: 'dark', width: 390 };

/** Bob’s assistant asks for a project, and Ann’s for another. */
async function team(env: Environment = {}) {
  const demo = await startService({ channels: 3, projects: 3 });
  const session = await spawnHttp({ demo, env });
  const ask = async (name: 'ann' | 'bob', project: string) => {
    const client = await session.connect(session.people[name]);
    return String((await client.callTool('create_project', { name: project, region: 'use-s' })).data?.changeId);
  };
  return { session, demo, ask, sent: () => pathsOf(demo).filter((path) => path.startsWith('POST')) };
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Page key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function open(
  { url, people }: SpawnedHttp,
  name: PersonName,
  path: string,
  look?: Look,
  mayAnswer?: readonly number[],
): Promise<Page> {
  const page = await browser.open(`${url}${path}`, look, mayAnswer);
  await signIn(page, people[name].secrets.pageKey);
  await page.getByText(`Signed in as ${name}`).waitFor();
  return page;
}

const wellMade = async (page: Page) => {
  expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
};

test('what waits is listed with one’s own first, with who asked through what, and with what needs somebody else', async () => {
  const { session, ask, sent } = await team({ VIDEO_HOSTING_SECOND_PERSON: 'always' });
  await ask('bob', 'Of Bob');
  const own = await ask('ann', 'Of Ann');
  for (const look of LOOKS) {
    const page = await open(session, 'ann', '/app/changes', look);
    await page.getByRole('heading', { name: 'Asked for by others' }).waitFor();
    const texts = await page.locator('main h1, main h2, main .entry-name').allTextContents();
    expect(texts).toEqual([
      '1 change waits for you, 1 waits for somebody else',
      'Asked for by you',
      expect.stringContaining('Of Ann'),
      'Asked for by others',
      expect.stringContaining('Of Bob'),
    ]);
    for (const words of ['Waits for you', 'Waits for somebody else'])
      expect(await page.locator('.status').filter({ hasText: words }).count()).toBe(1);
    expect(await page.getByText('waits until').count()).toBe(2);
    await page.getByText('by bob through test-client').waitFor();
    await wellMade(page);
  }
  // Whoever asked is told why, and can’t press.
  const page = await open(session, 'ann', `/changes/${own}`, PHONE);
  await page.getByText('This needs somebody else.').waitFor();
  await page.getByText(/ann asked for it, so somebody else/).waitFor();
  expect(await page.getByRole('button', { name: /Create/ }).count()).toBe(0);
  expect(await page.getByText('can’t be applied now').count()).toBe(0);
  await page.getByText(/can’t be deleted from here/).waitFor();
  await wellMade(page);
  const dans = await open(session, 'dan', `/changes/${own}`);
  await dans.getByRole('button', { name: /Create/ }).waitFor();
  await dans.waitForTimeout(700);
  await dans.getByRole('button', { name: /Create/ }).click();
  await dans.getByText('Everything was applied.').first().waitFor();
  expect(sent()).toEqual(['POST /v1/projects']);
  await page.getByText(/dan approved on the approval page what ann’s assistant \(test-client\) asked for/).waitFor();
});

test('an assistant’s new request is offered to others, and takes nobody away from what they read', async () => {
  const { session, ask } = await team();
  const page = await open(session, 'eve', '/app/changes');
  await page.getByText('Nothing has been changed yet.').waitFor();
  const changeId = await ask('bob', 'Of Bob');
  await page.getByText('A change was asked for, and waits for somebody who may approve it.').waitFor();
  expect(new URL(page.url()).hash).not.toContain(changeId);
  await page.getByRole('link', { name: 'Show it' }).click();
  await page.getByText('This needs somebody else.').waitFor();
  expect(await page.getByRole('button', { name: /Create|Decline|Withdraw/ }).count()).toBe(0);
  await wellMade(page);
});

test('an export of emails is downloaded by who asked and who approved; others are told whose it is', async () => {
  const { session } = await team();
  const bob = await session.connect(session.people.bob);
  const { data } = await bob.callTool('get_collected_emails', { exportAs: 'csv' });
  const link = `/changes/${String(data?.changeId)}`;
  const ann = await open(session, 'ann', link, PHONE);
  await ann
    .getByText(/personal data/)
    .first()
    .waitFor();
  await ann.waitForTimeout(700);
  await ann.getByRole('button', { name: 'Write the file' }).click();
  await ann.getByText(/bob, who asked, and ann, who approved/).waitFor();
  await wellMade(ann);
  // Refused for the moment, as one of too many requests, it comes all the same.
  const bobs = await open(session, 'bob', link, undefined, [429]);
  const refused = await refuse(bobs, `changes/${String(data?.changeId)}/emails`, 1);
  for (const page of [ann, bobs]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the file (CSV)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`collected-emails-${String(data?.changeId)}.csv`);
    expect(readFileSync(await download.path(), 'utf8')).toContain('fullName,email');
  }
  expect(refused()).toBe(1);
  const eve = await open(session, 'eve', link);
  await eve.getByText(/bob, who asked, and ann, who approved/).waitFor();
  expect(await eve.getByRole('link', { name: /Download/ }).count()).toBe(0);
});

test('a sign-in that ended is told as that, what was shown stays, and the next one leads back to it', async () => {
  const { session, ask, sent } = await team();
  const changeId = await ask('bob', 'Of Bob');
  const page = await open(session, 'ann', `/changes/${changeId}`, PHONE);
  await page.getByRole('button', { name: /Create/ }).waitFor();
  const { secrets } = await rotateSecrets(peopleFileIn(session.dataDir), 'ann', never);
  await page.getByText('You are not signed in any more.').waitFor();
  expect(await page.getByText('The server of this page has ended').count()).toBe(0);
  expect(await page.getByRole('button', { name: /Create|Decline/ }).count()).toBe(0);
  await wellMade(page);
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, secrets.pageKey);
  await page.getByRole('button', { name: /Create/ }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/changes/${changeId}`);
  expect(sent()).toEqual([]);
});

test('a window that nobody uses runs out while others work, and one that is used does not', async () => {
  const clock = join(freshHome(), 'clock');
  const { session, ask } = await team({ NODE_OPTIONS: `--require ${CLOCK}`, CLOCK_FILE: clock });
  const ahead = (minutes: number) => writeFileSync(clock, String(minutes * 60_000));
  const idle = await open(session, 'dan', '/app/changes');
  const used = await open(session, 'ann', '/app/changes');
  const listed = (name: PersonName) =>
    session.requests().filter(({ person, path }) => person === name && path === '/app/api/changes').length;
  const [before, told] = [listed('dan'), session.requests().length];
  ahead(20);
  await ask('bob', 'Of Bob');
  // Its window asks for what is new by itself.
  await expect.poll(() => listed('dan')).toBeGreaterThan(before);
  await used.keyboard.press('Shift');
  await expect
    .poll(() =>
      session
        .requests()
        .slice(told)
        .some(({ person, path }) => person === 'ann' && path === '/app/api/session'),
    )
    .toBe(true);
  ahead(31);
  await ask('bob', 'Of Bob, too');
  await idle.getByText('You are not signed in any more.').waitFor();
  await used
    .getByRole('link', { name: /Of Bob, too/ })
    .first()
    .waitFor();
  expect(await used.getByText('You are not signed in any more.').count()).toBe(0);
});

test('a second window of the same person shows what the first decided, and both end with a sign-out', async () => {
  const { session, ask, sent } = await team();
  const changeId = await ask('bob', 'Of Bob');
  const first = await open(session, 'ann', `/changes/${changeId}`);
  const second = await first.context().newPage();
  await second.goto(`${session.url}/changes/${changeId}`);
  await second.getByRole('button', { name: /Create/ }).waitFor();
  await first.waitForTimeout(700);
  await first.getByRole('button', { name: /Create/ }).click();
  for (const page of [first, second]) await page.getByText('Everything was applied.').first().waitFor();
  expect(sent()).toEqual(['POST /v1/projects']);
  await first.getByRole('button', { name: 'Sign out' }).click();
  await first.getByRole('heading', { name: 'Sign in' }).waitFor();
  await second.getByText('You are not signed in any more.').waitFor();
});

/** Refuses the next requests of a window for a resource, as one of too many. */
async function refuse(page: Page, path: string, times: number): Promise<() => number> {
  let refused = 0;
  await page.route(`**/api/${path}`, async (route) => {
    if (refused >= times) return route.continue();
    refused += 1;
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { message: 'Too many requests of this page.' } });
  });
  return () => refused;
}

test('a window whose read is refused for the moment, since all windows of its person are told of the same, shows what is true all the same', async () => {
  const { session, ask } = await team();
  const changeId = await ask('bob', 'Of Bob');
  const page = await open(session, 'eve', `/changes/${changeId}`, undefined, [429]);
  await page.getByText('This needs somebody else.').waitFor();
  const refused = await refuse(page, `changes/${changeId}`, 3);
  const anns = await open(session, 'ann', `/changes/${changeId}`);
  await anns.getByRole('button', { name: /Create/ }).waitFor();
  await anns.waitForTimeout(700);
  await anns.getByRole('button', { name: /Create/ }).click();
  for (const one of [anns, page]) await one.getByText('Everything was applied.').first().waitFor();
  expect(refused()).toBe(3);
});

test('a window whose stream of events is refused for the moment is not told that the server has ended, and is told of what happens once it has one', async () => {
  const { session, ask } = await team();
  const page = await browser.open(`${session.url}/app/changes`, undefined, [429]);
  const refused = await refuse(page, 'events', 3);
  await signIn(page, session.people.eve.secrets.pageKey);
  await expect.poll(refused).toBe(3);
  const changeId = await ask('bob', 'Of Bob');
  await page.getByText('Of Bob').first().waitFor();
  expect(await page.getByText('The server of this page has ended').count()).toBe(0);
  expect(await page.getByText('You are not signed in any more.').count()).toBe(0);
  await page.goto(`${session.url}/changes/${changeId}`);
  await page.getByText('This needs somebody else.').waitFor();
});

test('a server that ends while its stream of events is refused is told as ended', async () => {
  const { session } = await team();
  const page = await browser.open(`${session.url}/app/changes`, undefined, [429]);
  const refused = await refuse(page, 'events', 1);
  await signIn(page, session.people.eve.secrets.pageKey);
  await expect.poll(refused).toBe(1);
  await session.kill();
  await page.getByText('The server of this page has ended').first().waitFor();
});
