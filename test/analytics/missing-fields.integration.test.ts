/** What a view does not tell is counted as nothing, and the answer says of how many views. */
import { expect, test } from 'vitest';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

test('an answer says how many views do not have a field that it counts', async () => {
  const demo = await startService({ views: 0 });
  const known = { started: true, ended: true, watchTime: 5, videoKey: 'video' };
  for (let n = 0; n < 10; n += 1)
    demo.world.addRawView({ id: `v${n}`, date: `2026-03-10T10:00:0${n}Z`, viewerId: n < 2 ? '' : `viewer-${n}`, ...(n < 4 ? {} : known) });
  demo.world.addRawView({ id: 'before', date: '2026-03-09T10:00:00Z', viewerId: 'viewer', ended: true, watchTime: 5 });
  const { client } = await start({ demo });
  const args = {
    from: '2026-03-10',
    to: '2026-03-10',
    metrics: ['views', 'unique_viewers', 'unique_videos', 'completion_rate', 'avg_watch_time'],
  };
  const reply = await client.callTool('query_analytics', { ...args, groupBy: ['video', 'weekday'], compareTo: 'previous_period' });
  expect(answerIn(reply).totals).toMatchObject({ views: 10, unique_viewers: 8, completion_rate: 1, views_before: 1 });
  expect(reply.data?.notes).toEqual(
    expect.arrayContaining([
      '4 of 10 views don’t say whether playback started, and count as not played.',
      '4 of 10 views don’t say whether playback ended, and count as not completed.',
      '4 of 10 views have no watch time, and count as 0.',
      '2 of 10 views name no viewer, and count for none.',
      '4 of 10 views name no video, and count for none.',
      '1 of 1 views of the time before don’t say whether playback started, and count as not played.',
    ]),
  );
  const views = await client.callTool('query_analytics', { ...args, metrics: ['views'] });
  expect(views.text).not.toMatch(/don’t say|name no|no watch time/);
  const why = await client.callTool('explain_change', { from: '2026-03-10', to: '2026-03-10', metric: 'unique_viewers' });
  expect(why.text).toContain('2 of 10 views name no viewer, and count for none.');
});

test('a filter on what a view may not tell says how many views are left out for that, now and before', async () => {
  const demo = await startService({ views: 0 });
  const flags = [{ muted: true, started: true }, { muted: false, started: true }, { started: false }, { muted: false }, {}];
  for (const [n, known] of flags.entries())
    demo.world.addRawView({ id: `v${n}`, date: `2026-03-10T10:00:0${n}Z`, viewerId: 'v', ...known });
  demo.world.addRawView({ id: 'before', date: '2026-03-09T10:00:00Z', viewerId: 'v', started: true });
  const { client } = await start({ demo });
  const ask = async (args: Record<string, unknown>, tool = 'query_analytics') => {
    const reply = await client.callTool(tool, { from: '2026-03-10', to: '2026-03-10', ...args });
    return { views: reply.data?.totals, notes: String(reply.text) };
  };
  const unmuted = await ask({ muted: false });
  expect(unmuted.views).toEqual({ views: 2 });
  expect(unmuted.notes).toContain('Not counted, as they don’t say whether they were muted: 2 views.');
  const both = await ask({ muted: false, started: true, compareTo: 'previous_period' });
  expect(both.views).toMatchObject({ views: 1, views_before: 0 });
  expect(both.notes).toContain('Not counted, as they don’t say whether playback started: 1 view and 0 of the time before.');
  expect(both.notes).toContain('Not counted, as they don’t say whether they were muted: 0 views and 1 of the time before.');
  expect((await ask({ started: true }, 'explain_change')).notes).toContain('whether playback started: 2 views and 0 of the time before.');
  for (const args of [{}, { started: true, muted: true }, { ended: true, muted: true, started: true }])
    expect((await ask(args)).notes).not.toContain('whether they were muted: 0 views.');
});
