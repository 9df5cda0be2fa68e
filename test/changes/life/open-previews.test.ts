/** A preview that waits for its token can be read whole, and withdrawn. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { manyVideos } from '../kinds/videos/harness.ts';
import { agreementIn, changeIdIn, confirmPreview } from '../support/confirm.ts';

const PreviewSchema = z.looseObject({ lines: z.array(z.string()), more: z.string().optional() });

async function longPreview() {
  const demo = await startService({ channels: 50, views: 0 });
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  const held = new Set([...demo.world.channels.values()].flatMap(({ videoKeys }) => videoKeys));
  const fresh = [...demo.world.videosByKey.keys()].filter((key) => !held.has(key)).slice(0, 1);
  const changes = [...demo.world.channels.values()].map(({ id, videoKeys, projectKeys }, at) => ({
    ...{ channel: id, name: `Channel ${at}`, currentVideoKeys: videoKeys, currentProjectKeys: projectKeys },
    ...{ addVideoKeys: fresh, firstVideoKeys: fresh },
  }));
  const asked = await client.callTool('update_channels', { changes: changes.slice(0, 50) });
  return { demo, client, asked, fresh, changeId: String(asked.data?.changeId) };
}

test('fifty stated channels are whole in the answer, in numbers, and their keys on the pages of get_change', async () => {
  const { client, asked, changeId, fresh } = await longPreview();
  const lines: string[] = [];
  const brief = PreviewSchema.parse(asked.data?.preview);
  expect(brief.more).toBeUndefined();
  expect(brief.lines).toHaveLength(51);
  expect(brief.lines[0]).toMatch(/^The lists as stated replace what is there, whole and in order/);
  expect(
    brief.lines.filter((line) => line.includes(`: "${fresh[0]}"`) && /\(videos \d+ → \d+.*\): name .*→ "Channel \d+"/.test(line)),
  ).toHaveLength(50);
  let shown: z.output<typeof PreviewSchema> = { lines: [], more: 'get_change with page 1' };
  for (let page = 1; shown.more !== undefined; page += 1) {
    lines.push(...shown.lines);
    expect(shown.more).toContain(`get_change with page ${page}`);
    const { data } = await client.callTool('get_change', { changeId, page });
    expect(data).toMatchObject({ status: 'confirmation_required', preview: { summary: agreementIn(asked).summary } });
    shown = PreviewSchema.parse(data?.preview);
  }
  lines.push(...shown.lines);
  expect(lines.filter((line) => /added at the front|videos 0 → 1: added/.test(line))).toHaveLength(50);
});

test('of a change that is to be carried on, its resource has the preview, as get_change does', async () => {
  const { demo, ids, archive } = await manyVideos(3);
  const { client } = await start({ demo, env: { VIDEO_HOSTING_CONFIRM: 'token' } });
  demo.world.poisonedVideoIds.add(ids[0] ?? '');
  const moved = await confirmPreview(client, await client.callTool('move_videos', { targetProject: archive, videoIds: ids }));
  const changeId = changeIdIn(moved);
  expect(moved.data).toMatchObject({ status: 'partly_applied' });
  demo.world.poisonedVideoIds.clear();
  const asked = changeIdIn(await client.callTool('resume_change', { changeId, retryFailed: true }));
  const preview = { status: 'confirmation_required', changeId: asked };
  expect((await client.callTool('get_change', { changeId: asked })).data).toMatchObject(preview);
  expect(JSON.parse(await client.readResource(`video-hosting://changes/${asked}`))).toMatchObject({ ...preview, ids: [ids[0]] });
});
