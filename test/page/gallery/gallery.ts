/**
 * Looks at states of the page as a person meets them: in each, axe finds nothing, nothing scrolls sideways, and there is a heading. A state is looked
 * at in one of four looks, and in all of them where `PICTURES` names a folder, by its absolute path, for their pictures.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { axeProblems, scrollsSideways, useBrowser } from '../support/browser.ts';

const LOOKS = [
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
] as const;
const HEIGHTS = { 1280: 800, 390: 844 } as const;
const folder = process.env.PICTURES;

export interface StateOptions {
  /** The page decides by its width as it is loaded, so it is loaded again. */
  readonly reloads?: boolean;
}

/** The browser of a file, and what looks at a state. What is wrong with any of its states fails the test that brought them about. */
export function useGallery() {
  const browser = useBrowser();
  const found: string[] = [];
  let count = 0;
  afterEach(() => expect(found.splice(0)).toEqual([]));

  /** `name`: a number and plain words; `how`: how the state came about. */
  async function state(page: Page, name: string, how: string, { reloads = false }: StateOptions = {}): Promise<void> {
    const looks = folder === undefined ? [LOOKS[count % LOOKS.length] ?? LOOKS[0]] : LOOKS;
    count += 1;
    for (const { width, scheme } of looks) {
      await page.setViewportSize({ width, height: HEIGHTS[width] });
      await page.emulateMedia({ colorScheme: scheme });
      if (reloads) await page.reload();
      const where = `${name}, ${width} ${scheme}`;
      found.push(...(await wrongWith(page)).map((problem) => `${where}: ${problem}`));
      if (folder !== undefined) await picture(page, join(folder, `${name}-${width}-${scheme}.png`), `${width} ${scheme}` === '1280 light');
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    if (folder !== undefined) index(folder, name, how);
  }
  return { open: browser.open, state };
}
export type Gallery = ReturnType<typeof useGallery>;

async function wrongWith(page: Page): Promise<string[]> {
  await settled(page);
  const heading = (await page.locator('h1').first().innerText()).trim();
  return [
    ...(heading === '' ? ['no heading'] : []),
    ...((await scrollsSideways(page)) ? ['scrolls sideways'] : []),
    ...(await axeProblems(page)),
  ];
}

/** Once what is shown is loaded and drawn. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  for (const text of ['Loading …', 'Drawing the chart …']) await page.getByText(text).waitFor({ state: 'detached' });
  await page.evaluate(
    'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))))',
  );
}

async function picture(page: Page, path: string, isWhole: boolean): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true });
  await page.screenshot({ path });
  if (!isWhole) return;
  // What stands at the foot of the window stands at the foot of the page.
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
  await page.setViewportSize({ width: 1280, height: Math.min(height, 6_000) });
  await page.screenshot({ path: path.replace(/\.png$/, '-whole.png') });
  await page.setViewportSize({ width: 1280, height: HEIGHTS[1280] });
}

/** How each state came about, a line each, in the order of their numbers. Files of tests write at the same time, each to files of its own. */
function index(to: string, name: string, how: string): void {
  writeFileSync(join(to, `${name}.txt`), how);
  const names = readdirSync(to).filter((file) => file.endsWith('.txt'));
  const lines = names.sort().map((file) => `- ${file.slice(0, -'.txt'.length)}: ${readFileSync(join(to, file), 'utf8')}`);
  writeFileSync(join(to, 'index.md'), `${lines.join('\n')}\n`);
}
