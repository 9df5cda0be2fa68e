import { expect, test } from 'vitest';
import { describeChart } from '../../../src/analytics/chart/describe-chart.ts';
import { frameOf } from '../../../src/analytics/chart/frame.ts';
import { chartOf, dayAt } from './inputs.ts';

/** The words for a chart of two days and two countries, of which one place has no row. */
function wordsOf(kind: 'line' | 'heatmap', metric: string): string {
  const rows = [
    [dayAt(0), 'DE', 5],
    [dayAt(1), 'DE', 6],
    [dayAt(1), 'FR', 3],
  ];
  const frame = frameOf(chartOf(kind, ['day', 'country', metric], rows), 'day', ['country']);
  return describeChart({ title: 'Title', about: [], others: [], wanted: 'auto', drawn: { kind, frames: [frame], notes: [] } });
}

test('places without a row are counted, since the lowest value is none of them', () => {
  expect(wordsOf('line', 'views')).toContain(`Lowest: 3 (${dayAt(1)}, "FR").`);
  expect(wordsOf('line', 'views')).toContain('1 of 4 places have no row, and are drawn as 0.');
  expect(wordsOf('line', 'unique_viewers')).toMatch(/1 of 4 places have no row\.$/);
  expect(wordsOf('heatmap', 'views')).toMatch(/1 of 4 places have no row\.$/);
});

test('the first and the last values are told, and whether each series rose', () => {
  const ends = `First, ${dayAt(0)}: 5 "DE". Last, ${dayAt(1)}: 6 "DE" (up by 20 %), 3 "FR".`;
  expect(wordsOf('line', 'views')).toContain(ends);
  expect(wordsOf('heatmap', 'views')).not.toContain('Last');
  const rates = (first: number, last: number) => {
    const rows = [first, last].map((rate, day) => [dayAt(day), rate]);
    const frame = frameOf(chartOf('line', ['day', 'play_rate'], rows), 'day', []);
    return describeChart({ title: '', about: [], others: [], wanted: 'auto', drawn: { kind: 'line', frames: [frame], notes: [] } });
  };
  expect(rates(0.5, 0.25)).toContain(`Last, ${dayAt(1)}: 25% (down by 25 points).`);
  expect(rates(0.5, 0.5)).toContain(`Last, ${dayAt(1)}: 50% (the same).`);
});

test('of a single time, what each series had is told once', () => {
  const at = (rows: readonly (string | number)[][], series: readonly string[]) => {
    const frame = frameOf(chartOf('bar', ['day', ...series, 'views'], rows), 'day', series);
    return describeChart({ title: '', about: [], others: [], wanted: 'auto', drawn: { kind: 'bar', frames: [frame], notes: [] } });
  };
  const two = at(
    [
      [dayAt(0), 'DE', 5],
      [dayAt(0), 'FR', 3],
    ],
    ['country'],
  );
  expect(two).toContain(`"FR"). ${dayAt(0)}: 5 "DE", 3 "FR".`);
  expect(two).not.toContain('Last');
  expect(at([[dayAt(0), 5]], [])).toMatch(/Lowest: 5 \(2026-01-01\)\.$/);
});

test('a time that is counted in part is neither the lowest nor the last', () => {
  const rows = [5, 6, 1].map((views, day) => [dayAt(day), views]);
  const frame = frameOf(chartOf('line', ['day', 'views'], rows), 'day', []);
  const words = (partial: readonly string[]) =>
    describeChart({ title: '', about: [], others: [], wanted: 'auto', partial, drawn: { kind: 'line', frames: [frame], notes: [] } });
  expect(words([dayAt(2)])).toContain(
    `Lowest: 5 (${dayAt(0)}). First, ${dayAt(0)}: 5. Last, ${dayAt(1)}: 6 (up by 20 %).\nNot among these, as counted in part: ${dayAt(2)}.`,
  );
  expect(words([])).toContain(`Lowest: 1 (${dayAt(2)}).`);
});
