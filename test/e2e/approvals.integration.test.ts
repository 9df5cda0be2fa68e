/** `video-hosting-mcp approvals`, as the built command; what it does is tested in `test/commands/approvals.test.ts`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { fileOf, moveRule, nightly } from '../changes/standing/harness.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';

const IN_A_NAMESPACE = ['--map-root-user', '--mount', 'sh', '-c'];
const HAS_NAMESPACES = spawnSync('unshare', [...IN_A_NAMESPACE, 'mount -t tmpfs none /mnt']).status === 0;

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

test.skipIf(!HAS_NAMESPACES)('a mount of the file alone counts no more once the file is replaced where it comes from', () => {
  const folder = freshHome();
  const [file, newer, mount] = [join(folder, 'approvals.json'), join(folder, 'newer.json'), join(folder, 'mounted', 'approvals.json')];
  mkdirSync(join(folder, 'mounted'));
  const none = JSON.stringify({ version: 1, timeZone: 'UTC', approvals: [] });
  for (const path of [file, newer, mount]) writeFileSync(path, none, { mode: 0o600 });
  const check = '"$1" "$2" approvals check "$5"; echo "exit $?"';
  const script = `mount --bind "$3" "$5" && { ${check}; mv "$4" "$3"; ${check}; }`;
  const args = [process.execPath, inject('command'), file, newer, mount];
  const seen = execFileSync('unshare', [...IN_A_NAMESPACE, script, 'sh', ...args], {
    encoding: 'utf8',
    env: { HOME: folder, PATH: process.env.PATH },
  });
  expect(seen).toBe(
    `${mount} has no approvals: nothing is covered.\nexit 0\n` +
      `Nothing is covered until ${mount} is corrected:\n- "${mount}" was replaced where it is mounted from: mount its folder, not the file alone.\nexit 1\n`,
  );
});
