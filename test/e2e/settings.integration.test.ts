import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLIENT_KINDS, recordsIn, type TestClient } from '../harness/client.ts';
import { API_KEY, type Environment } from '../harness/service.ts';
import { freshHome, type ServerOptions, start } from '../harness/start.ts';

const SECRET = 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjQxMDI0NDQ4MDB9.c2lnbmF0dXJl';

interface State {
  readonly env?: Environment;
  readonly argv?: readonly string[];
  readonly demo?: null;
  /** What every call answers. */
  readonly says: RegExp;
  readonly code: number;
}

const STATES: Readonly<Record<string, State>> = {
  'nothing set': { demo: null, says: /Not set: VIDEO_HOSTING_BASE_URL, VIDEO_HOSTING_API_KEY\..*--demo/s, code: 0 },
  'no key': { env: { VIDEO_HOSTING_API_KEY: undefined }, says: /Not set: VIDEO_HOSTING_API_KEY\..*Set it in the client/s, code: 0 },
  'a key as a flag': { argv: ['--api-key', SECRET], says: /Unknown flag --api-key/, code: 2 },
  'two mistakes': {
    argv: ['--nope'],
    env: { VIDEO_HOSTING_READ_ONLY: '2' },
    says: /--nope.*VIDEO_HOSTING_READ_ONLY must be 1 or 0/s,
    code: 2,
  },
};

const withSecret = ({ env, argv, demo }: State): ServerOptions => ({
  env: { VIDEO_HOSTING_ACCESS_TOKEN: SECRET, ...env },
  ...(argv === undefined ? {} : { argv }),
  ...(demo === undefined ? {} : { demo }),
});

/** Expects every call to answer what is wrong, while the lists still work. */
async function expectRefusals(client: TestClient, says: RegExp): Promise<void> {
  const tools = (await client.listTools()).map(({ name }) => String(name));
  expect(tools).toContain('list_channels');
  expect((await client.listResources()).length + (await client.listPrompts()).length).toBeGreaterThan(3);
  for (const tool of tools.filter((name) => name !== 'check_setup')) {
    const reply = await client.callTool(tool);
    expect(reply.isError).toBe(true);
    expect(`${tool}: ${reply.text}`).toMatch(says);
  }
  await expect(client.readResource('video-hosting://templates')).rejects.toThrow(says);
  await expect(client.readResource('video-hosting://channels/x')).rejects.toThrow(says);
  expect(await client.complete({ prompt: 'bulk-move' }, 'targetProject', '')).toEqual([]);
  const setup = await client.callTool('check_setup');
  expect(setup).toMatchObject({ isError: false, data: { ok: false, mainApi: { ok: false }, analyticsApi: { ok: false } } });
  expect(setup.text).toMatch(/^ok: false\n/);
}

describe.each(Object.entries(STATES))('with %s', (name, state) => {
  // The message depends on the state only, so one state is tried with every kind of client.
  const kinds = name === 'two mistakes' ? CLIENT_KINDS : CLIENT_KINDS.slice(0, 1);
  test.each(kinds)('%s gets the problem as the answer to every call, and no request is sent to the service', async (kind) => {
    const { client, demo, output, hasData } = await start({ ...withSecret(state), client: kind });
    await expectRefusals(client, state.says);
    expect(demo.requests).toEqual([]);
    expect(hasData()).toBe(false);
    expect(output()).not.toContain(SECRET);
  });

  test.runIf(['nothing set', 'a key as a flag', 'two mistakes'].includes(name))(
    'the built command answers the same, with its exit code',
    async () => {
      const { client, demo, server, output, stop } = await start({ ...withSecret(state), via: 'process' });
      await expectRefusals(client, state.says);
      if (state.code !== 0) expect(server?.stderr()).toMatch(state.says);
      await stop();
      expect(await server?.exit).toEqual({ code: state.code, signal: null });
      expect(demo.requests).toEqual([]);
      expect(output()).not.toContain(SECRET);
    },
  );
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
  ['none', {}, /a preview and sends a token/],
  ['accept', {}, /a form asks the user/],
  ['accept', { VIDEO_HOSTING_CONFIRM: 'token' }, /a preview and sends a token/],
  ['none', { VIDEO_HOSTING_CONFIRM: 'form' }, /refused/],
  ['none', { VIDEO_HOSTING_CONFIRM: 'never' }, /not confirmed by anyone/],
  [
    'accept',
    { VIDEO_HOSTING_READ_ONLY: '1' },
    /read-only: none are offered.*can still be stated \(state_contents\).*: a form asks the user/,
  ],
] as const)('check_setup says how changes are confirmed for a client with forms (%s) and the settings %j', async (forms, env, says) => {
  for (const client of ['v2 client, legacy', 'v2 client, modern'] as const) {
    const session = await start({ client, forms, env });
    expect((await session.client.callTool('check_setup')).data?.confirmation).toMatch(says);
  }
});

test('check_setup names the settings to set if none is set', async () => {
  const { client } = await start({ demo: null });
  const { data } = await client.callTool('check_setup');
  expect(data).toMatchObject({
    ok: false,
    summary: 'Not set up: nothing of the account can be read or changed.',
    problems: ['VIDEO_HOSTING_BASE_URL is not set.', 'VIDEO_HOSTING_API_KEY is not set.'],
    hint: expect.stringMatching(/^Set VIDEO_HOSTING_BASE_URL and VIDEO_HOSTING_API_KEY in .* restart it, or start it with --demo/),
  });
});

test('check_setup reports which of the two services fails, and why', async () => {
  const { client, demo } = await start();
  demo.faults.always({ match: { api: 'stats' }, do: { kind: 'status', code: 403, body: { message: '\u001b[31mNo\u202e' } } });
  const { data, text } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: true, mainApi: { ok: true }, analyticsApi: { ok: false } });
  expect(data?.summary).toBe('What works: reading and changing channels and projects. Questions about views do not.');
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
  const env = {
    VIDEO_HOSTING_FILES_DIR: join(home, 'nowhere'),
    VIDEO_HOSTING_DATA_DIR: join(inTheWay, 'data'),
    VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue,
  };
  const { client } = await start({ home, env });
  const { data, text } = await client.callTool('check_setup');
  expect(data).toMatchObject({ ok: true, mainApi: { ok: true } });
  const problems = [
    /^Video catalogue: .*videos\.csv.*line 1.*Correct the file that VIDEO_HOSTING_VIDEO_CATALOGUE names/,
    /^Data folder: .*file.data" can’t be made\. Let this user write there, or set VIDEO_HOSTING_DATA_DIR/,
    /^Files folder: .*nowhere" is not there, or is no folder\. Make it, or correct VIDEO_HOSTING_FILES_DIR\./,
  ];
  expect(data?.problems).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  expect(text).toMatch(/^ok: true\nWhat works: .*\nToday: .*\n- Video catalogue: /);
});
