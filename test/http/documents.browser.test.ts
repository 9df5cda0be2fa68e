/** What a browser shows of a server for several people before anybody is signed in, or where nothing is: each says what it is, and what to do. */
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type SpawnedHttp, spawnHttp } from '../harness/http.ts';
import { startService } from '../harness/service.ts';
import { axeProblems, type Look, scrollsSideways, useBrowser } from '../page/support/browser.ts';

const browser = useBrowser();
const LOOKS: readonly Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 390 },
];
const REFUSALS = [400, 405];
/** What a server that ends or begins answers to a page that is open. */
const WHILE_IT_ENDS = [503];

const start = async (): Promise<SpawnedHttp> => spawnHttp({ demo: await startService({ channels: 1, projects: 1 }) });
const texts = (page: Page) => page.locator('main').innerText();
const wellMade = async (page: Page) => {
  expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  expect(await page.evaluate('[document.documentElement.lang, document.title !== ""]')).toEqual(['en', true]);
};

test.each(LOOKS)('a sign-in says to what, from whom a key comes, and what becomes of the change of its link (%o)', async (look) => {
  const { url, people } = await start();
  const { host } = new URL(url);
  const page = await browser.open(`${url}/changes/chg-123456789-abcd`, look);
  expect(await texts(page)).toContain(
    `Video hosting\n\nSign in\n\nTo the server at ${host}, where people see and decide what assistants change`,
  );
  await page.getByText('Your link leads to a change. You see it once you are signed in; to sign in decides nothing.').waitFor();
  await page.getByText(/Whoever runs this server gave it to you.* Ask them for a new one\./).waitFor();
  // What is typed at its machine is of use to one reader.
  expect(await texts(page)).not.toContain('people rotate');
  await page.getByText('For whoever runs this server').click();
  await page.getByText(/people rotate makes new keys/).waitFor();
  await wellMade(page);

  const signIn = async (key: string): Promise<void> => {
    await page.getByLabel('Page key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('vhp_nobody');
  await page.getByRole('alert').getByText('Ask whoever runs this server for a new one.').waitFor();
  await page.getByText('Your link leads to a change.').waitFor();
  await wellMade(page);
  await signIn(people.ann.secrets.pageKey);
  await page.getByText('Signed in as ann').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out in this browser.').waitFor();
  await wellMade(page);
});

test('a sign-in that has ended is told where its browser comes back', async () => {
  const session = await start();
  const page = await browser.open(session.url, undefined, WHILE_IT_ENDS);
  expect(await page.getByText('You are not signed in any more.').count()).toBe(0);
  await page.getByLabel('Page key').fill(session.people.ann.secrets.pageKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in as ann').waitFor();
  await session.kill();
  const { url } = await session.again();
  // Loaded anew, as what the page says of a server that has ended.
  for (const path of ['/app/', '/changes/chg-123456789-abcd']) {
    await page.goto('about:blank');
    await page.goto(`${url}${path}`);
    await page.getByText('You are not signed in any more. A sign-in lasts eight hours').waitFor();
  }
  await wellMade(page);
});

test.each(LOOKS)('where nothing can be shown, a browser has a page in the look of the others that leads on (%o)', async (look) => {
  const { url } = await start();
  const page = await browser.open('about:blank', look, REFUSALS);
  for (const [address, status, heading, why, link] of [
    [`${url}/nowhere`, 404, 'Nothing is at this address', 'There is nothing at this address.', 'Go to the changes'],
    [`${url}/app/nowhere`, 401, 'You are not signed in', 'Sign in, and load this again.', 'Go to the page, and sign in'],
    [`${url}/mcp`, 401, 'You are not signed in', 'send your client token as', 'Go to the page, and sign in'],
    [`${url}/sign-out`, 405, 'This page can’t be opened', 'That method is not understood here.', 'Go to the page of this server'],
    [`${url}/?token=vhp_x`, 400, 'This page can’t be opened', 'a credential never stands in an address', 'Go to the page of this server'],
  ] as const) {
    const response = await page.goto(address);
    expect([address, response?.status()]).toEqual([address, status]);
    expect(await page.getByRole('heading').allInnerTexts()).toEqual([heading]);
    await page.getByText(why).waitFor();
    await wellMade(page);
    await page.getByRole('link', { name: link }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }
});

test('what is no browser is answered in a line of text, and the page’s requests in JSON', async () => {
  const { url, post } = await start();
  const typeOf = async (path: string, accept?: string) => {
    const answer = await fetch(`${url}${path}`, accept === undefined ? {} : { headers: { accept } });
    return [answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')];
  };
  const text = 'text/plain; charset=utf-8';
  expect(await typeOf('/nowhere')).toEqual([404, text, 'nosniff']);
  expect(await typeOf('/nowhere', 'application/json, text/event-stream')).toEqual([404, text, 'nosniff']);
  expect(await typeOf('/nowhere', 'text/html,*/*;q=0.8')).toEqual([404, 'text/html; charset=utf-8', 'nosniff']);
  expect(await typeOf('/app/api/nowhere', 'text/html,*/*;q=0.8')).toEqual([401, 'application/json; charset=utf-8', 'nosniff']);
  expect((await post(undefined, {})).headers.get('content-type')).toBe(text);
  // Under another name, a document leads to the right one.
  const { hostname, port } = new URL(url);
  const html = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'videos.example.com', accept: 'text/html' };
    request({ hostname, port, headers }, (answer) => void textOf(answer).then(resolve, reject))
      .once('error', reject)
      .end();
  });
  expect(html).toContain('<h1>This server has another address</h1>');
  expect(html).toContain(`<a href="${url}/app/">Go to the page of this server</a>`);
});
