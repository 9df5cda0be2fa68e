/** Lists of videos in files: in display order, of one channel or of several, and never guessed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Values } from '../../../harness/client.ts';
import { startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import { videoKeysOf, writesOf } from '../../support/world.ts';

async function account({ channels = 3, videos = 60, env = {}, forms = 'none' as 'none' | 'accept' } = {}) {
  const demo = await startService({ channels, projects: 3, videos });
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  const session = await start({ demo, home, forms, env: { VIDEO_HOSTING_CONFIRM: 'never', VIDEO_HOSTING_FILES_DIR: folder, ...env } });
  const { client } = session;
  const all = [...demo.world.channels.values()];
  return {
    ...session,
    demo,
    all,
    keys: videoKeysOf(demo, videos),
    put: (name: string, text: string) => writeFileSync(join(folder, name), text),
    state: (args: Values) => client.callTool('state_contents', args),
    update: (...changes: Values[]) => client.callTool('update_channels', { changes }),
    updateAll: (changes: Values[], forAll: Values) => client.callTool('update_channels', { changes, ...forAll }),
    contentsOf: async (channel: unknown) => (await client.callTool('get_channel', { channel })).data?.contents,
  };
}

test('the contents of over a hundred channels are stated with one file, one call and one confirmation', async () => {
  const { demo, all, client, put, state, contentsOf } = await account({
    channels: 137,
    videos: 200,
    forms: 'accept',
    env: { VIDEO_HOSTING_CONFIRM: 'ask' },
  });
  const rows = all.flatMap((channel) => channel.videoKeys.map((key) => `${channel.key},${key}`));
  const stated = all.filter(({ videoKeys }) => videoKeys.length > 0);
  put('all.csv', `channel,key\n${rows.join('\n')}\n`);
  const reply = await state({ file: 'all.csv' });
  expect(writesOf(demo)).toEqual([]);
  expect(client.forms, reply.text).toHaveLength(1);
  expect(client.forms[0]?.message).toContain(`Record what ${stated.length} channels hold now`);
  expect(reply.data?.status).toBe('applied');
  expect(stated.length).toBeGreaterThan(100);
  for (const { id, videoKeys } of stated.slice(0, 5)) expect(await contentsOf(id)).toMatchObject({ known: true, videoKeys });
  const pages = await Promise.all([1, 2, 3].map((page) => client.callTool('list_channels', { page, size: 50 })));
  const known = pages.flatMap(({ data }) => data?.channels as Values[]).filter(({ contentsKnown }) => contentsKnown === true);
  expect(known).toHaveLength(stated.length);
});

describe('a file of several channels', () => {
  const formats: Readonly<Record<string, (lists: readonly (readonly [string, readonly string[]])[]) => string>> = {
    CSV: (lists) => `Channel;Video key\n${lists.flatMap(([channel, keys]) => keys.map((key) => `"${channel}";${key}`)).join('\n')}`,
    'JSON of rows': (lists) => JSON.stringify(lists.flatMap(([channel, keys]) => keys.map((key) => ({ channel, key })))),
    'JSON of lists': (lists) => JSON.stringify(lists.map(([channel, videoKeys]) => ({ channel, videoKeys }))),
    'JSON Lines of lists': (lists) => lists.map(([channel, videoKeys]) => JSON.stringify({ channel, videoKeys })).join('\n'),
  };

  test.each(Object.entries(formats))('is accepted as %s', async (_what, write) => {
    const { all, keys, put, state, update, contentsOf } = await account();
    const [one, two] = all;
    if (one === undefined || two === undefined) throw new RangeError('no channels');
    put(
      'lists',
      write([
        [one.name, keys.slice(0, 3)],
        [two.key, keys.slice(5, 7)],
      ]),
    );
    await state({ file: 'lists' });
    expect(await contentsOf(one.id)).toMatchObject({ videoKeys: keys.slice(0, 3) });
    expect(await contentsOf(two.id)).toMatchObject({ videoKeys: keys.slice(5, 7) });
    // Each change takes its own rows.
    put(
      'new',
      write([
        [one.id, keys.slice(10, 12)],
        [two.name, keys.slice(20, 22)],
      ]),
    );
    await update({ channel: one.id, setVideoKeysFile: 'new' }, { channel: two.id, setVideoKeysFile: 'new' });
    expect([one.videoKeys, two.videoKeys]).toEqual([keys.slice(10, 12), keys.slice(20, 22)]);
  });

  test('can state an empty list in JSON, but not with a blank cell in CSV', async () => {
    const { all, put, state, contentsOf } = await account();
    put('empty.json', JSON.stringify([{ channel: all[0]?.id, videoKeys: [] }]));
    put('blank.csv', `channel,key\n${all[1]?.id},\n${all[2]?.id},k1\n`);
    expect((await state({ file: 'empty.json' })).data?.status).toBe('applied');
    expect(await contentsOf(all[0]?.id)).toMatchObject({ known: true, videoCount: 0 });
    const refused = await state({ file: 'blank.csv' });
    expect(refused.text).toContain('stands beside blanks only');
    expect(await contentsOf(all[2]?.id)).toMatchObject({ known: false });
  });

  test('keeps the rows of another spelling of a channel from being left out', async () => {
    const { demo, all, keys, put, update } = await account();
    const name = String(all[0]?.name);
    put('lists.csv', `channel,key\n${name},${keys[0]}\n${name.toUpperCase()},${keys[1]}\n${name},${keys[2]}\n`);
    const reply = await update({ channel: all[0]?.id, setVideoKeysFile: 'lists.csv' });
    expect(writesOf(demo)).toEqual([]);
    expect(reply.text).toContain(`names this channel in 2 ways: "${name}", "${name.toUpperCase()}"`);
  });

  test('counts what it holds for channels that the change does not name', async () => {
    const { all, keys, put, update } = await account();
    const [one, two] = all;
    put('lists.csv', `channel,key\n${one?.id},${keys[0]}\n${two?.id},${keys[1]}\n${two?.id},${keys[2]}\n,\n`);
    const reply = await update({ channel: one?.id, setVideoKeysFile: 'lists.csv' });
    expect(one?.videoKeys).toEqual([keys[0]]);
    expect(reply.text).toContain(
      `4 read for 2 channels, none repeated, 1 blank. 2 of them not used: they are for 1 of the 3 channels (${JSON.stringify(two?.name)}), whose lists the call does not take from it.`,
    );
  });

  test('gives each new channel the rows with its name', async () => {
    const { demo, keys, put, client } = await account();
    put('new.csv', `channel,key\nFirst,${keys[0]}\nSecond,${keys[1]}\nFirst,${keys[2]}\n`);
    const channels = ['First', 'Second'].map((name) => ({ name, videoKeysFile: 'new.csv' }));
    await client.callTool('create_channels', { channels });
    expect(demo.world.channelNamed('First').videoKeys).toEqual([keys[0], keys[2]]);
    expect(demo.world.channelNamed('Second').videoKeys).toEqual([keys[1]]);
    const third = await client.callTool('create_channels', { channels: [{ name: 'Third', videoKeysFile: 'new.csv' }] });
    expect(third.text).toContain('channels[0].videoKeysFile ("Third"): has no videos of this channel. It has those of "First", "Second"');
  });

  test('holds a key twice for one channel: it counts once, at its first place, and is told', async () => {
    const { all, keys, put, state, update, client, contentsOf, demo } = await account();
    const [a, b, c] = keys;
    const rows = (...channels: unknown[]) => channels.flatMap((channel) => [b, a, b, c, a].map((key) => `${channel},${key}`)).join('\n');
    put('lists.csv', `channel,key\n${rows(all[0]?.id, all[1]?.id, 'Made new')}\n`);
    const set = await update({ channel: all[0]?.id, setVideoKeysFile: 'lists.csv' });
    const made = await client.callTool('create_channels', { channels: [{ name: 'Made new', videoKeysFile: 'lists.csv' }] });
    put('stated.csv', `channel,key\n${rows(all[1]?.id)}\n`);
    const stated = await state({ file: 'stated.csv' });
    expect([all[0]?.videoKeys, demo.world.channelNamed('Made new').videoKeys]).toEqual([
      [b, a, c],
      [b, a, c],
    ]);
    expect(await contentsOf(all[1]?.id)).toMatchObject({ videoKeys: [b, a, c] });
    for (const { text } of [set, made]) expect(text).toContain('15 read for 3 channels, 6 repeated, none blank');
    expect(stated.text).toContain('5 read for 1 channel, 2 repeated, none blank');
  });

  test('is combined with projects that are given as arguments', async () => {
    const { all, keys, put, client, contentsOf } = await account();
    put('lists.csv', `channel,key\n${all[0]?.id},${keys[0]}\n`);
    const args = { file: 'lists.csv', channels: [{ channel: all[0]?.name, projectKeys: [] }] };
    expect((await client.callTool('state_contents', args)).data?.status).toBe('applied');
    expect(await contentsOf(all[0]?.id)).toMatchObject({ videoKeys: [keys[0]], projectKeys: [], projectCount: 0 });
  });

  test.each([
    ['an entry without a channel', (id: string) => `channel,key\n${id},k1\n,k2\n`, 'names no channel'],
    [
      'two lists for one channel',
      (id: string) => `{"channel":"${id}","videoKeys":["k1"]}\n{"channel":"${id}","videoKeys":["k2"]}`,
      'again',
    ],
    [
      'entries with and without a channel',
      (id: string) => `[{"channel":"${id}","key":"k1"},"k2"]`,
      'Only 1 of its 2 entries name a channel',
    ],
    ['a channel that does not exist', () => 'channel,key\nNo such channel,k1\n', 'No channel has the id, key or exact name'],
    [
      'no column of ids, keys or titles',
      (id: string) => `channel,clip\n${id},k1\n`,
      'none is known to hold ids, keys or titles: "channel", "clip"',
    ],
  ])('is refused with %s', async (_what, text, words) => {
    const { all, put, state, contentsOf } = await account();
    put('lists', text(String(all[0]?.id)));
    const reply = await state({ file: 'lists' });
    expect(reply.isError).toBe(true);
    expect(reply.text).toContain(words);
    expect(await contentsOf(all[0]?.id)).toMatchObject({ known: false });
  });
});

describe('a file beside the changes', () => {
  async function withLists() {
    const session = await account();
    const { all, put } = session;
    const [one, two, three] = all;
    if (one === undefined || two === undefined || three === undefined) throw new RangeError('no channels');
    for (const [at, channel] of all.entries())
      Object.assign(channel, { videoKeys: session.keys.slice(10 * at, 10 * at + 3), projectKeys: [] });
    const rows = (...channels: (typeof one)[]) => channels.flatMap(({ name, videoKeys }) => videoKeys.map((key) => `"${name}",${key}`));
    return {
      ...session,
      one,
      two,
      three,
      putLists: (...some: (typeof one)[]) => put('now.csv', `channel,key\n${rows(...some).join('\n')}\n`),
    };
  }

  test('tells what each channel holds whose change does not state it, for a rename and for its undo', async () => {
    const { demo, one, two, three, client, updateAll, putLists } = await withLists();
    putLists(one, two);
    const before = [one, two, three].map(({ videoKeys }) => [...videoKeys]);
    const [first = '', ...rest] = three.videoKeys;
    const changes = [
      { channel: one.id, name: 'Renamed 1' },
      { channel: two.name, addVideoKeys: [first] },
      { channel: three.key, removeVideoKeys: [first], currentVideoKeys: three.videoKeys },
    ];
    const done = await updateAll(changes, { currentVideoKeysFile: 'now.csv', currentProjectKeys: [] });
    expect(writesOf(demo)).toHaveLength(3);
    expect([one.name, one.videoKeys, two.videoKeys, three.videoKeys]).toEqual([
      'Renamed 1',
      before[0],
      [...(before[1] ?? []), first],
      rest,
    ]);
    expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'partly' } });
    expect(done.text).toContain('From "now.csv"');
    await client.callTool('undo_change', { changeId: done.data?.changeId });
    expect([one, two, three].map(({ videoKeys }) => videoKeys)).toEqual(before);
  });

  test('need not have a channel that is known, and is refused without one that is not', async () => {
    const { demo, one, two, three, updateAll, state, putLists } = await withLists();
    putLists(one);
    await state({ channels: [{ channel: two.id, videoKeys: two.videoKeys, projectKeys: [] }] });
    const renamed = [one, two, three].map(({ id }, at) => ({ channel: id, name: `Renamed ${at}` }));
    const forAll = { currentVideoKeysFile: 'now.csv', currentProjectKeys: [] };
    const refused = await updateAll(renamed, forAll);
    expect(writesOf(demo)).toEqual([]);
    expect(refused.text).toContain(
      `currentVideoKeysFile (${JSON.stringify(three.name)}): has no videos of this channel. It has those of 1 of the 3 channels (${JSON.stringify(one.name)}).`,
    );
    expect((await updateAll(renamed.slice(0, 2), forAll)).data?.status).toBe('applied');
    expect([one.name, two.name]).toEqual(['Renamed 0', 'Renamed 1']);
  });

  test('is refused once, not for each change, with the problems of all changes', async () => {
    const { demo, one, two, updateAll, put } = await withLists();
    put('one.txt', one.videoKeys.join('\n'));
    const changes = [...[one, two].map(({ id }) => ({ channel: id, name: 'X' })), { channel: 'Nowhere', name: 'X' }];
    const noFile = await updateAll(changes, { currentVideoKeysFile: 'none.csv', currentProjectKeys: ['No project'] });
    const noColumn = await updateAll([...changes, { channel: demo.world.channels.values().next().value?.name, name: 'Y' }], {
      currentVideoKeysFile: 'one.txt',
    });
    expect(writesOf(demo)).toEqual([]);
    for (const [text, words] of [
      [noFile.text, 'currentVideoKeysFile: '],
      [noFile.text, 'currentProjectKeys[0]: No project has the id'],
      [noFile.text, 'changes[2].channel: No channel has the id'],
      [noColumn.text, 'currentVideoKeysFile: has no column "channel"'],
    ] as const)
      expect(text.split(words), words).toHaveLength(2);
  });
});

test('a name that is not found hides no problem of another change, and candidates are told with what a choice goes by', async () => {
  const { demo, all, keys, update, state } = await account({ channels: 6 });
  const names = ['Webinars', 'Press', 'Press', 'Alpha', 'Beta', 'Gamma'];
  for (const [at, channel] of all.entries()) channel.name = names[at] ?? '';
  await state({ channels: [{ channel: all[2]?.id, videoKeys: keys.slice(0, 2), projectKeys: [] }] });
  const reply = await update(
    { channel: 'Webinarz', template: 'no such', setVideoKeysFile: 'none.csv', currentVideoKeys: ['a\u200bb'] },
    { channel: 'Press', name: 'x'.repeat(101) },
    { channel: 'Alpha', addVideoKeys: ['c\u200bd'] },
    { channel: 'Beta', template: 'no such', removeVideoKeys: [] },
    { channel: 'Gamma', setVideoKeys: keys.slice(0, 2), removeVideoKeys: ['not there'], currentVideoKeysFile: 'none.csv' },
  );
  expect(writesOf(demo)).toEqual([]);
  const dayOf = (at: number) => all[at]?.updated.slice(0, 10);
  for (const words of [
    `changes[0].channel: No channel has the id, key or exact name "Webinarz". The nearest: "Webinars" (${all[0]?.id}, updated ${dayOf(0)}).`,
    'changes[0].template ("Webinarz"): ',
    'changes[0].setVideoKeysFile ("Webinarz"): ',
    'changes[0].currentVideoKeys[0] ("Webinarz"): ',
    'changes[1].channel: 2 channels are called "Press": ',
    `updated ${dayOf(1)}, contentsKnown: false)`,
    `updated ${dayOf(2)}, contentsKnown: true)`,
    'changes[1].name ("Press"): has 101 characters',
    'changes[2].addVideoKeys[0] ("Alpha"): ',
    `changes[2].channel: "Alpha" (${all[3]?.id}): what it holds is not known.`,
    'changes[3].template ("Beta"): ',
    `changes[3].channel: "Beta" (${all[4]?.id}): what it holds is not known.`,
    'changes[4].currentVideoKeysFile ("Gamma"): ',
  ])
    expect(reply.text).toContain(words);
});

describe('a file of one channel', () => {
  test('gives its list in display order, as text or as CSV', async () => {
    const { demo, all, keys, put, update, client } = await account();
    const [one] = all;
    put('keys.txt', keys.slice(0, 3).join('\n'));
    put(
      'now.csv',
      `Title,Key\n${keys
        .slice(3, 6)
        .map((key) => `"T",${key}`)
        .join('\n')}`,
    );
    await update({ channel: one?.id, setVideoKeysFile: 'keys.txt', currentVideoKeysFile: 'now.csv' });
    expect(one?.videoKeys).toEqual(keys.slice(0, 3));
    const made = await client.callTool('create_channels', { channels: [{ name: 'Made of a file', videoKeysFile: 'now.csv' }] });
    expect(made.data?.status).toBe('applied');
    expect([...demo.world.channels.values()].at(-1)).toMatchObject({ name: 'Made of a file', videoKeys: keys.slice(3, 6) });
  });

  test('is refused unless the call names exactly one channel', async () => {
    const { all, keys, put, state, contentsOf } = await account();
    put('keys.txt', keys.slice(0, 3).join('\n'));
    const two = await state({ file: 'keys.txt', channels: all.slice(0, 2).map(({ id }) => ({ channel: id })) });
    expect(two.text).toContain('has no column "channel"');
    expect((await state({ file: 'keys.txt' })).isError).toBe(true);
    await state({ file: 'keys.txt', channels: [{ channel: all[0]?.id, projectKeys: [] }] });
    expect(await contentsOf(all[0]?.id)).toMatchObject({ videoKeys: keys.slice(0, 3), projectCount: 0 });
  });

  test('is refused as the list of several channels in one call', async () => {
    const { demo, all, keys, put, update, client } = await account();
    put('keys.csv', `Kanal,key\n${all[0]?.name},${keys[0]}\n${all[1]?.name},${keys[1]}\n`);
    const changes = all.slice(0, 2).map(({ id }) => ({ channel: id, setVideoKeysFile: 'keys.csv' }));
    const channels = ['First', 'Second'].map((name) => ({ name, videoKeysFile: 'keys.csv' }));
    const replies = [await update(...changes), await client.callTool('create_channels', { channels })];
    expect(writesOf(demo)).toEqual([]);
    for (const { text } of replies) expect(text).toContain('has no column "channel", and is given for several channels');
  });

  test('is refused with the wrong columns, and the error names them', async () => {
    const { demo, all, put, update } = await account();
    put('wrong.csv', 'clip,place\nk1,1\nk2,2\n');
    put('ids.csv', 'title,video id\nA,k1\nB,k2\n');
    put('other.csv', `channel,key\n${all[1]?.id},k1\n`);
    const replies = await Promise.all(
      ['wrong.csv', 'ids.csv', 'other.csv'].map((file) => update({ channel: all[0]?.id, setVideoKeysFile: file })),
    );
    expect(writesOf(demo)).toEqual([]);
    expect(replies.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(replies[0]?.text).toContain('none is known to hold ids, keys or titles: "clip", "place"');
    expect(replies[1]?.text).toContain('names ids ("video id"), and a channel holds keys');
    expect(replies[2]?.text).toContain(
      `has no videos of this channel. It has those of 1 of the 3 channels (${JSON.stringify(all[1]?.name)}).`,
    );
  });

  test('keeps a first key without a digit above keys with digits, whichever argument names it', async () => {
    const { demo, all, put, update, client, state, contentsOf } = await account({ videos: 400 });
    const keys = videoKeysOf(demo, 400);
    const first = keys.find((key) => !/\d/.test(key)) ?? '';
    const list = [first, ...keys.filter((key) => /\d/.test(key)).slice(0, 4)];
    put('list.txt', `${list.join('\n')}\n`);
    const [one, two, three] = all;
    await update({ channel: one?.id, setVideoKeysFile: 'list.txt' });
    expect(one?.videoKeys).toEqual(list);
    two?.videoKeys.splice(0, two.videoKeys.length, ...list);
    await update({ channel: two?.id, name: 'Renamed', currentVideoKeysFile: 'list.txt', currentProjectKeys: [] });
    expect([two?.name, two?.videoKeys]).toEqual(['Renamed', list]);
    await client.callTool('create_channels', { channels: [{ name: 'From a file', videoKeysFile: 'list.txt' }] });
    expect(demo.world.channelNamed('From a file').videoKeys).toEqual(list);
    await state({ channels: [{ channel: three?.id }], file: 'list.txt' });
    expect(await contentsOf(three?.id)).toMatchObject({ videoKeys: list });
  });

  test('is refused with a first line that may be a header, and the error tells what to do', async () => {
    const { demo, all, put, update } = await account();
    put('list.txt', `Schluessel\n${videoKeysOf(demo, 3).join('\n')}\n`);
    const reply = await update({ channel: all[0]?.id, setVideoKeysFile: 'list.txt' });
    expect(writesOf(demo)).toEqual([]);
    expect(reply.text).toContain('changes[0].setVideoKeysFile');
    expect(reply.text).toContain('it may be a video, or the name of the column. Ask the user which it is.');
  });

  test('can have ids or titles, which the video catalogue maps to keys', async () => {
    const { demo, all, keys, home, put } = await account();
    const catalogue = join(home, 'videos.json');
    const videos = [...demo.world.videos.values()].map(({ id, key }, index) => ({ id, key, title: `Title ${index}` }));
    writeFileSync(catalogue, JSON.stringify(videos));
    put(
      'ids.csv',
      `id,note\n${videos
        .slice(0, 2)
        .map(({ id }) => `${id},x`)
        .join('\n')}`,
    );
    put('titles.csv', `place,film\n1,Title 4\n2,Title 5\n`);
    const env = { VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue, VIDEO_HOSTING_FILES_DIR: join(home, 'files'), VIDEO_HOSTING_CONFIRM: 'never' };
    const { client } = await start({ demo, home, env });
    const changes = [
      { channel: all[0]?.id, setVideoKeysFile: 'ids.csv' },
      { channel: all[1]?.id, setVideoKeysFile: 'titles.csv' },
    ];
    await client.callTool('update_channels', { changes });
    expect(all[0]?.videoKeys).toEqual(videos.slice(0, 2).map(({ key }) => key));
    expect(all[1]?.videoKeys).toEqual(videos.slice(4, 6).map(({ key }) => key));
    expect(keys).toHaveLength(60);
    put('mistyped.txt', 'Title 4\nTitel number 5\n');
    const wrong = await client.callTool('update_channels', { changes: [{ channel: all[0]?.id, setVideoKeysFile: 'mistyped.txt' }] });
    const made = await client.callTool('create_channels', { channels: [{ name: 'New', videoKeysFile: 'mistyped.txt' }] });
    expect(wrong.text).toContain('changes[0].setVideoKeysFile[1]');
    expect(made.text).toContain('channels[0].videoKeysFile[1]');
  });

  test('is refused together with a list in the arguments, and the error names each such field', async () => {
    const { demo, all, keys, put, update, client, state } = await account();
    put('keys.txt', keys.join('\n'));
    const twice = await update({
      channel: all[0]?.id,
      ...{ setVideoKeys: keys, setVideoKeysFile: 'keys.txt', currentVideoKeys: keys, currentVideoKeysFile: 'keys.txt' },
    });
    const made = await client.callTool('create_channels', {
      channels: [{ name: 'New', videoKeys: keys, videoKeysFile: 'keys.txt' }, { name: 'Other' }],
    });
    const stated = await state({ file: 'keys.txt', channels: [{ channel: all[0]?.id, videoKeys: keys }] });
    expect(writesOf(demo)).toEqual([]);
    for (const field of ['changes[0].setVideoKeysFile', 'changes[0].currentVideoKeysFile']) expect(twice.text).toContain(field);
    expect(made.text).toContain('channels[0].videoKeysFile');
    expect(made.text).toContain('channels[1].videoKeys ("Other"): or videoKeysFile must be given');
    expect(stated.text).toMatch(/channels\[0\]\.channel \(".*"\): has videoKeys, and a file is given too/);
  });

  test('is not sent if it changed after the preview', async () => {
    const { demo, all, keys, put, update, client } = await account({ env: { VIDEO_HOSTING_CONFIRM: 'token' } });
    put('keys.txt', keys.slice(0, 3).join('\n'));
    const changes = [{ channel: all[0]?.id, setVideoKeysFile: 'keys.txt' }];
    const asked = await update(...changes);
    expect(asked.text).toContain('From "keys.txt" (one a line): 3 read, none repeated, none blank.');
    put('keys.txt', keys.slice(5).join('\n'));
    const reply = await confirmPreview(client, asked);
    expect(writesOf(demo)).toEqual([]);
    expect(reply.data?.status).toBe('failed');
    expect(reply.text).toContain('What is to be sent');
  });

  test('is refused if it is outside the folder for files, or if no folder is set', async () => {
    const { demo, all, update, home } = await account();
    const outside = await update({ channel: all[0]?.id, setVideoKeysFile: '../secret.txt' });
    const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never' } });
    const none = await client.callTool('state_contents', { file: 'keys.txt', channels: [{ channel: all[0]?.id }] });
    expect(writesOf(demo)).toEqual([]);
    expect(outside.text).toContain('outside the folder for files');
    expect(none.text).toContain('VIDEO_HOSTING_FILES_DIR');
  });
});

test('the preview shows a short list in full, and all that is removed from or added to a long one', async () => {
  const { demo, all, keys, put, update } = await account({ videos: 400, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  demo.behaviour.channelRecordsShowContents = true;
  const [one, two] = all;
  Object.assign(one ?? {}, { videoKeys: keys.slice(0, 30) });
  Object.assign(two ?? {}, { videoKeys: keys.slice(0, 200) });
  put('keys.txt', keys.slice(100, 300).join('\n'));
  const reply = await update(
    { channel: one?.id, setVideoKeys: keys.slice(0, 30).toReversed() },
    { channel: two?.id, setVideoKeysFile: 'keys.txt' },
  );
  const preview = JSON.stringify(reply.data?.preview).replaceAll('\\"', '"');
  const listed = (list: readonly string[]) => list.map((key) => `"${key}"`).join(', ');
  expect(preview).toContain(`resulting order: ${listed(keys.slice(0, 30).toReversed())}`);
  expect(preview).toContain(`removed: ${listed(keys.slice(0, 100))}`);
  expect(preview).toContain(`added: ${listed(keys.slice(200, 300))}`);
});
