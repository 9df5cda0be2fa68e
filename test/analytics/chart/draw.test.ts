import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderChart } from '../../../src/analytics/chart/draw.ts';
import { chartOf, dayAt } from './inputs.ts';

const days = (count: number) => Array.from({ length: count }, (_, index) => [dayAt(index), (index * 7919) % 1000, (index * 104_729) % 900]);
const cities = Array.from({ length: 40 }, (_, index) => [`City ${index}`, 40_000 - index * 900]);
const week = ['Monday', 'Wednesday', 'Sunday'].flatMap((day) => Array.from({ length: 24 }, (_, hour) => [day, hour, hour * 3]));

const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

test.each([
  ['one point', chartOf('line', ['day', 'views'], days(1))],
  ['400 points with a comparison', chartOf('line', ['day', 'views', 'views_before'], days(400))],
  ['40 names', chartOf('bar', ['city', 'views'], cities)],
  ['a single number', chartOf('bar', ['views'], [[12]])],
  ['a single zero', chartOf('bar', ['day', 'views'], [[dayAt(0), 0]])],
  ['only missing values', chartOf('line', ['day', 'play_rate'], Object.entries({ [dayAt(0)]: null, [dayAt(1)]: null }))],
  [
    'huge numbers',
    chartOf(
      'stacked_bar',
      ['day', 'os', 'views'],
      ['A', 'B'].map((os, at) => [dayAt(0), os, 9e15 - at * 1e15]),
    ),
  ],
  ['hours of the week', chartOf('heatmap', ['weekday', 'hour_of_day', 'views'], week)],
])('the chart of %s is a PNG, 1,200 pixels wide', async (_, input) => {
  const { png } = await renderChart(input);
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND');
  expect(sizeOf(png).width).toBe(1200);
  expect(sizeOf(png).height).toBeGreaterThan(250);
  expect(sizeOf(png).height).toBeLessThan(2400);
});

test('the same rows give the same picture, also after another chart was drawn', async () => {
  const input = chartOf('stacked_bar', ['weekday', 'hour_of_day', 'views'], week);
  const first = await renderChart(input);
  await renderChart(chartOf('heatmap', ['weekday', 'hour_of_day', 'views'], week));
  const [second, third] = await Promise.all([renderChart(input), renderChart(input)]);
  const hashes = [first, second, third].map(({ png }) => createHash('sha256').update(png).digest('hex'));
  expect(new Set(hashes).size).toBe(1);
});
