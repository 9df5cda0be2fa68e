/** Which columns of an SQL query's rows are drawn, and that rows are never added up where nobody knows that they may be. */
import { describe, expect, test } from 'vitest';
import type { ChartInput, DrawableTable } from '../../../src/analytics/chart/contract.ts';
import { canDrawReport, drawReport } from '../../../src/analytics/chart/draw-report.ts';
import type { Picture } from '../../../src/analytics/chart/rendering.ts';
import { groupingOfSql } from '../../../src/analytics/chart/sql-grouping.ts';
import type { ResultColumn } from '../../../src/analytics/contract.ts';

/** A column for each word: `country`, `#views` is an integer, `~average` a number, `@day` a time. */
const columnOf = (word: string): ResultColumn => {
  const type = word.startsWith('#') ? 'integer' : word.startsWith('~') ? 'number' : word.startsWith('@') ? 'time' : 'text';
  return { name: word.replace(/^[#~@]/, ''), type };
};
const tableOf = (words: string, rows: string): DrawableTable => ({
  columns: words.split(' ').map(columnOf),
  rows: rowsIn(rows),
  drawing: { about: [] },
});

/** `DE 3, FR 5` as rows. */
const rowsIn = (text: string): DrawableTable['rows'] =>
  text.split(', ').map((row) => row.split(' ').map((cell) => (Number.isNaN(Number(cell)) ? cell : Number(cell))));

/** Three months of three countries, as rows in which these columns come one after another. */
function monthRows(columns: string): string {
  const months = [1, 2, 3].flatMap((month) => ['DE', 'FR', 'US'].map((country, at) => ({ month, country, views: month * 10 + at })));
  const rows = months.map((one) => ({ ...one, average: one.views / 3 }) as Readonly<Record<string, string | number>>);
  return rows
    .map((one) =>
      columns
        .split(' ')
        .map((column) => one[column])
        .join(' '),
    )
    .join(', ');
}

test.each([
  ['a month before the count', '#month_number country #views', monthRows('month country views'), ['month_number', 'country'], ['views']],
  [
    'a month after an average',
    'country ~average #month_number',
    monthRows('country average month'),
    ['country', 'month_number'],
    ['average'],
  ],
  ['a number that tells the rows apart', 'country #views #m', monthRows('country views month'), ['country', 'm'], ['views']],
  ['a month of the only year', '#year #month #views', '2026 1 5, 2026 2 6', ['year', 'month '], ['views']],
  ['an unnamed month', '#month(ts) #count_star()', '1 5, 2 5', ['month(ts)'], ['count_star()']],
  ['a count before the group', '#views #month', '7 1, 5 2', ['month '], ['views']],
  ['two numbers without a known name', '#bucket #n', '10 5, 20 5', ['bucket'], ['n']],
  ['hours watched', 'country #hours_watched #views', 'DE 3 10, FR 5 20', ['country'], ['hours_watched', 'views']],
  ['only hours watched', 'country #hours_watched', 'DE 3, FR 5', ['country'], ['hours_watched']],
  ['views of some hours', 'country #views_last_24_hours', 'DE 3, FR 5', ['country'], ['views_last_24_hours']],
  ['views per hour', 'country #views_per_hour #views', 'DE 3 9, FR 5 9', ['country'], ['views_per_hour', 'views']],
  ['hours of the day', '#the_hour #views', '3 10, 5 20', ['hour_of_day'], ['views']],
  ['an hour that is the only number', 'country #hour', 'DE 3, FR 5', ['country'], ['hour_of_day']],
] as const)('%s: %s', (_, words, rows, dimensions, metrics) => {
  expect(groupingOfSql(tableOf(words, rows))).toMatchObject({ dimensions, metrics, areRowsDistinct: true });
});

describe('the rows that are drawn', () => {
  /** What would be drawn of a report. */
  async function inputOf(table: DrawableTable): Promise<ChartInput> {
    const inputs: ChartInput[] = [];
    const render = (input: ChartInput): Promise<Picture> => {
      inputs.push(input);
      return Promise.reject(new Error('drawn'));
    };
    await expect(drawReport(table, { kind: 'auto' }, { render, close: () => Promise.resolve() })).rejects.toThrow('drawn');
    const [input] = inputs;
    if (input === undefined) throw new Error('nothing was drawn');
    return input;
  }

  test('of the same group are refused, with what the query should do', async () => {
    const table = tableOf('country ~watch_time', 'DE 10.5, DE 20, FR 5');
    expect(canDrawReport(table)).toBe(false);
    await expect(
      drawReport(table, { kind: 'bar' }, { render: () => Promise.reject(new Error('drawn')), close: () => Promise.resolve() }),
    ).rejects.toThrow('several rows for the same country, and whether they may be added up is not known: have the query GROUP BY');
  });

  test('keep their seconds, so that moments of one minute stay apart', async () => {
    const moments = '2026-01-01T10:05:01 1, 2026-01-01T10:05:02 2, 2026-01-01T10:06:00 3';
    const { rows, dimensions } = await inputOf(tableOf('@ts ~average', moments));
    expect(dimensions).toEqual(['hour']);
    expect(rows.map(([moment]) => moment)).toEqual(['2026-01-01T10:05:01', '2026-01-01T10:05:02', '2026-01-01T10:06:00']);
  });

  test('with whatever is called views are not stacked', async () => {
    const kindOf = async (type: string, column: string) =>
      (await inputOf(tableOf(`country #month ${type}views`, monthRows(`country month ${column}`)))).kind;
    expect(await kindOf('~', 'average')).toBe('heatmap');
    expect(await kindOf('#', 'views')).toBe('heatmap');
  });
});
