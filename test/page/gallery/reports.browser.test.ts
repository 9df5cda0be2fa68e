/** Reports. */

import { test } from 'vitest';
import { startService } from '../../harness/service.ts';
import { desk } from './desk.ts';
import { useGallery } from './gallery.ts';

const gallery = useGallery();

test('reports', async () => {
  const demo = await startService({ channels: 6, projects: 3, views: 6_000 });
  const { call, view } = await desk(gallery, { demo });
  await view('reports', '151-reports-none', 'no question was asked yet');
  const report = async (args: Record<string, unknown>) => {
    const { data, text } = await call('query_analytics', args);
    const { report: named } = { report: data?.report };
    if (named === undefined) throw new Error(text);
    return (
      String((named as { id?: string }).id ?? named)
        .split('/')
        .pop() ?? ''
    );
  };
  const byDay = await report({ from: '2026-10', groupBy: ['day'] });
  await view(`reports/${byDay}`, '152-report-by-day-with-chart', 'query_analytics by day', { reloads: true });
  const total = await report({ from: '2026-10' });
  await view(`reports/${total}`, '153-report-of-one-row', 'query_analytics without groupBy', { reloads: true });
  const wide = await report({
    from: '2026-09',
    to: '2026-10',
    groupBy: ['video', 'country', 'browser'],
    metrics: ['views', 'plays', 'completions', 'play_rate', 'completion_rate', 'watch_time', 'avg_watch_time', 'unique_viewers'],
    compareTo: 'previous_period',
  });
  await view(`reports/${wide}`, '154-report-wide-table', 'three dimensions, eight metrics, compared with the period before', {
    reloads: true,
  });
  const heat = await report({ from: '2026-10', groupBy: ['weekday', 'hour_of_day'] });
  await view(`reports/${heat}`, '155-report-heatmap', 'query_analytics by weekday and hour', { reloads: true });
  const stacked = await report({ from: '2026-08', to: '2026-10', groupBy: ['day', 'embed_domain'], limit: 500 });
  await view(`reports/${stacked}`, '156-report-by-day-and-site', 'query_analytics by day and embed_domain', {
    reloads: true,
  });
  const days = ['2026-05-12', '2026-05-13', '2026-05-14'];
  demo.faults.always({
    match: {
      api: 'stats',
      when: ({ body }) =>
        days.some((day) => {
          const { from = '', to = '' } = body as { from?: string; to?: string };
          return from.slice(0, 10) <= day && to.slice(0, 10) >= day;
        }),
    },
    do: { kind: 'status', code: 500 },
  });
  const gaps = await report({ from: '2026-05', groupBy: ['day'] });
  demo.faults.clear();
  await view(`reports/${gaps}`, '157-report-incomplete-three-days-not-read', 'the service answers 500 to what touches three days', {
    reloads: true,
  });
  await view('reports', '158-reports-some', 'six questions were asked');
});
