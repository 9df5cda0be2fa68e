/** The server never reveals the API key or the access token. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.ts';
import { createCredentials } from '../../src/service/credentials.ts';
import { API_KEY } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { SECRETS, TOKEN, tracesIn, WAYS, withToken } from './secrets-support.ts';

test.each(Object.entries(WAYS))('a credential that the service repeats %s is masked in errors and records', (_name, way) => {
  const { scrub, scrubJson } = createCredentials(API_KEY, TOKEN);
  expect(tracesIn('A text that says nothing, 4711, Zq81.')).toEqual([]);
  for (const secret of SECRETS) {
    expect(tracesIn(way(secret))).not.toEqual([]);
    expect(tracesIn(JSON.stringify([way(secret)]))).not.toEqual([]);
    expect(tracesIn(scrub(way(secret)))).toEqual([]);
    expect(tracesIn(scrubJson(JSON.stringify({ [way(secret)]: [way(secret)] })))).toEqual([]);
  }
});

test.each<[argv: readonly string[], env: Record<string, string>]>([
  [['--api-key', API_KEY], {}],
  [[`--api-key=${API_KEY}`], {}],
  [['--access-token', TOKEN], {}],
  [[`--VIDEO_HOSTING_API_KEY=${API_KEY}`], {}],
  [[API_KEY], {}],
  [['--base-url', `https://user:${encodeURIComponent(API_KEY)}@api.example.com`], {}],
  [['--confirm', API_KEY], {}],
  [['--call-budget-ms', API_KEY], {}],
  [[], { VIDEO_HOSTING_API_KEY: `${API_KEY} with a blank` }],
  [[], { VIDEO_HOSTING_APIKEY: API_KEY }],
  [[], { VIDEO_HOSTING_READ_ONLY: API_KEY }],
  [[], { VIDEO_HOSTING_CONFIRM: API_KEY }],
  [[], { VIDEO_HOSTING_BASE_URL: API_KEY }],
  [[], { VIDEO_HOSTING_BASE_URL: `https://${encodeURIComponent(API_KEY)}@api.example.com` }],
  [[], { VIDEO_HOSTING_DATA_DIR: API_KEY }],
  [[], { VIDEO_HOSTING_FILES_DIR: API_KEY }],
])('a credential in a wrong argument or setting is not repeated: %j %j', (argv, env) => {
  const { problems } = parseConfig(argv, env);
  expect(problems).not.toEqual([]);
  expect(tracesIn(problems.join('\n'))).toEqual([]);
});

test('the credential is masked in JSON with any escapes, and one as short as a word or a letter is masked nowhere', () => {
  const secret = 'sk-live/9f+"Zq==x';
  const { scrubJson } = createCredentials(secret, undefined);
  const written = JSON.stringify({ a: [`x${secret}y`], [secret]: 1 });
  for (const text of [written, written.replaceAll('/', '\\/'), written.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')])
    expect(JSON.parse(scrubJson(text))).toEqual({ a: ['x[credential]y'], '[credential]': 1 });
  for (const [key, text] of [
    ['video', '{"name":"A video"}'],
    ['n', 'Invalid token: answer y or n.'],
  ] as const) {
    const { scrub, scrubJson: scrubShort } = createCredentials(key, undefined);
    expect([scrub(text), scrubShort(text)]).toEqual([text, text]);
  }
});

test('a credential that may be a word takes no words apart, and is masked where it stands by itself', () => {
  const { scrub, scrubJson } = createCredentials('Conference', 'training');
  for (const text of ['{"name":"Conferences 2024, pretraining"}', 'conférence', 'Webconference', 'Trainingsvideos'])
    expect([scrub(text), scrubJson(text)]).toEqual([text, text]);
  expect(scrub('Bearer training; key=conference, "Conference"')).toBe('Bearer [credential]; key=[credential], "[credential]"');
  const random = 'qkzjxwvbnmplhgfdrtyu';
  expect(createCredentials(`${random}a`, undefined).scrub(`x${random}ay`)).toBe('x[credential]y');
});

test('a client gets the credential by no name of a resource, tool, prompt or template', async () => {
  const { client, output } = await start(withToken);
  const names = [
    'config',
    'settings',
    'env',
    'credentials',
    '../../proc/self/environ',
    'channels/..%2f..%2fsettings',
    'settings?secret=1',
    '__proto__',
    'constructor',
  ];
  for (const name of names) {
    await client.readResource(`video-hosting://${name}`).catch(() => '');
    await client.readResource(name).catch(() => '');
    await client.callTool(name).catch(() => undefined);
    await client.getPrompt(name).catch(() => '');
    await client.complete({ template: `video-hosting://${name}/{id}` }, 'id', '').catch(() => []);
  }
  await client.callTool('check_setup', { verbose: true, secrets: true, VIDEO_HOSTING_API_KEY: true });
  expect(tracesIn(output())).toEqual([]);
});

test('the help of the built command names the credential’s setting and not its value', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [inject('command'), '--help'], {
    env: { VIDEO_HOSTING_API_KEY: API_KEY },
  });
  expect(stdout).toContain('VIDEO_HOSTING_API_KEY');
  expect(tracesIn(stdout)).toEqual([]);
});
