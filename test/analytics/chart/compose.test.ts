import { describe, expect, test } from 'vitest';
import { compose } from '../../../src/analytics/chart/compose.ts';
import type { ChartInput } from '../../../src/analytics/chart/contract.ts';
import { chartOf, dayAt, textsOf } from './inputs.ts';

const drawn = async (input: ChartInput) => {
  const { svg, unshipped } = await compose(input);
  return { svg, unshipped, texts: textsOf(svg) };
};

/** 9 views of the first name, 8 of the next, and so on. */
const countsOf = (names: readonly string[]) => names.map((name, index) => [name, 9 - index]);

test('title, subtitle, axes and units are drawn', async () => {
  const rows = Array.from({ length: 31 }, (_, index) => [dayAt(index), index * 100]);
  const { texts } = await drawn(chartOf('line', ['day', 'watch_time'], rows));
  const titles = ['Views by somebody', '1 – 31 January 2026 · Europe/Berlin', 'Watch time (unit not documented)', 'Day'];
  expect(texts).toEqual(expect.arrayContaining([...titles, '3,000', '0', '5 Jan', '2026']));
});

test('the comparison period is a second, lighter series', async () => {
  const rows = [['DE', 1234, 999]];
  const { svg, texts } = await drawn(chartOf('bar', ['country', 'views', 'views_before'], rows));
  expect(texts).toEqual(expect.arrayContaining(['This period', 'Comparison period', '1,234', '999']));
  expect(svg).toContain('#0072B2');
  expect(svg).toContain('#94c4df');
});

describe('many series', () => {
  const os = Array.from({ length: 12 }, (_, index) => `System ${index}`);
  const rows = [0, 1, 2].flatMap((day) => os.map((name, index) => [dayAt(day), name, 100 - index]));

  test('are drawn as the eight largest and Others', async () => {
    const { texts } = await drawn(chartOf('line', ['day', 'os', 'views'], rows));
    expect(texts).toEqual(expect.arrayContaining([...os.slice(0, 8), 'Others (4)']));
    expect(texts).not.toContain('System 8');
    expect(texts).toContain('The 8 largest of 12 series are shown; Others: 4 series, 1086 in all.');
  });

  test('of rates are drawn as the eight largest, and the others are not added up', async () => {
    const rates = rows.map(([day, name, value]) => [day ?? null, name ?? null, Number(value) / 100]);
    const { texts } = await drawn(chartOf('stacked_bar', ['day', 'os', 'play_rate'], rates));
    expect(texts.some((text) => text.startsWith('Others'))).toBe(false);
    expect(texts).toContain('The 8 largest of 12 series are shown; the others are left out: these values can’t be added up.');
    expect(texts).toContain('Drawn side by side: these values can’t be added up.');
  });
});

describe('panels', () => {
  const metrics = ['views', 'play_rate', 'watch_time'];
  /** The vertical position on the page of each text that is one of these. */
  const topsOf = (svg: string, wanted: readonly string[]) =>
    wanted.map((title) => {
      const before = svg.slice(0, svg.indexOf(`>${title}</text>`));
      const panel = before.slice(before.lastIndexOf('panel'));
      return { title, panel: /^panel\d/.exec(panel)?.[0] };
    });

  test('stand one below another in the order of the numbers, and the last one alone has the labels of their common axis', async () => {
    const rows = [0, 1, 2, 3].map((day) => [dayAt(day), 10 + day, 0.5, 1_000]);
    const { svg, texts } = await drawn(chartOf('line', ['day', ...metrics], rows, { metrics }));
    const titles = ['Views', 'Play rate', 'Watch time (unit not documented)'];
    expect(topsOf(svg, titles)).toEqual(titles.map((title, index) => ({ title, panel: `panel${index}` })));
    expect(texts.filter((text) => text === 'Day')).toHaveLength(1);
    expect(texts.filter((text) => text === '2 Jan')).toHaveLength(1);
  });

  test('of a heatmap have colours of their own, in which each number can be read', async () => {
    const rows = ['Monday', 'Tuesday'].flatMap((weekday, day) =>
      ['DE', 'FR'].map((country) => [weekday, country, 100 + 900 * day, 0.9 * day + 0.01]),
    );
    const { svg, texts } = await drawn(
      chartOf('heatmap', ['weekday', 'country', 'views', 'play_rate'], rows, { metrics: ['views', 'play_rate'] }),
    );
    expect(texts).toEqual(expect.arrayContaining(['Views', 'Play rate', '1,000', '91%']));
    const inkOf = (label: string) => new RegExp(`fill="(#[0-9A-F]+)">${label}</text>`).exec(svg)?.[1];
    expect(['100', '1%'].map(inkOf)).toEqual(['#111827', '#111827']);
    expect(['1,000', '91%'].map(inkOf)).toEqual(['#FFFFFF', '#FFFFFF']);
  });

  const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'ES', 'IT', 'NL', 'PL', 'BR', 'MX', 'IN', 'JP'];
  const maps = (size: ChartInput['size'] = 'wide') => {
    const rows = ['One talk of all day', 'Two talks of all day'].flatMap((video) =>
      COUNTRIES.map((country, at) => [video, country, 100 - at, 0.5, 1_000 * at]),
    );
    const names = ['video', 'country', ...metrics];
    return chartOf('heatmap', names, rows, { metrics, dimensions: ['video', 'country'], size });
  };

  test.each([
    ['wide', COUNTRIES.length],
    ['narrow', 8],
  ] as const)('of a %s heatmap have the name of each of their columns', async (size, count) => {
    const { texts } = await drawn(maps(size));
    for (const country of COUNTRIES.slice(0, count))
      expect([country, texts.filter((text) => text === country).length]).toEqual([country, 3]);
    expect(texts).not.toContain(COUNTRIES[count]);
    if (size === 'narrow') expect(texts.join(' ')).toContain(`The ${count} largest of ${COUNTRIES.length} columns are shown`);
  });

  test('of a heatmap for a phone are told whole, in two lines where one is too short', async () => {
    const { texts } = await drawn(maps('narrow'));
    expect(texts.join(' ')).toContain('Watch time (unit not documented)');
    expect(texts).not.toContain('Watch time (unit not documented)');
  });

  test('of names have the same names, those of the first number', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Video ${index}`);
    const rows = names.map((name, index) => [name, index, 1 - index / 40]);
    const { texts } = await drawn(chartOf('bar', ['video', 'views', 'play_rate'], rows, { metrics: ['views', 'play_rate'] }));
    expect(texts.filter((text) => text === 'Video 39')).toHaveLength(2);
    expect(texts).not.toContain('Video 0');
    expect(texts).toContain('The 27 largest of 40 names are shown, by Views; the others are left out.');
  });
});

test('on a phone each weekday has its name below its bars, in short', async () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  const rows = days.map((day, at) => [day, 9 - at]);
  const narrow = await drawn(chartOf('bar', ['weekday', 'views'], rows, { size: 'narrow' }));
  expect(narrow.texts.filter((text) => /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/.test(text))).toHaveLength(7);
  expect((await drawn(chartOf('bar', ['weekday', 'views'], rows))).texts).toEqual(expect.arrayContaining(days));
});

test('numbers of one unit are series with a legend, and have no panels', async () => {
  const metrics = ['play_rate', 'completion_rate'];
  const rows = [0, 1, 2].map((day) => [dayAt(day), 0.5, 0.25, 0.4, 0.2]);
  const names = ['day', ...metrics, ...metrics.map((metric) => `${metric}_before`)];
  const { svg, texts } = await drawn(chartOf('line', names, rows, { metrics }));
  expect(texts).toEqual(expect.arrayContaining(['Play rate', 'Completion rate', 'lighter: comparison period']));
  expect(svg).not.toContain('panel1');
});

test('names in covered scripts are drawn with the bundled fonts', async () => {
  const names = ['Обзоры', 'Μαθήματα', 'قناة', 'Zażółć', 'Smile 😀'];
  const { texts, unshipped } = await drawn(chartOf('bar', ['channel', 'views'], countsOf(names)));
  expect(texts).toEqual(expect.arrayContaining(names));
  expect(unshipped).toEqual([]);
});

test('characters that no font covers remove no row, and uncovered emoji are left out', async () => {
  // Characters that no font covers.
  const names = ['\u{14400} one', '\u{14401}', '\u{16800}', '🚀 Launch'];
  const { texts } = await drawn(chartOf('bar', ['channel', 'views'], countsOf(names)));
  expect(texts).toContain('Launch');
  for (const value of ['9', '8', '7', '6']) expect(texts).toContain(value);
});

describe('axes and gaps', () => {
  const days = (count: number, numberAt: (index: number) => number | null) => {
    const rows = Array.from({ length: count }, (_, index) => [dayAt(index), numberAt(index)]);
    return chartOf('line', ['day', 'views'], rows);
  };

  test('an axis of numbers begins at zero and has few, round and distinct labels', async () => {
    for (const [most, labels] of [
      [1, ['0', '1']],
      [37, ['0', '10', '20', '30', '40']],
      [4_321, ['0', '1,000', '2,000', '3,000', '4,000']],
      [3e10, ['0', '10B', '20B', '30B']],
    ] as const) {
      const { texts } = await drawn(days(20, (index) => (most * index) / 19));
      const numbers = texts.filter((text) => /^[\d,.]+[MBT]?$/.test(text) && !/^20\d\d$/.test(text));
      expect(numbers).toEqual(expect.arrayContaining([...labels]));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length).toBeLessThan(12);
    }
  });

  test.each([1, 2, 3, 10, 31, 90, 400, 2000])('an axis of %d days has labels that differ, with the year under the first', async (count) => {
    const { texts } = await drawn(days(count, (index) => 1 + (index % 7)));
    const marks = texts.filter((text) => /^(?:\d{1,2} )?[A-Z][a-z]{2}$/.test(text) && text !== 'Day');
    expect(marks.length).toBeGreaterThanOrEqual(Math.min(2, count));
    expect(marks.length).toBeLessThan(20);
    if (count < 120) expect(new Set(marks).size).toBe(marks.length);
    expect(texts).toContain('2026');
    if (count >= 400) expect(texts).toContain('2027');
  });

  test('a week is labelled with its ISO number', async () => {
    const weeks = ['2025-W51', '2025-W52', '2026-W01', '2026-W02'].map((week, index) => [week, index]);
    const { texts } = await drawn(chartOf('line', ['week', 'views'], weeks));
    expect(texts).toEqual(expect.arrayContaining(['W51', '2025', 'W01', '2026', 'W02']));
  });

  /** The path of the drawn line: a move (M) to the start of each piece, and a line (L) to each other point. */
  const pathOf = (svg: string): string => /<path[^>]* d="(M[^"]*)"[^>]*stroke="#0072B2"/.exec(svg)?.[1] ?? '';

  test('unknown days are gaps in a line, not zeros', async () => {
    const { svg } = await drawn(days(40, (index) => (index > 9 && index < 15 ? null : 50)));
    const path = pathOf(svg);
    const [, ...points] = path.split(/[ML]/);
    expect(path.match(/M/g)).toHaveLength(2);
    expect(new Set(points.map((point) => point.split(',')[1])).size).toBe(1);
  });

  test('unknown days have no bar', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => [dayAt(index), index > 3 && index < 6 ? null : 5]);
    const { texts } = await drawn(chartOf('bar', ['day', 'views'], rows));
    expect(texts.filter((text) => text === '5')).toHaveLength(8 + 1);
    expect(texts.filter((text) => text === '0')).toHaveLength(1);
  });
});

describe('negative values', () => {
  const change = (kind: ChartInput['kind'], names: readonly string[], rows: ChartInput['rows']) =>
    compose({ ...chartOf(kind, [...names, 'views'], rows), dimensions: names });
  const pageOf = (svg: string) => ({ width: 800, height: Number(/<svg [^>]* height="(\d+)"/.exec(svg)?.[1]) });
  /** The bars, each with its horizontal and vertical range on the page. */
  const barsOf = (svg: string) => {
    const offsets = /<g transform="translate\(([\d.]+),([\d.]+)\)"><g [^>]*transform="translate\(([\d.]+),([\d.]+)\)">/.exec(svg);
    const [left = Number.NaN, top = Number.NaN, x = Number.NaN, y = Number.NaN] = (offsets ?? []).slice(1).map(Number);
    return [...svg.matchAll(/<path d="M([-\d.e]+),([-\d.e]+)h([-\d.e]+)v([-\d.e]+)h[-\d.e]+Z" fill="#0072B2"/g)].map((bar) => {
      const [startX = Number.NaN, startY = Number.NaN, width = Number.NaN, height = Number.NaN] = bar.slice(1).map(Number);
      const range = (start: number, size: number) => ({ from: Math.min(start, start + size), to: Math.max(start, start + size) });
      return { x: range(left + x + startX, width), y: range(top + y + startY, height) };
    });
  };

  test.each([
    ['horizontal', 'country', [-120, 40, 15]],
    ['horizontal', 'country', [-41, 40, 15]],
    ['horizontal', 'country', [-3, -2]],
    ['horizontal', 'country', [-120, -40, -15]],
    ['horizontal', 'country', [-1e300, 5e299, 3]],
    ['horizontal', 'country', [0, 0]],
    ['vertical', 'weekday', [-120_000, 40_000, 0]],
    ['vertical', 'weekday', [-120_000, -40_000, -1]],
    ['vertical', 'weekday', [-1e-300, 1e-300, 0]],
  ])('%s bars by %s of %j are on the page, and as long as their values are large', async (direction, name, values) => {
    const names = direction === 'vertical' ? ['Monday', 'Tuesday', 'Wednesday'] : ['DE', 'FR', 'US'];
    const rows = values.map((value, index) => [names[index] ?? '', value]);
    const { svg } = await change('bar', [name], rows);
    const page = pageOf(svg);
    expect(page.height).toBeLessThan(500);
    const bars = barsOf(svg);
    expect(bars).toHaveLength(values.length);
    for (const { x, y } of bars) {
      expect([x.from >= 0, x.to <= page.width, y.from >= 0, y.to <= page.height]).toEqual([true, true, true, true]);
    }
    const lengths = bars.map(({ x, y }) => (direction === 'vertical' ? y.to - y.from : x.to - x.from));
    const largest = Math.max(...values.map(Math.abs));
    const longest = Math.max(...lengths);
    if (largest > 0) expect(longest).toBeGreaterThan(100);
    for (const [index, value] of values.entries())
      expect(lengths[index]).toBeCloseTo(largest === 0 ? 0 : (longest * Math.abs(value)) / largest, 1);
  });

  test('of a stack are below zero, and their sum is on the page', async () => {
    const rows = ['A', 'B', 'C'].flatMap((os, index) => [
      [dayAt(0), os, -10 * (index + 1)],
      [dayAt(1), os, 5],
    ]);
    const { svg, drawn } = await change('stacked_bar', ['day', 'os'], rows);
    expect(drawn.kind).toBe('stacked_bar');
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['−60', '20']));
    expect(pageOf(svg).height).toBeLessThan(520);
  });

  test('of a heatmap have a hue of their own, with zero in the middle', async () => {
    const rows = [-20, 0, 10].map((value, index) => [['Monday', 'Tuesday', 'Wednesday'][index] ?? '', 'DE', value]);
    const { svg } = await change('heatmap', ['weekday', 'country'], rows);
    const fills = [...svg.matchAll(/fill="rgb\((\d+), ?(\d+), ?(\d+)\)"/g)].map(([, ...channels]) => channels.map(Number));
    expect(fills).toContainEqual([67, 27, 4]);
    expect(fills).toContainEqual([255, 255, 255]);
    expect(fills.some(([red = 0, , blue = 0]) => blue > red + 50)).toBe(true);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['−20', '0', '10']));
    const below = rows.map(([day = '', country = '', value]) => [day, country, -Math.abs(Number(value))]);
    const all = await change('heatmap', ['weekday', 'country'], below);
    expect(textsOf(all.svg)).toEqual(expect.arrayContaining(['−20', '−10']));
  });
});

test('integers beyond 2^53, which arrive as digits, are drawn', async () => {
  const { texts } = await drawn(chartOf('bar', ['country', 'views'], [['DE', '9007199254740993000']]));
  expect(texts).toContain('9.01e+18');
});

test('a column that SQL named after something that every object has is drawn like any other', async () => {
  for (const name of ['constructor', 'toString']) {
    const { texts } = await drawn(chartOf('bar', [name, 'views'], countsOf(['DE', 'FR'])));
    expect(texts).toEqual(expect.arrayContaining([name === 'toString' ? 'ToString' : 'Constructor', 'DE', 'FR']));
  }
});
