/** The command line's own commands, as people and scripts run them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand as run } from '../harness/run-command.ts';
import { settingsFor, startService } from '../harness/service.ts';
import { freshHome } from '../harness/start.ts';

async function account(views = 3_000): Promise<{ env: Record<string, string>; data: string; requests: () => number }> {
  const demo = await startService({ views });
  const folder = freshHome();
  const data = join(folder, 'data');
  return { env: { HOME: folder, VIDEO_HOSTING_DATA_DIR: data, ...settingsFor(demo) }, data, requests: () => demo.requests.length };
}

const keptFiles = (data: string): string[] =>
  existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet')) : [];

test('sync fills the cache, and forget empties it', async () => {
  const { env, data, requests } = await account();
  const synced = await run(['sync', '--from', '2026-09-01', '--to', '2026-10-01'], env);
  expect(synced).toMatchObject({ code: 0, stderr: '' });
  expect(synced.stdout).toMatch(/^2026-09-01 to 2026-10-01[^\n]*\n[\d,]+ views are kept, as of [^\n]*\.\nNothing is missing\.\n$/);
  const asked = requests();
  expect(await run(['sync', '--from', '2026-09-03', '--to', '2026-09-05'], env)).toMatchObject({ code: 0 });
  expect(requests()).toBe(asked);
  expect(keptFiles(data)).not.toEqual([]);
  expect((await run(['forget', '--to', '2026-09-10'], env)).stdout).toMatch(
    /^[\d,]+ views up to 2026-09-\d\d and all reports were removed/,
  );
  const all = await run(['forget', '--all'], env);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/views and all reports were removed from this machine\.\n$/);
  expect(keptFiles(data)).toEqual([]);
  expect(requests()).toBe(asked);
});

test('what is wrong with a command line is told, all of it, and nothing is done', async () => {
  const { env, data, requests } = await account(0);
  const cases: [string[], RegExp][] = [
    [['sync'], /sync needs the day to begin with: sync --from DATE/],
    [['sync', '--from'], /--from needs a value/],
    [['sync', '--from', 'yesterdy'], /yesterday/],
    [['sync', '--from', '2026-03-05', '--to', '2026-03-01'], /to/],
    [['sync', '--from', '2026-03-01', '--all'], /--all goes with a command, as in: forget --all/],
    [['forget'], /forget needs either --all or the last day/],
    [['forget', '--all', '--to', '2026-03-01'], /forget needs either/],
    [['forget', '--all=yes'], /--all takes no value/],
    [['forgt', '--all'], /Did you mean forget\?/],
    [['sync', 'forget', '--from', '2026-03-01'], /no flag/],
    [['--from', '2026-03-01', '--red-only'], /read-only/],
  ];
  for (const [argv, words] of cases) {
    const { code, stderr, stdout } = await run(argv, env);
    expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  }
  expect(await run(['sync', '--from', '7d'], { HOME: freshHome() })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VIDEO_HOSTING_API_KEY'),
  });
  expect(await run(['forget', '--all'], { HOME: freshHome() })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('VIDEO_HOSTING_API_KEY'),
  });
  expect(requests()).toBe(0);
  expect(existsSync(data)).toBe(false);
}, 60_000);

test('a sync that can’t be whole says why, and ends with 1', async () => {
  const { env } = await account(0);
  const { code, stdout } = await run(['sync', '--from', '2026-09-01', '--to', '2026-09-02'], {
    ...env,
    VIDEO_HOSTING_STATS_URL: 'http://127.0.0.1:9',
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/Not whole: not read: 2026-09-01 to 2026-09-03 \(.*\)\. Run the same command again/);
});
