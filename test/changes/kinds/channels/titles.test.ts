/** Videos that are named by titles of the catalogue, where several have one title. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Values } from '../../../harness/client.ts';
import { startService } from '../../../harness/service.ts';
import { freshHome, start } from '../../../harness/start.ts';
import { channelAt, writesOf } from '../../support/world.ts';

/** A channel that holds one of two videos called Intro, and one that others are not called like. */
async function withTwins() {
  const demo = await startService({ channels: 3, videos: 30 });
  const home = freshHome();
  const [old = '', fresh = '', other = '', third = ''] = [...demo.world.videos.values()].map(({ key }) => key);
  const channel = channelAt(demo, 0);
  Object.assign(channel, { videoKeys: [old, other], projectKeys: [] });
  const catalogue = join(home, 'videos.json');
  const titled = [...demo.world.videos.values()].map(({ id, key, title }) => ({
    id,
    key,
    title: [old, fresh].includes(key) ? 'Intro' : title,
  }));
  writeFileSync(catalogue, JSON.stringify(titled));
  const { client } = await start({ demo, home, env: { VIDEO_HOSTING_CONFIRM: 'never', VIDEO_HOSTING_VIDEO_CATALOGUE: catalogue } });
  const update = (change: Values, at = 0) => {
    const { id, videoKeys } = channelAt(demo, at);
    return client.callTool('update_channels', {
      changes: [{ channel: id, ...change, currentVideoKeys: [...videoKeys], currentProjectKeys: [] }],
    });
  };
  return { demo, client, channel, update, old, fresh, other, third };
}

const AMBIGUOUS = '2 videos of the catalogue have the title "Intro"';

test('a video that is added by its title is the one that the channel does not hold, alone or beside others', async () => {
  const { channel, update, old, fresh, other, third } = await withTwins();
  await update({ addVideoKeys: ['Intro', third] });
  expect(channel.videoKeys).toEqual([old, other, fresh, third]);
  // By now it holds both, and none is left to be added.
  expect((await update({ addVideoKeys: ['Intro'] })).text).toContain(AMBIGUOUS);
});

test('a title of two videos that the channel both lacks can’t be added', async () => {
  const { demo, update, third } = await withTwins();
  Object.assign(channelAt(demo, 1), { videoKeys: [third], projectKeys: [] });
  expect((await update({ addVideoKeys: ['Intro'] }, 1)).text).toContain(AMBIGUOUS);
  expect(writesOf(demo)).toEqual([]);
});

test.each([
  ['removed', { removeVideoKeys: ['Intro'] }, ['other']],
  ['put last', { lastVideoKeys: ['Intro'] }, ['other', 'old']],
] as const)('a video that is %s by its title is the one that the channel holds', async (_what, change, expected) => {
  const { channel, update, ...keys } = await withTwins();
  await update(change);
  expect(channel.videoKeys).toEqual(expected.map((name) => keys[name]));
});

test('a list that is set, and that of a new channel, takes neither of two videos for the other', async () => {
  const { demo, client, update } = await withTwins();
  const set = await update({ setVideoKeys: ['Intro'] });
  const created = await client.callTool('create_channels', { channels: [{ name: 'New', videoKeys: ['Intro'] }] });
  expect(writesOf(demo)).toEqual([]);
  for (const reply of [set, created]) expect(reply.text).toContain(AMBIGUOUS);
});
