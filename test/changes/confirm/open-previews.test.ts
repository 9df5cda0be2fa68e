/** A preview that waits for its token can be read whole, and withdrawn. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { agreementIn } from '../support/confirm.ts';
import { writesOf } from '../support/world.ts';

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
  return { demo, client, asked, changeId: String(asked.data?.changeId) };
}

test('what an answer had no room for is on the pages of get_change, with where new videos stand', async () => {
  const { client, asked, changeId } = await longPreview();
  const lines: string[] = [];
  expect(asked.text).not.toContain('left out');
  let shown = PreviewSchema.parse(asked.data?.preview);
  for (let page = 2; shown.more !== undefined; page += 1) {
    lines.push(...shown.lines);
    expect(shown.more).toContain(`get_change with page ${page}`);
    const { data } = await client.callTool('get_change', { changeId, page });
    expect(data).toMatchObject({ status: 'confirmation_required', preview: { summary: agreementIn(asked).summary } });
    shown = PreviewSchema.parse(data?.preview);
  }
  lines.push(...shown.lines);
  expect(lines.filter((line) => /added at the front|videos 0 → 1: added/.test(line))).toHaveLength(50);
});

test('stop_change withdraws it, and its token counts no more', async () => {
  const { demo, client, asked, changeId } = await longPreview();
  expect((await client.callTool('stop_change', { changeId })).data).toMatchObject({ status: 'withdrawn' });
  const confirmed = await client.callTool('confirm_change', agreementIn(asked));
  expect(confirmed.isError).toBe(true);
  expect(writesOf(demo)).toEqual([]);
});
