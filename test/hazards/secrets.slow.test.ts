/** The server never reveals the API key or the access token. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { listing } from '../../src/mcp/listing.ts';
import { createCredentials } from '../../src/service/credentials.ts';
import { agree } from '../changes/support/confirm.ts';
import { videoKeysOf } from '../changes/support/world.ts';
import { API_KEY, type DemoService, startService } from '../harness/service.ts';
import { type Session, start } from '../harness/start.ts';
import { addPeople } from './emails-support.ts';
import { readsOf } from './reads.ts';
import { everyFile, SECRETS, TOKEN, tracesIn, WAYS, withToken } from './secrets-support.ts';

/** Calls everything; the answers are in the session's output. */
async function callEverything({ client, demo }: Session): Promise<void> {
  const calls = [
    ...readsOf(demo),
    ['check_setup', {}],
    ['get_collected_emails', { groupBy: 'emailDomain' }],
    ['list_changes', {}],
    ['create_project', { name: 'Brand new', region: 'use-s' }],
    ['create_channels', { channels: [{ name: 'Brand new', videoKeys: videoKeysOf(demo, 2) }] }],
    ['move_videos', { videoIds: [...demo.world.videos.keys()].slice(0, 3), targetProject: [...demo.world.projects.keys()][1] }],
    ['copy_cta', { sourceVideoId: [...demo.world.videos.keys()][0], targetVideoIds: [...demo.world.videos.keys()].slice(1, 3) }],
    ['list_changes', {}],
  ] as const;
  for (const [tool, args] of calls) await client.callTool(tool, args);
  for (const { uri } of listing().resources) await client.readResource(uri).catch(() => '');
  for (const [id] of demo.world.channels) await client.readResource(`video-hosting://channels/${id}`).catch(() => '');
  await client.complete({ prompt: 'bulk-move' }, 'targetProject', '');
  await client.complete({ template: 'video-hosting://channels/{id}' }, 'id', '');
}

test('the check finds a secret', () => {
  for (const [name, way] of Object.entries(WAYS))
    for (const secret of SECRETS) expect(`${name}: ${tracesIn(way(secret)).length > 0}`).toBe(`${name}: true`);
  for (const [name, way] of Object.entries(WAYS))
    expect(`${name}: ${tracesIn(JSON.stringify([way(API_KEY)])).length > 0}`).toBe(`${name}: true`);
  expect(tracesIn('A text that says nothing, 4711, Zq81.')).toEqual([]);
});

describe.each(Object.entries(WAYS))('a service that repeats the credential %s', (_name, way) => {
  test('in its errors does not make the server write it to its output or files', async () => {
    const session = await start({
      ...withToken,
      demo: await startService({ channels: 8, projects: 5, videos: 20, views: 50, accessToken: TOKEN }),
    });
    const { demo, output, dataDir } = session;
    const body = Object.fromEntries(
      ['message', 'title', 'type', 'traceId', 'detail', 'error', API_KEY, TOKEN].map((name) => [name, `${way(API_KEY)} ${way(TOKEN)}`]),
    );
    demo.faults.always({
      do: { kind: 'status', code: 400, body: { ...body, invalidVideoKeys: SECRETS.map(way) }, headers: { 'x-echo': API_KEY } },
    });
    await callEverything(session);
    expect(demo.requests.length).toBeGreaterThan(15);
    expect(tracesIn(output())).toEqual([]);
    expect(tracesIn(everyFile(dataDir))).toEqual([]);
  });

  test('in its records does not make the server write it to its output or files', async () => {
    const session = await start({
      ...withToken,
      demo: await startService({ channels: 8, projects: 5, videos: 20, views: 50, accessToken: TOKEN }),
    });
    const { demo, output, dataDir } = session;
    plantEverywhere(demo, way);
    demo.behaviour.channelRecordsShowContents = true;
    await callEverything(session);
    expect(tracesIn(output())).toEqual([]);
    expect(tracesIn(everyFile(dataDir))).toEqual([]);
  });
});

function plantEverywhere({ world }: DemoService, way: (secret: string) => string): void {
  for (const [at, secret] of SECRETS.entries()) {
    const text = way(secret);
    for (const record of [[...world.channels.values()][at + 2], [...world.projects.values()][at + 2], world.plans[at], world.templates[at]])
      if (record !== undefined) Object.assign(record, { name: text, description: text, [text]: text });
    world.addProject({ name: text, region: text, videoOptions: { playerSkin: text, [text]: at } });
    world.addChannel({ name: `Channel of ${text}`, videoKeys: videoKeysOf({ world } as DemoService, 1) });
    addPeople({ world }, text, '2026-10-01T00:00:00Z');
  }
}

test('the credential is masked in JSON with any escapes, and a key as short as a word is not masked', () => {
  const secret = 'sk-live/9f+"Zq==x';
  const { scrubJson } = createCredentials(secret, undefined);
  const written = JSON.stringify({ a: [`x${secret}y`], [secret]: 1 });
  for (const text of [written, written.replaceAll('/', '\\/'), written.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')])
    expect(JSON.parse(scrubJson(text))).toEqual({ a: ['x[credential]y'], '[credential]': 1 });
  expect(createCredentials('video', undefined).scrubJson('{"name":"A video"}')).toBe('{"name":"A video"}');
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

test('the credential is not sent to the target of a redirect', async () => {
  const elsewhere = await startService();
  const demo = await startService();
  const session = await start({ demo, ...withToken });
  for (const code of [301, 302, 303, 307, 308]) {
    demo.faults.clear();
    demo.faults.always({ do: { kind: 'redirect', code, location: `${elsewhere.baseUrl}/v1/${encodeURIComponent(API_KEY)}` } });
    for (const [tool, args] of readsOf(demo)) await session.client.callTool(tool, args);
    await agree(session.client, 'create_project', { name: 'Brand new', region: 'use-s' });
  }
  expect(elsewhere.requests).toEqual([]);
  expect(tracesIn(session.output())).toEqual([]);
});
