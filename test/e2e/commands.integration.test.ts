/** The command line's own commands, as people and scripts run them. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { atEnd } from '../harness/cleanup.ts';
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

test('sync stores views, and forget removes them', async () => {
  const { env, data, requests } = await account();
  const synced = await run(['sync', '--from', '2026-09-01', '--to', '2026-10-01'], env);
  expect(synced).toMatchObject({ code: 0, stderr: '' });
  expect(synced.stdout).toMatch(/^2026-09-01 to 2026-10-01[^\n]*\n[\d,]+ views are kept, as of [^\n]*\.\nNothing is missing\.\n$/);
  const asked = requests();
  expect(await run(['sync', '--from', '2026-09-03', '--to', '2026-09-05'], env)).toMatchObject({ code: 0 });
  expect(requests()).toBe(asked);
  expect(keptFiles(data)).not.toEqual([]);
  const forgotten = await run(['forget', '--to', '2026-09-10'], env);
  expect(forgotten.stdout).toMatch(/^[\d,]+ views up to 2026-09-\d\d and all reports of this account were removed/);
  const all = await run(['forget', '--all'], env);
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/views and all reports of this account were removed from this machine\.\n$/);
  expect(keptFiles(data)).toEqual([]);
  expect(requests()).toBe(asked);
});

test('forget removes the views of each analytics API that was set', async () => {
  const { env, data } = await account(500);
  const other = await startService({ views: 500 });
  const span = ['sync', '--from', '2026-09-01', '--to', '2026-09-02'];
  expect(await run(span, env)).toMatchObject({ code: 0 });
  expect(await run(span, { ...env, VIDEO_HOSTING_STATS_URL: other.statsUrl })).toMatchObject({ code: 0 });
  expect(new Set(keptFiles(data).map((name) => name.split(/[\\/]/)[2]?.slice(0, 'views-'.length)))).toEqual(new Set(['views', 'views-']));
  expect(await run(['forget', '--all'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(keptFiles(data)).toEqual([]);
});

test('a wrong command line is reported, and nothing is done', async () => {
  const { env, data, requests } = await account(0);
  const cases: [string[], RegExp][] = [
    [['sync'], /sync needs the day to begin with: sync --from DATE/],
    [['sync', '--from', 'yesterdy'], /^video-hosting-mcp: --from: [^\n]*yesterday[^\n]*\n$/],
    [['sync', '--from', '2026-03-05', '--to', '2026-03-01'], /to/],
    [['sync', '--from', '2026-03-01', '--all'], /--all goes with a command, as in: forget --all/],
    [['forget'], /forget needs either --all or the last day/],
    [['forget', '--all', '--to', '2026-03-01'], /forget needs either/],
  ];
  for (const [argv, words] of cases) {
    const { code, stderr, stdout } = await run(argv, env);
    expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  }
  const missing = /_BASE_URL, VIDEO_HOSTING_API_KEY, VIDEO_HOSTING_STATS_URL\..*in the environment of this command/;
  const bare = { HOME: freshHome() };
  expect(await run(['sync', '--from', '7d'], bare)).toMatchObject({ code: 2, stderr: expect.stringMatching(missing) });
  expect(await run(['forget', '--all'], bare)).toMatchObject({ code: 2, stderr: expect.stringContaining('VIDEO_HOSTING_API_KEY') });
  expect(requests()).toBe(0);
  expect(existsSync(data)).toBe(false);
});

test('an incomplete sync reports the reason and exits with 1', async () => {
  const { env } = await account(0);
  const closed = { ...env, VIDEO_HOSTING_STATS_URL: 'http://127.0.0.1:9' };
  const { code, stdout } = await run(['sync', '--from', '2026-09-01', '--to', '2026-09-02'], closed);
  expect(code).toBe(1);
  expect(stdout).toMatch(/Not whole\. Not read: 2026-09-01 to 2026-09-02 \(.*\)\. Run the same command again/);
});

describe('a closed pipe does not change the exit code', () => {
  test.each([
    ['--help', 0],
    ['install --print --demo --client cursor,codex', 0],
    ['install --demo --yes --client cursor,codex', 0],
    ['install --demo --client cursor,codex', 2],
    ['sync --demo --from 7d', 0],
    ['doctor', 1],
  ])('stdout: %s', async (line, code) => {
    const home = freshHome();
    const ended = await withoutReader(line.split(' '), { HOME: home }, 'stdout');
    expect(ended).toEqual({ code, other: expect.not.stringMatching(/EPIPE|\n {4}at /) });
    expect(existsSync(join(home, '.codex', 'config.toml'))).toBe(line.includes('--yes'));
  });

  test.each(['install --demo --client cursor', '--red-only'])('stderr: %s', async (line) => {
    expect(await withoutReader(line.split(' '), { HOME: freshHome() }, 'stderr')).toMatchObject({ code: 2 });
  });
});

/** Runs the built command with one of its output pipes closed; returns the exit code and the output of the other. */
function withoutReader(argv: readonly string[], env: Record<string, string>, closed: 'stdout' | 'stderr') {
  const child = spawn(process.execPath, [inject('command'), ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => void child.kill('SIGKILL'));
  child[closed].destroy();
  let other = '';
  child[closed === 'stdout' ? 'stderr' : 'stdout'].setEncoding('utf8').on('data', (text: string) => {
    other += text;
  });
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, other })));
}
