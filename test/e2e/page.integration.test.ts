/** `video-hosting-mcp page`: the approval page without an assistant. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangeView, StandingView } from '../../src/page/contract.ts';
import { idsIn, MOVE } from '../changes/kinds/videos/harness.ts';
import { fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { changeIdIn } from '../changes/support/confirm.ts';
import { writesOf } from '../changes/support/world.ts';
import { createTestBrowser, enterPage } from '../harness/page.ts';
import { runCommand } from '../harness/run-command.ts';
import { hold, settingsFor } from '../harness/service.ts';
import { spawnServer } from '../harness/spawn.ts';
import { freshHome } from '../harness/start.ts';

/** A server of an agent, and the command beside it on the same data folder. */
async function withCommand({ perDay = 100, videos = 10 } = {}) {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay })]), { via: 'process', videos });
  const browser = createTestBrowser();
  const env = { ...settingsFor(session.demo), ...session.env, ...browser.env, VIDEO_HOSTING_DATA_DIR: join(session.home, 'data') };
  return {
    ...session,
    env,
    async openPage() {
      const command = spawnServer({ argv: ['page'], home: session.home, env });
      return { command, page: await enterPage(await browser.opened()) };
    },
  };
}

test('it shows what another process did and does, and undoes it', async () => {
  const { move, openPage, demo, archive, elsewhere, ids } = await withCommand({ videos: 4 });
  const done = await move(4);
  expect(idsIn(demo, archive)).toHaveLength(4);
  const { page, command } = await openPage();
  expect(page.view).toBe('#/changes');
  expect((await page.changes()).changes).toMatchObject([{ changeId: changeIdIn(done), status: 'applied' }]);
  const undo: ChangeView = JSON.parse((await page.post(`api/changes/${changeIdIn(done)}/undo`)).text);
  expect(undo).toMatchObject({ status: 'waiting', isOwn: true });
  await page.decide(undo, 'apply');
  expect(idsIn(demo, elsewhere)).toHaveLength(ids.length);
  expect((await page.change(undo.changeId)).agreed).toMatchObject([
    { words: 'Asked on the approval page' },
    { words: 'You agreed on the approval page' },
  ]);
  expect((JSON.parse((await page.get('api/approvals')).text) as StandingView).approvals).toMatchObject([
    { rules: [{ today: { used: 4 } }] },
  ]);
  expect(command.stdout()).toBe('');
});

test('what a process left when it was killed is carried on there, once the person has seen what is left', async () => {
  const { move, openPage, demo, archive, server } = await withCommand({ perDay: 3_000, videos: 3_000 });
  let sent = 0;
  hold(demo, ({ path }) => path === MOVE.path && ++sent > 1);
  move(3_000).catch(() => undefined);
  await expect.poll(() => sent, { timeout: 300_000 }).toBeGreaterThan(1);
  const { page } = await openPage();
  const { changeId } = (await page.changes()).changes[0] ?? { changeId: '' };
  expect(await page.change(changeId)).toMatchObject({ status: 'running', canStop: true, canResume: false });
  server?.child.kill('SIGKILL');
  await server?.exit;
  const becomes = (status: string) => expect.poll(async () => (await page.change(changeId)).status, { timeout: 300_000 }).toBe(status);
  await becomes('interrupted');
  hold(demo, () => false);
  expect((await page.change(changeId)).canResume).toBe(true);
  const before = idsIn(demo, archive).length;
  const rest: ChangeView = JSON.parse((await page.post(`api/changes/${changeId}/resume`)).text);
  expect(rest).toMatchObject({ status: 'waiting', isOwn: true });
  expect(rest.changeId).not.toBe(changeId);
  expect(idsIn(demo, archive)).toHaveLength(before);
  await page.decide(rest, 'apply');
  await becomes('applied');
  expect(idsIn(demo, archive)).toHaveLength(3_000);
  expect((await page.change(changeId)).canResume).toBe(false);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it cleanly, and the page is told', async (how) => {
  const { openPage, demo } = await withCommand();
  const { page, command } = await openPage();
  await expect
    .poll(command.stderr)
    .toMatch(/Account at 127\.0\.0\.1:\d+: its approval page opens in your browser\. .* Ctrl\+C ends it\.\n$/);
  const events = await page.events();
  command.child.kill(how);
  await events.next(({ type }) => type === 'ended');
  expect(await command.exit).toEqual({ code: 0, signal: null });
  expect(command.stderr()).toContain('The approval page has ended.');
  expect(command.stderr()).not.toMatch(new RegExp([page.token, page.folder, page.cookie.split('=')[1]].join('|')));
  expect(writesOf(demo)).toEqual([]);
});

test('without a browser it ends, and says what to do', async () => {
  const { env } = await withCommand();
  const { code, stderr } = await runCommand(['page'], { ...env, VIDEO_HOSTING_BROWSER: 'none' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/VIDEO_HOSTING_BROWSER is "none".* Set VIDEO_HOSTING_BROWSER or BROWSER to a program/);
  const failing = await runCommand(['page'], { ...env, ...createTestBrowser(3).env });
  expect([failing.code, failing.stderr]).toEqual([1, expect.stringContaining('could not be started, or failed')]);
});

test('missing settings are named, with where this command takes them from, and nothing is made', async () => {
  const home = freshHome();
  const { code, stderr } = await runCommand(['page'], { HOME: home });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/Not set: VIDEO_HOSTING_BASE_URL, .*environment of this command/)]);
  const misspelt = await runCommand(['page', '--confrim', 'ask'], { HOME: home });
  expect([misspelt.code, misspelt.stderr]).toEqual([2, expect.stringContaining('Did you mean --confirm?')]);
  expect(existsSync(home) ? readdirSync(home) : []).toEqual([]);
});
