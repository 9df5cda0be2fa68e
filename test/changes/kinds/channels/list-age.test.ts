/** Lists that somebody gives of a channel which others changed since: told first, with the times. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolReply, Values } from '../../../harness/client.ts';
import { startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { confirmPreview } from '../../support/confirm.ts';
import { channelAt, videoKeysOf, writesOf } from '../../support/world.ts';

const HOUR_MS = 3_600_000;
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

/** An account whose channels were last changed when the service's clock stood, so many hours ago. */
async function account({ hoursAgo = 48 } = {}) {
  const demo = await startService({ channels: 3, projects: 1, videos: 20, now: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString() });
  const home = freshHome();
  const folder = join(home, 'files');
  mkdirSync(folder);
  const session = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'token', VIDEO_HOSTING_FILES_DIR: folder } });
  const channel = channelAt(demo, 0);
  Object.assign(channel, { name: 'News', videoKeys: videoKeysOf(demo, 4), projectKeys: [] });
  const keys = videoKeysOf(demo, 20);
  const update = (change: Values): Promise<ToolReply> =>
    session.client.callTool('update_channels', { changes: [{ channel: channel.id, currentProjectKeys: [], ...change }] });
  return {
    ...{ ...session, demo, home, channel, keys, update },
    /** Somebody adds a video in the dashboard, so many hours ago. */
    editOutside: (ago: number) =>
      demo.world.editChannel(channel.id, {
        videoKeys: [...channel.videoKeys, keys[9] ?? ''],
        updated: new Date(Date.now() - ago * HOUR_MS).toISOString(),
      }),
    put(name: string, list: readonly string[], ago: number) {
      writeFileSync(join(folder, name), list.join('\n'));
      const written = (Date.now() - ago * HOUR_MS) / 1_000;
      utimesSync(join(folder, name), written, written);
    },
  };
}

const warningsOf = ({ data }: ToolReply): readonly string[] => ((data?.preview as Values | undefined)?.warnings ?? []) as string[];
const sinceOf = (reply: ToolReply): readonly string[] => warningsOf(reply).filter((one) => one.includes('by somebody else'));

test('a list in the call is doubted first where somebody changed its channel within the last day', async () => {
  const { demo, keys, update, editOutside } = await account();
  const { updated } = editOutside(3);
  const reply = await update({ name: 'World', currentVideoKeys: keys.slice(0, 4) });
  expect(writesOf(demo)).toEqual([]);
  expect(warningsOf(reply)[0]).toBe(
    `"News" was changed on ${minuteOf(Date.parse(updated))} UTC, by somebody else as far as this server knows. If the given list is older, what they changed is lost for good: unless it is sure to be newer, ask for a fresh one.`,
  );
});

test('a list of a channel that nobody changed within a day is not doubted for its age', async () => {
  const { keys, update, editOutside } = await account();
  editOutside(30);
  expect(sinceOf(await update({ name: 'World', currentVideoKeys: keys.slice(0, 4) }))).toEqual([]);
});

test('a file that was written before the channel was changed is told with both times, and a later one is not', async () => {
  const { demo, keys, update, editOutside, put } = await account({ hoursAgo: 24 * 30 });
  const { updated } = editOutside(24 * 5);
  put('old.txt', keys.slice(0, 4), 24 * 6);
  put('new.txt', [...keys.slice(0, 4), keys[9] ?? ''], 24 * 4);
  const old = await update({ name: 'World', currentVideoKeysFile: 'old.txt' });
  expect(writesOf(demo)).toEqual([]);
  expect(sinceOf(old)).toEqual([
    `"News" was changed on ${minuteOf(Date.parse(updated))} UTC, by somebody else as far as this server knows; "old.txt", with its list, was last written before that (${minuteOf(Date.now() - 24 * 6 * HOUR_MS)} UTC), so what they changed may be lost: ask for a fresh list.`,
  ]);
  expect(sinceOf(await update({ setVideoKeysFile: 'old.txt' }))).toHaveLength(1);
  expect(sinceOf(await update({ name: 'World', currentVideoKeysFile: 'new.txt' }))).toEqual([]);
});

test('a file that is older than a change of today is told as that, beside a list in the call whose age nobody knows', async () => {
  const { demo, keys, update, editOutside, put } = await account();
  editOutside(3);
  put('old.txt', keys.slice(0, 4), 9);
  const reply = await update({ name: 'World', currentVideoKeysFile: 'old.txt', currentProjectKeys: [] });
  expect(writesOf(demo)).toEqual([]);
  expect(sinceOf(reply)).toEqual([expect.stringContaining('; "old.txt", with its list, was last written before that (')]);
});

test('a channel that was changed after an earlier preview is told so, whatever the clock of the service', async () => {
  const { keys, channel, update, editOutside } = await account();
  const stated = { name: 'World', currentVideoKeys: keys.slice(0, 4) };
  expect(sinceOf(await update(stated))).toEqual([]);
  editOutside(40);
  const [told] = sinceOf(await update(stated));
  expect(told).toMatch(
    /^"News" was changed on .* UTC, .* after this server had read it for an earlier preview \(it showed version \d+ then, and \d+ now\)\. If the given list/,
  );
  expect(sinceOf(await update(stated)), 'and again, while the list is the same').toEqual([told]);
  expect(channel.name).toBe('News');
});

test('where the service’s clock is behind that of a file, the file’s time is not told as the earlier one', async () => {
  const { keys, update, editOutside, put } = await account();
  put('list.txt', keys.slice(0, 4), 30);
  const stated = { name: 'World', currentVideoKeysFile: 'list.txt' };
  expect(sinceOf(await update(stated))).toEqual([]);
  editOutside(40);
  const [told] = sinceOf(await update(stated));
  expect(told).toContain(
    '; "list.txt", with its list, was last written before that, so what they changed may be lost: ask for a fresh list.',
  );
});

test('what this server changed itself is no reason to doubt a list', async () => {
  const { demo, channel, keys, client, update, editOutside } = await account();
  editOutside(30);
  const list = channel.videoKeys;
  await confirmPreview(client, await update({ name: 'World', currentVideoKeys: list }));
  expect(demo.world.channels.get(channel.id)?.name).toBe('World');
  expect(sinceOf(await update({ setVideoKeys: keys.slice(0, 2) }))).toEqual([]);
});

test('what state_contents is told of a channel that was changed lately is doubted as well', async () => {
  const { channel, keys, client, editOutside } = await account();
  editOutside(2);
  const reply = await client.callTool('state_contents', { channels: [{ channel: channel.id, videoKeys: keys.slice(0, 4) }] });
  expect(sinceOf(reply)).toHaveLength(1);
  expect(warningsOf(reply)[0]).toBe(sinceOf(reply)[0]);
});

test('a channel that somebody changed after this server wrote it is told as that, when it is read and when it is to be changed', async () => {
  const { demo, channel, keys, client, update, editOutside } = await account();
  editOutside(30);
  await confirmPreview(client, await update({ name: 'World', currentVideoKeys: channel.videoKeys }));
  const wrote = minuteOf(Date.now());
  const { updated } = demo.world.editChannel(channel.id, { videoKeys: keys.slice(0, 2), updated: new Date(Date.now()).toISOString() });
  const before = writesOf(demo).length;
  const read = await client.callTool('get_channel', { channel: channel.id });
  const source = `this server wrote it on ${wrote} UTC, and somebody else changed the channel since (last on ${minuteOf(Date.parse(updated))} UTC)`;
  expect(read.data?.contents).toMatchObject({ known: false, source: `not known: ${source}` });
  const reply = await client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'Other' }] });
  expect(writesOf(demo)).toHaveLength(before);
  expect(reply.text).toContain(`what it holds is not known: ${source}.`);
});

test('an undo is promised in part where the list that it would bring back is in doubt, also in the answer and later', async () => {
  const { channel, keys, client, update, editOutside } = await account();
  editOutside(3);
  const asked = await update({ currentVideoKeys: keys.slice(0, 4), removeVideoKeys: keys.slice(0, 1) });
  const undo = {
    possible: 'partly',
    how: 'An undo works until others change it. What "News" held goes back as it was listed, which is in doubt: what else was there can’t be brought back.',
  };
  expect(asked.data?.preview).toMatchObject({ undo });
  const done = await confirmPreview(client, asked);
  expect(channel.videoKeys).toEqual(keys.slice(1, 4));
  const found = await client.callTool('get_change', { changeId: done.data?.changeId });
  expect(found.data).toMatchObject({ undo });
});

test('what a file states is told as the file’s word, in the preview, its lines and a form', async () => {
  const { demo, home, channel, keys, client, update, put } = await account();
  put('list.txt', keys.slice(0, 4), 1);
  const asked = await update({ name: 'World', currentVideoKeysFile: 'list.txt' });
  expect(asked.text).toContain('The lists as stated (by the file "list.txt" and what the assistant says) replace what is there');
  const whole = await client.callTool('get_change', { changeId: asked.data?.changeId, page: 1 });
  expect(whole.text).toContain('by the file "list.txt" and what the assistant says, it holds 4 videos');
  const { client: withForms } = await start({ demo, home, forms: 'decline', env: { VIDEO_HOSTING_FILES_DIR: join(home, 'files') } });
  await withForms.callTool('update_channels', {
    changes: [{ channel: channel.id, name: 'World', currentVideoKeysFile: 'list.txt', currentProjectKeys: [] }],
  });
  expect(withForms.forms[0]?.message).toContain('! By the file "list.txt" and what the assistant says, "News" holds');
});

test('the preview of an undo says of what it adds or takes out that the change that is undone did the reverse', async () => {
  const { channel, keys, client, update } = await account();
  const [first = '', ...rest] = channel.videoKeys;
  await confirmPreview(client, await update({ currentVideoKeys: channel.videoKeys, removeVideoKeys: [first], addVideoKeys: [keys[9]] }));
  expect(channel.videoKeys).toEqual([...rest, keys[9]]);
  const { text } = await client.callTool('undo_change', {});
  expect(text).toContain(`removed (added by what is undone): "${keys[9]}"; added at the front (removed by what is undone): "${first}"`);
});
