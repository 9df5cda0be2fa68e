/** `install --url`: the entry of a server for several people, in the configuration of clients that send a token. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse as parseToml } from '@decimalturn/toml-patch';
import { parse as parseJson } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { CLIENT_NAMES, type ClientName, clientOf, locate } from '../../../src/commands/install/clients.ts';
import { rotateSecrets } from '../../../src/people/change-people.ts';
import { peopleFileIn } from '../../../src/people/people.ts';
import { fieldsIn } from '../../../src/platform/is-object.ts';
import { freshHome } from '../../harness/cleanup.ts';
import { type HttpSession, startHttp } from '../../harness/http.ts';
import { runInProcess } from '../../harness/run-command.ts';

const ABLE = ['claude-code', 'codex', 'cursor', 'gemini', 'vscode'] as const satisfies readonly ClientName[];
const never = new AbortController().signal;

/** A home folder where these clients were used. */
function homeWith(...names: readonly ClientName[]) {
  const home = freshHome();
  const nothing = { exists: () => false, entries: () => [] };
  const file = (name: ClientName): string => locate(clientOf(name), { platform: 'linux', env: {}, home }, nothing).file;
  for (const name of names) mkdirSync(name === 'claude-code' ? join(home, '.claude') : dirname(file(name)), { recursive: true });
  const textOf = (name: ClientName): string => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  const parsedOf = (name: ClientName): Readonly<Record<string, unknown>> =>
    fieldsIn(clientOf(name).format === 'toml' ? JSON.parse(JSON.stringify(parseToml(textOf(name)))) : parseJson(textOf(name)));
  const entryOf = (name: ClientName): unknown => fieldsIn(parsedOf(name)[clientOf(name).key])['video-hosting'];
  const run = (argv: readonly string[], env: Record<string, string> = {}) => runInProcess(argv, { HOME: home, ...env });
  return { home, file, textOf, parsedOf, entryOf, run };
}

async function team() {
  const session = await startHttp();
  const token = session.people.bob.secrets.clientToken;
  return { ...session, token, env: { VIDEO_HOSTING_CLIENT_TOKEN: token } };
}
const mcpOf = ({ url }: Pick<HttpSession, 'url'>): string => `${url}/mcp`;

/** What each writes whose token stays in the environment. */
const REFERRING: Readonly<Record<(typeof ABLE)[number], (address: string) => object>> = {
  'claude-code': (url) => ({ type: 'http', url, headers: { Authorization: `Bearer \${VIDEO_HOSTING_CLIENT_TOKEN:-}` } }),
  codex: (url) => ({ url, bearer_token_env_var: 'VIDEO_HOSTING_CLIENT_TOKEN' }),
  cursor: (url) => ({ url, headers: { Authorization: `Bearer \${env:VIDEO_HOSTING_CLIENT_TOKEN}` } }),
  gemini: (httpUrl) => ({ httpUrl, headers: { Authorization: `Bearer \${VIDEO_HOSTING_CLIENT_TOKEN}` } }),
  vscode: (url) => ({ type: 'http', url, headers: { Authorization: `Bearer \${input:video-hosting-client-token}` } }),
};

test('each client that sends a token gets the address and a reference to the token, once the server was asked', async () => {
  const server = await team();
  const { run, entryOf, parsedOf, textOf, file } = homeWith(...ABLE);
  const { code, stdout, stderr } = await run(['install', '--url', server.url, '--yes'], server.env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const name of ABLE) expect([name, entryOf(name)]).toEqual([name, REFERRING[name](mcpOf(server))]);
  expect(parsedOf('vscode').inputs).toEqual([
    { type: 'promptString', id: 'video-hosting-client-token', description: expect.any(String), password: true },
  ]);
  const written = [stdout, stderr, ...ABLE.map(textOf)].join('\n');
  expect(written).not.toContain(server.token);
  expect(stdout).toMatch(/Client token +of bob, who has read, propose; \d+ tools are listed\./);
  expect(server.requests().map(({ path }) => path)).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/mcp']));
  // Once more, there is nothing to do.
  const before = ABLE.map((name) => [textOf(name), statSync(file(name)).mtimeMs]);
  const again = await run(['install', '--url', `${server.url}/mcp`, '--yes'], server.env);
  expect([again.code, again.stdout.match(/has it already; nothing to do/g)?.length]).toEqual([0, ABLE.length]);
  expect(ABLE.map((name) => [textOf(name), statSync(file(name)).mtimeMs])).toEqual(before);
});

test('with --credentials file the token is in the file, which is its owner’s alone, and a new one takes its place', async () => {
  const server = await team();
  const { run, entryOf, textOf, file } = homeWith('claude-code', 'codex');
  writeFileSync(file('codex'), '# mine\nmodel = "x"\n', { mode: 0o644 });
  const install = ['install', '--url', server.url, '--yes', '--credentials', 'file'];
  const { code, stdout } = await run(install, server.env);
  expect([code, stdout.includes(server.token)]).toEqual([0, false]);
  const header = (token: string) => ({ Authorization: `Bearer ${token}` });
  expect(entryOf('codex')).toEqual({ url: mcpOf(server), http_headers: header(server.token) });
  expect(entryOf('claude-code')).toEqual({ type: 'http', url: mcpOf(server), headers: header(server.token) });
  if (process.platform !== 'win32')
    for (const name of ['claude-code', 'codex'] as const) expect(statSync(file(name)).mode & 0o777).toBe(0o600);

  const { secrets } = await rotateSecrets(peopleFileIn(server.dataDir), 'bob', never);
  // The one that is there is refused by now, so nothing is left as if all were well.
  const old = await run(['install', '--url', server.url, '--yes']);
  expect([old.code, old.stderr]).toEqual([
    1,
    expect.stringMatching(/Nothing was written, since the token is refused.*VIDEO_HOSTING_CLIENT_TOKEN/),
  ]);
  const renewed = await run(['install', '--url', server.url, '--yes'], { VIDEO_HOSTING_CLIENT_TOKEN: secrets.clientToken });
  expect(renewed.code).toBe(0);
  expect(renewed.stdout).not.toMatch(/vhm_[\w-]{20}/);
  expect(entryOf('codex')).toEqual({ url: mcpOf(server), http_headers: header(secrets.clientToken) });
  expect(entryOf('claude-code')).toMatchObject({ headers: header(secrets.clientToken) });
  expect(textOf('codex')).toMatch(/^# mine\nmodel = "x"\n/);
  // The token is not asked for again where the entry has it.
  expect((await run(['install', '--url', server.url, '--yes'])).code).toBe(0);
});

const OTHERS: Record<'json' | 'toml', (key: string) => string> = {
  json: (key) =>
    `// Somebody’s own\r\n{\r\n\t"theme": "dark", // at night\r\n\t"${key}": {\r\n\t\t/* last */ "other": { "url": "https://x", "headers": { "Authorization": "Bearer not-ours" } },\r\n\t},\r\n}`,
  toml: (key) =>
    `# Somebody’s own\r\nmodel = "x" # at night\r\n\r\n[${key}.other]\r\nurl = "https://x" # mine\r\nhttp_headers = { Authorization = "Bearer not-ours" }\r\n`,
};

test.each(ABLE)('nothing else in the file of %s is touched, a copy of it is kept, and uninstall restores it', async (name) => {
  const server = await team();
  const { run, file, textOf } = homeWith(name);
  const before = OTHERS[clientOf(name).format](clientOf(name).key);
  writeFileSync(file(name), before);
  const installed = await run(['install', '--url', server.url, '--yes', '--credentials', 'file'], server.env);
  expect(installed.code).toBe(0);
  for (const line of before.split('\r\n')) expect(textOf(name)).toContain(line);
  const copies = readdirSync(dirname(file(name))).filter((one) => one.startsWith(basename(file(name))) && one.endsWith('.bak'));
  expect(copies.map((one) => readFileSync(join(dirname(file(name)), one), 'utf8'))).toEqual([before]);
  const removed = await run(['uninstall', '--yes']);
  expect([removed.code, textOf(name)]).toEqual([0, before]);
  expect(installed.stdout + removed.stdout).not.toMatch(/not-ours|vhm_[\w-]{20}/);
  // The copy that has the token is named.
  if (name !== 'vscode') expect(removed.stdout).toMatch(/made holds a credential:\n.*\.bak/);
});

test.each(['cursor', 'codex', 'vscode'] as const)(
  'the entry of %s for a program becomes one for an address, keeps what people added, and goes back',
  async (name) => {
    const server = await team();
    const { run, entryOf, file, parsedOf } = homeWith(name);
    const account = { VIDEO_HOSTING_BASE_URL: 'https://api.example.com', VIDEO_HOSTING_API_KEY: 'k3y-of-the-account' };
    await run(['install', '--yes', '--skip-check', '--credentials', 'file'], { ...account });
    const added = clientOf(name).format === 'toml' ? 'enabled = true\n' : '"disabled": false,';
    const text = readFileSync(file(name), 'utf8');
    const at = clientOf(name).format === 'toml' ? /(?=command = )/ : /(?="command":)/;
    writeFileSync(file(name), text.replace(at, added));
    const { stdout, code } = await run(['install', '--url', server.url, '--yes'], server.env);
    expect(code).toBe(0);
    const kept = clientOf(name).format === 'toml' ? { enabled: true, startup_timeout_sec: 60 } : { disabled: false };
    expect(entryOf(name)).toEqual({ ...REFERRING[name](mcpOf(server)), ...kept });
    expect(stdout).toContain('The server that this client starts itself is taken out for it');
    expect(stdout).not.toContain('k3y-of-the-account');
    if (name === 'vscode') expect(parsedOf(name).inputs).toMatchObject([{ id: 'video-hosting-client-token' }]);
    expect((await run(['install', '--yes', '--skip-check', '--credentials', 'file'], { ...account })).code).toBe(0);
    const back = fieldsIn(entryOf(name));
    expect(back).toMatchObject({ command: 'node', ...kept });
    for (const field of ['url', 'headers', 'bearer_token_env_var']) expect(back).not.toHaveProperty(field);
    if (name === 'vscode') expect(parsedOf(name).inputs).toMatchObject([{ id: 'video-hosting-api-key' }]);
  },
);

describe('nothing is written', () => {
  async function untouched(
    argv: readonly string[],
    env: Record<string, string>,
    expected: { readonly code: number; readonly says: RegExp },
  ) {
    const { run, textOf } = homeWith('cursor', 'codex');
    const { code, stdout, stderr } = await run(['install', ...argv], env);
    expect([code, stdout + stderr]).toEqual([expected.code, expect.stringMatching(expected.says)]);
    expect(stdout + stderr).not.toMatch(/vh[mp]_[\w-]{20}/);
    expect(['cursor', 'codex'].map((name) => textOf(name as ClientName))).toEqual(['', '']);
    return stdout + stderr;
  }

  test('with a token that the server does not know', async () => {
    const { url } = await team();
    const env = { VIDEO_HOSTING_CLIENT_TOKEN: `vhm_${'x'.repeat(43)}` };
    await untouched(['--url', url, '--yes'], env, {
      code: 1,
      says: /the server knows nobody with it[\s\S]*Nothing was written, since the token is refused/,
    });
  });

  test('with a page key, or what is no token, which are sent nowhere', async () => {
    const { url, people, requests } = await team();
    const key = { VIDEO_HOSTING_CLIENT_TOKEN: people.bob.secrets.pageKey };
    await untouched(['--url', url, '--yes'], key, { code: 1, says: /VIDEO_HOSTING_CLIENT_TOKEN is a page key/ });
    await untouched(['--url', url, '--yes'], { VIDEO_HOSTING_CLIENT_TOKEN: 'abc' }, { code: 1, says: /is no client token/ });
    expect(requests()).toEqual([]);
  });

  test('where nothing answers, unless it is not to be tried', async () => {
    const { token } = await team();
    const env = { VIDEO_HOSTING_CLIENT_TOKEN: token };
    const url = 'http://127.0.0.1:9';
    await untouched(['--url', url, '--yes'], env, { code: 1, says: /nothing listens there \(ECONNREFUSED\)[\s\S]*--skip-check/ });
    const { run, entryOf } = homeWith('cursor');
    expect((await run(['install', '--url', url, '--yes', '--skip-check'], env)).code).toBe(0);
    expect(entryOf('cursor')).toEqual(REFERRING.cursor(`${url}/mcp`));
  });

  test('without a token, without somebody to ask, and with --print, which shows none', async () => {
    const { url, env } = await team();
    await untouched(['--url', url, '--yes'], {}, { code: 2, says: /Not set: VIDEO_HOSTING_CLIENT_TOKEN/ });
    await untouched(['--url', url], env, { code: 2, says: /nobody can be asked/ });
    const printed = await untouched(['--url', url, '--print', '--credentials', 'file'], env, { code: 0, says: /Cursor/ });
    expect(printed).toContain('"Authorization": "Bearer <VIDEO_HOSTING_CLIENT_TOKEN>"');
    expect(printed).toContain(`[mcp_servers.video-hosting.http_headers]\nAuthorization = "Bearer <VIDEO_HOSTING_CLIENT_TOKEN>"`);
  });

  test.each([
    ['http beyond loopback', 'http://videos.example.com', /must start with https:\/\//],
    ['a password', 'https://ann:secret@videos.example.com', /must not hold a user name or password/],
    ['a token in it', `https://videos.example.com/mcp?token=vhm_${'x'.repeat(43)}`, /without a path, query or fragment/],
    ['another path', 'https://videos.example.com/elsewhere', /without a path/],
    ['no address', 'videos.example.com', /must be an address like/],
  ])('for an address with %s', async (_, url, says) => {
    const told = await untouched(['--url', url, '--yes'], {}, { code: 2, says });
    expect(told).not.toContain('secret');
  });

  test('with --demo, whose account is of this machine', () =>
    untouched(['--url', 'https://videos.example.com', '--demo', '--yes'], {}, { code: 2, says: /--url: goes without --demo/ }));
});

test('VS Code asks for the token of another server, and what it has stored for the one before goes to none but that', async () => {
  const [first, second] = [await team(), await team()];
  const { run, entryOf, parsedOf } = homeWith('vscode');
  await run(['install', '--url', first.url, '--yes'], first.env);
  expect((await run(['install', '--url', second.url, '--yes'], second.env)).code).toBe(0);
  expect(entryOf('vscode')).toMatchObject({
    url: mcpOf(second),
    headers: { Authorization: `Bearer \${input:video-hosting-client-token-2}` },
  });
  expect(parsedOf('vscode').inputs).toMatchObject([{ id: 'video-hosting-client-token-2' }]);
});

test('the token that an entry holds for one server is not sent to another', async () => {
  const [first, second] = [await team(), await team()];
  const { run, textOf } = homeWith('cursor');
  await run(['install', '--url', first.url, '--yes', '--credentials', 'file'], first.env);
  const before = textOf('cursor');
  const { code, stderr } = await run(['install', '--url', second.url, '--yes']);
  expect([code, stderr, textOf('cursor')]).toEqual([2, expect.stringContaining('Not set: VIDEO_HOSTING_CLIENT_TOKEN'), before]);
  expect(second.requests()).toEqual([]);
});

test('a token that somebody put into the address of an entry is shown by nothing', async () => {
  const server = await team();
  const { run, file } = homeWith('cursor');
  const url = `${mcpOf(server)}?token=${server.token}`;
  writeFileSync(file('cursor'), JSON.stringify({ mcpServers: { 'video-hosting': { url } } }));
  for (const argv of [
    ['doctor', '--client', 'cursor'],
    ['audit', 'head', '--client', 'cursor'],
    ['install', '--url', server.url, '--yes'],
  ]) {
    const { stdout, stderr } = await run(argv, argv[0] === 'install' ? server.env : {});
    expect(stdout + stderr).not.toContain(server.token);
    expect(stdout + stderr).not.toBe('');
  }
});

test('of clients that take no token it is said why, and the others are written', async () => {
  const server = await team();
  const { run, entryOf, textOf } = homeWith(...CLIENT_NAMES);
  const all = await run(['install', '--url', server.url, '--yes'], server.env);
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/Claude Desktop: not connected\. .*OAuth/);
  for (const name of CLIENT_NAMES.filter((one) => !(ABLE as readonly string[]).includes(one)))
    expect([name, textOf(name)]).toEqual([name, '']);
  expect(entryOf('cursor')).toBeDefined();
  for (const [name, title] of [
    ['claude.ai', 'claude.ai'],
    ['ChatGPT', 'ChatGPT'],
    ['claude-desktop', 'Claude Desktop'],
  ] as const) {
    const { code, stdout } = await run(['install', '--url', server.url, '--yes', '--client', name], server.env);
    expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^${title.replace('.', '\\.')}: not connected\\. .*OAuth`))]);
  }
});

test('what reads the settings of an entry says of one for an address where they are', async () => {
  const server = await team();
  const { run } = homeWith('cursor');
  await run(['install', '--url', server.url, '--yes'], server.env);
  const { code, stderr } = await run(['audit', 'head', '--client', 'cursor']);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`leads to ${mcpOf(server)}`)]);
});
