/** The view with which a person connects clients: the built command over HTTP, and a real browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { peopleFileIn } from '../../src/people/people.ts';
import { spawnHttp } from '../harness/http.ts';
import { startService } from '../harness/service.ts';
import { axeProblems, type Look, scrollsSideways, useBrowser } from '../page/support/browser.ts';

const browser = useBrowser();
const LOOKS: readonly Look[] = [
  { scheme: 'light', width: 1280 },
  { scheme: 'dark', width: 390 },
];

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Page key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test.each(LOOKS)(
  'a token is made anew once that is confirmed, is shown once, and the person stays signed in ($scheme, $width)',
  async (look) => {
    const demo = await startService({ channels: 3, projects: 3 });
    const { connect, people, url, dataDir, server } = await spawnHttp({ demo });
    const page = await browser.open(`${url}/app/connect`, look);
    await signIn(page, people.bob.secrets.pageKey);
    await page.getByRole('heading', { name: 'Connect a client' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/connect');
    for (const title of ['Claude Code', 'Codex', 'Gemini CLI', 'Cursor', 'VS Code'])
      await page.locator('summary').filter({ hasText: title }).click();
    for (const text of [`${url}/mcp`, 'claude mcp add', 'codex mcp add', 'gemini mcp add', 'mcpServers', '"servers"'])
      await page.getByText(text).first().waitFor();
    expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);

    const before = readFileSync(peopleFileIn(dataDir), 'utf8');
    await page.getByRole('button', { name: 'Make a new token …' }).click();
    await page.getByText('The old one ends at once').waitFor();
    await page.getByRole('button', { name: 'Keep the old one' }).click();
    expect(readFileSync(peopleFileIn(dataDir), 'utf8')).toBe(before);

    await page.getByRole('button', { name: 'Make a new token …' }).click();
    expect(await axeProblems(page)).toEqual([]);
    await page.waitForTimeout(700);
    await page.getByRole('button', { name: 'Make a new token', exact: true }).click();
    const shown = page.getByText(/^vhm_[\w-]{43}$/);
    const token = (await shown.textContent()) ?? '';
    await page.getByText('It is shown this once.').first().waitFor();
    expect([await axeProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
    await expect(connect(people.bob)).rejects.toThrow();
    await connect({ ...people.bob, secrets: { ...people.bob.secrets, clientToken: token } });
    expect(page.url()).not.toContain('vhm_');

    await page.reload();
    await page.getByText('Signed in as bob').waitFor();
    await page.getByRole('button', { name: 'Make a new token …' }).waitFor();
    expect(await page.content()).not.toContain(token);
    expect(server.stderr()).not.toContain(token);
  },
);

test('a list that is dropped is said to be read by the server, which is not the computer of whoever drops it', async () => {
  const demo = await startService({ channels: 3, projects: 3 });
  const { people, url } = await spawnHttp({ demo });
  const [channel = ''] = demo.world.channels.keys();
  const page = await browser.open(`${url}/app/channels/${channel}`);
  await signIn(page, people.ann.secrets.pageKey);
  await page.getByText('The server reads it, and keeps nothing of it.').waitFor();
  expect(await page.getByText('stays on this computer').count()).toBe(0);
});
