import { expect, test } from 'vitest';
import { pickChart } from '../../../src/analytics/chart/pick-chart.ts';
import { columnsOf, dayAt } from './inputs.ts';

const days = [0, 1, 2, 3].map(dayAt);
const few = ['A', 'B', 'C'];
const many = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
const weekdays = ['Monday', 'Tuesday'];
const pairs = (ones: readonly string[], others: readonly string[]) => ones.flatMap((one) => others.map((other) => [one, other, 1]));
const single = (ones: readonly string[]) => ones.map((one) => [one, 1]);

test.each([
  ['a number', [], 'views', [[5]], undefined],
  ['days', ['day'], 'views', single(days), 'line'],
  ['two days', ['day'], 'views', single(days.slice(0, 2)), 'bar'],
  ['names', ['country'], 'views', single(few), 'bar'],
  ['weekdays', ['weekday'], 'views', single(weekdays), 'bar'],
  ['hours of the week', ['weekday', 'hour_of_day'], 'views', pairs(weekdays, ['0', '1']), 'heatmap'],
  ['names over days', ['channel', 'day'], 'views', pairs(few, days), 'line'],
  ['names on two days', ['day', 'channel'], 'views', pairs(days.slice(0, 2), few), 'stacked_bar'],
  ['rates on two days', ['day', 'channel'], 'play_rate', pairs(days.slice(0, 2), few), 'bar'],
  ['many names with few series', ['channel', 'os'], 'views', pairs(many, few), 'stacked_bar'],
  ['few names with many series', ['channel', 'os'], 'views', pairs(few, many), 'heatmap'],
  ['rates by two dimensions', ['channel', 'os'], 'play_rate', pairs(few, few), 'heatmap'],
  ['names by weekday', ['channel', 'weekday'], 'views', pairs(few, weekdays), 'stacked_bar'],
  ['three dimensions', ['channel', 'os', 'country'], 'views', [], undefined],
] as const)('picks the right kind of chart for %s', (_, dimensions, metric, rows, kind) => {
  expect(pickChart(columnsOf(...dimensions, metric), rows, dimensions, [metric])).toBe(kind);
});

test('a column of names beside its keys is not taken for a metric', () => {
  const rows = many.flatMap((key) => few.map((os) => [key, `Title of ${key}`, os, 1]));
  expect(pickChart(columnsOf('video', 'video_title', 'os', 'views'), rows, ['video', 'os'], ['views'])).toBe('stacked_bar');
});
