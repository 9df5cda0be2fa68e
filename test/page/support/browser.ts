/** A real Chromium from an npm package. Nothing else is installed, and `npm ci --ignore-scripts` is enough. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sparticuz from '@sparticuz/chromium';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';

export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  /** Of the person’s clock; by default UTC. */
  readonly timeZone?: string;
}

export const chatHtml = (): string => readFileSync(join(dirname(inject('command')), 'chat.html'), 'utf8');
export const pageHtml = (): string => readFileSync(join(dirname(inject('command')), 'page.html'), 'utf8');

async function launchBrowser(attempts = 60): Promise<Browser> {
  try {
    // Without the package’s own arguments, which turn off features that these tests check.
    return await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'], headless: true });
  } catch (error) {
    // Another file of tests is still unpacking the program.
    if (attempts <= 1 || !String(error).includes('ETXTBSY')) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return launchBrowser(attempts - 1);
  }
}

/** The address that is opened leads on to another at once, which may end its own loading. */
export async function enter(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForURL(({ pathname }) => !pathname.startsWith('/open/'));
}

/** One browser for the tests of a file. Any error in one of its pages fails the test that opened it. */
export function useBrowser(): { open: (address: string, look?: Look, mayAnswer?: readonly number[]) => Promise<Page> } {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const wrong: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(wrong.splice(0)).toEqual([]);
  });
  return {
    async open(address, { scheme, width, timeZone: timezoneId = 'UTC' } = { scheme: 'light', width: 1280 }, mayAnswer = []) {
      const looks = { viewport: { width, height: 800 }, colorScheme: scheme, reducedMotion: 'reduce' } as const;
      const context = await browser.newContext({ ...looks, locale: 'en-GB', timezoneId });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(300_000);
      watch(page, wrong, [401, 404, 409, ...mayAnswer]);
      await enter(page, address);
      return page;
    },
  };
}

/** Records errors, console messages and foreign requests. What the content security policy refuses is a console error, and so are all statuses but some. */
function watch(page: Page, wrong: string[], statuses: readonly number[]): void {
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser logs each error status and a lost server; the page explains them itself.
    const text = message.text();
    const [, status] = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text) ?? [];
    const isLost = /^Failed to load resource: net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED)/.test(text);
    if (message.type() !== 'log' && !isLost && !statuses.includes(Number(status))) wrong.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = protocol === 'data:' || protocol === 'blob:' || (protocol === 'http:' && hostname === '127.0.0.1');
    if (!isOwn) wrong.push(`request: ${request.url()}`);
  });
}

/** The findings of axe, one text each; of all its rules, or of those about colours. */
export async function axeProblems(page: Pick<Page, 'evaluate'>, of: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(of === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }) };
  // The type of axe’s result.
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`);
}

/** Whether the page is wider than the window, so that it scrolls sideways. */
export const scrollsSideways = (page: Pick<Page, 'evaluate'>): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
