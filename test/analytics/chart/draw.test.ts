import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { renderChart } from '../../../src/analytics/chart/draw.ts';
import { freshHome } from '../../harness/cleanup.ts';
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

describe('names in letters that no font has', () => {
  // Code points without a character, so that no machine has a font for them.
  const [ONE, TWO] = ['\u{40001}\u{40002}', 'Best of \u{40003}'];

  test('are drawn as numbers that no other name is, and each number is told with its name', async () => {
    const rows = [ONE, 'Sunrise', '#1', TWO].map((name, index) => [name, 9 - index]);
    const { drawn } = await renderChart(chartOf('bar', ['country', 'views'], rows));
    expect(drawn.standIns).toEqual([
      { shown: '#2', label: ONE },
      { shown: '#3', label: TWO },
    ]);
    expect(drawn.frames[0]?.axis.categories.map(({ label }) => label)).toEqual([ONE, 'Sunrise', '#1', TWO]);
  });

  test('are drawn as the keys of what has them, so that the picture differs where their values are exchanged', async () => {
    const keys = [
      [ONE, 'key-1'],
      [TWO, 'key-2'],
    ] as const;
    const drawnWith = (first: string, second: string) =>
      renderChart(
        chartOf(
          'bar',
          ['video', 'views'],
          [
            [first, 9],
            [second, 4],
          ],
          { keys },
        ),
      );
    const [one, other] = [await drawnWith(ONE, TWO), await drawnWith(TWO, ONE)];
    expect(one.drawn.standIns?.map(({ shown }) => shown)).toEqual(['key-1', 'key-2']);
    expect(other.drawn.standIns?.map(({ shown }) => shown)).toEqual(['key-2', 'key-1']);
    expect(one.png.equals(other.png)).toBe(false);
  });

  test('have a stand-in of their own on either axis and in a legend', async () => {
    const rows = [ONE, TWO].flatMap((name) => [`${name}a`, `${name}b`].map((city, index) => [name, city, 9 - index]));
    for (const kind of ['heatmap', 'stacked_bar', 'bar'] as const) {
      const { drawn } = await renderChart(chartOf(kind, ['country', 'city', 'views'], rows));
      expect(drawn.standIns?.map(({ shown }) => shown)).toEqual(['#1', '#2', '#3', '#4', '#5', '#6']);
      expect(new Set(drawn.standIns?.map(({ label }) => label)).size).toBe(6);
    }
  });

  test('of a title are not drawn, and that is told', async () => {
    const rows = [['DE', 1]];
    const plain = await renderChart(chartOf('bar', ['country', 'views'], rows, { title: 'Views by country' }));
    const titled = await renderChart(chartOf('bar', ['country', 'views'], rows, { title: ONE, ownTitle: 'Views by country' }));
    expect(titled.png.equals(plain.png)).toBe(true);
    expect([plain.drawn.leavesWordsOut, titled.drawn.leavesWordsOut]).toEqual([undefined, true]);
    const filtered = await renderChart(chartOf('bar', ['country', 'views'], rows, { subtitle: [`video is ${ONE}`] }));
    const cut = await renderChart(chartOf('bar', ['country', 'views'], rows, { subtitle: ['video is …'] }));
    expect(filtered.png.equals(cut.png)).toBe(true);
    expect(filtered.drawn.leavesWordsOut).toBe(true);
  });

  test('are drawn as they are where a font of the machine has them', async () => {
    const home = freshHome();
    const font = join(import.meta.dirname, '../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf');
    for (const folder of ['.fonts', 'Library/Fonts']) cpSync(font, join(home, folder, 'Math.ttf'));
    vi.stubEnv('HOME', home);
    const { drawn } = await renderChart(
      chartOf(
        'bar',
        ['country', 'views'],
        [
          ['𝒜 𝒳', 9],
          [ONE, 4],
        ],
      ),
    );
    expect(drawn.standIns).toEqual([{ shown: '#1', label: ONE }]);
  });
});
