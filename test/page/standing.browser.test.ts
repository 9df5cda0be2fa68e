/** A person ends standing approvals on the page of the built command, by keyboard; and decides there on what waits on disk. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn } from '../changes/kinds/videos/harness.ts';
import { AGENT, daysAhead, fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { createTestBrowser } from '../harness/page.ts';
import { settingsFor } from '../harness/service.ts';
import { spawnServer } from '../harness/spawn.ts';
import { axeProblems, useBrowser } from './support/browser.ts';

const chromium = useBrowser();

/** An agent with two approvals, another with one, and the command `page` in a browser. */
async function withPage(more: Record<string, string> = {}, own: Record<string, string | undefined> = {}) {
  const session = await nightly(
    (account) => ({
      ...fileOf([]),
      approvals: [
        { id: 'moves', for: AGENT, until: daysAhead(30), allow: [moveRule(account, { perDay: 5 })] },
        { id: 'undoing', for: AGENT, until: daysAhead(30), allow: [{ kind: 'undo_own', perDay: 1 }] },
        { id: 'other', for: 'other', until: daysAhead(30), allow: [{ kind: 'undo_own', perDay: 1 }] },
      ],
    }),
    { env: more },
  );
  const opener = createTestBrowser();
  const env = { ...settingsFor(session.demo), ...session.env, ...opener.env, VIDEO_HOSTING_DATA_DIR: session.dataDir, ...own };
  spawnServer({ argv: ['page'], home: join(session.home), env });
  return { ...session, page: await chromium.open(await opener.opened()) };
}

test('one approval is revoked by keyboard once it was asked, and then all; what they covered is asked', async () => {
  const { page, move, demo, archive } = await withPage();
  await move(2);
  await page.getByRole('link', { name: 'Standing approvals' }).click();
  const moves = page.getByRole('region', { name: 'Approval moves' });
  await moves.getByText('May move videos into “Archive”').waitFor();
  await moves.getByText('2 of 5').waitFor();
  const revoke = page.getByRole('button', { name: 'Revoke moves …' });
  await revoke.focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('region', { name: 'Revoke “moves” for good?' });
  await question.getByText('This can’t be taken back').waitFor();
  expect(await axeProblems(page)).toEqual([]);
  // The first button keeps it, and so does Escape.
  const hasFocus = (words: string) => expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(words);
  await hasFocus('Don’t revoke');
  await page.keyboard.press('Escape');
  await hasFocus('Revoke …');
  expect((await move(3)).data?.status).toBe('applied');
  await page.keyboard.press('Enter');
  await hasFocus('Don’t revoke');
  await page.keyboard.press('Tab');
  // What is pressed before it can have been read does nothing.
  await expect.poll(() => question.getByRole('button', { name: 'Revoke moves' }).getAttribute('aria-disabled')).toBe('false');
  await page.keyboard.press('Enter');
  await moves.getByText('Revoked').waitFor();
  await page.getByRole('status').filter({ hasText: 'moves was revoked.' }).waitFor({ state: 'attached' });
  await hasFocus('moves');
  const before = idsIn(demo, archive).length;
  expect((await move(1)).data?.status).not.toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(before);
  // In the order in which they are read: what ends all of them stands last.
  expect(await page.getByRole('button', { name: /Revoke/ }).allInnerTexts()).toEqual(['Revoke …', 'Revoke …', 'Revoke all 2 …']);
  await page.getByRole('button', { name: 'Revoke all 2 …' }).click();
  const all = page.getByRole('region', { name: 'Revoke 2 approvals for good?' }).getByRole('button', { name: 'Revoke all' });
  await expect.poll(() => all.getAttribute('aria-disabled')).toBe('false');
  await all.click();
  for (const name of ['Approval undoing', 'Approval other']) await page.getByRole('region', { name }).getByText('Revoked').waitFor();
  expect(await page.getByRole('button', { name: /Revoke/ }).count()).toBe(0);
});

test('what waits on disk is read with who asked and why, and applied by its button; without a file there is no page of approvals', async () => {
  const { page, move, demo, archive } = await withPage(
    { VIDEO_HOSTING_CONFIRM: 'wait' },
    { VIDEO_HOSTING_STANDING_APPROVALS: undefined, VIDEO_HOSTING_CONFIRM: undefined },
  );
  await page.getByRole('heading', { name: 'Changes' }).waitFor();
  expect(await page.getByRole('link', { name: 'Standing approvals' }).count()).toBe(0);
  expect((await move(7)).data?.status).toBe('waiting');
  // The page goes there by itself.
  await page.getByText('by nightly through test-client').waitFor();
  await page.getByText('Why a person is asked: 2 over today’s 5 of moves').waitFor();
  expect(idsIn(demo, archive)).toEqual([]);
  const apply = page.getByRole('button', { name: 'Move 7 videos' });
  await expect.poll(() => apply.getAttribute('aria-disabled')).toBe('false');
  await apply.click();
  await page.getByText('Everything was applied.').first().waitFor();
  expect(idsIn(demo, archive)).toHaveLength(7);
});
