/** What people’s clients see and may do, in either era of the protocol. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listing } from '../../src/mcp/listing/listing.ts';
import { fieldsIn } from '../../src/platform/is-object.ts';
import { recordsIn } from '../harness/client.ts';
import { startHttp, toolCall } from '../harness/http.ts';
import type { SdkKind } from '../harness/sdk-clients.ts';
import { pathsOf } from '../harness/service.ts';

const KINDS: readonly SdkKind[] = ['v1 client', 'v2 client, legacy', 'v2 client, modern'];
const ALL = listing().tools.map(({ name }) => name);
const namesOf = (tools: readonly Readonly<Record<string, unknown>>[]) => tools.map(({ name }) => name);
const withEffect = (...effects: string[]) => ALL.filter((name) => effects.includes(listing().effects[name] ?? ''));

describe.each(KINDS)('%s', (kind) => {
  test('asks as over stdio: tools, resources, prompts, completions, and what is wrong in words', async () => {
    const { connect, people } = await startHttp();
    const client = await connect(people.ann, kind);
    const { data } = await client.callTool('list_channels', { size: 5 });
    expect(recordsIn(data, 'channels')).toHaveLength(5);
    expect(await client.readResource('video-hosting://plan-types')).toContain('planType');
    expect(await client.getPrompt('analytics-report', { question: 'views' })).toContain('views');
    expect((await client.listResources()).length).toBeGreaterThan(0);
    const [name = ''] = await client.complete({ prompt: 'reorganise-channels' }, 'channel', '');
    expect((await client.callTool('get_channel', { channel: name })).isError).toBe(false);
    expect((await client.callTool('get_channel', { channel: 'nothing of the kind' })).isError).toBe(true);
    expect((await client.callTool('check_setup')).data).toMatchObject({ ok: true });
  });

  test('is offered what its person’s roles allow, without files and tokens', async () => {
    const { connect, people } = await startHttp();
    const offered = async (person: keyof typeof people) => namesOf(await (await connect(people[person], kind)).listTools());
    const reading = withEffect('read', 'setup', 'export');
    expect(await offered('eve')).toEqual(ALL.filter((name) => reading.includes(name)));
    expect(await offered('dan')).toEqual(ALL.filter((name) => [...reading, 'stop_change'].includes(name)));
    const bobs = await offered('bob');
    expect(bobs).toEqual(ALL.filter((name) => name !== 'confirm_change'));
    expect(await offered('ann')).toEqual(bobs);
    const tools = await (await connect(people.ann, kind)).listTools();
    const ofFiles = tools.filter(({ description, inputSchema }) =>
      /File"|"file"|Column"|showRecords|\bfiles?\b/.test(JSON.stringify([description, inputSchema])),
    );
    // Its file is downloaded by people, on the page.
    expect(namesOf(ofFiles)).toEqual(['get_collected_emails']);
  });

  test('is refused in words what the roles leave out, and nothing is sent', async () => {
    const { connect, people, demo } = await startHttp();
    const eve = await connect(people.eve, kind);
    for (const [name, args] of [
      ['update_channels', { changes: [{ channel: 'x', name: 'y' }] }],
      ['state_contents', { channels: [] }],
      ['stop_change', { changeId: 'chg_1' }],
    ] as const) {
      const reply = await eve.callTool(name, args);
      expect([reply.isError, reply.text]).toEqual([
        true,
        expect.stringMatching(new RegExp(`${name} is refused: it takes the role propose.* eve does not have`)),
      ]);
    }
    expect(pathsOf(demo).filter((path) => !path.startsWith('GET'))).toEqual([]);
  });

  test('names no file of the server, and is told what to do instead', async () => {
    const { connect, people } = await startHttp();
    const bob = await connect(people.bob, kind);
    const reply = await bob.callTool('update_channels', { changes: [{ channel: 'x', setVideoKeysFile: '/etc/passwd' }] });
    expect([reply.isError, reply.text]).toEqual([true, expect.stringContaining('changes[0].setVideoKeysFile')]);
    expect(reply.text).toContain('give the list itself');
  });

  test('is told of no argument for a file where a list is missing', async () => {
    const { connect, people, demo } = await startHttp();
    const bob = await connect(people.bob, kind);
    const [channel] = recordsIn((await bob.callTool('list_channels', { size: 1 })).data, 'channels');
    for (const [name, args, told] of [
      ['create_channels', { channels: [{ name: 'New' }] }, 'channels[0].videoKeys ("New"): must be given; [] for none.'],
      ['move_videos', { targetProject: 'Archive' }, 'videoIds: must be given.'],
      ['copy_cta', { sourceVideoId: [...demo.world.videos.keys()][0] }, 'targetVideoIds: must be given.'],
      ['state_contents', {}, 'channels: must be given.'],
      ['state_contents', { channels: [{ channel: channel?.id }] }, 'states nothing: give videoKeys or projectKeys.'],
    ] as const) {
      const { isError, text } = await bob.callTool(name, args);
      expect([isError, text]).toEqual([true, expect.stringContaining(told)]);
      expect(text).not.toMatch(/file/i);
    }
  });

  test('asks for a change, which waits, named with who asked through what; nothing is sent', async () => {
    const { connect, people, demo } = await startHttp();
    const bob = await connect(people.bob, kind);
    const [channel] = recordsIn((await bob.callTool('list_channels', { size: 1 })).data, 'channels');
    const { data, text } = await bob.callTool('create_project', { name: 'Archive', region: 'use-s' });
    expect(pathsOf(demo).filter((path) => path.startsWith('POST'))).toEqual([]);
    expect([data?.status, channel !== undefined]).toEqual(['waiting', true]);
    expect(text).toContain('waiting');
    const ann = await connect(people.ann, kind);
    const seen = await ann.callTool('get_change', { changeId: data?.changeId });
    expect(seen.text).toMatch(/bob/);
    expect(seen.text).toMatch(/test-client/);
    // It is for a person to decide, and for who asked to withdraw.
    expect((await ann.callTool('stop_change', { changeId: data?.changeId })).isError).toBe(true);
    expect((await bob.callTool('stop_change', { changeId: data?.changeId })).data).toMatchObject({ status: 'withdrawn' });
  });
});

test('a list of tools is a person’s own', async () => {
  const { post, people } = await startHttp();
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  };
  const answer = await post(
    people.eve,
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  );
  const { result } = fieldsIn(await answer.json());
  expect(fieldsIn(result)).toMatchObject({ cacheScope: 'private' });
});

test('the same plan of the same person waits once; another’s is another', async () => {
  const { connect, people } = await startHttp();
  const [bob, ann] = [await connect(people.bob), await connect(people.ann)];
  const ask = async (client: typeof bob) => (await client.callTool('create_project', { name: 'Archive', region: 'use-s' })).data?.changeId;
  const first = await ask(bob);
  expect(await ask(bob)).toBe(first);
  expect(await ask(ann)).not.toBe(first);
});

test('a client of the older era is called what it introduced itself as, with that token', async () => {
  const { connect, post, people } = await startHttp();
  const asked = async (person: typeof people.bob, id: string) =>
    (await (await connect(person, 'v2 client, modern')).callTool('get_change', { changeId: id })).text;
  const proposed = async (person: typeof people.bob, name: string) => {
    const answer = await post(person, toolCall('create_project', { name, region: 'use-s' }));
    return /chg[-_][\w-]+|ch[-_][\w-]+/.exec(await answer.text())?.[0] ?? '';
  };
  const before = await proposed(people.bob, 'One');
  await post(people.bob, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', title: 'Codex', version: '1' } },
  });
  const after = await proposed(people.bob, 'Two');
  expect(await asked(people.ann, after)).toContain('Codex');
  expect(await asked(people.ann, before)).not.toContain('Codex');
});

test('a line of the log for each request tells who, what and how long, and no argument', async () => {
  const { connect, people, requests } = await startHttp();
  const bob = await connect(people.bob, 'v1 client');
  await bob.callTool('list_channels', { search: 'planted-argument' });
  const { data } = await bob.callTool('create_project', { name: 'planted-name', region: 'use-s' });
  await expect.poll(() => requests().some(({ tool }) => tool === 'create_project')).toBe(true);
  const line = requests().find(({ tool }) => tool === 'create_project');
  expect(line).toMatchObject({
    person: 'bob',
    client: 'test-client',
    method: 'POST',
    path: '/mcp',
    rpc: 'tools/call',
    status: 200,
    outcome: 'waiting',
    changeId: data?.changeId,
  });
  expect(Object.keys(line ?? {})).toEqual([
    'time',
    'person',
    'client',
    'method',
    'path',
    'rpc',
    'tool',
    'status',
    'outcome',
    'ms',
    'changeId',
  ]);
  expect(JSON.stringify(requests())).not.toContain('planted');
});

test('no answer holds a path of the server', async () => {
  const { connect, people, home, dataDir } = await startHttp({ env: { VIDEO_HOSTING_VIDEO_CATALOGUE: '/nowhere/catalogue-of-ours.csv' } });
  const ann = await connect(people.ann);
  const answers = [
    await ann.callTool('check_setup', { details: true }),
    await ann.callTool('list_changes'),
    await ann.callTool('move_videos', { targetProject: 'x', videoIds: ['a'] }),
    await ann.callTool('show_to_user', { what: 'changes', inBrowser: true }),
    await ann.callTool('create_project', { name: 'Archive', region: 'use-s' }),
  ];
  const text = JSON.stringify([answers, await ann.listTools(), ann.instructions]);
  expect(readdirSync(dataDir).length).toBeGreaterThan(0);
  for (const path of [home, dataDir, '/nowhere', 'main.cjs', process.cwd()]) expect([path, text.includes(path)]).toEqual([path, false]);
});

test('what is listed and told is of somebody elsewhere, who may be one of several', async () => {
  const { connect, people } = await startHttp();
  const bob = await connect(people.bob);
  const listed = JSON.stringify(await bob.listTools());
  expect(listed).not.toMatch(/their browser|once the user confirmed|waits for the user|the user’s answer|this machine/);
  expect(listed).toContain('else by a link to the page, where they sign in and can also state');
  const { text } = await bob.callTool('check_setup', { details: true });
  // These can’t be set for several people.
  expect(text).not.toMatch(/VIDEO_HOSTING_(?:CONFIRM|AGENT|BROWSER|FILES_DIR)\b/);
  expect(text).toContain('exports them for people, who download the file on the page');
  expect(text).not.toMatch(/is masked/);
});

test('instructions promise no form and no browser', async () => {
  const { connect, people } = await startHttp();
  for (const kind of KINDS) {
    const { instructions } = await connect(people.bob, kind);
    expect(instructions).toContain('give the user the link');
    expect(instructions).not.toMatch(/\bform\b|browser|a file of it/);
  }
});
