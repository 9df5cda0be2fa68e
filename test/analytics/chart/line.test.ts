import { expect, test } from 'vitest';
import { frameOf } from '../../../src/analytics/chart/frame.ts';
import { linePlot } from '../../../src/analytics/chart/line.ts';
import { PLOT_WIDTHS } from '../../../src/analytics/chart/plot.ts';
import { chartOf, dayAt } from './inputs.ts';

type Point = { readonly x: number; readonly y: number | null; readonly color: number };

/** The points of the lines of the span itself, by day. */
function pointsOf(names: readonly string[], rows: readonly (readonly (string | number)[])[], series: readonly string[] = []): string[] {
  const input = chartOf('line', names, rows);
  // The layers that `linePlot` makes.
  const { layer } = linePlot([frameOf(input, names[0], series)], PLOT_WIDTHS.wide) as {
    layer: { mark: { type: string }; data: { values: Point[] } }[];
  };
  const points = layer.find(({ mark }) => mark.type === 'line')?.data.values ?? [];
  return points.map(({ x, y, color }) => `${color} ${new Date(x).toISOString().slice(0, 10)} ${y}`);
}

test('no line leads across days of which the rows have none', () => {
  const rows = [0, 1, 2, 9].flatMap((day) => [[dayAt(day), 'DE', 100 + day]]);
  expect(pointsOf(['day', 'country', 'views'], rows, ['country'])).toEqual([
    `0 ${dayAt(0)} 100`,
    `0 ${dayAt(1)} 101`,
    `0 ${dayAt(2)} 102`,
    `0 ${dayAt(5)} null`,
    `0 ${dayAt(9)} 109`,
  ]);
});

test('times that are as far apart as others are joined: weeks by their Mondays, months of any length', () => {
  const weeks = [0, 7, 14, 28].map((day) => [dayAt(day), 1]);
  expect(pointsOf(['day', 'views'], weeks).filter((point) => point.endsWith('null'))).toHaveLength(1);
  const months = ['2026-01', '2026-02', '2026-03', '2026-05'].map((month) => [month, 1]);
  expect(pointsOf(['month', 'views'], months).map((point) => point.slice(2))).toEqual([
    '2026-01-01 1',
    '2026-02-01 1',
    '2026-03-01 1',
    '2026-03-31 null',
    '2026-05-01 1',
  ]);
});
