/** `install` and `uninstall`, as people and scripts run them: the built command, and a home folder of its own. */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseJson } from 'jsonc-parser';
import { describe, expect, inject, test } from 'vitest';
import { credentialFingerprint } from '../../src/account/identity.ts';
import { claimAccount } from '../../src/app/known-accounts.ts';
import { CLIENT_NAMES, type ClientName, clientOf, locate } from '../../src/commands/install/clients.ts';
import { rotateSecrets } from '../../src/people/change-people.ts';
import { peopleFileIn } from '../../src/people/people.ts';
import { JWT, jwtUntil } from '../changes/kinds/videos/harness.ts';
import { atEnd, freshHome } from '../harness/cleanup.ts';
import { startHttp } from '../harness/http.ts';
import { runCommand } from '../harness/run-command.ts';
import { pathsOf, settingsFor, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { atTerminal, HAS_TERMINAL } from '../harness/terminal.ts';

const SECRET = 'k3y-that-nobody-may-see';
const ACCOUNT = { VIDEO_HOSTING_BASE_URL: 'https://api.example.com', VIDEO_HOSTING_API_KEY: SECRET };
const POSIX = process.platform !== 'win32';

interface Place {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly file: (name: ClientName) => string;
}

/** A home folder where these clients were used. */
function homeWith(...names: readonly ClientName[]): Place {
  const home = freshHome();
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, 'Roaming'), LOCALAPPDATA: join(home, 'Local') };
  const nothing = { exists: () => false, entries: () => [] };
  const file = (name: ClientName): string => locate(clientOf(name), { platform: process.platform, env, home }, nothing).file;
  for (const name of names) mkdirSync(name === 'claude-code' ? join(home, '.claude') : dirname(file(name)), { recursive: true });
  return { home, env, file };
}

const valueIn = (name: ClientName, text: string): unknown =>
  clientOf(name).format === 'toml' ? JSON.parse(JSON.stringify(parseToml(text))) : parseJson(text, [], { allowTrailingComma: true });

const entryIn = (name: ClientName, text: string): unknown =>
  (valueIn(name, text) as Record<string, Record<string, unknown> | undefined>)[clientOf(name).key]?.['video-hosting'];

/** What is written is looked at here, and not what it is tried with, which has tests of its own. */
const run = ([command = '', ...argv]: readonly string[], env: Record<string, string>) =>
  runCommand([command, ...(command === 'install' ? ['--skip-check'] : []), ...argv], env);

const MESSY: Record<'json' | 'toml', (key: string) => string> = {
  json: (key) =>
    `\ufeff// Somebody’s own\r\n{\r\n\t"theme": "dark", // at night\r\n\t"${key}": {\r\n\t\t"video-hosting-2": { "command": "x", "env": { "TOKEN": "${'not-ours'}" } },\r\n\t\t/* last */ "名前": { "args": ["\\u0000"], },\r\n\t},\r\n\t"nested": { "${key}": { "video-hosting": 1 } },\r\n}`,
  toml: (key) =>
    `\ufeff# Somebody’s own\r\nmodel = "x" # at night\r\n\r\n[${key}.video-hosting-2]\r\ncommand = "x" # mine\r\nenv = { TOKEN = "not-ours" }\r\n\r\n[nested.${key}.video-hosting]\r\na = 1\r\n`,
};

// One of each format, and the one that asks for the credential itself.
test.each(['cursor', 'codex', 'vscode'] as const)(
  '%s is configured in a file with other contents, which uninstall restores',
  async (name) => {
    const { env, file } = homeWith(name);
    const before = MESSY[clientOf(name).format](clientOf(name).key);
    writeFileSync(file(name), before);
    const installed = await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT });
    expect(installed).toMatchObject({ code: 0 });
    const text = readFileSync(file(name), 'utf8');
    const entry = entryIn(name, text.slice(1));
    expect(entry).toMatchObject({ command: 'node', args: [inject('command')], env: { VIDEO_HOSTING_BASE_URL: 'https://api.example.com' } });
    expect(text.includes(SECRET)).toBe(name !== 'vscode');
    expect(installed.stdout + installed.stderr).not.toContain(SECRET);
    expect(installed.stdout + installed.stderr).not.toContain('not-ours');
    if (POSIX && name !== 'vscode') expect(statSync(file(name)).mode & 0o777).toBe(0o600);
    // Everything that was in the file is still there.
    expect(text.startsWith(before.slice(0, 30))).toBe(true);
    for (const line of before.split('\r\n')) expect(text).toContain(line);
    const again = await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to do') });
    const removed = await run(['uninstall', '--yes'], env);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(removed.stdout).not.toContain(SECRET);
    expect(readFileSync(file(name), 'utf8')).toBe(before);
    expect((await run(['uninstall', '--yes'], env)).stdout).toContain('is in no configuration of');
    const backups = readdirSync(dirname(file(name))).filter((one) => one.startsWith(basename(file(name))) && one.endsWith('.bak'));
    expect(new Set(backups.map((one) => readFileSync(join(dirname(file(name)), one), 'utf8')))).toEqual(new Set([before, text]));
    if (POSIX) for (const one of backups) expect(statSync(join(dirname(file(name)), one)).mode & 0o777).toBe(0o600);
  },
);

/** The part of each client’s entry that tells where it gets the credential, with `--credentials` left out. */
const TOLD = {
  'claude-desktop': { env: { VIDEO_HOSTING_API_KEY: SECRET } },
  'claude-code': { type: 'stdio', env: { VIDEO_HOSTING_API_KEY: `\${VIDEO_HOSTING_API_KEY:-}` } },
  cursor: { env: { VIDEO_HOSTING_API_KEY: `\${env:VIDEO_HOSTING_API_KEY}` } },
  vscode: { type: 'stdio', env: { VIDEO_HOSTING_API_KEY: `\${input:video-hosting-api-key}` } },
  codex: { env_vars: ['VIDEO_HOSTING_API_KEY'], startup_timeout_sec: 60 },
  gemini: { env: { VIDEO_HOSTING_API_KEY: `\${VIDEO_HOSTING_API_KEY}` } },
  windsurf: { env: { VIDEO_HOSTING_API_KEY: `\${env:VIDEO_HOSTING_API_KEY}` } },
  zed: { env: { VIDEO_HOSTING_API_KEY: SECRET } },
} satisfies Record<ClientName, object>;

test.each(CLIENT_NAMES)('%s gets a reference to the credential instead of its value, if it supports one', async (name) => {
  const { env, file } = homeWith(name);
  const { code, stdout, stderr } = await run(['install', '--yes'], { ...env, ...ACCOUNT });
  const text = readFileSync(file(name), 'utf8');
  expect({ code, leaked: (stdout + stderr).includes(SECRET) }).toEqual({ code: 0, leaked: false });
  expect(entryIn(name, text)).toMatchObject(TOLD[name]);
  if (name === 'vscode')
    expect(valueIn(name, text)).toMatchObject({ inputs: [{ type: 'promptString', id: 'video-hosting-api-key', password: true }] });
  expect(await run(['uninstall', '--yes'], env)).toMatchObject({ code: 0 });
  expect(existsSync(file(name))).toBe(false);
});

test('with --credentials environment, the token that a move may need is told and referred to, and the account is tried without it', async () => {
  const { env, file } = homeWith('cursor', 'codex');
  const settings = settingsFor(await startService({ channels: 3, views: 0 }));
  const { code, stdout } = await runCommand(['install', '--yes', '--credentials', 'environment'], { ...env, ...settings });
  const entries = (['cursor', 'codex'] as const).map((name) => entryIn(name, readFileSync(file(name), 'utf8')));
  expect(entries).toMatchObject([
    { env: { VIDEO_HOSTING_API_KEY: `\${env:VIDEO_HOSTING_API_KEY}`, VIDEO_HOSTING_ACCESS_TOKEN: `\${env:VIDEO_HOSTING_ACCESS_TOKEN}` } },
    { env_vars: ['VIDEO_HOSTING_API_KEY', 'VIDEO_HOSTING_ACCESS_TOKEN'] },
  ]);
  expect([code, stdout.includes('answers; 3 channels.'), stdout.includes('Not tried')]).toEqual([0, true, false]);
  expect(stdout).toMatch(
    /VIDEO_HOSTING_ACCESS_TOKEN is not in the file; Cursor takes it from its own environment.*A move of videos needs it/,
  );
});

test('without --client, all clients that are found are configured, and no other', async () => {
  const { env, file } = homeWith('cursor', 'codex');
  expect(await run(['install', '--demo', '--yes'], env)).toMatchObject({ code: 0 });
  expect(CLIENT_NAMES.filter((name) => existsSync(file(name)))).toEqual(['cursor', 'codex']);
  const { env: empty } = homeWith();
  const none = await run(['install', '--demo', '--yes'], empty);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringMatching(/No AI client was found.*--client/) });
});

test('--client takes names with commas or is repeated, also for clients that are not found', async () => {
  const { env, file } = homeWith();
  expect(await run(['install', '--demo', '--yes', '--client', 'zed,cursor', '--client=gemini'], env)).toMatchObject({ code: 0 });
  expect(CLIENT_NAMES.filter((name) => existsSync(file(name)))).toEqual(['cursor', 'gemini', 'zed']);
});

test('--client takes a client by what people call it, and names those that a name may mean', async () => {
  const { env, file } = homeWith();
  const names = ['--client', 'Claude Code', '--client', 'vs-code,Gemini CLI'];
  expect(await run(['install', '--demo', '--yes', ...names], env)).toMatchObject({ code: 0 });
  for (const name of ['claude-code', 'vscode', 'gemini'] as const) expect(existsSync(file(name))).toBe(true);
  const two = await run(['install', '--demo', '--yes', '--client', 'claude'], env);
  expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('Did you mean claude-desktop or claude-code?')]);
  expect((await run(['doctor', '--client', 'curser'], env)).stderr).toContain('Did you mean cursor?');
});

test('the written entry starts the demo account in a client', async () => {
  const { home, env, file } = homeWith('cursor');
  expect(await run(['install', '--demo', '--yes'], env)).toMatchObject({ code: 0 });
  const entry = entryIn('cursor', readFileSync(file('cursor'), 'utf8'));
  const { command, args } = entry as { command: string; args: string[] };
  expect(entry).not.toHaveProperty('env');
  const client = new Client({ name: 'test', version: '1' });
  atEnd(() => client.close());
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '', HOME: home }, stderr: 'ignore' }));
  const { content } = await client.callTool({ name: 'list_channels', arguments: {} });
  expect(JSON.stringify(content)).toContain('Webinars');
});

test('an entry for another copy is changed to this copy, and keeps its credential and other parts', async () => {
  const { env, file } = homeWith('cursor');
  const text = `{\n  "mcpServers": {\n    "video-hosting": {\n      "command": "npx",\n      "args": ["-y", "video-hosting-mcp@0.0.1", "--read-only"],\n      "env": { "VIDEO_HOSTING_BASE_URL": "https://api.example.com", "VIDEO_HOSTING_API_KEY": "${SECRET}" },\n      "disabled": false\n    }\n  }\n}\n`;
  writeFileSync(file('cursor'), text);
  const { code, stdout } = await run(['install', '--yes'], env);
  const entry = { command: 'node', args: [inject('command'), '--read-only'], env: ACCOUNT, disabled: false };
  expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toEqual(entry);
  expect({ code, leaked: stdout.includes(SECRET) }).toEqual({ code: 0, leaked: false });
  expect(stdout).toMatch(/^- .*"video-hosting-mcp@0\.0\.1"/m);
});

describe('where a credential is in an entry, it stays', () => {
  const NEW = { ...ACCOUNT, VIDEO_HOSTING_API_KEY: 'k3y-renewed' };
  const keyOf = (text: string, name: ClientName): unknown =>
    (entryIn(name, text) as { env: Record<string, string> }).env.VIDEO_HOSTING_API_KEY;

  test('in the file, also where the environment has a new one, unless --credentials environment is given', async () => {
    const { env, file } = homeWith('claude-code', 'codex', 'cursor', 'gemini');
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const token = { VIDEO_HOSTING_ACCESS_TOKEN: 'e30.e30.x' };
    expect(await run(['install', '--yes'], { ...env, ...NEW, ...token })).toMatchObject({ code: 0 });
    for (const name of ['claude-code', 'codex', 'cursor', 'gemini'] as const) {
      const entry = entryIn(name, readFileSync(file(name), 'utf8'));
      expect({ name, entry }).toMatchObject({ name, entry: { env: { ...NEW, ...token } } });
      expect(entry).not.toHaveProperty('env_vars');
    }
    expect(await run(['install', '--yes', '--credentials', 'environment'], { ...env, ...NEW })).toMatchObject({ code: 0 });
    expect(keyOf(readFileSync(file('cursor'), 'utf8'), 'cursor')).toBe(`\${env:VIDEO_HOSTING_API_KEY}`);
    expect(entryIn('codex', readFileSync(file('codex'), 'utf8'))).toMatchObject({
      env_vars: ['VIDEO_HOSTING_API_KEY', 'VIDEO_HOSTING_ACCESS_TOKEN'],
    });
  });

  test('as a reference, until --credentials file wants it in the file', async () => {
    const { env, file } = homeWith('codex', 'cursor');
    expect(await run(['install', '--yes'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const before = readFileSync(file('cursor'), 'utf8');
    expect(await run(['install', '--yes'], { ...env, ...NEW })).toMatchObject({ code: 0 });
    expect(readFileSync(file('cursor'), 'utf8')).toBe(before);
    const unknown = await run(['install', '--yes', '--credentials', 'file'], env);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Not set: VIDEO_HOSTING_API_KEY.') });
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...NEW })).toMatchObject({ code: 0 });
    for (const name of ['codex', 'cursor'] as const) expect(keyOf(readFileSync(file(name), 'utf8'), name)).toBe('k3y-renewed');
    expect(entryIn('codex', readFileSync(file('codex'), 'utf8'))).not.toHaveProperty('env_vars');
  });
});

describe('nothing is written', () => {
  const untouched = async (argv: readonly string[], env: Record<string, string>, expected: { code: number; says: RegExp }) => {
    const { code, stdout, stderr } = await run(argv, env);
    expect({ argv, code }).toEqual({ argv, code: expected.code });
    expect(stdout + stderr).toMatch(expected.says);
    expect(stdout + stderr).not.toContain(SECRET);
  };
  const snapshot = (home: string): unknown =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name, lstatSync(join(home, name)).isFile() ? readFileSync(join(home, name), 'utf8') : '']);

  test('with --print or without a terminal, and the printed snippets contain no credential', async () => {
    const { home, env } = homeWith(...CLIENT_NAMES);
    const before = snapshot(home);
    const all = await run(['install', '--print'], { ...env, ...ACCOUNT });
    expect(all).toMatchObject({ code: 0, stderr: '' });
    for (const name of CLIENT_NAMES) expect(all.stdout).toContain(clientOf(name).title);
    expect(all.stdout).toContain('<VIDEO_HOSTING_API_KEY>');
    expect(all.stdout).not.toContain(SECRET);
    await untouched(['install'], { ...env, ...ACCOUNT }, { code: 2, says: /nobody can be asked/ });
    await untouched(['install', '--yes'], env, { code: 2, says: /Not set: VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_API_KEY/ });
    expect(snapshot(home)).toEqual(before);
    expect(await run(['install', '--demo', '--yes'], env)).toMatchObject({ code: 0 });
    const installed = snapshot(home);
    expect((await run(['uninstall', '--print'], env)).stdout).toContain('- ');
    await untouched(['uninstall'], env, { code: 2, says: /nobody can be asked/ });
    expect(snapshot(home)).toEqual(installed);
  });

  test('if the command line is wrong', async () => {
    const { home, env } = homeWith('cursor');
    const before = snapshot(home);
    for (const [argv, says] of [
      [['install', '--client', 'cursr'], /Did you mean cursor\?/],
      [['install', '--client', ','], /names nothing/],
      [['install', '--credentials', 'keychain'], /--credentials must be one of file, environment/],
      [['uninstall', '--credentials', 'file'], /--credentials goes with a command, as in: install/],
      [['sync', '--from', '7d', '--json'], /--json goes with a command, as in: doctor /],
    ] as const)
      await untouched(argv, env, { code: 2, says });
    expect(snapshot(home)).toEqual(before);
  });

  test.each<[string, (file: string, home: string) => void, RegExp]>([
    ['is malformed', (file) => writeFileSync(file, '{\n  "a": 1\n  "b": 2\n}'), /line 3, column 3: it is not valid JSON/],
    ['is nested too deeply', (file) => writeFileSync(file, `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`), /nested too deeply/],
    ['is not UTF-8', (file) => writeFileSync(file, Buffer.from('\ufeff{}', 'utf16le')), /not text in UTF-8/],
    ['is a folder', (file) => mkdirSync(file), /it is not a file/],
    ['is read-only', (file) => writeFileSync(file, '{}', { mode: 0o444 }), /it is read-only/],
    ['is a dangling link', (file, home) => symlinkSync(join(home, 'gone'), file), /a link to a file that is not there/],
  ])('to a file that %s, while the other clients are configured', async (_what, make, says) => {
    const { home, env, file } = homeWith('cursor', 'gemini');
    make(file('cursor'), home);
    const before = lstatSync(file('cursor')).isFile() ? readFileSync(file('cursor')) : undefined;
    const { code, stdout, stderr } = await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT });
    expect(code).toBe(1);
    expect(stderr).toContain(file('cursor'));
    expect(stderr).toMatch(says);
    expect(stdout).toMatch(/By hand:\n\nCursor: /);
    expect(stdout + stderr).not.toContain(SECRET);
    if (before !== undefined) expect(readFileSync(file('cursor'))).toEqual(before);
    expect(readdirSync(dirname(file('cursor')))).toEqual(['mcp.json']);
    expect(entryIn('gemini', readFileSync(file('gemini'), 'utf8'))).toMatchObject({ env: ACCOUNT });
  });

  test('if a client would read a part of a value as a variable, or does not support the option', async () => {
    const { env, file } = homeWith('gemini', 'zed');
    const odd = { ...ACCOUNT, VIDEO_HOSTING_API_KEY: `${SECRET}$HOME` };
    const first = await run(['install', '--yes', '--credentials', 'file'], { ...env, ...odd });
    expect(first).toMatchObject({ code: 1, stderr: expect.stringMatching(/VIDEO_HOSTING_API_KEY: Gemini CLI would take/) });
    expect(first.stdout + first.stderr).not.toContain(SECRET);
    expect([existsSync(file('gemini')), existsSync(file('zed'))]).toEqual([false, true]);
    const second = await run(['install', '--yes', '--credentials', 'environment', '--client', 'zed'], { ...env, ...ACCOUNT });
    expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/Zed can’t take a credential from its environment/) });
  });
});

test.skipIf(!POSIX)('a linked file is changed at the target of the link, and its mode is kept or restricted', async () => {
  const { home, env, file } = homeWith('cursor');
  const real = join(home, 'dotfiles', 'mcp.json');
  mkdirSync(dirname(real));
  writeFileSync(real, '{}\n');
  chmodSync(real, 0o640);
  symlinkSync('../dotfiles/mcp.json', file('cursor'));
  expect(await run(['install', '--demo', '--yes'], env)).toMatchObject({ code: 0 });
  expect(lstatSync(file('cursor')).isSymbolicLink()).toBe(true);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(entryIn('cursor', readFileSync(real, 'utf8'))).toMatchObject({ command: 'node' });
  expect(readdirSync(dirname(real))).toEqual(['mcp.json']);
  expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
  expect(statSync(real).mode & 0o777).toBe(0o600);
});

test('a file of more than 8 MB is changed and restored', async () => {
  const { env, file } = homeWith('claude-code');
  const history = Array.from({ length: 60_000 }, (_, at) => ({ display: `what was asked ${at}`, pasted: 'x'.repeat(100) }));
  const before = JSON.stringify({ numStartups: 3, projects: { '/p': { history, mcpServers: {} } }, last: true }, null, 2);
  expect(before.length).toBeGreaterThan(8_000_000);
  writeFileSync(file('claude-code'), before);
  expect(await run(['install', '--demo', '--yes'], env)).toMatchObject({ code: 0 });
  expect(entryIn('claude-code', readFileSync(file('claude-code'), 'utf8'))).toMatchObject({ type: 'stdio', command: 'node' });
  expect(await run(['uninstall', '--yes'], env)).toMatchObject({ code: 0 });
  expect(readFileSync(file('claude-code'), 'utf8')).toBe(before);
});

describe('before it writes, install sends one request to each API', () => {
  const account = async () => {
    const demo = await startService({ channels: 3, views: 0 });
    return { demo, settings: settingsFor(demo) };
  };

  test('and says what came of it; then it checks what doctor checks', async () => {
    const { env, file } = homeWith('cursor', 'gemini');
    const { demo, settings } = await account();
    const { code, stdout } = await runCommand(['install', '--yes', '--credentials', 'file'], { ...env, ...settings });
    expect(code).toBe(0);
    expect(entryIn('gemini', readFileSync(file('gemini'), 'utf8'))).toMatchObject({ env: settings });
    const [tried = '', written = ''] = stdout.split('Cursor: ');
    expect(tried).toMatch(
      /✓ Main API {7}http:[^ ]* answers; 3 channels\.\n✓ Analytics API {2}http:[^ ]* answers\.\n! Moving videos {2}not tried; .*JWT/,
    );
    expect(written).toMatch(
      /✓ Settings .*\n✓ Main API .*3 channels\.\n(?:.*\n)*✓ Analytics engine .*\n✓ Charts .*\n\nNothing is wrong; one thing to know\.\n$/,
    );
    expect(pathsOf(demo)).toEqual(expect.arrayContaining(['GET /v1/channels', 'POST /v1/logs/data']));
    // Two clients with the same settings: once before and once after.
    expect(pathsOf(demo).filter((path) => path === 'POST /v1/logs/data')).toHaveLength(2);
  });

  test.each<[string, (settings: Record<string, string>) => Record<string, string>, RegExp]>([
    [
      'a refused key',
      () => ({ VIDEO_HOSTING_API_KEY: 'wr0ng-Key' }),
      /✗ Main API .*refused the credential[\s\S]*Check VIDEO_HOSTING_API_KEY/,
    ],
    [
      'an address where nothing is',
      () => ({ VIDEO_HOSTING_STATS_URL: 'http://127.0.0.1:9' }),
      /✗ Analytics API .*ECONNREFUSED[\s\S]*Check VIDEO_HOSTING_STATS_URL/,
    ],
    [
      'swapped addresses',
      ({ VIDEO_HOSTING_BASE_URL: main = '', VIDEO_HOSTING_STATS_URL: stats = '' }) => ({
        VIDEO_HOSTING_BASE_URL: stats,
        VIDEO_HOSTING_STATS_URL: main,
      }),
      /✗ Main API .*VIDEO_HOSTING_BASE_URL and VIDEO_HOSTING_STATS_URL look swapped[\s\S]*Exchange the values/,
    ],
    ['a catalogue that is not there', () => ({ VIDEO_HOSTING_VIDEO_CATALOGUE: '/nowhere/videos.csv' }), /✗ Video catalogue .*is not there/],
  ])('with %s and --yes nothing is written, unless --skip-check is given', async (_what, change, says) => {
    const { env, file } = homeWith('cursor');
    const { settings } = await account();
    const wrong = { ...env, ...settings, ...change(settings) };
    const { code, stdout, stderr } = await runCommand(['install', '--yes'], wrong);
    expect({ code, isWritten: existsSync(file('cursor')) }).toEqual({ code: 1, isWritten: false });
    expect(stdout).toMatch(says);
    expect(stdout).not.toContain('restart the server');
    expect(stderr).toContain('Nothing was written, since this does not work. Correct it, or add --skip-check');
    expect(await runCommand(['install', '--yes', '--skip-check'], wrong)).toMatchObject({ code: 0 });
    expect(existsSync(file('cursor'))).toBe(true);
  });

  test('and where an entry that stays has a refused key, it ends with 1 and says what to set', async () => {
    const { env, file } = homeWith('cursor', 'gemini');
    const { settings } = await account();
    const { VIDEO_HOSTING_API_KEY: key, ...addresses } = settings;
    const old = { ...env, ...addresses, VIDEO_HOSTING_API_KEY: 'k3y-revoked' };
    expect(await run(['install', '--yes', '--credentials', 'file'], old)).toMatchObject({ code: 0 });
    const before = readFileSync(file('cursor'), 'utf8');
    const refused = await runCommand(['install', '--yes'], env);
    expect({ code: refused.code, text: readFileSync(file('cursor'), 'utf8') }).toEqual({ code: 1, text: before });
    expect(refused.stdout).not.toContain('nothing to do');
    expect(refused.stderr).toContain('Set VIDEO_HOSTING_API_KEY to the new key in the environment of this command');
    expect(await runCommand(['install', '--yes'], { ...env, VIDEO_HOSTING_API_KEY: key })).toMatchObject({ code: 0 });
    expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toMatchObject({ env: settings });
  });

  test('and an account that is known at another address too is told as that, and nothing is joined', async () => {
    const { home, env } = homeWith('cursor');
    const demo = await startService({ channels: 3, views: 0 });
    const dataDir = join(home, 'data');
    const old = { address: 'https://old.example.com', accountId: demo.world.accountId, folder: 'a'.repeat(24) };
    await claimAccount(dataDir, old);
    const all = { ...env, ...settingsFor(demo), VIDEO_HOSTING_DATA_DIR: dataDir };
    const { code, stdout } = await runCommand(['install', '--yes'], all);
    const told =
      'an account with the same id is known here at "https://old.example.com". Its history and what was stated stay with that address';
    expect([code, stdout.split(told).length - 1]).toEqual([0, 2]);
    expect((await runCommand(['doctor'], all)).stdout).toContain(told);
    const { client } = await start({ demo, env: all });
    expect((await client.callTool('check_setup', {})).text).toContain(told);
    const { client: there } = await start({ demo, env: { ...all, VIDEO_HOSTING_DATA_DIR: join(home, 'other') } });
    expect((await there.callTool('check_setup', {})).text).not.toContain('same id');
  });

  test('and an entry that gets another account is told before it is written', async () => {
    const { home, env, file } = homeWith('cursor');
    const { settings } = await account();
    const { VIDEO_HOSTING_BASE_URL: baseUrl = '' } = settings;
    const dataDir = join(home, 'kept');
    const old = { ...settings, VIDEO_HOSTING_API_KEY: 'k3y-of-another', VIDEO_HOSTING_DATA_DIR: dataDir };
    const noted = { accountId: 'acc-of-another', folder: credentialFingerprint(baseUrl, old.VIDEO_HOSTING_API_KEY) };
    await claimAccount(dataDir, { address: baseUrl, ...noted });
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...old })).toMatchObject({ code: 0 });
    const { code, stdout } = await runCommand(['install', '--yes'], { ...env, ...settings });
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry: { env: settings } });
    expect(stdout).toMatch(
      /! This is another account than that of the entry before\. A renewed key would be of the same one[\s\S]*Written\.[\s\S]*! Views +may be another account’s/,
    );
    // With the same account nothing is told.
    const again = await runCommand(['install', '--yes', '--confirm', 'form'], { ...env, ...settings });
    expect(again.stdout).toContain('Written.');
    expect(again.stdout).not.toContain('This is another account');
  });

  test('an address that ends in /v1 is refused as a setting', async () => {
    const { env, file } = homeWith('cursor');
    const { settings } = await account();
    const { code, stderr } = await runCommand(['install', '--yes'], {
      ...env,
      ...settings,
      VIDEO_HOSTING_BASE_URL: `${settings.VIDEO_HOSTING_BASE_URL}/v1`,
    });
    expect({ code, isWritten: existsSync(file('cursor')) }).toEqual({ code: 2, isWritten: false });
    expect(stderr).toContain('VIDEO_HOSTING_BASE_URL must end before /v1, which this server adds itself.');
  });

  test('what the client alone knows is told as not tried, and written', async () => {
    const { env, file } = homeWith('vscode');
    const { VIDEO_HOSTING_API_KEY: _key, ...addresses } = (await account()).settings;
    const { code, stdout } = await runCommand(['install', '--yes'], { ...env, ...addresses });
    expect(code).toBe(0);
    expect(stdout).toContain('Not tried: VIDEO_HOSTING_API_KEY is not known here: VS Code takes it from its secret store.');
    expect(entryIn('vscode', readFileSync(file('vscode'), 'utf8'))).toMatchObject({ env: addresses });
  });
});

describe('doctor --client', () => {
  test('checks the entry that install wrote, with its settings', async () => {
    const { env } = homeWith('cursor', 'codex');
    const settings = settingsFor(await startService({ channels: 3, views: 0 }));
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...settings })).toMatchObject({ code: 0 });
    for (const name of ['cursor', 'codex'] as const) {
      const { code, stdout } = await runCommand(['doctor', '--client', name], env);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`✓ Client +${clientOf(name).title} starts node .*main\\.cjs`));
      expect(stdout).toMatch(/✓ Main API +http:[^ ]* answers; 3 channels\./);
    }
  });

  test('says what a client keeps elsewhere, and takes it from its own environment where it is set', async () => {
    const { env } = homeWith('cursor');
    const settings = settingsFor(await startService({ channels: 3, views: 0 }));
    expect(await run(['install', '--yes'], { ...env, ...settings })).toMatchObject({ code: 0 });
    const without = await runCommand(['doctor', '--client', 'cursor'], env);
    expect(without).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('VIDEO_HOSTING_API_KEY is not known here: Cursor takes it from its own'),
    });
    const { VIDEO_HOSTING_API_KEY: key = '' } = settings;
    const { stdout } = await runCommand(['doctor', '--client', 'cursor'], { ...env, VIDEO_HOSTING_API_KEY: key });
    expect(stdout).toMatch(/✓ Main API +http:[^ ]* answers; 3 channels\./);
  });

  test('finds an entry that is not there, one whose copy is gone, one that is mistyped, and a file that can’t be read', async () => {
    const { env, file } = homeWith('cursor');
    const examine = () => runCommand(['doctor', '--client', 'cursor'], env);
    expect(await examine()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ Client +Cursor has no "video-hosting" in .*\n +→ Run .*install --client cursor/),
    });
    const write = (entry: object) => writeFileSync(file('cursor'), JSON.stringify({ mcpServers: { 'video-hosting': entry } }));
    write({ command: 'node', args: ['/gone/dist/main.cjs', '--demo'] });
    expect(await examine()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ Client +Cursor starts "\/gone\/dist\/main\.cjs", which is not there/),
    });
    write({ command: 'node', args: [inject('command')], env: { VIDEO_HOSTING_BASEURL: 'x' } });
    expect(await examine()).toMatchObject({ code: 1, stdout: expect.stringContaining('Did you mean VIDEO_HOSTING_BASE_URL?') });
    writeFileSync(file('cursor'), '{');
    expect(await examine()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/mcp\.json": line 1, column \d+: it is not valid JSON/),
    });
    expect(await runCommand(['doctor', '--client', 'cursor,zed'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--client: name one'),
    });
  });
});

test('a further client takes addresses from the entries that are there, and no credential; what those hold stays', async () => {
  const { env, file } = homeWith('cursor', 'gemini');
  const settings = settingsFor(await startService({ channels: 3, views: 0 }));
  expect(await run(['install', '--yes', '--credentials', 'file', '--client', 'cursor'], { ...env, ...settings })).toMatchObject({
    code: 0,
  });
  const { VIDEO_HOSTING_API_KEY: key = '', ...addresses } = settings;
  const without = await run(['install', '--yes'], env);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('Not set: VIDEO_HOSTING_API_KEY.') });
  const { code, stdout } = await run(['install', '--yes'], { ...env, VIDEO_HOSTING_API_KEY: key });
  expect(code).toBe(0);
  expect(stdout).toContain('Taken from the entries that are there: VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_STATS_URL.');
  expect(entryIn('gemini', readFileSync(file('gemini'), 'utf8'))).toMatchObject({ env: addresses });
  expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toMatchObject({ env: addresses });
});

test('each client is told what makes it read the change', async () => {
  const { env } = homeWith('vscode', 'gemini');
  const { stdout } = await run(['install', '--demo', '--yes'], env);
  expect(stdout).toContain('Start the server in VS Code (MCP: List Servers).');
  // There is none in the demo account.
  expect(stdout).not.toContain('asks');
  expect(stdout).toContain('Start Gemini CLI anew, in a folder that it trusts');
});

test('over an existing entry, what can’t be kept of it is told before it is written', async () => {
  const { env, file } = homeWith('cursor');
  const entry = { command: '/opt/wrap.sh', args: ['--read-only', '--own'] };
  writeFileSync(file('cursor'), JSON.stringify({ mcpServers: { 'video-hosting': entry } }));
  const { code, stdout } = await run(['install', '--yes'], { ...env, ...ACCOUNT });
  expect(code).toBe(0);
  expect(stdout.indexOf('! Not kept: "/opt/wrap.sh --read-only --own"')).toBeLessThan(stdout.indexOf('Written.'));
  expect(stdout).toContain('! Not kept: "/opt/wrap.sh --read-only --own". This copy is started in its place.');
  expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toMatchObject({
    command: 'node',
    args: [inject('command'), '--read-only'],
  });
});

test('uninstall names the copies that hold a credential, also those of the client itself, and no others', async () => {
  const { home, env, file } = homeWith('claude-code', 'cursor');
  for (const name of ['claude-code', 'cursor'] as const) writeFileSync(file(name), '{}');
  const own = join(home, '.claude', 'backups');
  mkdirSync(own);
  writeFileSync(join(own, 'one'), JSON.stringify({ env: { VIDEO_HOSTING_API_KEY: SECRET } }));
  writeFileSync(join(own, 'other'), JSON.stringify({ env: { VIDEO_HOSTING_API_KEY: `\${VIDEO_HOSTING_API_KEY:-}` } }));
  expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
  const { code, stdout } = await run(['uninstall', '--yes'], env);
  expect(code).toBe(0);
  expect(stdout).toContain(`1 copy of the clients themselves holds a credential:\n  ${join(own, 'one')}\n`);
  expect(stdout).toMatch(/2 copies that install and uninstall made hold a credential:\n {2}.*\.bak\n {2}.*\.bak\n/);
  const copies = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.bak'));
  // Nothing was kept of an account yet.
  expect(stdout).toMatch(/\nThis program itself stays\.\n$/);
  // Those from before the first entry hold none, and are not named.
  expect([copies(home).length, copies(dirname(file('cursor'))).length]).toEqual([2, 2]);
});

test('uninstall removes a file that install made, and leaves one that was there', async () => {
  const names = ['cursor', 'codex', 'vscode'] as const;
  const { env, file } = homeWith(...names, 'gemini', 'windsurf');
  writeFileSync(file('gemini'), '{}');
  writeFileSync(file('windsurf'), '');
  expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
  // A second time, which leaves copies of what install itself had made.
  expect(await run(['install', '--yes', '--credentials', 'file', '--confirm', 'form'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
  const shown = await run(['uninstall', '--print'], env);
  expect(shown.stdout.match(/Nothing else is in the file, which install made: it is removed\./g)).toHaveLength(3);
  expect(names.every((name) => existsSync(file(name)))).toBe(true);
  expect(await run(['uninstall', '--yes'], env)).toMatchObject({ code: 0, stderr: '' });
  expect(names.filter((name) => existsSync(file(name)))).toEqual([]);
  expect([readFileSync(file('gemini'), 'utf8'), readFileSync(file('windsurf'), 'utf8').trim()]).toEqual(['{}', '{}']);
});

test('uninstall says where the data of accounts stays, also where only the entry names the folder', async () => {
  const { home, env, file } = homeWith('cursor');
  const dataDir = join(home, 'kept');
  mkdirSync(dataDir);
  const entry = { command: 'node', args: [inject('command')], env: { ...ACCOUNT, VIDEO_HOSTING_DATA_DIR: dataDir } };
  writeFileSync(file('cursor'), JSON.stringify({ mcpServers: { 'video-hosting': entry } }));
  const { stdout } = await run(['uninstall', '--yes'], env);
  expect(stdout).toContain(`This program itself stays, and what it keeps of accounts, in ${JSON.stringify(dataDir)} (`);
  expect(stdout).toMatch(/forget --all` would need the settings that were taken out; .*, remove the folder\)\.\n$/);
});

describe.skipIf(!HAS_TERMINAL)('at a terminal', () => {
  test('install asks for missing settings, hides the credential, tries them, and writes only files that are confirmed', async () => {
    const { home, env, file } = homeWith('cursor', 'claude-desktop');
    const { baseUrl, statsUrl, apiKey } = await startService({ channels: 3, views: 0 });
    const [lists, catalogue] = [join(home, 'Lists'), join(home, 'videos.csv')];
    mkdirSync(lists);
    writeFileSync(catalogue, 'id,key,title\nv1,k1,One\n');
    const answers = ['not an address', `${baseUrl}/v1/`, statsUrl, apiKey, '', '~/nowhere', 'n', '~/Lists', catalogue, 'y', 'n'];
    const { code, seen } = await atTerminal(answers, ['install'], env);
    const wanted = { VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_STATS_URL: statsUrl, VIDEO_HOSTING_API_KEY: apiKey };
    const paths = { VIDEO_HOSTING_FILES_DIR: lists, VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue };
    expect(entryIn('claude-desktop', readFileSync(file('claude-desktop'), 'utf8'))).toMatchObject({ env: { ...wanted, ...paths } });
    expect(existsSync(file('cursor'))).toBe(false);
    // To decline one is a decision, not a failure.
    expect(code).toBe(0);
    for (const words of [
      'It must be an address like',
      'Taken without /v1, which this server adds itself.',
      `There is no folder ${join(home, 'nowhere')}. Make it?`,
      'Not changed.',
      'moving videos',
    ])
      expect(seen).toContain(words);
    expect(seen).toMatch(/answers; 3 channels\.[\s\S]*Add "video-hosting" in the configuration of Claude Desktop/);
    expect(seen).not.toContain(apiKey);
    expect(seen.match(/API key \(not shown\)/g)).toHaveLength(1);
    // What the entry has is not asked for again; what was left empty is offered.
    const again = await atTerminal(['n', 'y'], ['install', '--client', 'claude-desktop', '--confirm', 'form'], env);
    expect(again.code).toBe(0);
    expect(again.seen).toContain('Not set, and optional: Access token (JWT). Set any of them now?');
    expect(again.seen).not.toContain('(not shown)');
  });

  test('a key that an entry refers to is asked for where the file is to hold it, and what is no JWT is refused', async () => {
    const { env, file } = homeWith('cursor');
    expect(await run(['install', '--yes'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const token = 'e30.e30.x';
    const answers = ['', SECRET, 'n0-jwt', token, '', '', 'y'];
    const { code, seen } = await atTerminal(answers, ['install', '--skip-check', '--credentials', 'file'], env);
    const entry = { env: { ...ACCOUNT, VIDEO_HOSTING_ACCESS_TOKEN: token } };
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry });
    expect(seen).toContain('It is no JWT: that has three parts with dots between.');
    expect(seen).not.toContain(SECRET);
  });

  test('a refused key that entries hold is asked for anew, hidden, until one is taken', async () => {
    const { env, file } = homeWith('claude-code', 'codex', 'cursor');
    const { VIDEO_HOSTING_API_KEY: key = '', ...addresses } = settingsFor(await startService({ channels: 3, views: 0 }));
    const old = { ...addresses, VIDEO_HOSTING_API_KEY: 'k3y-revoked' };
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...old })).toMatchObject({ code: 0 });
    const before = readFileSync(file('cursor'), 'utf8');
    const left = await atTerminal([''], ['install'], env);
    expect([left.code, readFileSync(file('cursor'), 'utf8')]).toEqual([1, before]);
    const { code, seen } = await atTerminal(['k3y-wrong', key, 'n', 'all'], ['install'], env);
    for (const name of ['claude-code', 'codex', 'cursor'] as const)
      expect(entryIn(name, readFileSync(file(name), 'utf8'))).toMatchObject({ env: { ...addresses, VIDEO_HOSTING_API_KEY: key } });
    expect(code).toBe(0);
    expect(seen).toMatch(/refused the credential[\s\S]*The key of Claude Code, Cursor, Codex was refused\.[\s\S]*answers; 3 channels\./);
    expect(seen).not.toContain(key);
    expect(seen).not.toContain('k3y-');
  });

  test('where entries have all that is needed, the key is asked for first, hidden, and then what is optional', async () => {
    const { env, file } = homeWith('cursor', 'codex');
    const demo = await startService({ channels: 3, views: 0 });
    const { VIDEO_HOSTING_API_KEY: _old, ...addresses } = settingsFor(demo);
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...settingsFor(demo) })).toMatchObject({ code: 0 });
    const before = readFileSync(file('cursor'), 'utf8');
    const kept = await atTerminal(['', 'n'], ['install'], env);
    expect([kept.code, readFileSync(file('cursor'), 'utf8')]).toEqual([0, before]);
    expect(kept.seen).toMatch(
      /API key of Cursor, Codex, if it was renewed \(empty to keep it\) \(not shown\):[\s\S]*Set any of them now\?/,
    );
    const renewed = 'k3y-renewed';
    demo.keys.set(renewed, { world: demo.world });
    const { code, seen } = await atTerminal([renewed, 'n', 'all'], ['install'], env);
    for (const name of ['cursor', 'codex'] as const)
      expect(entryIn(name, readFileSync(file(name), 'utf8'))).toMatchObject({ env: { ...addresses, VIDEO_HOSTING_API_KEY: renewed } });
    expect(code).toBe(0);
    expect(seen).not.toContain(renewed);
  });

  test('an access token that has expired is asked for first, hidden; one that may be renewed after the key', async () => {
    const { env, file } = homeWith('cursor', 'codex');
    const demo = await startService({ channels: 3, views: 0 });
    const settings = settingsFor(demo);
    const expired = { ...settings, VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(1_600_000_000) };
    const written = () =>
      (['cursor', 'codex'] as const).map(
        (name) => (entryIn(name, readFileSync(file(name), 'utf8')) as { env: Record<string, string> }).env.VIDEO_HOSTING_ACCESS_TOKEN,
      );
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...expired })).toMatchObject({ code: 0 });
    const first = await atTerminal([JWT, 'n', 'all'], ['install'], env);
    expect(written()).toEqual([JWT, JWT]);
    expect(first.seen).toMatch(
      /The access token of Cursor, Codex expired on 2020-09-13\. Enter the new one\.[\s\S]*Access token \(JWT\) \(empty to leave it\) \(not shown\):[\s\S]*✓ Main API/,
    );
    const later = jwtUntil(4_102_444_801);
    const second = await atTerminal(['', later, 'n', 'all'], ['install'], env);
    expect([first.code, second.code, ...written()]).toEqual([0, 0, later, later]);
    expect(second.seen).toMatch(/API key of .*renewed[\s\S]*Access token \(JWT\) of Cursor, Codex, if it was renewed \(empty to keep it\)/);
    expect(first.seen + second.seen).not.toMatch(/eyJ/);
  });

  test('where a client has no entry yet, what has expired is asked for first and once, and what another entry holds is offered', async () => {
    const { env, file } = homeWith('cursor', 'codex', 'windsurf');
    const demo = await startService({ channels: 3, views: 0 });
    const expired = { ...settingsFor(demo), VIDEO_HOSTING_ACCESS_TOKEN: jwtUntil(1_600_000_000) };
    const names = ['cursor', 'codex', 'windsurf'] as const;
    const written = (variable: string) =>
      names.map((name) => (entryIn(name, readFileSync(file(name), 'utf8')) as { env: Record<string, string> }).env[variable]);
    const given = ['install', '--yes', '--credentials', 'file', '--client', 'cursor,codex'];
    expect(await run(given, { ...env, ...expired })).toMatchObject({ code: 0 });
    const { code, seen } = await atTerminal([`Bearer ${JWT}`, '', '', '', 'all'], ['install'], env);
    expect(written('VIDEO_HOSTING_ACCESS_TOKEN')).toEqual([JWT, JWT, JWT]);
    expect(written('VIDEO_HOSTING_API_KEY')).toEqual(names.map(() => demo.apiKey));
    expect(code).toBe(0);
    expect(seen).toMatch(
      /The access token of Cursor, Codex expired on 2020-09-13\.[\s\S]*Access token \(JWT\) \(empty to leave it\) \(not shown\):[\s\S]*API key \(empty: as in Cursor, Codex\) \(not shown\):/,
    );
    expect(seen.match(/\(not shown\)/g)).toHaveLength(2);
    expect(seen).not.toContain('eyJ');
    expect(seen).not.toContain(demo.apiKey);
  });

  test('a key that is another than that of the entries is taken for them too where the person says so', async () => {
    const { env, file } = homeWith('cursor', 'windsurf');
    const account = { ...ACCOUNT, VIDEO_HOSTING_API_KEY: 'k3y-old' };
    expect(await run(['install', '--yes', '--credentials', 'file', '--client', 'cursor'], { ...env, ...account })).toMatchObject({
      code: 0,
    });
    const answers = ['', SECRET, 'y', '', '', '', 'all'];
    const { code, seen } = await atTerminal(answers, ['install', '--skip-check'], env);
    for (const name of ['cursor', 'windsurf'] as const)
      expect({ name, code, entry: entryIn(name, readFileSync(file(name), 'utf8')) }).toMatchObject({ code: 0, entry: { env: ACCOUNT } });
    expect(seen).toContain('Cursor has another one. Take this one there too?');
    expect(seen).not.toMatch(/k3y-/);
  });

  test('a JWT that has expired is warned of at its prompt, also as the key', async () => {
    const { env, file } = homeWith('cursor');
    const old = jwtUntil(1_600_000_000);
    // Where the third asks once more, the new one is pasted at once.
    const answers = [ACCOUNT.VIDEO_HOSTING_BASE_URL, '', `"${old}"`, 'y', `Authorization: Bearer ${old}`, 'n', old, JWT, '', '', 'y'];
    const { code, seen } = await atTerminal(answers, ['install', '--skip-check'], env);
    const entry = { env: { VIDEO_HOSTING_API_KEY: old, VIDEO_HOSTING_ACCESS_TOKEN: JWT } };
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry });
    expect(seen.split('This JWT expired on 2020-09-13. Take it all the same?')).toHaveLength(4);
    expect(seen).not.toContain('eyJ');
  });

  test('an address is corrected in place, before it is taken and where nothing answers at it, and no other answer is lost', async () => {
    const { env, file } = homeWith('cursor');
    const { baseUrl, statsUrl, apiKey } = await startService({ channels: 3, views: 0 });
    const wrong = ['api.example.com', 'one', 'two', 'three', 'https://u:p@api.example.com'];
    const first = [...wrong, `${baseUrl}/v1/channels?page=1`, 'http://127.0.0.1:9/v1/logs/data', apiKey, '', '', ''];
    const { code, seen } = await atTerminal([...first, statsUrl, 'all'], ['install'], env);
    const entry = { env: { VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_STATS_URL: statsUrl, VIDEO_HOSTING_API_KEY: apiKey } };
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry });
    expect(seen).toContain('It must be an address like https://api.example.com, with https:// at its beginning.');
    expect(seen).toMatch(/ECONNREFUSED[\s\S]*, corrected \(empty to leave it\):[\s\S]*✓ Analytics API/);
    expect(seen).not.toContain('was not given');
    expect(seen).not.toContain('restart the server');
  });

  test('a hint says what works there: the right value is entered below, and what is not asked for takes another install', async () => {
    const { env } = homeWith('cursor');
    const { baseUrl, statsUrl } = await startService({ channels: 3, views: 0 });
    const asked = await atTerminal([`${baseUrl}/x`, statsUrl, 'k3y-wrong', '', '', '', baseUrl, '', 'n'], ['install'], env);
    expect(asked.seen).toContain('it is the root of the API, before /v1. Then enter it below.');
    expect(asked.seen).toContain('Check VIDEO_HOSTING_API_KEY: correct it and enter it below.');
    const given = { VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_STATS_URL: statsUrl, VIDEO_HOSTING_API_KEY: 'k3y-wrong' };
    const fixed = await atTerminal(['n'], ['install'], { ...env, ...given });
    expect(fixed.seen).toContain('Check VIDEO_HOSTING_API_KEY: correct it and run install again.');
    expect(asked.seen + fixed.seen).not.toContain('restart the server');
  });

  test('where the person declines, what is checked is what the entry holds, and not what was entered', async () => {
    const { env, file } = homeWith('cursor', 'codex');
    const [first, second] = await Promise.all([startService({ channels: 3, views: 0 }), startService({ channels: 5, views: 0 })]);
    const old = settingsFor(first);
    const names = ['--client', 'cursor'];
    expect(await run(['install', '--yes', '--credentials', 'file', ...names], { ...env, ...old })).toMatchObject({ code: 0 });
    const before = readFileSync(file('cursor'), 'utf8');
    const others = ['--base-url', second.baseUrl, '--stats-url', second.statsUrl];
    first.keys.delete(first.apiKey);
    const declined = await atTerminal([second.apiKey, 'n', 'n'], ['install', ...others, ...names], env);
    expect([declined.code, readFileSync(file('cursor'), 'utf8')]).toEqual([0, before]);
    const [, after = ''] = declined.seen.split('Not changed.');
    expect(after).toMatch(/The entry of Cursor, as it was:[\s\S]*✗ Main API[\s\S]*refused the credential[\s\S]*2 things are wrong\./);
    expect(after).not.toContain('5 channels');
    const none = await atTerminal([second.apiKey, '', '', '', 'n'], ['install', ...others, '--client', 'codex'], env);
    expect([none.code, existsSync(file('codex'))]).toEqual([0, false]);
    expect(none.seen.split('Not changed.')[1]).not.toContain('Main API');
  });

  test('a wrong key at a first installation is told as wrong, not as one that was renewed', async () => {
    const { env, file } = homeWith('cursor');
    const { baseUrl, statsUrl, apiKey } = await startService({ channels: 3, views: 0 });
    const { code, seen } = await atTerminal([baseUrl, statsUrl, 'k3y-wrong', '', '', '', apiKey, 'y'], ['install'], env);
    expect([code, existsSync(file('cursor'))]).toEqual([0, true]);
    expect(seen).toContain('The key of Cursor was refused. Enter the right one.');
    expect(seen).not.toContain('renewed');
  });

  test('addresses that were given in each other’s place are exchanged where the person wants that', async () => {
    const { env, file } = homeWith('cursor');
    const { baseUrl, statsUrl, apiKey } = await startService({ channels: 3, views: 0 });
    const answers = [statsUrl, baseUrl, apiKey, '', '', '', 'y', 'y'];
    const { code, seen } = await atTerminal(answers, ['install'], env);
    const entry = { env: { VIDEO_HOSTING_BASE_URL: baseUrl, VIDEO_HOSTING_STATS_URL: statsUrl } };
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry });
    expect(seen).toMatch(/look swapped[\s\S]*Exchange the two addresses\?[\s\S]*answers; 3 channels\.[\s\S]*Add "video-hosting"/);
  });

  test('an optional answer that is wrong three times is left out', async () => {
    const { env, file } = homeWith('cursor');
    const { VIDEO_HOSTING_STATS_URL: _stats, ...account } = settingsFor(await startService({ channels: 3, views: 0 }));
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...account })).toMatchObject({ code: 0 });
    const token = 'e30.e30.x';
    const answers = ['', 'y', '', token, '~/a', 'n', '~/b', 'n', '~/c', 'n', '', 'y'];
    const { code, seen } = await atTerminal(answers, ['install', '--skip-check'], env);
    const entry = { env: { ...account, VIDEO_HOSTING_ACCESS_TOKEN: token } };
    expect({ code, entry: entryIn('cursor', readFileSync(file('cursor'), 'utf8')) }).toMatchObject({ code: 0, entry });
    expect(seen).toContain('Left out. Run install again to set it later.');
  });

  test('a folder for files that is not there is made where the person wants that, asked for or named on the command line', async () => {
    const { home, env, file } = homeWith('cursor');
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const answers = ['', 'y', '', '', '~/Lists/2026', 'y', '', 'y'];
    const asked = await atTerminal(answers, ['install', '--skip-check'], env);
    expect([asked.code, statSync(join(home, 'Lists', '2026')).mode & 0o777]).toEqual([0, 0o700]);
    const named = join(home, 'Other');
    const declined = await atTerminal(['n', 'n', 'n'], ['install', '--skip-check', '--files-dir', named], env);
    expect(declined.seen).toContain(`There is no folder ${named}. Make it?`);
    expect(existsSync(named)).toBe(false);
    const { code } = await atTerminal(['y', 'n', 'y'], ['install', '--skip-check', '--files-dir', named], env);
    expect([code, existsSync(named)]).toEqual([0, true]);
    expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toMatchObject({ env: { VIDEO_HOSTING_FILES_DIR: named } });
  });

  test('VS Code, which keeps the key itself, asks for a renewed one where the person says that it was renewed', async () => {
    const { env, file } = homeWith('vscode');
    expect(await run(['install', '--yes'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const before = readFileSync(file('vscode'), 'utf8');
    const kept = await atTerminal(['n', 'n'], ['install', '--skip-check'], env);
    expect(kept.seen).toContain('VS Code keeps the key itself. Was it renewed, so that it has to ask for it again?');
    expect(readFileSync(file('vscode'), 'utf8')).toBe(before);
    for (const id of ['video-hosting-api-key-2', 'video-hosting-api-key-3']) {
      expect((await atTerminal(['y', 'n', 'y'], ['install', '--skip-check'], env)).code).toBe(0);
      const { inputs, servers } = parseJson(readFileSync(file('vscode'), 'utf8'));
      expect(inputs).toMatchObject([{ id, password: true }]);
      expect(servers['video-hosting'].env).toMatchObject({ VIDEO_HOSTING_API_KEY: `\${input:${id}}` });
    }
    expect((await run(['install', '--yes'], env)).stdout).toContain('if it was renewed, run install at a terminal, without --yes.');
    await run(['uninstall', '--yes'], env);
    expect(existsSync(file('vscode'))).toBe(false);
  });

  test('what does not work is written only where the person wants it all the same', async () => {
    const { env, file } = homeWith('cursor');
    const settings = { ...settingsFor(await startService({ channels: 3, views: 0 })), VIDEO_HOSTING_API_KEY: 'wr0ng-Key' };
    const no = await atTerminal(['n'], ['install'], { ...env, ...settings });
    expect([no.code, existsSync(file('cursor'))]).toEqual([1, false]);
    expect(no.seen).toMatch(/refused the credential[\s\S]*Write it all the same\?[\s\S]*Nothing was written\./);
    const yes = await atTerminal(['y', 'y'], ['install'], { ...env, ...settings });
    // It is written as wanted, and the last line says that something is wrong.
    expect([yes.code, existsSync(file('cursor'))]).toEqual([1, true]);
    expect(yes.seen).toMatch(/things? (?:is|are) wrong\./);
  });

  test('all is yes to every change that follows', async () => {
    const { env, file } = homeWith('cursor', 'gemini', 'windsurf');
    const { code, seen } = await atTerminal(['n', 'all'], ['install', '--demo', '--skip-check'], env);
    expect([code, ...(['cursor', 'gemini', 'windsurf'] as const).map((name) => existsSync(file(name)))]).toEqual([0, false, true, true]);
    expect(seen.match(/\[y\/N(\/all)?\]/g)).toHaveLength(2);
  });

  test('uninstall offers to remove the copies that hold a credential', async () => {
    const { env, file } = homeWith('cursor');
    writeFileSync(file('cursor'), '{ "theme": 1 }');
    expect(await run(['install', '--yes', '--credentials', 'file'], { ...env, ...ACCOUNT })).toMatchObject({ code: 0 });
    const { code, seen } = await atTerminal(['y', 'y'], ['uninstall'], env);
    expect(code).toBe(0);
    expect(seen).toMatch(/1 copy that install and uninstall made holds a credential:[\s\S]*Remove it\?[\s\S]*Removed\./);
    // The one from before the entry holds no credential.
    expect(readdirSync(dirname(file('cursor')))).toEqual(['mcp.json', expect.stringMatching(/\.bak$/)]);
  });

  test('a server that is started there explains itself, and Ctrl+C ends it', async () => {
    const { code, seen } = await atTerminal(['\u0003'], ['--demo'], homeWith().env);
    expect(code).toBe(0);
    expect(seen).toMatch(/^video-hosting-mcp: This is the server, which an AI client starts/);
  });

  test.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
    ['SIGTERM', { signal: 'SIGTERM' }],
    ['SIGHUP', { signal: 'SIGHUP' }],
  ] as const)('%s cancels install, and nothing is written', async (_key, answer) => {
    const { env, file } = homeWith('cursor');
    const { code, seen } = await atTerminal([answer], ['install', '--demo'], env);
    expect(code).toBe(130);
    // On a line of its own, not after the question.
    expect(seen).toMatch(/^video-hosting-mcp: Cancelled\. What was not written yet is unchanged\.\r?$/m);
    expect(existsSync(file('cursor'))).toBe(false);
  });
});

describe.skipIf(!HAS_TERMINAL)('install --url at a terminal', () => {
  test('asks for the token without echo, again where the server knows nobody with it, shows the change and writes it', async () => {
    const { people, url, dataDir } = await startHttp();
    const { env, file } = homeWith('cursor', 'codex');
    const { clientToken, pageKey } = people.bob.secrets;
    const wrong = `vhm_${'w'.repeat(43)}`;
    const answers = [pageKey, wrong, `"Bearer ${clientToken}"`, 'y', 'y'];
    const { code, seen } = await atTerminal(answers, ['install', '--url', url], env);
    expect({ code, leaked: [clientToken, pageKey, wrong].filter((secret) => seen.includes(secret)) }).toEqual({ code: 0, leaked: [] });
    expect(seen).toMatch(
      /It is a page key, [\s\S]*the server knows nobody with it[\s\S]*of bob, who has read, propose[\s\S]*"Authorization": "•••"/,
    );
    const header = { Authorization: `Bearer ${clientToken}` };
    expect(entryIn('cursor', readFileSync(file('cursor'), 'utf8'))).toEqual({ url: `${url}/mcp`, headers: header });
    expect(entryIn('codex', readFileSync(file('codex'), 'utf8'))).toEqual({ url: `${url}/mcp`, http_headers: header });

    // After a rotation: the new one takes the place of the old, where the person wants that.
    const { secrets } = await rotateSecrets(peopleFileIn(dataDir), 'bob', new AbortController().signal);
    const again = await atTerminal([secrets.clientToken, 'y', 'n'], ['install', '--url', url], env);
    expect([again.code, again.seen]).toEqual([0, expect.stringMatching(/if it is new \(empty to keep what is there\)/)]);
    const held = ['cursor', 'codex'].map((name) => readFileSync(file(name as ClientName), 'utf8').includes(secrets.clientToken));
    expect(held.filter(Boolean)).toHaveLength(1);
  });

  test('writes nothing where the server knows nobody with any of three, and nothing where it is given up', async () => {
    const { url } = await startHttp();
    const { env, file } = homeWith('cursor');
    const wrong = `vhm_${'w'.repeat(43)}`;
    const { code, seen } = await atTerminal([wrong, wrong, wrong], ['install', '--url', url], env);
    expect([code, seen.includes(wrong), existsSync(file('cursor'))]).toEqual([1, false, false]);
    expect(seen).toContain('Nothing was written, since the token is refused.');
    const left = await atTerminal(['\u0003'], ['install', '--url', url], env);
    expect([left.code, existsSync(file('cursor'))]).toEqual([130, false]);
  });

  test('doctor --url asks for the token too, and shows none of it', async () => {
    const { people, url } = await startHttp();
    const { env } = homeWith();
    const { clientToken } = people.ann.secrets;
    const { code, seen } = await atTerminal([clientToken], ['doctor', '--url', url], env);
    expect([code, seen.includes(clientToken), seen]).toEqual([0, false, expect.stringContaining('of ann, who has read, propose, approve')]);
    expect((await atTerminal([''], ['doctor', '--url', url], env)).seen).toContain('not tried: none is known here');
  });

  test('has VS Code ask for a token again that was renewed', async () => {
    const { people, url } = await startHttp();
    const { env, file } = homeWith('vscode');
    const given = { ...env, VIDEO_HOSTING_CLIENT_TOKEN: people.ann.secrets.clientToken };
    expect((await atTerminal(['y'], ['install', '--url', url], given)).code).toBe(0);
    expect((await atTerminal(['y', 'y'], ['install', '--url', url], given)).code).toBe(0);
    const text = readFileSync(file('vscode'), 'utf8');
    expect(valueIn('vscode', text)).toMatchObject({ inputs: [{ id: 'video-hosting-client-token-2' }] });
    expect(entryIn('vscode', text)).toMatchObject({ headers: { Authorization: `Bearer \${input:video-hosting-client-token-2}` } });
  });
});
