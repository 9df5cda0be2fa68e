/** With a catalogue, videos can be named by id, key or title; a value that can't be translated stops the change before anything is sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { freshHome, start } from '../../../harness/start.ts';
import { type Account, idsIn, MOVE, manyVideos, requestsOf, sorted, UNASKED } from './harness.ts';

/** An account whose catalogue has all but the last video. */
async function withCatalogue(format: 'csv' | 'json' = 'csv') {
  const account = await manyVideos(12);
  const videos = [...account.demo.world.videos.values()];
  for (const [at, video] of videos.entries()) video.title = `Title ${at}`;
  const [twin] = videos.slice(10);
  if (twin !== undefined) twin.title = 'Title 9';
  const home = freshHome();
  const file = join(home, `videos.${format}`);
  const known = videos.slice(0, 11).map(({ id, key, title }) => ({ id, key, title }));
  const csv = ['title;key;id', ...known.map(({ id, key, title }) => `${title};${key};${id}`), 'No id;KEYONLY;', 'No key;;idonly'].join(
    '\n',
  );
  const json = JSON.stringify([...known, { key: 'KEYONLY', title: 'No id' }, { id: 'idonly', title: 'No key' }]);
  writeFileSync(file, format === 'csv' ? csv : json);
  return { account, videos, home, file, env: { ...UNASKED, VIDEO_HOSTING_VIDEO_CATALOGUE: file, VIDEO_HOSTING_FILES_DIR: home } };
}

const changesOf = ({ demo }: Account) => demo.requests.filter(({ method }) => method !== 'GET');

test.each(['csv', 'json'] as const)(
  'move_videos takes ids, keys and titles, from the call and from a file (%s catalogue)',
  async (format) => {
    const { account, videos, home, env } = await withCatalogue(format);
    const { client } = await start({ demo: account.demo, home, env });
    const [a, b, c, d, e] = videos;
    writeFileSync(join(home, 'some.txt'), `${d?.title}\n${e?.key}\n${a?.id}\n`);
    const { data } = await client.callTool('move_videos', {
      targetProject: 'Archive',
      videoIds: [a?.id, b?.key, c?.title, b?.id],
      videoIdsFile: 'some.txt',
    });
    expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(videos.slice(0, 5).map(({ id }) => id)));
    expect(data).toMatchObject({ status: 'applied', moved: 5, total: 5 });
  },
);

test('a form names videos by their titles, and with the id where two have the same; an answer has the ids too', async () => {
  const { account, videos, home, env } = await withCatalogue();
  const asked = { ...env, VIDEO_HOSTING_CONFIRM: 'form' };
  const { client } = await start({ demo: account.demo, home, env: asked, forms: () => ({ action: 'decline' }) });
  const [first, twin, stranger] = [videos[0]?.id ?? '', videos[9]?.id ?? '', videos[11]?.id ?? ''];
  for (const call of [
    { tool: 'move_videos', args: { targetProject: 'Archive', videoIds: [first, twin, stranger] } },
    { tool: 'copy_cta', args: { sourceVideoId: videos[1]?.id, targetVideoIds: [first, twin, stranger] } },
  ]) {
    await client.callTool(call.tool, call.args);
    const message = client.forms.at(-1)?.message;
    expect(message).toContain(`- "Title 0", ${twin} "Title 9", "${stranger}"`);
    expect(message).not.toContain(first);
  }
  const token = await start({ demo: account.demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: 'token' } });
  const { text } = await token.client.callTool('move_videos', { targetProject: 'Archive', videoIds: [first, stranger] });
  expect(text).toContain(`${first} "Title 0", "${stranger}"`);
});

test('the form of an undo names videos by their titles, too, and by their ids where the catalogue can’t be used any more', async () => {
  const { account, videos, home, env } = await withCatalogue();
  const decisions = ['apply', 'nothing', 'nothing'];
  const forms = () => ({ action: 'accept', content: { decision: decisions.shift() ?? 'nothing' } }) as const;
  const { client } = await start({ demo: account.demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: 'form' }, forms });
  const [first, second] = [videos[0]?.id ?? '', videos[1]?.id ?? ''];
  const fromProject = account.demo.world.videos.get(first)?.projectId;
  const moved = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: [first, second], fromProject });
  expect(moved.data).toMatchObject({ status: 'applied', moved: 2 });
  const undo = { changeId: moved.data?.changeId };
  await client.callTool('undo_change', undo);
  expect(client.forms.at(-1)?.message).toContain('- "Title 0", "Title 1"');
  writeFileSync(String(env.VIDEO_HOSTING_VIDEO_CATALOGUE), 'neither,nor\n1,2\n');
  await client.callTool('undo_change', undo);
  expect(client.forms.at(-1)?.message).toContain(first);
  expect(client.forms).toHaveLength(3);
});

test('the preview counts what was translated, what was dropped, and what is not in the catalogue', async () => {
  const { account, videos, home, env } = await withCatalogue();
  const { client } = await start({ demo: account.demo, home, env: { ...env, VIDEO_HOSTING_CONFIRM: 'token' } });
  const stranger = videos[11]?.id ?? '';
  const videoIds = [videos[0]?.key, videos[0]?.key, videos[1]?.title, videos[1]?.id, stranger, stranger, ' ', '', videos[2]?.id];
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds });
  expect(changesOf(account)).toEqual([]);
  expect(data).toMatchObject({ preview: { summary: 'Move 4 videos into Archive; no undo' } });
  const { warnings, notes } = (data?.preview ?? {}) as { warnings: string[]; notes: string[] }; // as advertised
  for (const words of [
    '2 blanks dropped.',
    '3 repeated ids dropped.',
    '2 keys or titles translated',
    '1 of them is not in the video catalogue',
  ])
    expect([...warnings, ...notes].join(' ')).toContain(words);
});

test('update_channels and create_channels take ids, keys and titles as video keys', async () => {
  const { account, videos, home, env } = await withCatalogue();
  const { client } = await start({ demo: account.demo, home, env });
  const [channel] = account.demo.world.channels.values();
  const [a, b, c] = videos;
  const set = await client.callTool('update_channels', { changes: [{ channel: channel?.id, setVideoKeys: [b?.id, a?.title, c?.key] }] });
  expect(set.data).toMatchObject({ status: 'applied' });
  expect(account.demo.world.channels.get(channel?.id ?? '')?.videoKeys).toEqual([b?.key, a?.key, c?.key]);
  await client.callTool('create_channels', { channels: [{ name: 'Made of titles', videoKeys: [c?.title, a?.id] }] });
  expect(account.demo.world.channelNamed('Made of titles').videoKeys).toEqual([c?.key, a?.key]);
});

test('a title can have characters that no id has, and can be longer', async () => {
  const { account, videos, home, file, env } = await withCatalogue();
  const titles = ['👩‍💻 Live coding', 'Two\nlines', 'long '.repeat(60).trim()];
  const rows = titles.map((title, at) => ({ id: videos[at]?.id, key: videos[at]?.key, title }));
  writeFileSync(file, JSON.stringify([...rows, { id: 'b\u200b', title: 'Broken' }]));
  const { client } = await start({ demo: account.demo, home, env });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: titles });
  expect(sorted(idsIn(account.demo, account.archive))).toEqual(sorted(videos.slice(0, 3).map(({ id }) => id)));
  expect(data).toMatchObject({ status: 'applied', moved: 3 });
  const before = changesOf(account).length;
  expect((await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ['Broken'] })).text).toContain('can’t be an id');
  expect(changesOf(account)).toHaveLength(before);
});

test('the file of outcomes can be used as a file of ids, even if its ids look like formulas', async () => {
  const account = await manyVideos(3);
  const home = freshHome();
  const { client } = await start({ demo: account.demo, home, env: { ...UNASKED, VIDEO_HOSTING_FILES_DIR: home } });
  const odd = ['-a1', '=b', '+c', '@d', "e'", "=f'g", 'x;=g', "y|'@h", 'i_j', 'k'];
  account.demo.faults.next({ match: MOVE, times: 30, do: { kind: 'status', code: 400, body: { message: '=IMPORTXML("http://x")' } } });
  const { data } = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: odd });
  expect(data).toMatchObject({ failedCount: odd.length });
  for (const delimiter of [',', ';', '\t', '|']) {
    const rows: string[][] = parse(readFileSync(String(data?.notDoneFile), 'utf8'), {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
    });
    for (const cell of rows.flat()) expect(cell).not.toMatch(/^[=+\-@]/);
  }
  account.demo.faults.clear();
  const before = requestsOf(account.demo, MOVE).length;
  await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: data?.notDoneFile });
  expect(requestsOf(account.demo, MOVE)[before]?.body).toMatchObject({ videoIds: odd });
});

test('with a catalogue that tells no ids, a move of keys says so once, with the number of all', async () => {
  const account = await manyVideos(120);
  const home = freshHome();
  const rows = [...account.demo.world.videos.values()].map(({ key }, at) => `${at + 1},${key},Title ${at}`);
  writeFileSync(join(home, 'videos.csv'), ['No,Video key,Title', ...rows, ''].join('\r\n'));
  const env = { ...UNASKED, VIDEO_HOSTING_VIDEO_CATALOGUE: join(home, 'videos.csv'), VIDEO_HOSTING_FILES_DIR: home };
  const { client } = await start({ demo: account.demo, home, env });
  const { text } = await client.callTool('move_videos', { targetProject: 'Archive', videoIdsFile: 'videos.csv' });
  expect(changesOf(account)).toEqual([]);
  expect(text).toContain('and 119 more are keys or titles of videos whose ids the catalogue does not tell: it has no ids at all');
  expect(text.split('\n').length).toBeLessThan(8);
  const setup = await client.callTool('check_setup');
  expect(setup.text).toContain('120 videos. It tells no ids, so videos can’t be moved, or copied to, by key or title.');
});

describe('a value that can’t be translated is refused before anything is sent', () => {
  test.each([
    ['an ambiguous title', 'Title 9', '2 videos of the catalogue have the title'],
    ['a key whose id is not known', 'KEYONLY', 'whose id the catalogue does not tell'],
    ['a title whose id is not known', 'No id', 'whose id the catalogue does not tell'],
  ])('%s, where ids are required', async (_, reference, problem) => {
    const { account, videos, home, env } = await withCatalogue();
    const { client } = await start({ demo: account.demo, home, env });
    const ids = [...videos.slice(0, 3).map(({ id }) => id), reference];
    for (const [tool, args] of [
      ['move_videos', { targetProject: 'Archive', videoIds: ids }],
      ['copy_cta', { sourceVideoId: videos[5]?.id, targetVideoIds: ids }],
      ['copy_cta', { sourceVideoId: reference, targetVideoIds: ids.slice(0, 2) }],
    ] as const) {
      const { data, text, isError } = await client.callTool(tool, args);
      expect(isError).toBe(true);
      expect(data).toMatchObject({ status: 'failed', error: { code: 'invalid_arguments' } });
      expect(text).toContain(problem);
      expect(text).toContain(JSON.stringify(reference));
    }
    expect(changesOf(account)).toEqual([]);
  });

  test.each([
    ['an ambiguous title', 'Title 9'],
    ['an id whose key is not known', 'idonly'],
  ])('%s, where keys are required', async (_, reference) => {
    const { account, home, env } = await withCatalogue();
    const { client } = await start({ demo: account.demo, home, env });
    const [channel] = account.demo.world.channels.values();
    const { text } = await client.callTool('update_channels', { changes: [{ channel: channel?.id, setVideoKeys: [reference] }] });
    expect(text).toContain(JSON.stringify(reference));
    expect((await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: [reference] }] })).text).toContain(
      JSON.stringify(reference),
    );
    expect(changesOf(account)).toEqual([]);
  });

  test('and the error names its place in the list or the file', async () => {
    const { account, home, env } = await withCatalogue();
    const { client } = await start({ demo: account.demo, home, env });
    writeFileSync(join(home, 'some.txt'), 'one\nTitle 9\nbad\u200b\n');
    const args = { targetProject: 'Archive', videoIds: ['', 'KEYONLY', 'two'], videoIdsFile: 'some.txt' };
    const { text } = await client.callTool('move_videos', args);
    expect(text).toContain('videoIds[1]: "KEYONLY" is the key');
    expect(text).toContain('videoIdsFile, line 2: 2 videos of the catalogue have the title "Title 9"');
    const impossible = await client.callTool('move_videos', { ...args, videoIds: ['two\u200b'], videoIdsFile: undefined });
    expect(impossible.text).toContain('videoIds[0]: the catalogue has no id or title "two"');
    expect(changesOf(account)).toEqual([]);
  });

  test('and so is a title while the catalogue is broken, with its lines; an id is moved as it stands', async () => {
    const { account, videos, home, file, env } = await withCatalogue();
    const { client } = await start({ demo: account.demo, home, env });
    writeFileSync(file, 'id,key\nb2\nb3,K3,x\n');
    const args = { targetProject: 'Archive', videoIds: ['Title of a video', videos[0]?.id] };
    const { text, data } = await client.callTool('move_videos', args);
    expect(data).toMatchObject({ status: 'failed', error: { code: 'catalogue_unusable' } });
    expect(text).toContain('line 2');
    expect(text).toContain('line 3');
    expect(changesOf(account)).toEqual([]);
    const moved = await client.callTool('move_videos', { ...args, videoIds: [videos[0]?.id] });
    expect(moved.data).toMatchObject({ status: 'applied', moved: 1 });
    expect(moved.text).toContain('can’t be used');
    // Once repaired, it is read again without a restart.
    writeFileSync(file, `id,title\n${videos[0]?.id},Mended\n`);
    expect((await client.callTool('move_videos', { ...args, videoIds: ['Mended'] })).data).toMatchObject({ status: 'applied', moved: 1 });
  });
});

test('problems with projects and with ids are reported together, and nothing is sent', async () => {
  const { account, home, env } = await withCatalogue();
  const { client } = await start({ demo: account.demo, home, env });
  const move = await client.callTool('move_videos', {
    targetProject: 'Archve',
    fromProject: 'Nowhere',
    videoIds: ['Title 9', 'x'.repeat(201)],
  });
  const copy = await client.callTool('copy_cta', { sourceVideoId: 'Title 9', targetVideoIds: ['x'.repeat(201)] });
  const create = await client.callTool('create_channels', { channels: [{ name: 'n'.repeat(101), videoKeys: ['Title 9'] }] });
  expect(changesOf(account)).toEqual([]);
  for (const words of ['4 arguments are wrong', 'targetProject', '"Archive"', 'fromProject', 'videoIds[0]', 'videoIds[1]'])
    expect(move.text).toContain(words);
  for (const words of ['2 arguments are wrong', 'sourceVideoId', 'targetVideoIds']) expect(copy.text).toContain(words);
  for (const words of ['2 arguments are wrong', 'name', 'videoKeys']) expect(create.text).toContain(words);
});
