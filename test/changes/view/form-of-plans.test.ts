/** The forms of real plans: always short, while the resource has the whole plan and a preview with a token is longer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FormHandler, ShownForm, Values } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { CHANGE_TOOLS, sampleOf } from '../support/samples.ts';
import { videoKeysOf, writesOf } from '../support/world.ts';

const CHANGES = 30;

/** Thirty channels that each hold five videos, and a catalogue of the first twenty. */
async function thirty() {
  const demo = await startService({ channels: CHANGES, projects: 3, videos: 40 });
  demo.behaviour.channelRecordsShowContents = true;
  const keys = videoKeysOf(demo, 40);
  for (const [index, channel] of [...demo.world.channels.values()].entries())
    Object.assign(channel, { name: `News ${index}`, videoKeys: keys.slice(0, 5), projectKeys: [] });
  const home = freshHome();
  const catalogue = join(home, 'videos.json');
  const videos = [...demo.world.videos.values()].filter(({ key }) => keys.slice(0, 20).includes(key));
  writeFileSync(catalogue, JSON.stringify(videos.map(({ id, key }) => ({ id, key, title: `Video “${key}”` }))));
  return { demo, home, keys, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } };
}

/** Each channel gets two keys that the catalogue does not know, and loses one; the tenth loses three. */
function changesOf(demo: DemoService, keys: readonly string[]): Values {
  const ids = [...demo.world.channels.keys()];
  const changes = ids.map((channel, index) => ({
    channel,
    addVideoKeys: keys.slice(30, 32),
    removeVideoKeys: keys.slice(0, index === 10 ? 3 : 1),
  }));
  return { changes };
}

const linesOf = ({ message }: Pick<ShownForm, 'message'>): string[] => message.split('\n');

test('the form for thirty channels has the totals, the greatest losses, one shared warning, and the total loss last', async () => {
  const { demo, home, keys, env } = await thirty();
  let whole = '';
  const forms: FormHandler = async ({ message }) => {
    whole = await session.client.readResource(/video-hosting:\/\/changes\/[\w-]+/.exec(message)?.[0] ?? '');
    return { action: 'accept', content: { decision: 'nothing' } };
  };
  const session = await start({ demo, home, env, forms });
  await session.client.callTool('update_channels', changesOf(demo, keys));
  expect(writesOf(demo)).toEqual([]);
  const [form] = session.client.forms;
  const titled = (key = '') => `${key} "Video “${key}”"`;
  expect(linesOf(form ?? { message: '' })).toEqual([
    'Change 30 channels.',
    'Changes the videos of 30 channels (32 removed, 60 added).',
    expect.stringMatching(`^! "News 10" loses 3 of 5 videos: ${titled(keys[0])}, ${titled(keys[1])},.*…$`),
    `! "News 0" loses 1 of 5 videos: ${titled(keys[0])}`,
    `! "News 1" loses 1 of 5 videos: ${titled(keys[0])}`,
    '! 2 keys in each of 30 channels are not in the catalogue.',
    'An undo works until others change it.',
    expect.stringMatching(/^The whole plan: video-hosting:\/\/changes\/chg-[\w-]+$/),
    'Loses 32 videos in 30 channels',
  ]);
  expect(form?.requestedSchema).toMatchObject({
    required: ['decision'],
    properties: { decision: { oneOf: [{ const: 'nothing' }, { const: 'apply', title: 'Change 30 channels' }] } },
  });
  // The resource has the whole plan while the form is open.
  const { preview } = JSON.parse(whole) as { preview: { warnings: string[]; lines: string[] } };
  expect([preview.lines, preview.warnings].map(({ length }) => length)).toEqual([30, 60]);
});

/** Renames of channels whose contents nothing tells; the n-th is stated to hold n videos. */
const statedRenames = (demo: DemoService, count: number): Values => ({
  changes: [...demo.world.channels.keys()].slice(0, count).map((channel, index) => ({
    channel,
    name: `Renamed ${index}`,
    currentVideoKeys: videoKeysOf(demo, index),
    currentProjectKeys: [],
  })),
});

test.each([1, 2, 5, 6, 30])('the form for %i renames begins with what is stated of the contents, which is sent', async (count) => {
  const { demo, home } = await thirty();
  demo.behaviour.channelRecordsShowContents = false;
  const { client } = await start({ demo, home, forms: 'decline' });
  await client.callTool('update_channels', statedRenames(demo, count));
  expect(writesOf(demo)).toEqual([]);
  const lines = linesOf(client.forms[0] ?? { message: '' });
  expect(lines.length).toBeLessThanOrEqual(16);
  const stated = lines.filter((line) => line.startsWith('! By what the assistant states, '));
  expect(stated[0]).toContain('"News 0" holds no videos and no projects; that replaces what is there');
  expect(lines.indexOf(stated[0] ?? '')).toBe(count > 5 ? 2 : 1);
  if (count === 2)
    expect(lines.join(' ')).toMatch(new RegExp(`"News 1" holds 1 video and no projects; .* there: +"${videoKeysOf(demo, 1)[0]}"`));
  if (count > 3) {
    expect(stated[1]).toContain('"News 1" holds 1 video; that replaces what is there');
    const others = (count * (count - 1)) / 2 - 1;
    expect(stated[2]).toContain(`${count - 2} others hold ${others} videos; that replaces what is there`);
    expect(lines.at(-1)).toMatch(/^The whole plan: /);
  }
});

test('the form for the statement of six channels has the number of videos of each, the fewest first', async () => {
  const { demo, home } = await thirty();
  demo.behaviour.channelRecordsShowContents = false;
  const { client } = await start({ demo, home, forms: 'decline' });
  const channels = [...demo.world.channels.keys()].slice(0, 6).map((channel, index) => ({
    channel,
    videoKeys: videoKeysOf(demo, 6 - index),
    projectKeys: [],
  }));
  await client.callTool('state_contents', { channels });
  expect(linesOf(client.forms[0] ?? { message: '' })).toContain('"News 5" 1, "News 4" 2, "News 3" 3, "News 2" 4, "News 1" 5, "News 0" 6');
});

test('a preview with a token that is cut begins with how much each channel is stated to hold', async () => {
  const { demo, home, keys } = await thirty();
  demo.behaviour.channelRecordsShowContents = false;
  const titles = [...demo.world.videos.values()].filter(({ key }) => keys.includes(key));
  const catalogue = join(home, 'long.json');
  writeFileSync(catalogue, JSON.stringify(titles.map(({ id, key }) => ({ id, key, title: `Video ${key} ${'long '.repeat(11)}` }))));
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const { data } = await client.callTool('update_channels', statedRenames(demo, 30));
  const { lines, more } = (data?.preview ?? {}) as { lines: string[]; more: string };
  expect(more).toMatch(/more lines/);
  expect(lines[0]).toMatch(/^By what the assistant states, "News 0" holds no videos and no projects, "News 1" holds 1 video and/);
  expect(lines[0]).toContain('"News 29" holds 29 videos and no projects; that replaces what is there.');
  expect(lines[1]).toMatch(/^"News 0": by what the assistant states, /);
});

test('a preview with a token has all 30 lines and the first 40 warnings', async () => {
  const { demo, home, keys, env } = await thirty();
  const { client } = await start({ demo, home, env });
  const { data } = await client.callTool('update_channels', changesOf(demo, keys));
  expect(data?.preview).toMatchObject({
    warnings: { length: 40 },
    lines: { length: 30 },
    more: expect.stringContaining('20 more warnings'),
  });
});

describe.each(CHANGE_TOOLS)('%s', (tool) => {
  test('shows a form of at most 16 lines of 110 characters', async () => {
    const demo = await startService({ channels: 6, projects: 4, videos: 30 });
    for (const record of [...demo.world.channels.values(), ...demo.world.projects.values()])
      Object.assign(record, { name: `${'長い名前 '.repeat(20)}${record.name}` });
    const home = freshHome();
    const { args } = await sampleOf(tool, demo, home);
    const { client } = await start({ demo, home, forms: 'nothing' });
    const before = writesOf(demo).length;
    expect((await client.callTool(tool, args)).data?.status).toBe('declined');
    expect(writesOf(demo)).toHaveLength(before);
    const [form] = client.forms;
    const lines = linesOf(form ?? { message: '' });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThanOrEqual(16);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
  });
});
