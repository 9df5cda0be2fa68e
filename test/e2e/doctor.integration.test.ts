/** `video-hosting-mcp doctor`, as people run it, and as their scripts do. */
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { checkMachine } from '../../src/app/setup/check-machine.ts';
import { wantsColours } from '../../src/commands/doctor/report.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { JWT, jwtUntil, manyVideos, UNASKED } from '../changes/kinds/videos/harness.ts';
import { fileOf, writeApprovals } from '../changes/standing/harness.ts';
import type { Values } from '../harness/client.ts';
import { runCommand } from '../harness/run-command.ts';
import { API_KEY, type DemoService, type Environment, pathsOf, settingsFor, startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';
import { root, textOf } from '../scripts/project.ts';

const ESCAPE = '\u001b[';

interface Finding {
  readonly level: 'fine' | 'note' | 'wrong';
  readonly about: string;
  readonly detail: string;
  readonly remedy?: string;
}

/** What `--json` says, and the exit code. */
async function examine(env: Environment, argv: readonly string[] = [], command?: string) {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...argv], env, command);
  // The shape is what is tested here.
  const report = JSON.parse(stdout) as { ok: boolean; findings: readonly Finding[] } & Record<string, unknown>;
  const of = (about: string): Finding | undefined => report.findings.find((finding) => finding.about === about);
  return { code, stderr, stdout, report, of };
}

async function account(): Promise<{ demo: DemoService; home: string; data: string; env: Record<string, string> }> {
  const demo = await startService();
  const home = freshHome();
  const data = join(home, 'data');
  return { demo, home, data, env: { HOME: home, VIDEO_HOSTING_DATA_DIR: data, ...settingsFor(demo) } };
}

test('a correct setup has only fine findings, exits with 0 and creates no data folder', async () => {
  const { demo, data, env } = await account();
  const { code, report, stderr } = await examine(env);
  expect(new Set(pathsOf(demo))).toEqual(new Set(['GET /v1/channels', 'POST /v1/logs/data']));
  expect(existsSync(data)).toBe(false);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(report).toMatchObject({
    ok: true,
    version: JSON.parse(textOf('package.json')).version,
    node: process.versions.node,
    credential: { kind: 'API key' },
    settings: { VIDEO_HOSTING_BASE_URL: demo.baseUrl, VIDEO_HOSTING_API_KEY: 'set', demo: false },
  });
  const abouts = ['Settings', 'Main API', 'Analytics API', 'Credential', 'Node', 'Data folder', 'Analytics engine', 'Charts'];
  const found = report.findings.filter(({ about }) => about !== 'Moving videos');
  expect(found.map(({ level, about }) => `${level} ${about}`)).toEqual(abouts.map((about) => `fine ${about}`));
});

test.each([
  ['an API key', {}, 'note'],
  ['a JWT', { VIDEO_HOSTING_ACCESS_TOKEN: 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl' }, undefined],
  ['nothing that changes the account', { VIDEO_HOSTING_READ_ONLY: '1' }, undefined],
])('that moving videos was not tried is told where it may take a JWT: with %s', async (_what, settings, level) => {
  const { env } = await account();
  const { of } = await examine({ ...env, ...settings });
  expect(of('Moving videos')?.level).toBe(level);
  if (level !== undefined) expect(of('Moving videos')?.remedy).toContain('VIDEO_HOSTING_ACCESS_TOKEN');
});

test.each([
  ['worked', undefined, 'fine', /^worked on \d{4}-\d\d-\d\d\.$/],
  ['refused', JWT, 'note', /^refused on \d{4}-\d\d-\d\d: the service may want a JWT for it, and the API key is none\.$/],
])('that moving videos %s is told with the day', async (_what, accessToken, level, words) => {
  const { demo, ids } = await manyVideos(3, 0, 1, accessToken);
  const { client, home, stop } = await start({ demo, env: UNASKED });
  await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  await stop();
  const { code, of } = await examine({ HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data'), ...settingsFor(demo) });
  expect([code, of('Moving videos')?.level]).toEqual([0, level]);
  expect(of('Moving videos')?.detail).toMatch(words);
});

test('that moving was refused is told only of the key that is set now, and not where a key was refused as such', async () => {
  const { demo, ids } = await manyVideos(3, 0, 1, JWT);
  const home = freshHome();
  const env = { ...UNASKED, HOME: home, VIDEO_HOSTING_DATA_DIR: join(home, 'data'), ...settingsFor(demo) };
  demo.keys.set('k3y-renewed', { world: demo.world });
  const move = async (key: string): Promise<string> => {
    const { client, stop } = await start({ demo, env: { ...env, VIDEO_HOSTING_API_KEY: key } });
    const { text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
    await stop();
    return text;
  };
  const told = async (key: string) => (await examine({ ...env, VIDEO_HOSTING_API_KEY: key })).of('Moving videos')?.detail;
  await move(API_KEY);
  expect([await told(API_KEY), await told('k3y-renewed')]).toEqual([
    expect.stringMatching(/^refused on /),
    expect.stringMatching(/^not tried/),
  ]);
  demo.faults.always({ match: { path: '/v1/videos/change-project' }, do: { kind: 'status', code: 401 } });
  const text = await move('k3y-renewed');
  expect(text).toMatch(/Check VIDEO_HOSTING_API_KEY.* install`, run again, asks for the new key/);
  demo.faults.clear();
  expect(await told('k3y-renewed')).toMatch(/^not tried/);
});

const NOBODY = /^PATH: No agent is named here .*, so no standing approval counts: test-approval is for nightly\.$/;
const ENDED = 'PATH: No standing approval for nightly counts now: test-approval ended on 2026-01-01.';
const NIGHTLY = { VIDEO_HOSTING_AGENT: 'nightly' };

test.each<readonly [string, Values, Environment, Finding['level'], unknown, unknown]>([
  ['for its agent', {}, NIGHTLY, 'fine', 'PATH, 2 rules for nightly in force.', undefined],
  ['where no agent is named', {}, {}, 'note', expect.stringMatching(NOBODY), expect.stringMatching(/^Set VIDEO_HOSTING_AGENT to /)],
  ['that have ended', { until: '2026-01-01' }, NIGHTLY, 'note', ENDED, expect.stringContaining('correct the file')],
])('the standing approvals %s are told', async (_what, approval, agent, level, words, next) => {
  const { env } = await account();
  const rule = { kind: 'undo_own', perDay: 1 };
  const path = writeApprovals(fileOf([rule, { ...rule, perDay: 2 }], approval));
  const { code, of } = await examine({ ...env, ...agent, VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_STANDING_APPROVALS: path });
  const found = of('Standing approvals');
  expect([code, found?.level, found?.detail.replace(JSON.stringify(path), 'PATH'), found?.remedy]).toEqual([0, level, words, next]);
});

test('it is told that an agent could confirm what no approval covers itself', async () => {
  const { env } = await account();
  const path = writeApprovals(fileOf([{ kind: 'undo_own', perDay: 1 }]));
  const { report } = await examine({ ...env, VIDEO_HOSTING_AGENT: 'nightly', VIDEO_HOSTING_STANDING_APPROVALS: path });
  expect(report.findings.filter(({ about }) => about === 'Standing approvals')).toEqual([
    expect.objectContaining({ level: 'fine' }),
    expect.objectContaining({ level: 'note', detail: expect.stringContaining('can send a token back itself') }),
  ]);
});

test('the text output has a line for each finding, with the remedy below it', async () => {
  const { env } = await account();
  const { code, stdout } = await runCommand(['doctor'], { ...env, VIDEO_HOSTING_FILES_DIR: '/nowhere' });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^video-hosting-mcp \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n\n✓ Settings /);
  expect(stdout).toMatch(/\n✓ Main API {10}http:\/\/127\.0\.0\.1:\d+ answers; 60 channels\.\n/);
  expect(stdout).toMatch(/\n✗ Files folder {6}"\/nowhere" is not there, or is no folder\.\n {20}→ Make it, or correct VIDEO_HOSTING_FILES/);
  expect(stdout).toMatch(/\nVIDEO_HOSTING_API_KEY {2,}set\n/);
  expect(stdout).toMatch(/\nOne thing is wrong\.\n$/);
  expect(stdout).not.toContain(ESCAPE);
});

describe('a problem is reported with its remedy, and the exit code is 1:', () => {
  test('missing settings', async () => {
    const { code, report, of } = await examine({ HOME: freshHome() });
    expect(code).toBe(1);
    expect(report.findings.filter(({ about }) => about === 'Settings').map(({ detail }) => detail)).toEqual([
      'VIDEO_HOSTING_BASE_URL is not set.',
      'VIDEO_HOSTING_API_KEY is not set.',
    ]);
    expect(of('Settings')?.remedy).toContain('Set it in the environment of this command');
    expect(of('Main API')?.detail).toContain('not tried');
  });

  test('mistyped settings, without repeating their values', async () => {
    const { demo, env } = await account();
    const mistyped = { VIDEO_HOSTING_READONLY: API_KEY, VIDEO_HOSTING_CONFIRM: API_KEY };
    const { code, report, of } = await examine({ ...env, ...mistyped }, ['--red-only']);
    expect(demo.requests).toEqual([]);
    expect(code).toBe(1);
    expect(report.findings.filter(({ about }) => about === 'Settings').map(({ detail }) => detail)).toEqual([
      'Unknown flag --red-only. Did you mean --read-only?',
      'Unknown setting VIDEO_HOSTING_READONLY. Did you mean VIDEO_HOSTING_READ_ONLY?',
      expect.stringContaining('VIDEO_HOSTING_CONFIRM must be one of ask, form, page, token, wait, never.'),
    ]);
    expect(of('Settings')?.remedy).toContain('Correct it');
  });

  test('a refused key, and an unreachable service', async () => {
    const { demo, env } = await account();
    const refused = await examine({ ...env, VIDEO_HOSTING_API_KEY: 'wr0ng-Key' });
    expect(refused.code).toBe(1);
    expect(refused.of('Main API')).toMatchObject({ level: 'wrong', remedy: expect.stringContaining('VIDEO_HOSTING_API_KEY') });
    expect(refused.of('Analytics API')?.level).toBe('fine');
    expect(refused.of('Credential')).toMatchObject({ level: 'wrong', detail: 'API key, which the main API refused.' });
    // The token of moves was not tried.
    const both = await examine({ ...env, VIDEO_HOSTING_API_KEY: 'wr0ng-Key', VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(4_102_444_800) });
    expect(both.of('Credential')?.detail).toMatch(/^API key, which the main API refused; for videos: JWT, expires 2100-01-01T00:00:00/);
    const again = /`\S*node .*main\.cjs install`, run again, asks for the new key/;
    for (const about of ['Main API', 'Credential']) expect(refused.of(about)?.remedy).toMatch(again);
    expect(refused.stdout).not.toContain('wr0ng-Key');
    await demo.close();
    const gone = await examine(env);
    expect(gone.code).toBe(1);
    expect(gone.of('Main API')).toMatchObject({ level: 'wrong', remedy: expect.not.stringContaining('client') });
    expect(gone.of('Analytics API')?.level).toBe('wrong');
  });

  test('a value that can’t be used is no unset one in the list of settings', async () => {
    const { demo, env } = await account();
    const { stdout } = await examine({ ...env, VIDEO_HOSTING_BASE_URL: `${env.VIDEO_HOSTING_BASE_URL}/v1`, VIDEO_HOSTING_CONFIRM: 'yes' });
    expect(JSON.parse(stdout).settings).toMatchObject({
      VIDEO_HOSTING_BASE_URL: 'set, but not usable',
      VIDEO_HOSTING_CONFIRM: 'set, but not usable',
      VIDEO_HOSTING_ACCESS_TOKEN: 'not set',
    });
    const { client } = await start({ demo, env: { VIDEO_HOSTING_BASE_URL: `${demo.baseUrl}/v1` } });
    const { data } = await client.callTool('check_setup', { details: true });
    expect(data?.settings).toContainEqual(expect.objectContaining({ setting: 'VIDEO_HOSTING_BASE_URL', value: 'set, but not usable' }));
  });

  test.each(['VIDEO_HOSTING_ACCESS_TOKEN', 'VIDEO_HOSTING_API_KEY'])('an expired JWT in %s', async (variable) => {
    const { env } = await account();
    const token = jwtUntil(1_600_000_000);
    const { code, of, stdout } = await examine({ ...env, [variable]: token });
    expect(code).toBe(1);
    expect(of('Credential')).toMatchObject({ level: 'wrong', detail: expect.stringContaining('2020-09-13T12:26:40.000Z (expired!)') });
    if (variable === 'VIDEO_HOSTING_API_KEY')
      expect(of('Main API')?.remedy).toMatch(
        /^The JWT that was sent expired on 2020-09-13\. Have a new one issued, set VIDEO_HOSTING_API_KEY to it and restart the server\. `\S*node .* install`, run again, asks for the new key\.$/,
      );
    expect(stdout).not.toContain(token);
  });

  test('native packages that are not installed', async () => {
    const { env, home } = await account();
    const bare = join(home, 'installed');
    cpSync(dirname(inject('command')), bare, { recursive: true });
    const { code, of } = await examine(env, [], join(bare, 'main.cjs'));
    expect(code).toBe(1);
    expect(of('Main API')?.level).toBe('fine');
    const missing = (name: string, remedy: string) => ({
      ...{ level: 'wrong', detail: expect.stringContaining(name), remedy: expect.stringContaining(remedy) },
    });
    expect(of('Analytics engine')).toMatchObject(missing('@duckdb/node-api', 'install the server anew'));
    expect(of('Charts')).toMatchObject(missing('@resvg/resvg-js', 'install this server anew'));
  });

  test('a native package that crashes its process', async () => {
    const { env, home } = await account();
    const broken = join(home, 'installed');
    cpSync(dirname(inject('command')), broken, { recursive: true });
    mkdirSync(join(broken, 'node_modules', '@duckdb'), { recursive: true });
    symlinkSync(join(root, 'node_modules', '@duckdb', 'node-api'), join(broken, 'node_modules', '@duckdb', 'node-api'));
    const renderer = join(broken, 'node_modules', '@resvg', 'resvg-js');
    mkdirSync(renderer, { recursive: true });
    writeFileSync(join(renderer, 'index.js'), 'process.kill(process.pid, "SIGILL"); setInterval(() => {}, 1000);');
    const { code, of } = await examine(env, [], join(broken, 'main.cjs'));
    expect(code).toBe(1);
    expect(of('Analytics engine')?.level).toBe('fine');
    expect(of('Charts')).toMatchObject({ level: 'wrong', detail: expect.stringContaining('SIGILL') });
  });
});

test('folders that other users can access are reported as notes, and the exit code is 0', async () => {
  const { env, home, data } = await account();
  const files = join(home, 'files');
  mkdirSync(join(data, 'accounts', 'a'), { recursive: true });
  mkdirSync(files);
  chmodSync(data, 0o777);
  chmodSync(join(data, 'accounts'), 0o700);
  chmodSync(join(data, 'accounts', 'a'), 0o755);
  chmodSync(files, 0o777);
  const { code, report } = await examine({ ...env, VIDEO_HOSTING_FILES_DIR: files });
  const note = (about: string, action: string, path: string, setting: string) => {
    const detail = `Others may ${action} "${path}" (${setting}).`;
    return { level: 'note', about, detail, remedy: `chmod go-rwx "${path}"` };
  };
  expect(code).toBe(0);
  expect(report.findings.filter(({ level, about }) => level !== 'fine' && about !== 'Moving videos')).toEqual([
    note('Data folder', 'write to', data, 'VIDEO_HOSTING_DATA_DIR'),
    note('Data folder', 'look into', join(data, 'accounts', 'a'), 'VIDEO_HOSTING_DATA_DIR'),
    note('Files folder', 'write to', files, 'VIDEO_HOSTING_FILES_DIR'),
  ]);
  for (const folder of [data, files, join(data, 'accounts', 'a')]) chmodSync(folder, 0o700);
  const { report: own } = await examine({ ...env, VIDEO_HOSTING_FILES_DIR: files });
  expect(own.findings.filter(({ level, about }) => level !== 'fine' && about !== 'Moving videos')).toEqual([]);
});

test.each([
  [{}, false, false],
  [{ TERM: 'xterm-256color' }, false, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, false, false],
  [{ TERM: 'xterm-256color' }, true, true],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'xterm-256color', NO_COLOR: '1' }, true, false],
  [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, true, false],
])('output with %j to a terminal (%s) has colours: %s', (env, isTerminal, coloured) => {
  expect(wantsColours(env, isTerminal)).toBe(coloured);
});

test('output to a pipe has colours only if they are forced, and JSON never', async () => {
  const outputOf = async (...argv: string[]) => (await runCommand(['doctor', ...argv], { HOME: freshHome(), FORCE_COLOR: '1' })).stdout;
  expect(await outputOf()).toContain(ESCAPE);
  expect(await outputOf('--json')).not.toContain(ESCAPE);
});

test('a Node older than package.json requires is reported as wrong, and a newer one as fine', async () => {
  const { settings } = parseConfig(['--demo'], {});
  const least = /^>=(\d+)\.(\d+)\.(\d+)$/.exec(JSON.parse(textOf('package.json')).engines.node);
  const [major = 0, minor = 0, patch = 0] = (least ?? []).slice(1).map(Number);
  const levelOf = async (version: string): Promise<string | undefined> => (await checkMachine(settings, version))[0]?.level;
  for (const version of [`${major}.${minor}.${patch}`, `${major}.${minor + 1}.0`, `${major + 2}.0.0`, `${major}.${minor}.${patch}-nightly`])
    expect(await levelOf(version)).toBe('fine');
  for (const version of [`${major}.${minor}.${patch - 1}`, `${major}.${minor - 1}.9`, `${major - 2}.99.9`])
    expect(await levelOf(version)).toBe('wrong');
});

test('an unreachable analytics store is reported with a remedy and without its password', async () => {
  const { env } = await account();
  const password = 'k8-Nobody-sees-this';
  const store = { VIDEO_HOSTING_ANALYTICS_STORE: 'clickhouse://me@127.0.0.1:1/videos', VIDEO_HOSTING_ANALYTICS_STORE_PASSWORD: password };
  const { code, of, stdout, stderr } = await examine({ ...env, ...store });
  expect(of('Analytics store')).toMatchObject({
    level: 'wrong',
    detail: expect.stringContaining('clickhouse://me@127.0.0.1:1/videos can’t be reached'),
    remedy: expect.stringContaining('See that the ClickHouse server'),
  });
  expect(code).toBe(1);
  expect(stdout + stderr).not.toContain(password);
  // The demo account does not use the store.
  expect((await examine({ HOME: env.HOME, ...store }, ['--demo'])).of('Analytics store')).toBeUndefined();
});
