/** What an answer makes of its numbers: means per viewer, shares, names and marks beside them. */
import { expect, test } from 'vitest';
import type { Values } from '../harness/client.ts';
import { startService } from '../harness/service.ts';
import { start } from '../harness/start.ts';
import { answerIn } from './support/ask.ts';

/** Asks about views of October 2026, and of other times where they say so. */
async function asking(views: readonly Values[]) {
  const demo = await startService({ views: 0, now: '2026-11-01T00:00:00.000Z' });
  demo.world.addViews(views.map((view) => ({ date: '2026-10-05T10:00:00.000+00:00', ...view })));
  const { client } = await start({ demo });
  return async (args: Values) => {
    const reply = await client.callTool('query_analytics', { from: '2026-10', ...args });
    return { ...answerIn(reply), text: reply.text };
  };
}

test('watch time per viewer counts a viewer of several views once, and says what a viewer is', async () => {
  const ask = await asking([
    { viewerId: 'a', watchTime: 10 },
    { viewerId: 'a', watchTime: 20 },
    { viewerId: 'b', watchTime: 15 },
  ]);
  const { columns, rows, text } = await ask({ metrics: ['watch_time_per_viewer'], groupBy: ['month'] });
  expect(columns[1]).toEqual({ name: 'watch_time_per_viewer', type: 'number' });
  // The first record is of the fifth.
  expect(rows).toEqual([['2026-10', 22.5, '27 of 31 days']]);
  expect(text).toContain('A viewer is a viewerId of the service');
  expect(text).toContain('watch_time: unit not documented.');
});

test('share is each row’s part of the total of the first count, also of rows that are not shown, now and before', async () => {
  const at = (day: string, country: string, count: number) =>
    Array.from({ length: count }, () => ({ date: `2026-${day}T10:00:00.000+00:00`, geo: { ip: '', city: '', country, continent: 'EU' } }));
  const ask = await asking([...at('10-05', 'DE', 5), ...at('10-06', 'FR', 2), ...at('10-07', 'IT', 1), ...at('09-05', 'FR', 4)]);
  const metrics = ['unique_viewers', 'views', 'share'];
  const { columns, rows, totals } = await ask({ metrics, groupBy: ['country'], orderBy: '-views_share', limit: 2 });
  const place = columns.findIndex(({ name }) => name === 'views_share');
  expect(rows.map((row) => [row[0], row[place]])).toEqual([
    ['DE', 0.625],
    ['FR', 0.25],
  ]);
  expect(totals.views_share).toBe(1);
  const then = await ask({ metrics, groupBy: ['country'], countries: ['!IT'], compareTo: 'previous_period', orderBy: 'country' });
  expect(then.columns.slice(-2).map(({ name }) => name)).toEqual(['views_share', 'views_share_before']);
  expect(then.rows.map((row) => row.slice(-2))).toEqual([
    [0.714286, 0],
    [0.285714, 1],
  ]);
  await expect(ask({ metrics: ['play_rate', 'share'] })).rejects.toThrow('metrics: share is a part of a total');
  await expect(ask({ groupBy: ['country'], orderBy: '-views_share' })).rejects.toThrow('Ask for share in metrics too.');
});

test('countries have names beside their codes, and what names none is (none), unlike a stranger’s text', async () => {
  const from = (country: string) => ({ geo: { ip: '', city: '', country, continent: 'EU' } });
  const ask = await asking([from('de'), from('GBR'), from('Atlantis'), from('(none)'), from('')]);
  const { columns, rows, text } = await ask({ groupBy: ['country'], orderBy: 'country' });
  expect(columns.map(({ name }) => name)).toEqual(['country', 'country_name', 'views']);
  expect(rows).toEqual([
    ['(none)', null, 1],
    ['Atlantis', null, 1],
    ['GBR', 'United Kingdom', 1],
    ['de', 'Germany', 1],
    [null, null, 1],
  ]);
  expect(text.split('\n')).toEqual(expect.arrayContaining(['de | Germany | 1', '"(none)" | - | 1', '(none) | - | 1']));
});

test('the number of records is said to be the one before filters, where there are some', async () => {
  const ask = await asking([{ started: true }, { started: false }]);
  const { totals, coverage, text } = await ask({ started: true });
  expect([totals.views, coverage.records]).toEqual([1, 2]);
  expect(text).toContain('records: all of the time, before filters.');
  expect((await ask({})).text).not.toContain('before filters');
});

test('a month that is counted in part says so in its row, in the answer and in the report', async () => {
  const at = (date: string) => ({ date: `${date}T10:00:00.000+00:00` });
  const ask = await asking([at('2026-08-22'), at('2026-09-20'), at('2026-10-05')]);
  const { columns, rows, text } = await ask({ from: '2026-08-22', to: '2026-10-31', groupBy: ['month'] });
  expect(columns.at(-1)).toEqual({ name: 'counted', type: 'text' });
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['2026-08', '10 of 31 days'],
    ['2026-09', 'all'],
    ['2026-10', 'all'],
  ]);
  expect(text).toMatch(/2026-08 \| .* \| "?10 of 31 days/);
  const whole = await ask({ from: '2026-09', to: '2026-10-31', groupBy: ['month'] });
  expect(whole.columns.map(({ name }) => name)).toEqual(['month', 'views']);
});
