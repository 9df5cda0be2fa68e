/** What is written is what a person is shown: no character that a preview leaves out, and no two names that look alike. */
import { describe, expect, test } from 'vitest';
import { confirmPreview } from '../changes/support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import type { Values } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

async function account() {
  const demo = await startService({ channels: 3, projects: 2, videos: 20 });
  demo.behaviour.channelRecordsShowContents = true;
  const session = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const [one, two] = [channelAt(demo, 0), channelAt(demo, 1)];
  return { ...session, demo, one, two, keys: videoKeysOf(demo, 5) };
}

type Account = Awaited<ReturnType<typeof account>>;

const TAGS = [...'copy'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('a character that nobody is shown is refused before a preview, and the error names the field and the character', () => {
  const changing = (change: (context: Account) => Values) => (context: Account) =>
    ['update_channels', { changes: [{ channel: context.one.id, ...change(context) }] }] as const;
  const stating =
    (contents: Values) =>
    ({ two }: Account) =>
      ['state_contents', { channels: [{ channel: two.id, ...contents }] }] as const;
  const creating = (channel: Values) => () => ['create_channels', { channels: [{ name: 'New', videoKeys: [], ...channel }] }] as const;
  const project = (fields: Values) => () => ['create_project', { name: 'New', region: 'use-s', ...fields }] as const;

  test.each<[string, (context: Account) => readonly [string, Values], string, string]>([
    ['a direction in a name', changing(() => ({ name: 'Spring\u202Egnp.exe' })), 'changes[0].name', 'U+202E'],
    ['a line break in a name', changing(() => ({ name: 'Spring\nsale' })), 'changes[0].name', 'U+000A'],
    ['tag characters in a description', changing(() => ({ description: `Ours${TAGS}` })), 'changes[0].description', 'U+E0063'],
    ['half a character in a description', changing(() => ({ description: 'Ours \ud800' })), 'changes[0].description', 'U+D800'],
    ['a heap of marks in a name', changing(() => ({ name: `Ours${'\u0301'.repeat(6)}` })), 'changes[0].name', 'U+0301'],
    ['a key that is set', changing(({ keys }) => ({ setVideoKeys: [keys[0], 'k\u200B'] })), 'changes[0].setVideoKeys[1]', 'U+200B'],
    ['a key that is added', changing(() => ({ addVideoKeys: ['k1\u3164'] })), 'changes[0].addVideoKeys[0]', 'U+3164'],
    ['a key that was not decoded', changing(() => ({ addVideoKeys: ['k\ufffd'] })), 'changes[0].addVideoKeys[0]', 'U+FFFD'],
    ['the name of a new channel', creating({ name: 'Plain\u2066' }), 'channels[0].name', 'U+2066'],
    ['the description of a new channel', creating({ description: 'Plain\u00AD' }), 'channels[0].description', 'U+00AD'],
    ['a key of a new channel', creating({ videoKeys: ['k\u200D1'] }), 'channels[0].videoKeys[0]', 'U+200D'],
    ['a key that is stated', stating({ videoKeys: ['k1', 'k2\u2060'] }), 'channels[0].videoKeys[1]', 'U+2060'],
    ['the name of a project', project({ name: 'New\u200E' }), 'name', 'U+200E'],
    ['the region of a project', project({ region: 'use-s\u200B' }), 'region', 'U+200B'],
    ['the description of a project', project({ description: 'A\u001BB' }), 'description', 'U+001B'],
    ['a text option of a project', project({ videoOptions: { primaryColor: '#fff\u200B' } }), 'videoOptions.primaryColor', 'U+200B'],
    ['an id that is moved', () => ['move_videos', { targetProject: 'x', videoIds: ['b1', 'b\u115F2'] }], 'videoIds', 'U+115F'],
    ['the source of a copy', () => ['copy_cta', { sourceVideoId: 'b\u200B1', targetVideoIds: ['b2'] }], 'sourceVideoId', 'U+200B'],
  ])('%s', async (_what, call, field, character) => {
    const context = await account();
    const [tool, args] = call(context);
    if (tool === 'state_contents') context.demo.behaviour.channelRecordsShowContents = false;
    const target = [...context.demo.world.projects.values()][0]?.id;
    const reply = await context.client.callTool(tool, 'targetProject' in args ? { ...args, targetProject: target } : args);
    expect(writesOf(context.demo)).toEqual([]);
    expect(reply.data, reply.text).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
    expect(reply.text).toContain(field);
    expect(reply.text).toContain(character);
  });
});

test('texts of any script, emoji and the lines of a description are sent as they are', async () => {
  const { client, demo, one } = await account();
  const texts = { name: 'Frühling 春 वसंत 👩‍👩‍👧 1️⃣', description: 'First line\nSecond\tline ❤️' };
  const args = { changes: [{ channel: one.id, ...texts }] };
  const asked = await client.callTool('update_channels', args);
  await confirmPreview(client, asked);
  expect(writesOf(demo).map(({ body }) => body)).toMatchObject([texts]);
  expect(one).toMatchObject(texts);
});

test('a description is shown to its end', async () => {
  const { client, one } = await account();
  const description = `${'A long text. '.repeat(18)}Its end.`;
  const changed = await client.callTool('update_channels', { changes: [{ channel: one.id, description }] });
  expect(changed.text).toContain('Its end.');
  const created = await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [], description }] });
  expect(created.text).toContain('Its end.');
  const options = { name: 'New', region: 'use-s', description: `${'A long text. '.repeat(90)}Its end.` };
  expect((await client.callTool('create_project', options)).text).toContain('Its end.');
});

describe('names are compared as they look', () => {
  test.each([
    ['with another space', 'Spring\u00A0sale', 'Spring sale'],
    ['with a space at its end', 'Spring sale ', 'Spring sale'],
    ['with letters that are composed in another way', 'Cafe\u0301', 'Caf\u00E9'],
  ])('two new channels, one %s', async (_how, one, two) => {
    const { client, demo } = await account();
    const reply = await client.callTool('create_channels', { channels: [one, two].map((name) => ({ name, videoKeys: [] })) });
    expect(writesOf(demo)).toEqual([]);
    expect(reply.text).toContain('is the name of channels[0] too.');
  });

  test('of a channel and another with a character that is not shown: both previews warn, and the name alone is ambiguous', async () => {
    const { client, demo, one, two } = await account();
    demo.world.editChannel(two.id, { name: 'Spring\u200B' });
    const renamed = await client.callTool('update_channels', { changes: [{ channel: one.id, name: 'Spring' }] });
    expect(renamed.text).toContain('will have the same name as another channel: "Spring"');
    const created = await client.callTool('create_channels', { channels: [{ name: 'Spring', videoKeys: [] }] });
    expect(created.text).toContain('There is already a channel called "Spring"');
    demo.world.editChannel(one.id, { name: 'Spring' });
    const named = await client.callTool('get_channel', { channel: 'Spring' });
    expect(named.text).toContain('2 channels are called "Spring"');
    const changed = await client.callTool('update_channels', { changes: [{ channel: two.id, description: 'New' }] });
    expect(changed.text).toContain(`"Spring" (${two.id})`);
  });

  test('of a project', async () => {
    const { client, demo } = await account();
    const [project] = [...demo.world.projects.values()];
    if (project === undefined) throw new RangeError('no projects');
    project.name = 'Caf\u00E9\u200B';
    const reply = await client.callTool('create_project', { name: 'Cafe\u0301', region: 'use-s' });
    expect(reply.text).toContain('There is already a project called');
  });
});
