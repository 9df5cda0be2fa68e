/** `video-hosting-mcp approvals`, as the built command; what it does is tested in `test/commands/approvals.test.ts`. */
import { expect, test } from 'vitest';
import { fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';

async function withCommand() {
  const session = await nightly((account) => fileOf([moveRule(account, { perDay: 6, total: 50 })]), { via: 'process' });
  return { ...session, env: { ...settingsFor(session.demo), ...session.env, HOME: session.home, VIDEO_HOSTING_DATA_DIR: session.dataDir } };
}

test('each rule is said with what is left of it', async () => {
  const { env, move } = await withCommand();
  await move(4);
  const { code, stdout } = await runCommand(['approvals'], env);
  expect(stdout).toMatch(
    /^- test-approval: nightly may move videos into "Archive" .*Left today: 2, and 46 in all\. Used today: 4, in all 4; last on 20[\d-]+ at [\d:]+ UTC\.\n$/,
  );
  expect(code).toBe(0);
});

test.skipIf(!HAS_TERMINAL)('at a terminal no row of a rule is wider than it', async () => {
  const { env } = await withCommand();
  const { code, seen } = await atTerminal([], ['approvals'], env);
  expect([code, seen.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining('Left today: 6, and 50 in all.')]);
  expect(seen.split('\r\n').filter((row) => row.length > 80 && !row.startsWith('video-hosting-mcp: '))).toEqual([]);
});
