/** A server that is killed when all is done and only the end of the record is missing: the change is what it became, for everybody who looks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordsIn, type TestClient, type Values } from '../../harness/client.ts';
import { runInProcess } from '../../harness/run-command.ts';
import { type DemoService, settingsFor, startService } from '../../harness/service.ts';
import { freshHome, start } from '../../harness/start.ts';
import { idsIn, manyVideos, UNASKED } from '../kinds/videos/harness.ts';
import { changeIdIn } from '../support/confirm.ts';
import { changeFiles } from '../support/journal-files.ts';
import { channelAt, videoKeysOf, writesOf } from '../support/world.ts';

type Act = (client: TestClient, demo: DemoService) => Promise<unknown>;

const move = (client: TestClient, demo: DemoService, videos: number) =>
  client.callTool('move_videos', {
    videoIds: [...demo.world.videos.keys()].slice(0, videos),
    targetProject: demo.world.projectNamed('Archive').id,
    fromProject: demo.world.projectNamed('Marketing').id,
  });

const rename = (client: TestClient, demo: DemoService, channels: number) =>
  client.callTool('update_channels', {
    changes: Array.from({ length: channels }, (_, at) => ({
      ...{ channel: channelAt(demo, at).id, name: `Renamed ${at}`, setVideoKeys: videoKeysOf(demo, 2) },
      ...{ currentVideoKeys: channelAt(demo, at).videoKeys, currentProjectKeys: channelAt(demo, at).projectKeys },
    })),
  });

/** Of each kind, by what it is done with. */
const ACTS: Readonly<Record<string, Act>> = {
  'a move of three batches': (client, demo) => move(client, demo, 2_100),
  'a copy to several videos': async (client, { world }) => {
    const [sourceVideoId, ...targetVideoIds] = [...world.videos.keys()].slice(0, 30);
    return client.callTool('copy_cta', { sourceVideoId, targetVideoIds });
  },
  'a change of one channel': (client, demo) => rename(client, demo, 1),
  'a change of several channels': (client, demo) => rename(client, demo, 3),
  'several new channels': (client, demo) =>
    client.callTool('create_channels', {
      channels: ['One', 'Two'].map((name) => ({ name, videoKeys: videoKeysOf(demo, 2) })),
    }),
  'a new project': (client) => client.callTool('create_project', { name: 'Brand new', region: 'use-s' }),
  'a statement': (client, demo) =>
    client.callTool('state_contents', { channels: [{ channel: channelAt(demo, 1).id, videoKeys: videoKeysOf(demo, 2) }] }),
  'an undo of a move': async (client, demo) => client.callTool('undo_change', { changeId: changeIdIn(await move(client, demo, 30)) }),
  'an undo of a change of channels': async (client, demo) =>
    client.callTool('undo_change', { changeId: changeIdIn(await rename(client, demo, 2)) }),
};

/** Removes the end from the record of the newest change, as a kill before it would, and anything of the next line that had begun. */
function cutOff(dataDir: string, torn = ''): string {
  const file = changeFiles(dataDir).at(-1) ?? '';
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'end' });
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n${torn}`);
  return file;
}

const newest = async (client: TestClient): Promise<Values> => recordsIn((await client.callTool('list_changes')).data, 'changes')[0] ?? {};

test.each(Object.entries(ACTS).flatMap(([name, act]) => [[name, '', act] as const, [name, '{"type":"end","ep', act] as const]))(
  '%s that was done when its server was killed (%j) is applied: nothing is left to be carried on, and it is undone like any other',
  async (_, torn, act) => {
    const { demo } = await manyVideos(2_100);
    const home = freshHome();
    const first = await start({ demo, home, env: UNASKED });
    await act(first.client, demo);
    const ended = await newest(first.client);
    expect(ended.status).toBe('applied');
    await first.stop();
    cutOff(first.dataDir, torn);
    const written = writesOf(demo).length;
    const { client } = await start({ demo, home, env: UNASKED });
    expect(await newest(client)).toEqual(ended);
    expect((await client.callTool('list_changes', { status: 'interrupted' })).data?.changes).toEqual([]);
    const { data, text } = await client.callTool('get_change', { changeId: ended.changeId });
    expect([data?.status, text.includes('ended in the middle')]).toEqual(['applied', false]);
    const resumed = await client.callTool('resume_change', { changeId: ended.changeId });
    expect(resumed.data).toMatchObject({ error: { code: 'not_resumable' } });
    expect(writesOf(demo)).toHaveLength(written);
    const { stdout } = await runInProcess(['audit', '--json'], { ...settingsFor(demo), HOME: home, VIDEO_HOSTING_DATA_DIR: first.dataDir });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Values),
    ).toContainEqual(expect.objectContaining({ change: ended.changeId, status: 'applied' }));
    if ((ended as { undo?: string }).undo === 'yes')
      expect((await client.callTool('undo_change', { changeId: ended.changeId })).data?.status).toBe('applied');
  },
);

test('of one whose ids are all known, some as failed, it is told what was done, and the failed ones can be sent again', async () => {
  const { demo, archive, poisoned } = await manyVideos(40, 3);
  const home = freshHome();
  const first = await start({ demo, home, env: UNASKED });
  const { data: ended } = await move(first.client, demo, 40);
  expect(ended?.status).toBe('partly_applied');
  await first.stop();
  cutOff(first.dataDir);
  const { client } = await start({ demo, home, env: UNASKED });
  const { data } = await client.callTool('get_change', { changeId: ended?.changeId });
  expect(data).toMatchObject({ status: 'partly_applied', moved: 40 - poisoned.size, failedCount: poisoned.size });
  demo.world.poisonedVideoIds.clear();
  const again = await client.callTool('resume_change', { changeId: ended?.changeId, retryFailed: true });
  expect(again.data?.status).toBe('applied');
  expect(idsIn(demo, archive)).toHaveLength(40);
});

test('what was carried on and done by then is applied; what had failed and was perhaps about to be sent again is interrupted', async () => {
  const { demo, archive, poisoned } = await manyVideos(40, 3);
  const home = freshHome();
  const first = await start({ demo, home, env: UNASKED });
  const { data: ended } = await move(first.client, demo, 40);
  await first.client.callTool('resume_change', { changeId: ended?.changeId, retryFailed: true });
  await first.stop();
  cutOff(first.dataDir);
  const second = await start({ demo, home, env: UNASKED });
  expect(await newest(second.client)).toMatchObject({ status: 'interrupted', failed: poisoned.size });
  demo.world.poisonedVideoIds.clear();
  await second.client.callTool('resume_change', { changeId: ended?.changeId, retryFailed: true });
  await second.stop();
  cutOff(first.dataDir);
  const { client } = await start({ demo, home, env: UNASKED });
  expect(await newest(client)).toMatchObject({ status: 'applied', done: 40 });
  expect(idsIn(demo, archive)).toHaveLength(40);
});

test('one of which something was not sent, or is not known, stays interrupted', async () => {
  const demo = await startService({ channels: 3 });
  const home = freshHome();
  const first = await start({ demo, home, env: UNASKED });
  await rename(first.client, demo, 3);
  await first.stop();
  const file = cutOff(first.dataDir);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const outcomes = lines.filter((line) => line.includes('"type":"outcome"'));
  writeFileSync(file, `${lines.filter((line) => line !== outcomes.at(-1)).join('\n')}\n`);
  const { client } = await start({ demo, home, env: UNASKED });
  expect(await newest(client)).toMatchObject({ status: 'interrupted', done: 2, unknown: 1 });
});
