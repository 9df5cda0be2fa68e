/** The preview that a person confirms: exactly what is removed, added and moved, losses first. All problems are reported at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { changeIdIn, confirmPreview } from '../../changes/support/confirm.ts';
import { channelAt, contentOf, videoKeysOf, writesOf } from '../../changes/support/world.ts';
import type { ToolReply, Values } from '../../harness/client.ts';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';

/** Channels A, B, C … that hold the first five videos, and the service shows it. */
async function lettered(count = 4) {
  const demo = await startService({ channels: count, projects: 3, videos: 40 });
  demo.behaviour.channelRecordsShowContents = true;
  const keys = videoKeysOf(demo, 40);
  for (const [at, channel] of [...demo.world.channels.values()].entries()) {
    const name = `Channel ${String.fromCharCode(65 + at)}`;
    Object.assign(channel, { name, description: 'Old words', templateKey: '', videoKeys: keys.slice(0, 5), projectKeys: [] });
  }
  const session = await start({ demo });
  const ask = (...changes: Values[]) => session.client.callTool('update_channels', { changes });
  return { ...session, demo, keys, ask };
}

const PreviewSchema = z.looseObject({ lines: z.array(z.string()), warnings: z.array(z.string()).default([]) });
const linesOf = ({ data }: ToolReply): readonly string[] => PreviewSchema.parse(data?.preview).lines;
const warningsOf = ({ data }: ToolReply): readonly string[] => PreviewSchema.parse(data?.preview).warnings;

/** The same account with a catalogue that gives each video its own title. */
async function titled() {
  const world = await lettered();
  const home = freshHome();
  const file = join(home, 'videos.json');
  const titleOf = (key: string) => `Video “${key}”`;
  writeFileSync(file, JSON.stringify([...world.demo.world.videos.values()].map(({ id, key }) => ({ id, key, title: titleOf(key) }))));
  const session = await start({ demo: world.demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
  const ask = (...changes: Values[]) => session.client.callTool('update_channels', { changes });
  return { ...world, ...session, ask, shown: (key = '') => `${key} "${titleOf(key)}"` };
}

describe('with a catalogue, videos are shown with their titles', () => {
  test('in the lists that change, and among the channel’s views', async () => {
    const { ask, keys, demo, shown } = await titled();
    const [a, b, , , , f] = keys;
    const losing = await ask({ channel: 'Channel A', removeVideoKeys: [b], addVideoKeys: [f] });
    expect(warningsOf(losing)).toEqual([`"Channel A" loses 1 of 5 videos: ${shown(b)}.`]);
    expect(linesOf(losing)).toEqual([`"Channel A" (5 videos): removed: ${shown(b)}; added: ${shown(f)}`]);
    demo.behaviour.channelRecordsShowContents = false;
    const [channel] = demo.world.channels.values();
    demo.world.addView({ channelKey: channel?.key ?? '', videoKey: a ?? '', date: new Date(Date.now() - 86_400_000).toISOString() });
    const refused = await ask({ channel: channel?.id, name: 'Else' });
    expect(refused.text).toContain(shown(a));
  });

  test('by get_channel, in display order', async () => {
    const { client, keys } = await titled();
    const { text, data } = await client.callTool('get_channel', { channel: 'Channel A' });
    const held = keys.slice(0, 5);
    expect(text).toContain(`titles: ${held.map((key) => `${key} "Video “${key}”"`).join(', ')}`);
    expect(data?.contents).toMatchObject({ videoKeys: held, titles: Object.fromEntries(held.map((key) => [key, `Video “${key}”`])) });
  });

  test('and a title that two videos share removes the one that the channel holds', async () => {
    const { demo, keys, home } = await titled();
    const [a = '', , , , , f = ''] = keys;
    writeFileSync(join(home, 'videos.json'), JSON.stringify([a, f].map((key) => ({ key, title: 'The same' }))));
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: join(home, 'videos.json') } });
    const reply = await client.callTool('update_channels', { changes: [{ channel: 'Channel A', removeVideoKeys: ['The same'] }] });
    expect(linesOf(reply)).toEqual([`"Channel A" (videos 5 → 4): removed: ${a} "The same"`]);
  });
});

test('unknown contents of 90 channels give three shared warnings', async () => {
  const demo = await startService({ channels: 90, videos: 30 });
  const keys = videoKeysOf(demo, 2);
  for (const channel of demo.world.channels.values()) channel.name = `${channel.key} ${'long '.repeat(18)}`.trim();
  const { client } = await start({ demo, env: { VIDEO_HOSTING_STATS_URL: undefined } });
  const changes = [...demo.world.channels.values()].map(({ id }) => ({ channel: id, setVideoKeys: keys }));
  const warnings = warningsOf(await client.callTool('update_channels', { changes }));
  expect(warnings).toHaveLength(4);
  expect(warnings[0]).toMatch(/^What ".*" and 70 more hold now is not known: the new list replaces it/);
  expect(warnings[1]).toMatch(/^Whether ".*" and 70 more also hold projects is not known/);
  expect(warnings[2]).toContain('not checked against views');
  expect(warnings[3]).toContain('state currentProjectKeys');
});

describe('the preview line of a changed list', () => {
  test('names exactly the keys that are removed, added and moved, and of a short list in another order the whole before and after', async () => {
    const { ask, keys } = await lettered();
    const [a, b, c, d, e, f, g] = keys;
    const lineFor = async (change: Values) => linesOf(await ask({ channel: 'Channel A', ...change }))[0];
    const listed = (list: readonly (string | undefined)[]) => list.map((key) => `"${key}"`).join(', ');
    const order = (...list: (string | undefined)[]) => `order before: ${listed([a, b, c, d, e])}; resulting order: ${listed(list)}`;
    expect(await lineFor({ firstVideoKeys: [c] })).toBe(`"Channel A" (5 videos): moved to the front: "${c}"; ${order(c, a, b, d, e)}`);
    expect(await lineFor({ removeVideoKeys: [b, d] })).toBe(`"Channel A" (videos 5 → 3): removed: "${b}", "${d}"`);
    expect(await lineFor({ addVideoKeys: [f] })).toBe(`"Channel A" (videos 5 → 6): added: "${f}"`);
    expect(await lineFor({ lastVideoKeys: [b] })).toBe(`"Channel A" (5 videos): moved to the end: "${b}"; ${order(a, c, d, e, b)}`);
    expect(await lineFor({ setVideoKeys: [a, c, d, b, e] })).toBe(`"Channel A" (5 videos): moved: "${b}"; ${order(a, c, d, b, e)}`);
    expect(await lineFor({ setVideoKeys: [g, b, a] })).toMatch(
      new RegExp(`\\(videos 5 → 3\\): removed: "${c}", "${d}", "${e}"; added at the front: "${g}"; moved: "(${a}|${b})"`),
    );
    expect(await lineFor({ name: 'Channel Z', description: 'New words' })).toBe(
      '"Channel A": name → "Channel Z"; description "Old words" → "New words"',
    );
  });
});

test('lines keep the order of the call; what contradicts a list comes first, then what is lost, the most first, then what is not known', async () => {
  const { ask, keys, demo } = await lettered(5);
  const { videoKeys: _v, projectKeys: _p, ...blind } = channelAt(demo, 4);
  demo.faults.always({ match: { path: `/v1/channels/${blind.id}` }, do: { kind: 'status', code: 200, body: blind } });
  const reply = await ask(
    { channel: 'Channel A', name: 'Channel X' },
    { channel: 'Channel B', removeVideoKeys: keys.slice(0, 1) },
    { channel: 'Channel C', setVideoKeys: keys.slice(0, 1) },
    { channel: 'Channel E', setVideoKeys: keys.slice(0, 9) },
    { channel: 'Channel D', removeVideoKeys: keys.slice(0, 2) },
  );
  expect(writesOf(demo)).toEqual([]);
  expect(linesOf(reply).map((line) => line.slice(9, 10))).toEqual(['A', 'B', 'C', 'E', 'D']);
  expect(warningsOf(reply).slice(0, 6)).toEqual([
    expect.stringMatching(/^"Channel E": 3 views of it .* show 1 video that the list leaves out/),
    expect.stringMatching(/^What "Channel E" holds now is not known/),
    expect.stringMatching(/^"Channel C" loses 4 of 5 videos/),
    expect.stringMatching(/^"Channel D" loses 2 of 5 videos/),
    expect.stringMatching(/^"Channel B" loses 1 of 5 videos/),
    expect.stringMatching(/^Whether "Channel E" also holds projects is not known/),
  ]);
});

test('a long plan is cut in the answer, and its resource has the whole plan before the confirmation', async () => {
  const { ask, client, demo, keys } = await lettered(100);
  const channels = [...demo.world.channels.values()].map(({ id }) => id);
  const reply = await ask(
    ...channels.map((channel, at) => ({
      ...{ channel, name: `Renamed ${at}`, description: `${'d'.repeat(200)} ${at}` },
      removeVideoKeys: keys.slice(0, 1 + (at % 4)),
    })),
  );
  expect(reply.text.length).toBeLessThan(25_000);
  expect(warningsOf(reply)).toEqual([
    '100 channels lose 250 of 500 videos: "Channel D" 4 of 5, "Channel H" 4 of 5, "Channel L" 4 of 5, "Channel P" 4 of 5, "Channel T" 4 of 5 and 95 more.',
  ]);
  expect(reply.text).toContain('get_change with page 1 of 3');
  const whole: unknown = JSON.parse(await client.readResource(`video-hosting://changes/${changeIdIn(reply)}`));
  const { items, preview } = whole as { items: { id: string; before: Values; after: Values }[]; preview: { lines: string[] } }; // as it is written
  expect(preview.lines).toHaveLength(100);
  expect(items.map(({ id }) => id)).toEqual(channels);
  for (const [at, { before, after }] of items.entries()) {
    expect(before.videoKeys).toEqual(contentOf(demo, String(channels[at])).videoKeys);
    expect(after).toMatchObject({ name: `Renamed ${at}`, videoKeys: keys.slice(1 + (at % 4), 5) });
  }
  expect(writesOf(demo)).toEqual([]);
});

const NAME_101 = 'n'.repeat(101);
const LIMITS: readonly (readonly [string, Values, string | undefined])[] = [
  ['a name of 100 characters of two code units each is accepted', { name: '😀'.repeat(100) }, undefined],
  ['a name of 100 characters is accepted', { name: 'n'.repeat(100) }, undefined],
  ['a name of 101 characters is refused', { name: NAME_101 }, 'changes[0].name'],
  ['an empty name is none, so nothing is to change', { name: '  ' }, 'says nothing to change'],
  ['a description of 250 characters is accepted', { description: 'd'.repeat(250) }, undefined],
  ['a description of 251 characters is refused', { description: 'd'.repeat(251) }, 'changes[0].description'],
  ['an unknown template is refused', { template: 'none-such' }, 'changes[0].template'],
  ['the default template is accepted', { template: '', name: 'Channel Y' }, undefined],
  ['a removed key that the channel does not hold is refused', { removeVideoKeys: ['x'] }, 'changes[0].removeVideoKeys'],
  [
    'a first key that the channel does not hold is refused',
    { firstVideoKeys: ['x'] },
    'changes[0].firstVideoKeys ("Channel A"): names "x", which the channel does not hold. It only moves videos: to add one, use addVideoKeys too.',
  ],
  [
    'a last key that is not in the new list is refused',
    { setVideoKeys: ['y'], lastVideoKeys: ['x', 'z'] },
    'which the new list does not have',
  ],
  ['a last key that is removed is refused', { lastVideoKeys: ['x'], removeVideoKeys: ['x'] }, 'and removeVideoKeys both name "x".'],
  ['a key that is both first and last is refused', { lastVideoKeys: ['x'], firstVideoKeys: ['x'] }, 'and firstVideoKeys both name "x".'],
  [
    'a first key that is removed is refused',
    { firstVideoKeys: ['x'], removeVideoKeys: ['x'] },
    'firstVideoKeys ("Channel A"): and removeVideoKeys both name "x".',
  ],
  ['a key to be removed that the whole list does not have is refused', { setVideoKeys: ['x'], removeVideoKeys: ['y'] }, 'removeVideoKeys'],
  [
    'a key that is both added and removed is refused',
    { addVideoKeys: ['x'], removeVideoKeys: ['x'] },
    'addVideoKeys ("Channel A"): and removeVideoKeys both name "x". To move it to the end, use lastVideoKeys alone.',
  ],
  ['an unknown project is refused', { setProjectKeys: ['none-such'] }, 'changes[0].setProjectKeys[0]'],
  ['an unknown argument is refused', { videoKeys: ['x'] }, 'changes[0].videoKeys'],
];

test.each(LIMITS)('%s', async (_what, change, wrong) => {
  const { ask, demo } = await lettered();
  const reply = await ask({ channel: 'Channel A', ...change });
  expect(writesOf(demo)).toEqual([]);
  if (wrong === undefined) return void expect(reply.data?.status).toBe('confirmation_required');
  expect(reply).toMatchObject({ isError: true, data: { status: 'failed', error: { code: 'invalid_arguments' } } });
  expect(reply.text).toContain(wrong);
});

describe('what is given twice in one list', () => {
  test.each([
    ['setVideoKeys', [5, 6, 5, 7, 6], [5, 6, 7]],
    ['addVideoKeys', [6, 5, 6, 5], [0, 1, 2, 3, 4, 6, 5]],
    ['removeVideoKeys', [1, 3, 1, 3], [0, 2, 4]],
    ['firstVideoKeys', [4, 2, 4, 2], [4, 2, 0, 1, 3]],
    ['lastVideoKeys', [2, 0, 2, 2], [1, 3, 4, 2, 0]],
  ])('counts once in %s, at its first place, and is told to the user and in the answer', async (verb, given, after) => {
    const { client, demo, keys, ask } = await lettered();
    const asked = await ask({ channel: 'Channel A', [verb]: given.map((at) => keys[at]) });
    const [, , third = 0, fourth = 0] = given;
    const told = `"Channel A": 2 repeated videos (${[...new Set([third, verb === 'setVideoKeys' ? (given[4] ?? 0) : fourth])].map((at) => `"${keys[at]}"`).join(', ')}); each counts once, at its first place.`;
    expect(asked.data).toMatchObject({ preview: { notes: [told] } });
    const done = await confirmPreview(client, asked);
    expect(channelAt(demo, 0).videoKeys).toEqual(after.map((at) => keys[at]));
    expect(done.data?.status).toBe('applied');
  });

  test('counts once in lists that state contents, of projects and of new channels too', async () => {
    const { demo, keys } = await lettered();
    demo.behaviour.channelRecordsShowContents = false;
    const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    const [a, b] = keys;
    const [project, other] = [...demo.world.projects.values()];
    const held = { currentVideoKeys: [a, b, a], currentProjectKeys: [project?.id, project?.key] };
    const changes = [{ channel: 'Channel A', name: 'Else', ...held, setProjectKeys: [project?.id, other?.name, project?.name] }];
    const updated = await client.callTool('update_channels', { changes });
    expect(channelAt(demo, 0)).toMatchObject({ name: 'Else', videoKeys: [a, b], projectKeys: [project?.key, other?.key] });
    const channels = [{ channel: 'Channel B', videoKeys: [b, a, a], projectKeys: [project?.id, project?.id] }];
    const stated = await client.callTool('state_contents', { channels });
    const { data } = await client.callTool('get_channel', { channel: 'Channel B' });
    expect(data?.contents).toMatchObject({ videoKeys: [b, a], projectKeys: [project?.key] });
    const created = await client.callTool('create_channels', { channels: [{ name: 'New one', videoKeys: [b, a, b] }] });
    expect(demo.world.channelNamed('New one').videoKeys).toEqual([b, a]);
    expect(updated.text).toContain(`"Channel A": 1 repeated video ("${a}")`);
    expect(updated.text).toContain(`"Channel A": 2 repeated projects ("${project?.key}")`);
    expect(stated.text).toContain(`"Channel B": 1 repeated video ("${a}")`);
    expect(stated.text).toContain(`"Channel B": 1 repeated project ("${project?.key}")`);
    expect(created.text).toContain(`"New one": 1 repeated video ("${b}")`);
  });
});

test('the verbs are applied in order: set, remove, add, first, last', async () => {
  const { client, demo, keys, ask } = await lettered();
  const [a, b, c, d, e, f, g, h] = keys;
  const combined = await ask(
    { channel: 'Channel A', lastVideoKeys: [f, b], firstVideoKeys: [g, d], addVideoKeys: [f, c, g], removeVideoKeys: [a] },
    { channel: 'Channel B', lastVideoKeys: [h], addVideoKeys: [e, a], removeVideoKeys: [g], setVideoKeys: [h, g, f, e] },
  );
  expect((await confirmPreview(client, combined)).data?.status).toBe('applied');
  expect(channelAt(demo, 0).videoKeys).toEqual([g, d, c, e, f, b]);
  expect(channelAt(demo, 1).videoKeys).toEqual([f, e, a, h]);
});

test('all problems are reported at once, with the nearest valid name', async () => {
  const { ask, demo } = await lettered();
  const reply = await ask(
    { channel: 'Chanel A', name: NAME_101 },
    { channel: 'Channel B', description: 'd'.repeat(251), firstVideoKeys: ['x'] },
    { channel: 'Channel C', name: 'Fine' },
    { channel: 'Channel C', name: 'Twice' },
  );
  expect(writesOf(demo)).toEqual([]);
  const fields = problemsIn(reply).map((problem) => problem.slice(0, problem.indexOf(':')));
  expect(new Set(fields)).toEqual(
    new Set([
      'changes[0].channel',
      'changes[0].name ("Chanel A")',
      'changes[1].description ("Channel B")',
      'changes[1].firstVideoKeys ("Channel B")',
      'changes[3].channel ("Channel C")',
    ]),
  );
  expect(reply.text).toContain('"Channel A"');
});

test('an inactive template and a project without a key are refused', async () => {
  const { ask, demo } = await lettered();
  const inactive = demo.world.templates.find(({ status }) => status !== 1);
  const [one, ...others] = [...demo.world.projects.values()];
  const projects = [one, ...others.map(({ key: _, ...project }) => project)];
  const pager = { page: 1, totalPages: 1, totalResults: projects.length, sort: 'Created:1' };
  demo.faults.always({ match: { method: 'GET', path: '/v1/projects' }, do: { kind: 'status', code: 200, body: { pager, projects } } });
  const reply = await ask(
    { channel: 'Channel A', template: inactive?.key },
    { channel: 'Channel B', setProjectKeys: [one?.id, others[0]?.id] },
  );
  expect(writesOf(demo)).toEqual([]);
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain('is not active');
  expect(reply.text).toContain('changes[1].setProjectKeys[1] ("Channel B"): the service does not tell this project’s key.');
});

test('the preview warns of emptied channels, private links, the template’s plan type and duplicate names', async () => {
  const { ask, demo } = await lettered();
  const costlyTemplate = demo.world.templates.find(({ status }) => status === 1);
  Object.assign(costlyTemplate ?? {}, { planType: 9 });
  const warned = async () => warningsOf(await ask({ channel: 'Channel D', template: costlyTemplate?.key })).join();
  for (const channel of demo.world.channels.values()) Object.assign(channel, { templateKey: 'former', planType: 1 });
  const reply = await ask(
    { channel: 'Channel A', setVideoKeys: [] },
    { channel: 'Channel B', privateLinkEnabled: true, template: '' },
    { channel: 'Channel C', name: 'Channel D' },
    { channel: 'Channel D', template: costlyTemplate?.key },
  );
  expect(writesOf(demo)).toEqual([]);
  const told = warningsOf(reply).join('\n');
  expect(told).toMatch(/Channel A.* ends up empty/);
  expect(told).toMatch(/Channel B.*: private-link access can’t be read, so it can’t be undone or checked/);
  expect(told).toMatch(/Channel B.* goes back to the default template/);
  expect(told).toMatch(/Channel C.* will have the same name as another channel: "Channel D"/);
  expect(told).toMatch(
    /Channel D.*: the template is for plan type 9 or higher and the channel has Free, and no channel here shows one so high/,
  );
  expect(await warned()).toContain('may refuse it');
  Object.assign(channelAt(demo, 1), { planType: 9 });
  expect(await warned()).toBe('');
});

test('a call with more than a hundred channels, or with none, is refused', async () => {
  const { ask, client, demo } = await lettered();
  expect((await ask(...Array.from({ length: 101 }, () => ({ channel: 'Channel A' })))).isError).toBe(true);
  expect((await client.callTool('update_channels', { changes: [] })).isError).toBe(true);
  expect(demo.requests).toEqual([]);
});

test('a channel that is already as requested is not sent, and a call with no other channel sends nothing', async () => {
  const { ask, demo, keys } = await lettered();
  const some = await ask(
    { channel: 'Channel A', name: 'Channel A', setVideoKeys: keys.slice(0, 5) },
    { channel: 'Channel B', name: 'New' },
  );
  expect(linesOf(some)).toHaveLength(1);
  expect(some.text).toContain('already as wanted');
  const none = await ask({ channel: 'Channel A', description: 'Old words', firstVideoKeys: keys.slice(0, 2) });
  expect(none.data?.status).toBe('applied');
  expect(none.text).toContain('Nothing had to be sent');
  expect(writesOf(demo)).toEqual([]);
});

test('a change with no effect is accepted if the contents are unknown; a change without any field is refused', async () => {
  const { ask, demo } = await lettered();
  demo.behaviour.channelRecordsShowContents = false;
  const same = await ask({ channel: 'Channel A', name: 'Channel A', description: 'Old words', addVideoKeys: [], firstVideoKeys: [] });
  expect(same.data?.status).toBe('applied');
  expect(same.text).toContain('Everything is already as wanted. Nothing had to be sent.');
  const other = await ask({ channel: 'Channel A', name: 'Channel A', description: 'New words' });
  expect(other.text).toContain('what it holds is not known');
  const bare = await ask({ channel: 'Channel A' }, { channel: 'Channel B', name: 'Channel B' });
  expect(bare.isError).toBe(true);
  expect(bare.text).toContain('changes[0] ("Channel A"): says nothing to change: state name, description, template or another field too.');
  expect(bare.text).not.toContain('not known');
  expect(writesOf(demo)).toEqual([]);
});

test('a warning names an added key that the catalogue does not have, if it looks like a key', async () => {
  const { ask, demo, keys } = await titled();
  const [a = ''] = keys;
  const unknown = [...a].reverse().join('');
  expect(keys).not.toContain(unknown);
  const reply = await ask({ channel: 'Channel A', setVideoKeys: [a, unknown, keys[9] ?? ''] });
  expect(writesOf(demo)).toEqual([]);
  expect(warningsOf(reply)).toContain(`"Channel A": the video catalogue does not know 1 of the keys: "${unknown}".`);
  // Keys that the channel already holds give no such warning.
  channelAt(demo, 0).videoKeys.push(unknown);
  const held = await ask({ channel: 'Channel A', firstVideoKeys: [unknown] });
  expect(linesOf(held)[0]).toContain(`moved to the front: "${unknown}"`);
  expect(held.text).not.toContain('catalogue');
});

test('a text that does not look like a key is refused with the nearest title of the catalogue', async () => {
  const { ask, demo, keys } = await titled();
  const reply = await ask({ channel: 'Channel A', setVideoKeys: [keys[0], 'https://video.example.com/v/abc', `Video ${keys[9]}`] });
  expect(writesOf(demo)).toEqual([]);
  expect(reply.isError).toBe(true);
  expect(reply.text).toContain(
    'changes[0].setVideoKeys[1] ("Channel A"): "https://video.example.com/v/abc" is an address. Give the id alone. Is it "abc"?',
  );
  expect(reply.text).toContain(`The nearest: "Video “${keys[9]}”" (key ${keys[9]})`);
});

test('thousands of keys that the channel does not hold are one problem for each argument', async () => {
  const { ask, demo } = await lettered();
  const wrong = Array.from({ length: 20_000 }, (_, at) => `no-such-key-${at}`);
  const reply = await ask({ channel: 'Channel A', firstVideoKeys: wrong, lastVideoKeys: wrong.map((key) => `${key}-too`) });
  expect(writesOf(demo)).toEqual([]);
  expect(problemsIn(reply)).toHaveLength(2);
  expect(reply.text.length).toBeLessThan(2_000);
});

test('a key to be removed that is not there is told beside what else changes; a mistyped one, and one that is all of a call, is refused', async () => {
  const { ask, client, keys, demo } = await lettered(3);
  const [a = '', , , , , other = ''] = keys;
  const before = contentOf(demo, String(channelAt(demo, 0).id)).videoKeys;
  const asked = await ask(
    { channel: 'Channel A', name: 'New A', removeVideoKeys: [other] },
    { channel: 'Channel B', removeVideoKeys: [a] },
  );
  expect(warningsOf(asked)).toContain(`"Channel A" does not hold the video to be removed ("${other}"): nothing is removed there for it.`);
  await confirmPreview(client, asked);
  expect(channelAt(demo, 0)).toMatchObject({ name: 'New A', videoKeys: before });
  expect(channelAt(demo, 1).videoKeys).toEqual(keys.slice(1, 5));
  const writes = writesOf(demo).length;
  const mistyped = await ask({ channel: 'Channel C', name: 'New C', removeVideoKeys: [`${a.slice(0, -1)}_`] });
  expect(mistyped.text).toContain(
    `changes[0].removeVideoKeys ("Channel C"): names "${a.slice(0, -1)}_", which the channel does not hold. Did you mean "${a}"?`,
  );
  const alone = await ask({ channel: 'Channel C', removeVideoKeys: [other] });
  expect(alone.text).toContain(`changes[0].removeVideoKeys ("Channel C"): names "${other}", which the channel does not hold.`);
  expect(writesOf(demo)).toHaveLength(writes);
});

const problemsIn = ({ data }: ToolReply): readonly string[] => (Array.isArray(data?.problems) ? data.problems.map(String) : []);

test('where one of several channels was changed meanwhile, the answer says what that means for the others', async () => {
  const { ask, client, demo } = await lettered(3);
  const [a, b, c] = [0, 1, 2].map((at) => channelAt(demo, at));
  const asked = await ask({ channel: a?.id, name: 'New A' }, { channel: b?.id, name: 'New B' }, { channel: c?.id, name: 'New C' });
  demo.world.editChannel(String(b?.id), { description: 'By hand' });
  const { data } = await confirmPreview(client, asked);
  expect(writesOf(demo)).toEqual([]);
  expect(data?.message).toContain(
    'Nothing was sent for the others either: "Channel A", "Channel C" are as they were shown, and can be sent unchanged in a call by themselves.',
  );
});

test('where one of several channels can’t be changed as asked, the refusal says what can be sent without it', async () => {
  const { ask, demo } = await lettered(3);
  const [a, b, c] = [0, 1, 2].map((at) => channelAt(demo, at));
  const refused = await ask(
    { channel: a?.id, name: 'New A' },
    { channel: b?.id, name: 'x'.repeat(101) },
    { channel: c?.id, name: 'New C' },
  );
  expect(writesOf(demo)).toEqual([]);
  expect(refused.data?.hint).toContain(
    'Nothing was sent for any channel of the call; "Channel A", "Channel C" are as the call takes them, and can be sent unchanged in a call without the others.',
  );
  const alone = await ask({ channel: b?.id, name: 'x'.repeat(101) });
  expect(alone.text).not.toContain('Nothing was sent for any channel of the call');
});
