/** What the journal has on disk: the whole intent before the first update, and each outcome before the answer. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { agree, changeIdIn } from '../support/confirm.ts';
import { changeFiles, intentOf, linesOf } from '../support/journal-files.ts';
import { argsFor, FORTY, reorganisation, startForty } from '../support/reorganisation.ts';
import { channelAt, channelIdIn, videoKeysOf, writesOf } from '../support/world.ts';

/** What an answer says of contents that this server sent. */
const LAST_WROTE = expect.stringContaining('as this server last wrote it');

const NEVER = { VIDEO_HOSTING_CONFIRM: 'never' };

test('the whole intent is on disk before the first update is sent, and each update is announced before it; each line has its time', async () => {
  const demo = await startForty();
  const wanted = reorganisation(demo);
  const { client, dataDir } = await start({ demo, env: NEVER });
  const wrongs: string[] = [];
  let former = '';
  demo.behaviour.onRequest = (request) => {
    if (request.method !== 'PUT') return;
    const [file] = changeFiles(dataDir);
    const text = file === undefined ? '' : readFileSync(file, 'utf8');
    if (!text.startsWith(former)) wrongs.push('a line was changed that had been written');
    former = text;
    const { items } = intentOf(String(file));
    if (items.length !== FORTY) wrongs.push(`only ${items.length} in the intent`);
    const id = channelIdIn(request);
    if (JSON.stringify(items.find((item) => item.id === id)?.after) !== JSON.stringify(request.body)) wrongs.push(`${id}: not as intended`);
    if (!linesOf(String(file)).some((line) => line.type === 'sending' && line.id === id)) wrongs.push(`${id}: not announced`);
  };
  const reply = await client.callTool('update_channels', argsFor(wanted));
  expect(wrongs).toEqual([]);
  expect(writesOf(demo)).toHaveLength(FORTY);
  expect(reply.data?.status).toBe('applied');
  const [file] = changeFiles(dataDir);
  const lines = linesOf(String(file));
  expect(lines.filter(({ type }) => type === 'outcome')).toHaveLength(FORTY);
  expect(lines.at(-1)).toMatchObject({ type: 'end', status: 'applied' });
  for (const { at } of lines) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('two accounts in one data folder don’t see each other’s changes', async () => {
  const home = freshHome();
  const ours = await startService({ channels: 3 });
  const theirs = await startService({ channels: 3, apiKey: 'another-Key/91x' });
  const mine = await start({ demo: ours, home, env: NEVER });
  const other = await start({ demo: theirs, home, env: NEVER });
  const channel = channelAt(ours, 0).id;
  expect(channelAt(theirs, 0).id).toBe(channel);
  const videos = videoKeysOf(ours, 3);
  const reply = await mine.client.callTool('update_channels', { changes: [{ channel, setVideoKeys: videos }] });
  expect((await mine.client.callTool('get_channel', { channel })).data?.contents).toMatchObject({ known: true, videoKeys: videos });
  expect((await other.client.callTool('get_channel', { channel })).data?.contents).toMatchObject({ known: false });
  expect((await other.client.callTool('list_changes')).data?.changes).toEqual([]);
  const stolen = await agree(other.client, 'undo_change', { changeId: changeIdIn(reply) });
  expect(stolen.isError).toBe(true);
  expect(writesOf(theirs)).toEqual([]);
});

test('a credential that the service refuses is shown nothing of what is kept of an account', async () => {
  const home = freshHome();
  const demo = await startService({ channels: 3 });
  const first = await start({ demo, home, env: NEVER });
  const made = await first.client.callTool('update_channels', {
    changes: [{ channel: channelAt(demo, 0).id, setVideoKeys: videoKeysOf(demo, 2) }],
  });
  const second = await start({ demo, home, env: { ...NEVER, VIDEO_HOSTING_API_KEY: 'rotated-Key/7' } });
  const { text } = await second.client.callTool('list_changes');
  expect(text).toContain('The service refused the credential');
  expect(text).not.toContain(changeIdIn(made));
});

test('the answer counts what changed in a list and names some of it; get_change has all of it, page by page', async () => {
  const demo = await startService({ videos: 200, views: 0 });
  const { client } = await start({ demo, env: NEVER });
  const { id } = channelAt(demo, 0);
  const [short, long] = [videoKeysOf(demo, 12), videoKeysOf(demo, 150)];
  const set = (setVideoKeys: readonly string[]) => client.callTool('update_channels', { changes: [{ channel: id, setVideoKeys }] });
  await set(short);
  const turned = await set([...short].reverse());
  const grown = await set(long);
  expect(demo.world.channels.get(id)?.videoKeys).toEqual(long);
  expect(turned.data).toMatchObject({
    before: [{ id, videoKeys: 12 }],
    after: [{ id, videoKeys: { count: 12, movedToFront: { length: 11 } } }],
  });
  const added = long.slice(12);
  const few = { count: 150, movedToFront: { length: 11 }, added: added.slice(0, 20), more: { added: 118 } };
  const told = { before: [{ id, videoKeys: 12 }], after: [{ id, videoKeys: few }], leftOut: expect.stringContaining('get_change') };
  expect(grown.data).toMatchObject(told);
  expect(grown.text).toContain('12 videos → 150: 11 moved to the front, 138 added, none removed');
  expect((await client.callTool('get_change', { changeId: changeIdIn(grown) })).data).toMatchObject(told);
  const { data, text } = await client.callTool('get_change', { changeId: changeIdIn(grown), list: 'done' });
  const whole = { count: 150, movedToFront: { length: 11 }, added };
  expect(data).toMatchObject({ pager: { totalPages: 1, totalResults: 1 }, done: [{ id, after: { videoKeys: whole } }] });
  for (const key of added) expect(text).toContain(key);
});

test.skipIf(process.platform === 'win32')(
  'the journal of an ended change is not read again for a channel that it never changed',
  async () => {
    const demo = await startService({ channels: 3, videos: 20 });
    const { client, dataDir } = await start({ demo, env: NEVER });
    const [first, second] = [channelAt(demo, 0), channelAt(demo, 1)];
    const changed = await client.callTool('update_channels', { changes: [{ channel: first.id, setVideoKeys: videoKeysOf(demo, 2) }] });
    await client.callTool('update_channels', { changes: [{ channel: second.id, setVideoKeys: videoKeysOf(demo, 3) }] });
    const contentsOf = async (id: string) => (await client.callTool('get_channel', { channel: id })).data?.contents;
    for (const { id } of [first, second]) expect(await contentsOf(id)).toMatchObject({ source: LAST_WROTE });
    expect((await client.callTool('list_changes', { status: 'failed' })).data).toMatchObject({ changes: [] });
    // Opening a pipe that has no writer blocks forever.
    const file = changeFiles(dataDir).find((name) => name.includes(changeIdIn(changed))) ?? '';
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(await contentsOf(second.id)).toMatchObject({ source: LAST_WROTE });
    expect(await contentsOf(channelAt(demo, 2).id)).toMatchObject({ known: false });
    expect((await client.callTool('list_changes', { status: 'failed' })).data).toMatchObject({ changes: [] });
  },
);
