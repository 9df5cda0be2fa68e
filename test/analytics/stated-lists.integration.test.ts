/** A stated list of videos is compared with the stored views, or else with the latest views. */
import { expect, test } from 'vitest';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import type { Values } from '../harness/client.ts';
import { pathsOf, startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

async function account() {
  const demo = await startService({ views: 0, channels: 3, projects: 2, videos: 30, now: '2026-11-20T00:00:00.000Z' });
  const channel = channelAt(demo, 0);
  channel.videoKeys = videoKeysOf(demo, 6);
  const { client } = await start({ demo });
  const views = () => pathsOf(demo).filter((path) => path.includes('/v1/logs/data')).length;
  const state = (videoKeys: readonly string[]) => client.callTool('state_contents', { channels: [{ channel: channel.id, videoKeys }] });
  const update = (change: Values) => client.callTool('update_channels', { changes: [{ channel: channel.id, name: 'New', ...change }] });
  return { demo, channel, client, views, state, update, keys: videoKeysOf(demo, 30) };
}

test('a reply counts the viewed videos that a stated list lacks, and the listed videos without views', async () => {
  const { demo, channel, client, views, state, update, keys } = await account();
  const dated = (videoKey = '') => ({ date: '2026-11-03T10:00:00.000+00:00', videoKey, channelKey: channel.key });
  demo.world.addViews([...keys.slice(0, 4).map(dated), { ...dated(keys[9]), channelKey: channelAt(demo, 1).key }]);
  const before = await state(keys.slice(0, 6));
  expect(views()).toBe(1);
  expect(before.text).toMatch(
    /Every video seen in 4 views of .* since \d{4}-\d\d-\d\d is in the given list; 2 of the videos in that list were never seen there \(.*\)\./,
  );
  const fewer = await update({ setVideoKeys: keys.slice(3, 6) });
  expect(fewer.text).toMatch(
    /4 views of it since \d{4}-\d\d-\d\d show 3 videos that the list leaves out: they would be removed from the channel \(.*\); 2 of the videos in that list were never seen there \(.*\)\./,
  );
  await client.callTool('query_analytics', { from: '2026-11-01', to: '2026-11-10' });
  const read = views();
  const all = await state(keys.slice(0, 6));
  expect(all.text).toContain('Every video seen in views of');
  expect(all.text).toMatch(
    /since 2026-11-03 is in the given list; 2 of the videos in that list were never seen there \("[\w-]+", "[\w-]+"\)\./,
  );
  expect(views()).toBe(read);
  const some = keys.slice(2, 6);
  for (const reply of [await state(some), await update({ currentVideoKeys: some }), await update({ setVideoKeys: some })])
    expect(reply.text).toMatch(
      /views of it since 2026-11-03 show 2 videos that the list leaves out(?:: they would be removed from the channel)? \("[\w-]+", last seen 2026-11-03; "[\w-]+", last seen 2026-11-03\); 2 of the videos in that list were never seen there \(.*\)\./,
    );
  const other = await client.callTool('state_contents', { channels: [{ channel: channelAt(demo, 2).id, videoKeys: keys.slice(0, 2) }] });
  expect(other.text).toMatch(/not checked against views: none were found\./);
  expect(views()).toBe(read + 1);
});

test('of several lists, each video that was never seen is named once, with the channels whose lists have it', async () => {
  const { demo, client, keys } = await account();
  const [first, second] = [channelAt(demo, 0), channelAt(demo, 1)];
  const seen = (videoKey = '', channelKey = '') => ({ date: '2026-11-03T10:00:00.000+00:00', videoKey, channelKey });
  demo.world.addViews([seen(keys[0], first.key), seen(keys[1], second.key)]);
  await client.callTool('query_analytics', { from: '2026-11-01', to: '2026-11-10' });
  const state = (own: readonly string[], others: readonly string[]) =>
    client.callTool('state_contents', {
      channels: [
        { channel: first.id, videoKeys: own },
        { channel: second.id, videoKeys: others },
      ],
    });
  const [a = '', b = '', c = '', d = ''] = keys;
  const [one, other] = [first.name, second.name].map((name) => JSON.stringify(name));
  expect((await state([a, c], [b, c])).text).toContain(
    `; 1 of the videos in those lists was never seen there ("${c}" in ${one}, ${other}).`,
  );
  expect((await state([a, c], [b, c, d])).text).toContain(
    `; 2 of the videos in those lists were never seen there ("${c}" in ${one}, ${other}; "${d}" in ${other}).`,
  );
});

test('no views are read without VIDEO_HOSTING_STATS_URL', async () => {
  const demo = await startService({ views: 100, channels: 4, projects: 1, videos: 30, now: '2026-11-20T00:00:00.000Z' });
  const all = [0, 1, 2, 3].map((index) => ({ channel: channelAt(demo, index).id, videoKeys: videoKeysOf(demo, 2) }));
  const without = await start({ demo, env: { VIDEO_HOSTING_STATS_URL: undefined } });
  const one = await without.client.callTool('state_contents', { channels: all.slice(0, 1) });
  const many = await without.client.callTool('state_contents', { channels: all });
  expect(pathsOf(demo).filter((path) => path.includes('/logs/data'))).toEqual([]);
  expect(one.text).toContain('The given list was not checked against views: this server has no analytics API.');
  expect(many.text).toContain('The given lists were not checked against views: this server has no analytics API.');
});
