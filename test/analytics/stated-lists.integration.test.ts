/** A list that a person states is compared with the views that are stored, and none are read for it. */
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

test('it tells how many videos of views are missing from the list, and how many of it were never seen', async () => {
  const { demo, channel, client, views, state, update, keys } = await account();
  const dated = (videoKey = '') => ({ date: '2026-11-03T10:00:00.000+00:00', videoKey, channelKey: channel.key });
  demo.world.addViews([...keys.slice(0, 4).map(dated), { ...dated(keys[9]), channelKey: channelAt(demo, 1).key }]);
  const before = await state(keys.slice(0, 6));
  expect(views()).toBe(0);
  expect(before.text).toContain('Your list was not checked against views: none are stored on this machine yet.');
  await client.callTool('query_analytics', { from: '2026-11-01', to: '2026-11-10' });
  const read = views();
  const all = await state(keys.slice(0, 6));
  expect(all.text).toContain('Every video seen in views of');
  expect(all.text).toContain('since 2026-11-03 is in your list; 2 of yours were never seen.');
  for (const reply of [
    await state(keys.slice(2, 6)),
    await update({ currentVideoKeys: keys.slice(2, 6) }),
    await update({ setVideoKeys: keys.slice(2, 6) }),
  ])
    expect(reply.text).toMatch(
      /2 videos seen in views of this channel since 2026-11-03 are not in your list \("[\w-]+", "[\w-]+"\); 2 of yours were never seen\./,
    );
  const other = await client.callTool('state_contents', { channels: [{ channel: channelAt(demo, 2).id, videoKeys: keys.slice(0, 2) }] });
  expect(other.text).toMatch(/No views of .* are stored \(since 2026-11-03\): nothing to compare with/);
  expect(views()).toBe(read);
});
