import { expect, test } from 'vitest';
import { startService } from '../../harness/service.ts';
import { start } from '../../harness/start.ts';
import { ask, byDimensions } from '../support/ask.ts';

test.each([
  ['previous_year', 'Europe/Berlin', '2025-03-30T03:15:00.000+02:00', '2026-03-30T03:15:00.000+02:00', '2026-03-30T03:00'],
  // 24,240 hours, compared with as many before.
  ['previous_period', 'UTC', '2023-06-26T07:15:00.000Z', '2026-03-31T07:15:00.000Z', '2026-03-31T07:00'],
])('hours of almost three years are compared with the %s, hour by hour', async (compareTo, timezone, then, now, hour) => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addViews([then, then, now].map((date) => ({ date })));
  const { client } = await start({ demo });
  const answer = await ask(client, { from: '2024-01-01', to: '2026-10-05', groupBy: ['hour'], timezone, compareTo });
  const row = byDimensions(answer, ['hour']).get(JSON.stringify([hour]));
  expect(row).toEqual({ views: 1, views_before: 2, views_change: -1, views_ratio: 0.5 });
});

test('empty ids count as missing in totals, as in rows', async () => {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  const date = '2026-03-01T10:00:00.000+00:00';
  for (const viewerId of ['', '', 'somebody']) for (const videoKey of ['', 'v1']) demo.world.addView({ date, viewerId, videoKey });
  const { client } = await start({ demo });
  const span = { from: '2026-03-01', to: '2026-03-01', metrics: ['views', 'unique_viewers', 'unique_videos'] };
  expect((await ask(client, span)).totals).toEqual({ views: 6, unique_viewers: 1, unique_videos: 1 });
  expect((await ask(client, { ...span, groupBy: ['video'] })).rows).toEqual([
    ['v1', 3, 1, 1],
    [null, 3, 1, 0],
  ]);
});
