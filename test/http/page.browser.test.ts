/** Two people and an assistant: the built command over HTTP, and a real browser for each of the two. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { spawnHttp } from '../harness/http.ts';
import { pathsOf, startService } from '../harness/service.ts';
import { axeProblems, useBrowser } from '../page/support/browser.ts';

const browser = useBrowser();

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Page key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('one asks, the other follows the link through the sign-in, reads, applies and signs out; who may not press is offered nothing', async () => {
  const demo = await startService({ channels: 3, projects: 3 });
  const { connect, people, url } = await spawnHttp({ demo, env: { VIDEO_HOSTING_SECOND_PERSON: 'always' } });
  const bob = await connect(people.bob);
  const { data } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
  const link = String(data?.link);
  const sent = () => pathsOf(demo).filter((path) => path.startsWith('POST'));

  const own = await browser.open(link);
  expect(new URL(own.url()).pathname).toBe('/sign-in');
  expect(await axeProblems(own)).toEqual([]);
  await signIn(own, people.bob.secrets.pageKey);
  await own.getByText('Signed in as bob').waitFor();
  await own.getByText(/Only somebody who may approve/).waitFor();
  expect(await own.getByRole('button', { name: /Create/ }).count()).toBe(0);
  await own.getByText('This needs somebody else.').waitFor();
  await own.getByRole('button', { name: 'Withdraw' }).waitFor();

  const bystanders = await browser.open(link);
  await signIn(bystanders, people.eve.secrets.pageKey);
  await bystanders.getByText('Signed in as eve').waitFor();
  await bystanders.getByText(/Only somebody who may approve/).waitFor();
  expect(await bystanders.getByRole('button', { name: /Create|Decline|Withdraw/ }).count()).toBe(0);

  const page = await browser.open(link, { scheme: 'dark', width: 390 });
  await signIn(page, people.ann.secrets.pageKey);
  await page.getByText('Signed in as ann').waitFor();
  await page
    .getByText(/by bob/)
    .first()
    .waitFor();
  expect(await axeProblems(page)).toEqual([]);
  expect(sent()).toEqual([]);
  await page.getByRole('button', { name: /Create/ }).click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(sent()).toEqual(['POST /v1/projects']);
  const done = await bob.callTool('get_change', { changeId: data?.changeId });
  expect([done.data?.status, done.text]).toEqual([
    'applied',
    expect.stringMatching(/ann approved on the approval page what bob’s assistant \(test-client\) asked for/),
  ]);

  await page.goto(`${url}/app/nowhere`);
  expect(await page.locator('main').innerText()).toBe(
    'Video hosting\n\nNothing is at this address\n\nThere is nothing at this address.\n\nGo to the changes',
  );
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'Go to the changes' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto(`${url}/app/`);
  expect(new URL(page.url()).pathname).toBe('/sign-in');
});

test('where somebody else signs in in the same browser, a window of before presses for nobody', async () => {
  const demo = await startService({ channels: 3, projects: 3 });
  const { connect, people } = await spawnHttp({ demo });
  const { data } = await (await connect(people.bob)).callTool('create_project', { name: 'Archive', region: 'use-s' });
  const link = String(data?.link);
  const before = await browser.open(link);
  await signIn(before, people.ann.secrets.pageKey);
  await before.getByText('Signed in as ann').waitFor();
  await before.getByRole('button', { name: /Create/ }).waitFor();

  const other = await before.context().newPage();
  await other.goto(new URL('/sign-in', link).href);
  await signIn(other, people.dan.secrets.pageKey);
  await other.getByText('Signed in as dan').waitFor();

  await before.getByRole('button', { name: /Create/ }).click();
  await before.getByText('You are not signed in any more.').waitFor();
  expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
  await before.getByRole('link', { name: 'Sign in' }).click();
  await signIn(before, people.ann.secrets.pageKey);
  await before.getByText('Signed in as ann').waitFor();
  expect(new URL(before.url()).hash).toBe(`#/changes/${String(data?.changeId)}`);
});
