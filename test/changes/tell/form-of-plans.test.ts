/** What is stated of contents begins the forms and previews of real plans. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ShownForm, Values } from '../../harness/client.ts';
import { type DemoService, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { videoKeysOf, writesOf } from '../support/world.ts';

/** Thirty channels, and nothing tells what they hold. */
async function thirty() {
  const demo = await startService({ channels: 30, projects: 3, videos: 40, views: 0 });
  for (const [index, channel] of [...demo.world.channels.values()].entries()) channel.name = `News ${index}`;
  return { demo, home: freshHome() };
}

const linesOf = ({ message }: Pick<ShownForm, 'message'>): string[] => message.split('\n');

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
  const { client } = await start({ demo, home, forms: 'decline' });
  await client.callTool('update_channels', statedRenames(demo, count));
  expect(writesOf(demo)).toEqual([]);
  const lines = linesOf(client.forms[0] ?? { message: '' });
  expect(lines.length).toBeLessThanOrEqual(16);
  const videos = (count * (count - 1)) / 2;
  const held = `${count} channels hold ${videos} video${videos === 1 ? '' : 's'}`;
  const total = `! As stated, ${count === 1 ? 'it holds no videos and no projects' : held}; that replaces what is there.`;
  const begin = lines.slice(0, 3).map((line) => line.trim());
  expect(begin.join(' ')).toContain(total);
  const stated = lines.filter((line) => line.startsWith('! By what the assistant says, '));
  expect(stated[0]).toContain('"News 0" holds no videos and no projects; that replaces what is there');
  expect(lines.indexOf(stated[0] ?? '')).toBe(count > 5 || count === 1 ? 3 : 2);
  if (count === 2)
    expect(lines.join(' ')).toMatch(new RegExp(`"News 1" holds 1 video and no projects; .* there: +"${videoKeysOf(demo, 1)[0]}"`));
  if (count > 3) {
    expect(stated[1]).toContain('"News 1" holds 1 video; that replaces what is there');
    expect(stated[2]).toContain(`${count - 2} others hold ${videos - 1} videos; that replaces what is there`);
    expect(lines.at(-1)).toMatch(/^The whole plan: /);
  }
});

test.each([1, 4])('a line of a form that is cut names all that changes before it ends, of %i channels', async (count) => {
  const { demo, home } = await thirty();
  const { client } = await start({ demo, home, forms: 'decline' });
  const [project, another] = [...demo.world.projects.values()].map(({ key }) => key);
  const changes = [...demo.world.channels.keys()].slice(0, count).map((channel) => ({
    ...{ channel, name: 'A name that is rather long for a line', description: 'What is in it. '.repeat(15) },
    ...{ currentVideoKeys: videoKeysOf(demo, 12), addVideoKeys: videoKeysOf(demo, 1, 20), firstVideoKeys: videoKeysOf(demo, 1, 6) },
    ...{ currentProjectKeys: [project], setProjectKeys: [project, another] },
  }));
  await client.callTool('update_channels', { changes });
  const lines = linesOf(client.forms[0] ?? { message: '' });
  expect(lines.length).toBeLessThanOrEqual(16);
  expect(lines.filter((line) => /^- "News \d+" \(name, description, videos 12 → 13, projects 1 → 2\): /.test(line))).toHaveLength(count);
});

test('a form that is full tells in short that what is stated replaces what is there, and where the keys are', async () => {
  const { demo, home } = await thirty();
  const [one, two, three, four] = [...demo.world.channels.keys()];
  const { client } = await start({ demo, home, forms: 'decline' });
  const held = { currentVideoKeys: videoKeysOf(demo, 12), currentProjectKeys: [...demo.world.projects.values()].map(({ key }) => key) };
  const changes = [
    ...[one, two].map((channel) => ({ channel, ...held, removeVideoKeys: videoKeysOf(demo, 5) })),
    ...[three, four].map((channel) => ({
      ...{ channel, setVideoKeys: videoKeysOf(demo, 2), setProjectKeys: [], privateLinkEnabled: true },
    })),
  ];
  await client.callTool('update_channels', { changes });
  const lines = linesOf(client.forms[0] ?? { message: '' });
  expect(lines.length).toBeLessThanOrEqual(16);
  const stated = lines.filter((line) => / hold.*; that/.test(line));
  expect(stated.length).toBeGreaterThan(0);
  for (const line of stated) expect(line).toMatch(/replaces what is there(: |\.?$)/);
  expect(lines).toContainEqual(expect.stringMatching(/^The whole plan: /));
});

test('the form for the statement of six channels has the number of videos of each, the fewest first', async () => {
  const { demo, home } = await thirty();
  const { client } = await start({ demo, home, forms: 'decline' });
  const channels = [...demo.world.channels.keys()].slice(0, 6).map((channel, index) => ({
    channel,
    videoKeys: videoKeysOf(demo, 6 - index),
    projectKeys: [],
  }));
  await client.callTool('state_contents', { channels });
  const lines = linesOf(client.forms[0] ?? { message: '' });
  expect(lines).toContain('"News 5" 1, "News 4" 2, "News 3" 3, "News 2" 4, "News 1" 5, "News 0" 6');
  // Nothing is done that could be undone.
  expect(lines.filter((line) => /can’t be undone/i.test(line))).toEqual([]);
});

test('a preview with a token has in numbers how much each channel is stated to hold, however long the lists are', async () => {
  const { demo, home } = await thirty();
  const titles = [...demo.world.videos.values()];
  const catalogue = join(home, 'long.json');
  writeFileSync(catalogue, JSON.stringify(titles.map(({ id, key }) => ({ id, key, title: `Video ${key} ${'long '.repeat(11)}` }))));
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const { data } = await client.callTool('update_channels', statedRenames(demo, 30));
  const { lines, more } = (data?.preview ?? {}) as { lines: string[]; more?: string };
  expect(more).toBeUndefined();
  expect(lines[0]).toBe(
    'The lists as stated replace what is there, whole and in order, with no videos where none are counted, with no projects (keys, if asked for: get_change with page 1).',
  );
  expect(lines[1]).toMatch(/^"News 0": name → /);
  expect(lines[30]).toMatch(/^"News 29" \(29 videos\): name → /);
});
