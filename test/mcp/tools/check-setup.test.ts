/** What an assistant learns of the server and of the time that questions are about. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { JWT } from '../../changes/kinds/videos/harness.ts';
import { waitingAgent } from '../../changes/proposals/harness.ts';
import { changeIdIn } from '../../changes/support/confirm.ts';
import { ERAS, recordsIn } from '../../harness/client.ts';
import { API_KEY, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { expectRefused } from './support.ts';

const SECRET = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl';
const BROWSER = { VIDEO_HOSTING_BROWSER: process.execPath };
const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'UTC' });
const WEEKDAY = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const today = () => `${DAY.format()}, ${WEEKDAY.format()} (UTC)`;

test('says which day it is, by which an assistant resolves a date without a year', async () => {
  const { client } = await start({ demo: await startService({ channels: 1, views: 0 }) });
  const before = today();
  const { data, text } = await client.callTool('check_setup');
  expect([before, today()]).toContain(data?.today);
  expect(text).toContain(`Today: ${String(data?.today)}`);
});

test('check_setup reports the settings and both services, and no secret', async () => {
  const exports = freshHome();
  const env = { VIDEO_HOSTING_ACCESS_TOKEN: SECRET, VIDEO_HOSTING_FILES_DIR: exports };
  const { client, demo, output } = await start({ env });
  const { data, text } = await client.callTool('check_setup');
  expect(new Set(demo.requests.map(({ api }) => api))).toEqual(new Set(['main', 'stats']));
  expect(data).toMatchObject({
    ok: true,
    mainApi: { ok: true },
    analyticsApi: { ok: true },
    credential: { kind: 'API key', accessToken: { kind: 'JWT', expires: '2100-01-01T00:00:00.000Z' } },
    summary: 'What works: reading and changing channels and projects, and questions about views.',
    notes: [expect.stringContaining('VIDEO_HOSTING_VIDEO_CATALOGUE is not set')],
  });
  expect(data).not.toHaveProperty('settings');
  const all = recordsIn((await client.callTool('check_setup', { details: true })).data, 'settings');
  expect(Object.fromEntries(all.map(({ setting, value }) => [setting, value]))).toMatchObject({
    VIDEO_HOSTING_BASE_URL: demo.baseUrl,
    VIDEO_HOSTING_API_KEY: 'set',
    VIDEO_HOSTING_ACCESS_TOKEN: 'set',
    VIDEO_HOSTING_FILES_DIR: exports,
    VIDEO_HOSTING_VIDEO_CATALOGUE: 'not set',
    VIDEO_HOSTING_CONFIRM: 'ask',
    node: process.versions.node,
  });
  expect(text).toContain(`${demo.baseUrl} answers; 60 channels`);
  expect(text).toContain(`${demo.statsUrl} answers`);
  expect(output()).not.toContain(SECRET);
  expect(output()).not.toContain(API_KEY);
});

test.each([
  ['none', {}, /^the assistant shows a preview and sends a token/],
  ['accept', {}, /^a form asks the user/],
  ['accept', { VIDEO_HOSTING_CONFIRM: 'token' }, /^the assistant shows a preview and sends a token.*VIDEO_HOSTING_CONFIRM is token\)\.$/],
  ['none', { VIDEO_HOSTING_CONFIRM: 'form' }, /^refused/],
  ['none', { VIDEO_HOSTING_CONFIRM: 'never' }, /not confirmed by anyone/],
  ['accept', { VIDEO_HOSTING_READ_ONLY: '1' }, /read-only: none are offered.*be stated \(state_contents\).*: a form asks the user/],
  ['none', BROWSER, /^the approval page asks the user, .*this client shows no forms; VIDEO_HOSTING_CONFIRM is ask/],
  ['none', { VIDEO_HOSTING_BROWSER: 'none' }, /^the assistant shows a preview and sends a token.*VIDEO_HOSTING_BROWSER is "none"/],
  ['none', { VIDEO_HOSTING_BROWSER: '/nowhere/browser' }, /VIDEO_HOSTING_BROWSER names a program that is not there/],
  ['none', { ...BROWSER, VIDEO_HOSTING_CONFIRM: 'page' }, /^the approval page asks the user, .*VIDEO_HOSTING_CONFIRM is page/],
  ['none', { VIDEO_HOSTING_CONFIRM: 'page' }, /^refused: VIDEO_HOSTING_CONFIRM is page, and no browser .* VIDEO_HOSTING_BROWSER is "none"/],
] as const)('check_setup says how changes are confirmed for a client with forms (%s) and the settings %j', async (forms, env, says) => {
  const demo = await startService({ channels: 1, views: 0 });
  for (const client of ERAS)
    expect((await (await start({ demo, client, forms, env })).client.callTool('check_setup')).data?.confirmation).toMatch(says);
});

test('check_setup names the settings to set if none is set', async () => {
  const { client } = await start({ demo: null });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({
    ok: false,
    summary: 'Not set up: nothing of the account can be read or changed.',
    problems: ['VIDEO_HOSTING_BASE_URL is not set.', 'VIDEO_HOSTING_API_KEY is not set.'],
    hint: expect.stringMatching(/^Set VIDEO_HOSTING_BASE_URL and VIDEO_HOSTING_API_KEY in .* restart the server, or start it with --demo/),
  });
});

test('check_setup reports which of the two services fails, and why', async () => {
  const { client, demo } = await start();
  demo.faults.always({ match: { api: 'stats' }, do: { kind: 'status', code: 403, body: { message: '\u001b[31mNo\u202e' } } });
  const { data, text } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: false, mainApi: { ok: true }, analyticsApi: { ok: false } });
  expect(data?.summary).toBe('What works: reading and changing channels and projects. What does not: questions about views.');
  expect(text).toContain(`${demo.statsUrl}: The service does not allow`);
  expect(text).toContain('it said "No"');
  await demo.close();
  const closed = await client.callTool('check_setup');
  expect(closed.data).toMatchObject({ ok: false, summary: expect.stringContaining('main API does not work'), mainApi: { ok: false } });
});

test('check_setup reports problems with the video catalogue, the data folder and the files folder', async () => {
  const home = freshHome();
  const [inTheWay, catalogue] = [join(home, 'file'), join(home, 'videos.csv')];
  writeFileSync(inTheWay, '');
  writeFileSync(catalogue, 'name\nOne\n');
  const folders = { VIDEO_HOSTING_FILES_DIR: join(home, 'nowhere'), VIDEO_HOSTING_DATA_DIR: join(inTheWay, 'data') };
  const { client } = await start({ home, env: { ...folders, VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const { data, text } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: false, mainApi: { ok: true } });
  expect(data?.summary).toBe(
    'What works: reading channels and projects. What does not: changing them, questions about views, files, titles of videos.',
  );
  const problems = [
    /^Video catalogue: .*videos\.csv.*line 1.*Correct the file that VIDEO_HOSTING_VIDEO_CATALOGUE names/,
    /^Data folder: .*file.data" can’t be made: ".*file" is no folder\. Set VIDEO_HOSTING_DATA_DIR to a folder/,
    /^Files folder: .*nowhere" is not there, or is no folder\. Make it, or correct VIDEO_HOSTING_FILES_DIR\./,
  ];
  expect(data?.problems).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  expect(text).toMatch(/^ok: false\nWhat works: .*\nToday: .*\n- Video catalogue: /);
});

test('a data folder in which something can’t be written to is wrong, and what else lies there is not', async () => {
  const home = freshHome();
  const accounts = join(home, 'data', 'accounts');
  mkdirSync(accounts, { recursive: true, mode: 0o700 });
  writeFileSync(join(accounts, '.DS_Store'), '', { mode: 0o600 });
  const { client } = await start({ home });
  expect((await client.callTool('check_setup')).data).toMatchObject({ ok: true });
  rmSync(accounts, { recursive: true });
  writeFileSync(accounts, '');
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: false, problems: [expect.stringMatching(/^Data folder: ".*accounts" can’t be written to\./)] });
  expect(data?.summary).toBe('What works: reading channels and projects. What does not: changing them, questions about views.');
});

test('what waited for a person and can’t be relied on is told, with what to do about that', async () => {
  const { move, client, home } = await waitingAgent();
  const ids = [changeIdIn(await move(3)), changeIdIn(await move(4))];
  expect((await client.callTool('check_setup')).text).not.toContain('relied on');
  const accounts = join(home, 'data', 'accounts');
  for (const id of ids) {
    const path = join(accounts, readdirSync(accounts)[0] ?? '', 'kept', `${id}.json`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Archive', 'Trash'));
  }
  const { data } = await client.callTool('check_setup');
  expect(data?.ok).toBe(true);
  expect(data?.problems).toContainEqual(
    expect.stringMatching(
      /^Waiting changes: chg-\S+ waited for a person, and its file can’t be relied on: .* Nothing is carried out by it\. So is 1 other\. Make the call of each anew\. A person may remove their files from the folder “kept” of the account\.$/,
    ),
  );
});

test('a data folder that is a file, or in which a folder is one, is told with what to do about that', async () => {
  const home = freshHome();
  const file = join(home, 'file');
  writeFileSync(file, '');
  const views = join(home, 'data', 'accounts', 'a', 'views');
  mkdirSync(dirname(views), { recursive: true, mode: 0o700 });
  writeFileSync(views, '');
  for (const [folder, problem] of [
    [file, `"${file}" is no folder. Set VIDEO_HOSTING_DATA_DIR to a folder, or move what is there away`],
    [join(home, 'data'), `"${views}" is no folder. Move what is there away: a folder is made in its place.`],
  ] as const) {
    const { client } = await start({ home, env: { VIDEO_HOSTING_DATA_DIR: folder } });
    const { data } = await client.callTool('check_setup');
    expect(data).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
  }
});

test('a data folder that is a link to nothing, or whose name is too long, is wrong before anything is to be kept', async () => {
  const home = freshHome();
  const link = join(home, 'link');
  symlinkSync(join(home, 'gone'), link);
  for (const [folder, problem] of [
    [link, 'is a link to nothing.'],
    [join(home, 'x'.repeat(300)), 'can’t be used (ENAMETOOLONG).'],
  ] as const) {
    const { client } = await start({ home, env: { VIDEO_HOSTING_DATA_DIR: folder } });
    const { data } = await client.callTool('check_setup');
    expect(data).toMatchObject({ ok: false, problems: [expect.stringContaining(problem)] });
  }
});

test('what works is told without what a missing setting takes, and is ok', async () => {
  const { client } = await start({ env: { VIDEO_HOSTING_STATS_URL: undefined } });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({
    ok: true,
    summary: 'What works: reading and changing channels and projects. What does not: questions about views.',
    notes: expect.arrayContaining([
      expect.stringMatching(/^Moving videos: not tried; some accounts need a JWT .*VIDEO_HOSTING_ACCESS_TOKEN/),
    ]),
  });
});

test('an expired token is a problem, though both services answer', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part({ exp: 1_600_000_000 })}.c2ln`;
  const { client } = await start({ env: { VIDEO_HOSTING_ACCESS_TOKEN: token } });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: false, mainApi: { ok: true }, problems: [expect.stringMatching(/^Credential: .*\(expired!\)/)] });
});

test.each([
  ['VIDEO_HOSTING_BASE_URL', 'mainApi', 'list_channels', {}],
  ['VIDEO_HOSTING_STATS_URL', 'analyticsApi', 'query_analytics', { from: '7d', metrics: ['views'] }],
])(
  'an address that %s has wrong is named by check_setup and by the call, and no record is looked for',
  async (setting, api, tool, args) => {
    const demo = await startService({ channels: 1, views: 0 });
    demo.faults.always({
      match: { api: api === 'mainApi' ? 'main' : 'stats' },
      do: { kind: 'status', code: 404, body: { message: 'Not found' } },
    });
    const { client } = await start({ demo });
    const { data } = await client.callTool('check_setup');
    const { text } = await client.callTool(tool, args);
    for (const told of [JSON.stringify(data?.[api]), text]) {
      expect(told).toContain(`What answers at ${setting} does not know this path of the API`);
      expect(told).toContain(`Correct ${setting}: it is the root of the API, before /v1.`);
      expect(told).not.toContain('record');
    }
  },
);

test('two addresses that are swapped are told as that by check_setup and by each call', async () => {
  const demo = await startService({ channels: 1, views: 0 });
  const env = { VIDEO_HOSTING_BASE_URL: demo.statsUrl, VIDEO_HOSTING_STATS_URL: demo.baseUrl };
  const { client } = await start({ demo, env });
  const { data } = await client.callTool('check_setup');
  const calls = [
    await client.callTool('list_channels'),
    await client.callTool('create_project', { name: 'x', region: 'use-s' }),
    await client.callTool('query_analytics', { from: '7d', metrics: ['views'] }),
  ];
  for (const told of [JSON.stringify(data?.mainApi), JSON.stringify(data?.analyticsApi), ...calls.map(({ text }) => text)]) {
    expect(told).toContain('VIDEO_HOSTING_BASE_URL and VIDEO_HOSTING_STATS_URL look swapped');
    expect(told).toContain('Exchange the values');
  }
  expect(data?.ok).toBe(false);
  // What is looked at to find it out carries no credential.
  const [probe] = demo.requests.filter(({ api, path }) => api === 'main' && path.startsWith('/v1/channels'));
  expect(probe?.headers.authorization).toBeUndefined();
});

test('wrong arguments are refused', () =>
  expectRefused('check_setup', [
    [{ details: 'perhaps' }, 'details: '],
    [{ detail: true }, 'Did you mean details?'],
  ]));

test.each([
  ['worked', {}, /^Moving videos: worked on \d{4}-\d\d-\d\d\.$/],
  ['was refused', { accessToken: JWT }, /^Moving videos: refused on \d{4}-\d\d-\d\d: .* Set VIDEO_HOSTING_ACCESS_TOKEN to one/],
] as const)('whether videos can be moved is told by the last move, which %s', async (_, options, told) => {
  const demo = await startService({ channels: 1, views: 0, videos: 3, ...options });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
  await client.callTool('move_videos', { targetProject: 'Archive', videoIds: [...demo.world.videos.keys()] });
  expect((await client.callTool('check_setup')).data?.notes).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
});

test('an access token that is no JWT is named as that', async () => {
  const { client } = await start({ env: { VIDEO_HOSTING_ACCESS_TOKEN: 'no-token-at-all' } });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: true, credential: { kind: 'API key', accessToken: { kind: 'no JWT' } } });
  expect(data?.problems).toEqual([
    expect.stringMatching(/^Credential: API key; for videos: no JWT\. VIDEO_HOSTING_ACCESS_TOKEN is no JWT/),
  ]);
});
