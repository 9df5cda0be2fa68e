/** `video-hosting-mcp audit`, as the built command, over servers that are killed while they record. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { manyVideos, UNASKED } from '../changes/kinds/videos/harness.ts';
import { changeFiles } from '../changes/support/journal-files.ts';
import { runCommand } from '../harness/run-command.ts';
import { settingsFor } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const KILL_AT = join(import.meta.dirname, '..', 'harness', 'kill-at.cjs');

test('whenever a server is killed while it records, nothing counts as altered, and the next one goes on', async () => {
  const account = await manyVideos(10);
  const home = freshHome();
  const dataDir = join(home, 'data');
  const env = { ...settingsFor(account.demo), HOME: home, VIDEO_HOSTING_DATA_DIR: dataDir };
  const audit = (...argv: readonly string[]) => runCommand(['audit', ...argv], env);
  const move = { videoIds: account.ids.slice(0, 2), targetProject: account.archive };
  let heads = 0;
  for (const step of [1, 2, 3, 4, 5]) {
    const kill = { NODE_OPTIONS: `--require ${KILL_AT}`, KILL_AT: String(step), KILL_IN: 'audit' };
    const session = await start({ demo: account.demo, home, via: 'process', client: 'raw lines', env: { ...UNASKED, ...kill } });
    const [to, from] = step % 2 === 1 ? [account.archive, account.elsewhere] : [account.elsewhere, account.archive];
    const call = session.client.callTool('move_videos', { ...move, targetProject: to, fromProject: from }).catch(() => undefined);
    await Promise.race([call, session.server?.exit]);
    // What happens in one moment is recorded together, soon after.
    await Promise.race([sleep(1_000), session.server?.exit]);
    session.server?.child.kill('SIGKILL');
    await session.server?.exit;
    // Between a change and its record there is nothing to verify yet.
    if (heads > 0) expect(await audit('verify')).toMatchObject({ code: 0 });
    expect(await audit('head')).toMatchObject({ code: 0 });
    heads += 1;
    expect(await audit('verify')).toMatchObject({ code: 0 });
  }
  const { stdout } = await audit('--json');
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries.length).toBeGreaterThan(2);
  expect(entries.filter(({ records }) => records === undefined)).toEqual([]);
  const [first = ''] = changeFiles(dataDir);
  writeFileSync(first, readFileSync(first, 'utf8').replace('"how":"never"', '"how":"token"'));
  expect(await audit('verify')).toMatchObject({ code: 1, stdout: expect.stringContaining('was altered: it is not as record 1 tells') });
});
