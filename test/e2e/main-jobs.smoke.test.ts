/** The three main jobs, with the built command, as a client starts it. */
import { expect, test } from 'vitest';
import { answerIn } from '../analytics/support/ask.ts';
import { idsIn, manyVideos } from '../changes/kinds/videos/harness.ts';
import { channelAt, videoKeysOf, writesOf } from '../changes/support/world.ts';
import { recordsIn } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';

test('a channel is reorganised once a person agrees in a form, and put back', async () => {
  const demo = await startService({ channels: 3, videos: 30, views: 0 });
  const channel = channelAt(demo, 0);
  const [a, b, c, added] = videoKeysOf(demo, 4);
  channel.videoKeys = [a, b, c].map(String);
  channel.projectKeys = [];
  const held = { channel: channel.id, videoKeys: channel.videoKeys, projectKeys: [] };
  const { client } = await start({ demo, via: 'process', forms: 'accept' });
  await client.callTool('state_contents', { channels: [held] });
  const before = { name: channel.name, videoKeys: [...channel.videoKeys] };
  const edits = { channel: channel.id, name: 'Renamed', addVideoKeys: [added], removeVideoKeys: [b], firstVideoKeys: [c] };
  const done = await client.callTool('update_channels', { changes: [edits] });
  expect(channel).toMatchObject({ name: 'Renamed', videoKeys: [c, a, added] });
  expect(writesOf(demo)).toHaveLength(1);
  expect(done.data).toMatchObject({ status: 'applied', undo: { possible: 'yes' } });
  expect(client.forms.at(-1)?.message).toContain('"Renamed"');
  const undone = await client.callTool('undo_change', { changeId: done.data?.changeId });
  expect(channel).toMatchObject(before);
  expect(undone.data).toMatchObject({ status: 'applied' });
});

test('a question is answered from the views of the service', async () => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  const at = (day: string, country: string) => ({
    date: `2026-${day}T10:00:00.000+00:00`,
    geo: { ip: '', city: '', country, continent: 'EU' },
  });
  demo.world.addViews([at('10-01', 'DE'), at('10-05', 'DE'), at('10-31', 'FR'), at('09-30', 'IT')]);
  const { client } = await start({ demo, via: 'process' });
  const reply = await client.callTool('query_analytics', { from: '2026-10', groupBy: ['country'], orderBy: '-views' });
  expect(writesOf(demo)).toEqual([]);
  expect(answerIn(reply).rows).toEqual([
    ['DE', 'Germany', 2],
    ['FR', 'France', 1],
  ]);
});

test('of many videos all are moved but the one that the service refuses, and the answer names it', async () => {
  const { demo, ids, poisoned, archive } = await manyVideos(2_500, 1);
  const [bad] = poisoned;
  const { client } = await start({ demo, via: 'process', forms: 'accept' });
  const reply = await client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids });
  expect(new Set(idsIn(demo, archive))).toEqual(new Set(ids.filter((id) => id !== bad)));
  expect(client.forms).toHaveLength(1);
  expect(reply.data).toMatchObject({ status: 'partly_applied', moved: 2_499, failedCount: 1 });
  expect(recordsIn(reply.data, 'failed').map(({ id }) => id)).toEqual([bad]);
});
