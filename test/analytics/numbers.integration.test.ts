/** What an answer makes of its numbers: means per viewer, shares, names and marks beside them. */
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/time-units.ts';
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

test('a mean has the digits that mean something, in each column', async () => {
  const at = (date: string, watchTime: number, country: string) => ({
    date,
    watchTime,
    started: true,
    geo: { ip: '', city: '', country, continent: 'EU' },
  });
  const now = [907, 907, 908].map((watched) => at('2026-10-05T10:00:00.000+00:00', watched, 'DE'));
  const small = [1, 0, 0, 0, 0, 0].map((watched) => at('2026-10-06T10:00:00.000+00:00', watched, 'FR'));
  const before = [901, 901, 902].map((watched) => at('2026-09-05T10:00:00.000+00:00', watched, 'DE'));
  const ask = await asking([...now, ...small, ...before]);
  const { rows, totals } = await ask({ metrics: ['avg_watch_time'], groupBy: ['country'], compareTo: 'previous_period' });
  expect(rows).toEqual([
    ['DE', 'Germany', 907.33, 901.33, 6, 1.006657],
    ['FR', 'France', 0.1667, null, null, null],
  ]);
  expect(totals).toMatchObject({ avg_watch_time: 302.56, avg_watch_time_change: -598.78 });
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

/** As many views as a function says of each day, at noon. */
const daily = (from: string, to: string, count: (day: Date) => number) => {
  const days = Array.from(
    { length: (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 },
    (_, at) => new Date(Date.parse(from) + at * DAY_MS),
  );
  return days.flatMap((day) =>
    Array.from({ length: count(day) }, () => ({ date: `${day.toISOString().slice(0, 10)}T12:00:00.000+00:00` })),
  );
};
const notesIn = ({ text }: { readonly text: string }, words: RegExp) => text.split('\n').filter((line) => words.test(line));

describe('of a time of which a part has no records', () => {
  const everyDay = async () => asking(daily('2026-08-21', '2026-10-31', () => 2));

  test('the total is marked, in its row and beside rows', async () => {
    const ask = await everyDay();
    const year = await ask({ from: '2026-08-01', to: '2026-10-31' });
    expect(year.markedRows).toEqual([[144, '72 of 92 days']]);
    expect(year.text).toContain('views | counted');
    const { totals, marks } = await ask({ from: '2026-08-01', to: '2026-10-31', groupBy: ['country'] });
    expect({ totals, marks }).toEqual({ totals: { views: 144 }, marks: { counted: '72 of 92 days' } });
    expect(await ask({ from: '2026-10' })).toMatchObject({ markedRows: [[62]], marks: {} });
  });

  test('sums are compared per day, without a ratio; rates, means and whole rows have theirs', async () => {
    const ask = await everyDay();
    const span = { from: '2026-09-11', to: '2026-10-31', compareTo: 'previous_period', metrics: ['views', 'avg_watch_time'] };
    const { markedRows, totals, marks, text } = await ask(span);
    expect(totals).toMatchObject({ views: 102, views_before: 42, views_change: 60, views_ratio: null });
    expect(marks).toEqual({ counted: '51 of 51 days', counted_before: '21 of 51 days', views_per_day: 2, views_per_day_before: 2 });
    expect(markedRows[0]?.slice(-2)).toEqual(['51 of 51 days', '21 of 51 days']);
    const words = 'The sums of the two times can’t be compared: 51 of 51 days are counted, and 21 of 51 days of the time before';
    expect(text).toContain(`${words}; the others have no records, or were not read. Per day: views 2, before 2.`);
    const months = await ask({ from: '2026-09', to: '2026-10', compareTo: 'previous_period', groupBy: ['month'] });
    expect(months.rows.map((row) => row.slice(0, 5))).toEqual([
      ['2026-09', 60, null, null, null],
      ['2026-10', 62, 22, 40, null],
    ]);
    const whole = await ask({ from: '2026-10', compareTo: 'previous_period' });
    expect(whole.rows).toEqual([[62, 60, 2, 1.033333]]);
    expect(whole.text).not.toContain('can’t be compared');
  });
});

describe('weeks against those of the year before', () => {
  test('are the weeks of the same numbers', async () => {
    const isWeek11 = (day: Date) =>
      [8, 9, 10].includes(day.getUTCDate() - 1 - (day.getUTCFullYear() === 2026 ? 0 : 1)) && day.getUTCMonth() === 2;
    const count = (day: Date) => (isWeek11(day) ? 3 : 1);
    const ask = await asking([...daily('2025-02-24', '2025-03-31', count), ...daily('2026-02-23', '2026-03-31', count)]);
    const rows = [
      ['2026-W10', 7, 7, 0, 1],
      ['2026-W11', 13, 13, 0, 1],
      ['2026-W12', 7, 7, 0, 1],
    ];
    for (const span of [
      { from: '2026-W10', to: '2026-W12' },
      { from: '2026-03-02', to: '2026-03-22' },
    ]) {
      const answer = await ask({ ...span, groupBy: ['week'], compareTo: 'previous_year' });
      expect(answer.rows).toEqual(rows);
      expect(notesIn(answer, /in part/)).toEqual([]);
    }
  });

  test('of a span of days stand against the week that most of their days fall into, which is said', async () => {
    const ask = await asking([...daily('2025-02-24', '2025-04-06', () => 1), ...daily('2026-02-23', '2026-04-05', () => 1)]);
    const answer = await ask({ from: '2026-03-04', to: '2026-03-24', groupBy: ['week'], compareTo: 'previous_year' });
    expect(answer.rows.map((row) => row.slice(0, 3))).toEqual([
      ['2026-W10', 5, 6],
      ['2026-W11', 7, 7],
      ['2026-W12', 7, 7],
      ['2026-W13', 2, 1],
    ]);
    expect(notesIn(answer, /Each week/)).toEqual([
      'Each week stands against that of the time before which holds most of its days, shifted (2025-W10 in the row of 2026-W10).',
    ]);
  });

  test('days of chosen weekdays stand against the same weekdays of the year before, or a note says that they stand against none', async () => {
    const ask = await asking([...daily('2025-02-24', '2025-04-06', () => 2), ...daily('2026-01-26', '2026-04-05', () => 3)]);
    const mondays = { weekdays: ['monday'], groupBy: ['day'] };
    const year = await ask({ ...mondays, from: '2026-03', compareTo: 'previous_year' });
    expect(year.rows.map((row) => row.slice(0, 3))).toEqual(['02', '09', '16', '23', '30'].map((day) => [`2026-03-${day}`, 3, 2]));
    expect(notesIn(year, /same weekday/)).toEqual(['Each day stands against the same weekday 52 weeks before.']);
    const weeks = await ask({ ...mondays, from: '2026-03-02', to: '2026-03-22', compareTo: 'previous_year' });
    expect(weeks.rows.map((row) => row[2])).toEqual([2, 2, 2]);
    const other = await ask({ ...mondays, from: '2026-03-02', to: '2026-03-11', compareTo: 'previous_period' });
    expect(other.rows.map((row) => row[2])).toEqual([null, null]);
    expect(notesIn(other, /another weekday/)).toHaveLength(1);
  });
});

describe('rows of times that the two compared times have in different parts', () => {
  const everyDay = async () => asking(daily('2025-01-01', '2026-10-31', () => 7));
  const ratios = ({ rows }: { readonly rows: readonly (readonly unknown[])[] }) => rows.map((row) => [row[0], row[4]]);

  test('have no ratio, which is said, and what stands in no row is named', async () => {
    const ask = await everyDay();
    const week = await ask({ from: '2026-04-20', to: '2026-04-21', groupBy: ['week'], compareTo: 'previous_year' });
    expect(week.rows.map((row) => row.slice(0, 5))).toEqual([['2026-W17', 14, 7, 7, null]]);
    expect(notesIn(week, /no ratio/)).toEqual(['A row that has more of one time than of the other has no ratio.']);
    expect(notesIn(week, /in no row/)).toEqual(['Of the time before, 2025-W16 is in no row.']);
    const months = await ask({ from: '2026-01-05', to: '2026-02-18', groupBy: ['month'], compareTo: 'previous_period' });
    expect(months.rows.map((row) => row[4])).toEqual([null, null]);
    expect(months.totals).toMatchObject({ views: 315, views_before: 315, views_ratio: 1 });
    expect(notesIn(months, /in no row/)).toEqual(['Of the time before, 2026-01 is in no row.']);
    const hours = await ask({ from: '2026-10-06T10:00', to: '2026-10-07T16:00', groupBy: ['day'], compareTo: 'previous_period' });
    expect(ratios(hours)).toEqual([
      ['2026-10-06', null],
      ['2026-10-07', null],
    ]);
  });

  test('have theirs where both have as much, or whole ones; rates and means always', async () => {
    const ask = await everyDay();
    const weeks = await ask({ from: '2025-10-07', to: '2025-10-13', groupBy: ['week'], compareTo: 'previous_period' });
    expect(ratios(weeks)).toEqual([
      ['2025-W41', 1],
      ['2025-W42', 1],
    ]);
    const whole = await ask({ from: '2026-03', to: '2026-03', groupBy: ['month'], compareTo: 'previous_period' });
    expect(ratios(whole)).toEqual([['2026-03', 1.107143]]);
    const days = await ask({
      from: '2026-03-28',
      to: '2026-03-30',
      groupBy: ['day'],
      compareTo: 'previous_period',
      timezone: 'Europe/Berlin',
    });
    expect(ratios(days).map(([, ratio]) => ratio)).toEqual([1, 1, 1]);
    for (const answer of [weeks, whole, days]) expect(notesIn(answer, /no ratio|in no row/)).toEqual([]);
    const means = await ask({
      ...{ from: '2026-04-20', to: '2026-04-21', groupBy: ['week'], compareTo: 'previous_year' },
      metrics: ['play_rate'],
    });
    expect(ratios(means)).toEqual([['2026-W17', 1]]);
    expect(notesIn(means, /no ratio/)).toEqual([]);
  });
});

describe('hours of the day and weekdays', () => {
  const hourly = (from: string, hours: number) =>
    Array.from({ length: hours }, (_, at) => ({ date: new Date(Date.parse(from) + at * HOUR_MS).toISOString().replace('Z', '+00:00') }));

  test('have a row only where the time contains them', async () => {
    const ask = await asking(hourly('2026-10-01T00:00:00Z', 31 * 24));
    const two = await ask({ from: '2026-10-07T10:00', to: '2026-10-07T12:00', groupBy: ['hour_of_day'] });
    expect(two.rows).toEqual([
      [10, 1],
      [11, 1],
    ]);
    expect(notesIn(two, /as often/)).toEqual([]);
    const part = await ask({ from: '2026-10-06', to: '2026-10-07T09:30', groupBy: ['hour_of_day'] });
    expect(part.rows.map(([, views]) => views)).toEqual([...Array(10).fill(2), ...Array(14).fill(1)]);
    expect(notesIn(part, /as often/)).toEqual([
      'Not every hour of the day occurs as often (how many there are of each): 0 to 8: 2, 9: 1.5, 10 to 23: 1.',
    ]);
    expect(notesIn(await ask({ groupBy: ['hour_of_day'] }), /as often/)).toEqual([]);
    const days = await ask({ from: '2026-10-05', to: '2026-10-06', groupBy: ['weekday'] });
    expect(days.rows).toEqual([
      ['Monday', 24],
      ['Tuesday', 24],
    ]);
    expect(notesIn(days, /as often/)).toEqual([]);
    const more = await ask({ from: '2026-10-05', to: '2026-10-13T12:00', groupBy: ['weekday'] });
    expect(notesIn(more, /as often/)).toEqual([
      'Not every weekday occurs as often (how many there are of each): Monday: 2, Tuesday: 1.5, Wednesday to Sunday: 1.',
    ]);
  });

  test('that only one of two compared times contains are null in the other, and not zero', async () => {
    const ask = await asking(hourly('2026-10-01T00:00:00Z', 31 * 24));
    const days = { from: '2026-10-05', to: '2026-10-06', compareTo: 'previous_period', orderBy: 'weekday' };
    const answer = await ask({ ...days, groupBy: ['weekday'] });
    expect(answer.rows.map((row) => row.slice(0, 4))).toEqual([
      ['Monday', 24, null, null],
      ['Tuesday', 24, null, null],
      ['Saturday', null, 24, null],
      ['Sunday', null, 24, null],
    ]);
    expect(notesIn(answer, /only one of the two/)).toEqual([
      'A weekday that only one of the two times contains has no number in the other, which is not 0.',
    ]);
    const pairs = await ask({ ...days, groupBy: ['weekday', 'country'] });
    expect(pairs.rows.map((row) => row.slice(3, 5))).toEqual(
      expect.arrayContaining([
        [24, null],
        [null, 24],
      ]),
    );
    const same = await ask({ from: '2026-10-12', to: '2026-10-18', groupBy: ['weekday'], compareTo: 'previous_period' });
    expect(notesIn(same, /only one of the two/)).toEqual([]);
  });

  test('that are more of one time than of the other have no ratio', async () => {
    const ask = await asking(hourly('2026-10-01T00:00:00Z', 31 * 24));
    const span = { from: '2026-10-12', to: '2026-10-21', groupBy: ['weekday'], compareTo: 'previous_period', orderBy: 'weekday' };
    const uneven = await ask(span);
    expect(uneven.rows.map((row) => row.slice(0, 5))).toEqual([
      ['Monday', 48, 24, 24, null],
      ['Tuesday', 48, 24, 24, null],
      ['Wednesday', 48, 24, 24, null],
      ['Thursday', 24, 24, 0, 1],
      ['Friday', 24, 48, -24, null],
      ['Saturday', 24, 48, -24, null],
      ['Sunday', 24, 48, -24, null],
    ]);
    expect(notesIn(uneven, /no ratio/)).toEqual(['A row that has more of one time than of the other has no ratio.']);
  });
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
