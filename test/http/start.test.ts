/** A server for several people begins only where it is safe to. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { serveHttp } from '../../src/http/serve-http.ts';
import { freshHome } from '../harness/cleanup.ts';
import { addPeople, startHttp } from '../harness/http.ts';
import { settingsFor, startService } from '../harness/service.ts';

const problemsOf = (env: Record<string, string>, argv = ['serve', '--http']) =>
  parseConfig(argv, { HOME: '/home/x', ...env }, 'linux').problems;

test('--http goes with serve, which it may be written without', () => {
  expect(parseConfig(['--http'], { HOME: '/x' }, 'linux')).toMatchObject({ command: 'serve', options: { http: true }, problems: [] });
  expect(parseConfig(['serve'], { HOME: '/x' }, 'linux').options.http).toBeUndefined();
  expect(problemsOf({}, ['doctor', '--http'])).toEqual([expect.stringContaining('serve --http')]);
});

test.each([
  ['VIDEO_HOSTING_CONFIRM', 'token'],
  ['VIDEO_HOSTING_FILES_DIR', '/srv/files'],
  ['VIDEO_HOSTING_BROWSER', 'none'],
  ['VIDEO_HOSTING_AGENT', 'nightly'],
])('%s is refused together with it', (variable, value) => {
  expect(problemsOf({ [variable]: value })).toEqual([expect.stringContaining(`${variable} can’t be set together with serve --http`)]);
  expect(problemsOf({ [variable]: value }, [])).toEqual([]);
});

test.each([
  ['http://videos.example.com', 'https://'],
  ['https://videos.example.com/mcp', 'https://videos.example.com'],
  ['https://videos.example.com/?a=1', 'without a path'],
  ['https://ann:secret@videos.example.com', 'user name or password'],
  ['videos.example.com', 'an address like'],
])('the public URL %s is refused', (url, words) => {
  const [problem, ...others] = problemsOf({ VIDEO_HOSTING_PUBLIC_URL: url });
  expect(others).toEqual([]);
  expect(problem).toMatch(/^VIDEO_HOSTING_PUBLIC_URL must/);
  expect(problem).toContain(words);
  expect(problem).not.toContain('secret');
});

test.each([
  'https://videos.example.com',
  'https://videos.example.com/',
  'https://videos.example.com:8443',
  'http://127.0.0.1:8765',
  'http://localhost:9',
])('the public URL %s is taken', (url) => expect(problemsOf({ VIDEO_HOSTING_PUBLIC_URL: url })).toEqual([]));

test.each(['8765', 'localhost', ':8765', '127.0.0.1:99999', 'http://127.0.0.1:8765', '127.0.0.1:8765/mcp', '::1:8765'])(
  'the listening address %s is refused',
  (address) =>
    expect(problemsOf({ VIDEO_HOSTING_HTTP_LISTEN: address })).toEqual([expect.stringContaining('must be an address and a port')]),
);

test.each(['0.0.0.0:8765', '[::]:8765', '192.168.1.4:80', 'videos.internal:8765'])(
  'beyond this machine (%s) a public URL is needed, and not one of loopback',
  (address) => {
    const loopback = { VIDEO_HOSTING_PUBLIC_URL: 'http://127.0.0.1:8765' };
    expect(problemsOf({ VIDEO_HOSTING_HTTP_LISTEN: address, ...loopback })).toEqual([
      expect.stringContaining('has to be the https address'),
    ]);
    expect(problemsOf({ VIDEO_HOSTING_HTTP_LISTEN: address })).toEqual([
      expect.stringContaining('VIDEO_HOSTING_PUBLIC_URL has to be the https address'),
    ]);
    expect(problemsOf({ VIDEO_HOSTING_HTTP_LISTEN: address, VIDEO_HOSTING_PUBLIC_URL: 'https://videos.example.com' })).toEqual([]);
  },
);

test.each(['127.0.0.1:8765', '127.3.2.1:1', 'localhost:8765', '[::1]:8765'])('on this machine (%s) it is not', (address) =>
  expect(problemsOf({ VIDEO_HOSTING_HTTP_LISTEN: address })).toEqual([]),
);

async function begin(env: Record<string, string>) {
  const log: string[] = [];
  const stop = new AbortController();
  const config = parseConfig(['serve', '--http'], env, process.platform);
  const options = { config, version: '0', log: (line: string) => void log.push(line), logRequest: () => undefined, signal: stop.signal };
  // One that begins is ended at once.
  const outcome = await serveHttp({ ...options, onListening: () => stop.abort() }).then(
    () => 'served',
    (error: Error & { readonly hint?: string }) => `${error.message} ${error.hint}`,
  );
  return { outcome, log };
}

const settings = async (more: Record<string, string> = {}): Promise<Record<string, string>> => {
  const home = freshHome();
  const demo = await startService();
  return { HOME: home, VIDEO_HOSTING_DATA_DIR: `${home}/data`, VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0', ...settingsFor(demo), ...more };
};

test('beyond this machine nobody is let wait for people who are not there', async () => {
  const env = await settings({ VIDEO_HOSTING_HTTP_LISTEN: '0.0.0.0:0', VIDEO_HOSTING_PUBLIC_URL: 'https://videos.example.com' });
  expect((await begin(env)).outcome).toMatch(/Nobody is in the file of people .* people add NAME/);
});

test('on this machine it begins without people, and says how to add one', async () => {
  const { outcome, log } = await begin(await settings());
  expect(outcome).toBe('served');
  expect(log.join('\n')).toContain('people add NAME');
});

test('settings without an account, and a port that is taken, are told', async () => {
  const { VIDEO_HOSTING_API_KEY: _, ...env } = await settings();
  expect((await begin(env)).outcome).toContain('VIDEO_HOSTING_API_KEY');
  const { url } = await startHttp();
  const other = await settings({ VIDEO_HOSTING_HTTP_LISTEN: new URL(url).host });
  expect((await begin(other)).outcome).toContain('EADDRINUSE');
});

test('a second server on the same data folder does not begin, and the first goes on', async () => {
  const { home, demo, url } = await startHttp();
  const env = { HOME: home, VIDEO_HOSTING_DATA_DIR: `${home}/data`, VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0', ...settingsFor(demo) };
  expect((await begin(env)).outcome).toMatch(/Another server over HTTP works on this data folder.*process/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('what a server left that is gone keeps no other one from beginning', async () => {
  const first = await startHttp();
  await first.stop();
  const env = {
    HOME: first.home,
    VIDEO_HOSTING_DATA_DIR: first.dataDir,
    VIDEO_HOSTING_HTTP_LISTEN: '127.0.0.1:0',
    ...settingsFor(first.demo),
  };
  expect((await begin(env)).outcome).toBe('served');
});

test('a file of people that others can write is refused at the start', async () => {
  const env = await settings();
  const file = `${env.HOME}/people.json`;
  await addPeople(file);
  const { chmod } = await import('node:fs/promises');
  await chmod(file, 0o666);
  expect((await begin({ ...env, VIDEO_HOSTING_PEOPLE: file })).outcome).toContain('chmod 600');
});

test('it is not ready while what waits for a person can’t be kept, which its log says, and is again once it can', async () => {
  const { dataDir, url, connect, people, log } = await startHttp();
  const bob = await connect(people.bob);
  await bob.callTool('create_project', { name: 'Retired', region: 'use-s' });
  const accounts = join(dataDir, 'accounts');
  const kept = join(accounts, readdirSync(accounts).find((name) => existsSync(join(accounts, name, 'kept'))) ?? '', 'kept');
  const ready = async () => (await fetch(`${url}/readyz`)).status;
  expect(await ready()).toBe(200);
  renameSync(kept, `${kept}-away`);
  writeFileSync(kept, '');
  expect(await ready()).toBe(503);
  expect(log()).toContain('What waits for a person can’t be kept');
  rmSync(kept);
  renameSync(`${kept}-away`, kept);
  expect(await ready()).toBe(200);
});
