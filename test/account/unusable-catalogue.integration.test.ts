/** A catalogue that can't be used stops what needs titles, and nothing else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn, manyVideos } from '../changes/kinds/videos/harness.ts';
import { agree } from '../changes/support/confirm.ts';
import { channelAt, videoKeysOf } from '../changes/support/world.ts';
import { freshHome, start } from '../harness/start.ts';

async function withBrokenCatalogue() {
  const home = freshHome();
  const file = join(home, 'videos.csv');
  writeFileSync(file, 'Kennung,Titel\na,b\n');
  const { client, demo } = await start({ env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file, VIDEO_HOSTING_CONFIRM: 'token' } });
  return { client, demo };
}

test('ids and keys are taken as they stand, and the preview says why', async () => {
  const { client, demo } = await withBrokenCatalogue();
  const [from, to] = [...demo.world.projects.values()];
  const [video] = demo.world.videos.values();
  const moved = await agree(client, 'move_videos', { targetProject: to?.id, fromProject: from?.id, videoIds: [video?.id] });
  expect(moved.data).toMatchObject({ status: 'applied', moved: 1 });
  const channel = channelAt(demo, 0);
  const setVideoKeys = videoKeysOf(demo, 2);
  const preview = await client.callTool('update_channels', { changes: [{ channel: channel.id, setVideoKeys }] });
  expect(preview.text).toMatch(/The video catalogue ".*videos.csv" can’t be used.*So ids and keys are taken as they stand/);
  await agree(client, 'update_channels', { changes: [{ channel: channel.id, setVideoKeys }] });
  expect(demo.world.channels.get(channel.id)?.videoKeys).toEqual(setVideoKeys);
});

test('numbers by video and collected emails by video are answered without titles', async () => {
  const { client, demo } = await withBrokenCatalogue();
  const views = await client.callTool('query_analytics', {
    from: '2026-10-01',
    to: '2026-10-07',
    groupBy: ['video'],
    videoKeys: [...demo.world.videosByKey.keys()].slice(0, 3),
  });
  expect(views.isError).toBe(false);
  const titles = await client.callTool('query_analytics', { from: '2026-10-01', to: '2026-10-07', groupBy: ['video'] });
  expect(titles.text).toContain('Titles of videos are missing. The video catalogue');
  const sql = await client.callTool('run_analytics_sql', { from: '2026-10-01', to: '2026-10-07', sql: 'SELECT count(*) FROM videos' });
  expect(sql.text).toContain('videos is EMPTY. The video catalogue');
  for (const args of [{ groupBy: 'video' }, { videoKey: [...demo.world.videosByKey.keys()][0] }])
    expect((await client.callTool('get_collected_emails', args)).isError).toBe(false);
});

test('what needs a title is refused, with what is wrong with the catalogue', async () => {
  const { client, demo } = await withBrokenCatalogue();
  const [, to] = [...demo.world.projects.values()];
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['move_videos', { targetProject: to?.id, videoIds: ['A title of a video'] }],
    ['update_channels', { changes: [{ channel: channelAt(demo, 0).id, setVideoKeys: ['A title of a video'] }] }],
    ['query_analytics', { from: '7d', videoKeys: ['A title of a video'] }],
  ];
  for (const [tool, args] of calls) {
    const reply = await client.callTool(tool, args);
    expect(reply.isError, tool).toBe(true);
    expect(reply.text).toContain('names no column id or key');
    expect(reply.text).toContain('Correct the file that VIDEO_HOSTING_VIDEO_CATALOGUE names, or unset it.');
  }
});

test('check_setup says how many rows were set aside, and which', async () => {
  const home = freshHome();
  const file = join(home, 'videos.csv');
  writeFileSync(file, 'id,key,title\nb1,K1,One\n,,\nb2,K2\n');
  const { client } = await start({ env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file } });
  expect((await client.callTool('check_setup')).text).toContain('1 video. 1 row can’t be used (line 4 has 2 columns; the header has 3).');
});

test('a title tells no video from another where a row that can’t be used may have it too', async () => {
  const home = freshHome();
  const { demo, ids, archive } = await manyVideos(4);
  const rows = ids.map(
    (id, at) => `${id},${demo.world.videos.get(id)?.key},${at < 2 ? 'Intro' : `Part ${at}`}${at === 1 ? ',4K,2024' : ''}`,
  );
  const file = join(home, 'videos.csv');
  writeFileSync(file, ['id,key,title', ...rows].join('\n'));
  const { client } = await start({ demo, env: { VIDEO_HOSTING_VIDEO_CATALOGUE: file, VIDEO_HOSTING_CONFIRM: 'never' } });
  const both = await client.callTool('move_videos', { targetProject: archive, videoIds: ['Intro'] });
  expect(idsIn(demo, archive)).toEqual([]);
  expect(both.text).toContain('a row of the catalogue that can’t be used may have the title "Intro" too.');
  expect(both.text).toContain('line 3 has 5 columns');
  await client.callTool('move_videos', { targetProject: archive, videoIds: ['Part 2'] });
  expect(idsIn(demo, archive)).toEqual([ids[2]]);
});
