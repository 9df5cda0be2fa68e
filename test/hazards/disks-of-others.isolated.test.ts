/** Views and changes are stored as usual on a disk without hard links and permissions (see harness/other-disk.ts). */
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createJournal } from '../../src/changes/journal/journal.ts';
import { answerIn } from '../analytics/support/ask.ts';
import { idsIn, MOVE, manyVideos, outcomesOf, requestsOf, UNASKED } from '../changes/kinds/videos/harness.ts';
import { copyIntent } from '../changes/support/intents.ts';
import { recordsIn } from '../harness/client.ts';
import type { Refused } from '../harness/other-disk.ts';
import { startService } from '../harness/service.ts';
import { freshHome, start } from '../harness/start.ts';

const refused: Refused = vi.hoisted(() => ({ reads: 0, links: 0, flushes: 0, removals: 0 }));

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const { elsewhere } = await import('../harness/other-disk.ts');
  return { ...real, ...elsewhere(real, refused) };
});

// On Windows a folder can't be flushed.
vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');

test('views are stored and counted, and a second server reads them from storage', async () => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  for (let hour = 0; hour < 20; hour += 1) demo.world.addView({ date: `2026-10-03T${String(hour).padStart(2, '0')}:00:00.000+00:00` });
  const home = freshHome();
  const asked = { from: '2026-10-01', to: '2026-10-05', timezone: 'UTC' };
  const { client, log } = await start({ demo, home });
  const first = await client.callTool('query_analytics', asked);
  expect(answerIn(first).rows).toEqual([[20]]);
  expect(first.data).toMatchObject({ coverage: { complete: true } });
  const read = demo.requests.length;
  const second = await start({ demo, home });
  expect(answerIn(await second.client.callTool('query_analytics', asked)).rows).toEqual([[20]]);
  expect(demo.requests.length).toBe(read);
  expect(log()).toBe('');
  expect(refused.links).toBeGreaterThan(0);
  expect(refused.removals).toBeGreaterThan(0);
  expect(refused.reads).toBeGreaterThan(0);
});

test('an interrupted move can be resumed, and moves all videos except those that fail', async () => {
  const { demo, ids, archive, poisoned } = await manyVideos(2_500, 3);
  const home = freshHome();
  const options = { demo, home, env: UNASKED } as const;
  const first = await start(options);
  demo.faults.always({ match: MOVE, do: { kind: 'hang' } });
  first.client.callTool('move_videos', { targetProject: 'Archive', videoIds: ids }).catch(() => undefined);
  await vi.waitFor(() => expect(requestsOf(demo, MOVE).length).toBeGreaterThan(0), { timeout: 300_000 });
  await first.stop();
  demo.faults.clear();

  const second = await start(options);
  // The first server runs in this process too, and may still be ending.
  const change = await vi.waitFor(
    async () => {
      const [latest] = recordsIn((await second.client.callTool('list_changes')).data, 'changes');
      expect(latest?.status).not.toBe('running');
      return latest;
    },
    { timeout: 300_000 },
  );
  const changeId = String(change?.changeId);
  const { data } = await second.client.callTool('resume_change', { changeId });
  expect(new Set(idsIn(demo, archive)), JSON.stringify(data)).toEqual(new Set(ids.filter((id) => !poisoned.has(id))));
  expect(data).toMatchObject({ status: 'partly_applied' });
  expect(new Set(outcomesOf(data).failed)).toEqual(poisoned);
  expect(refused.links).toBeGreaterThan(0);
});

/** A stopped change, whose files were last written ten minutes ago. */
async function stopped() {
  const folder = freshHome();
  const journal = createJournal(folder);
  const changeId = await journal.newChangeId();
  const writer = await journal.begin(copyIntent(changeId), ['b1', 'b2']);
  await writer.end('stopped', {});
  const silence = () => {
    const long = new Date(Date.now() - 10 * 60_000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), long, long);
  };
  silence();
  return { folder, changeId, resume: () => createJournal(folder).resume(changeId), silence };
}

test('only one of 20 concurrent attempts to resume a change succeeds', async () => {
  const { resume } = await stopped();
  const before = refused.links;
  const got = (await Promise.all(Array.from({ length: 20 }, resume))).filter((resumed) => resumed !== undefined);
  expect(got).toHaveLength(1);
  expect(refused.links).toBeGreaterThan(before);
  expect(await resume()).toBeUndefined();
  await got[0]?.writer.end('stopped', {});
});

test('a half-written claim file blocks a resume only while it is new', async () => {
  const { folder, changeId, resume, silence } = await stopped();
  writeFileSync(join(folder, `${changeId}.epoch1`), '{"pid":1');
  expect(await resume()).toBeUndefined();
  silence();
  const resumed = await resume();
  expect(readdirSync(folder)).toContain(`${changeId}.epoch2`);
  await resumed?.writer.end('stopped', {});
});

test('what was kept for a key alone is moved to its account, what is decided there stays decided, and what can’t be removed waits nowhere else', async () => {
  const RENEWED = 'sk_renewed-0001';
  const { demo, ids, archive, elsewhere } = await manyVideos(10);
  const home = freshHome();
  const channels = [...demo.world.channels.values()];
  demo.world.channels.clear();
  demo.keys.set(RENEWED, { world: demo.world });
  const renewed = { VIDEO_HOSTING_API_KEY: RENEWED };
  const WAIT = { VIDEO_HOSTING_CONFIRM: 'wait', VIDEO_HOSTING_AGENT: 'nightly' };
  const move = ({ client }: Awaited<ReturnType<typeof start>>, from: number) =>
    client.callTool('move_videos', { videoIds: ids.slice(from, from + 2), targetProject: archive, fromProject: elsewhere });
  for (const [env, from] of [
    [{}, 0],
    [renewed, 2],
  ] as const) {
    const session = await start({ demo, home, env: { ...env, ...UNASKED } });
    expect((await move(session, from)).data?.status).toBe('applied');
    await session.stop();
  }
  const agent = await start({ demo, home, env: { ...renewed, ...WAIT } });
  const changeId = String((await move(agent, 4)).data?.changeId);
  await agent.stop();
  for (const channel of channels) demo.world.channels.set(channel.id, channel);
  const first = await start({ demo, home });
  await first.client.callTool('list_changes');
  const links = refused.links;
  const second = await start({ demo, home, env: renewed });
  for (const { client } of [second, first])
    expect(recordsIn((await client.callTool('list_changes')).data, 'changes').map(({ status }) => status)).toEqual([
      'waiting',
      'applied',
      'applied',
    ]);
  expect(refused.links).toBeGreaterThan(links);
  const later = await start({ demo, home, env: WAIT });
  expect((await later.client.callTool('stop_change', { changeId })).data?.status).toBe('withdrawn');
  // The next start finds the file that could not be removed.
  const third = await start({ demo, home, env: renewed });
  expect(recordsIn((await third.client.callTool('list_changes', { status: 'waiting' })).data, 'changes')).toEqual([]);
});
