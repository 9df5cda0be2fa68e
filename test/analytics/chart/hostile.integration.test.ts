import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { compose } from '../../../src/analytics/chart/compose.ts';
import { renderChart } from '../../../src/analytics/chart/draw.ts';
import { closedLoader, drawPlot } from '../../../src/analytics/chart/plot.ts';
import { answerWith } from '../../harness/loopback.ts';
import { chartOf, dayAt, textsOf } from './inputs.ts';

const HOSTILE = [
  '</text><script>alert(1)</script>',
  '<image href="file:///etc/hostname" xlink:href="file:///etc/hostname"/>',
  '"/><use href="#x"/><!-- ]]> <!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/hostname">]> &y;',
  "datum['x'] + warn('x') + {{signal}}",
  '\u202Egnp.exe \u0000\u001B[31mred\u0007',
  'lone \uD800 half \uDC00',
  `a${'\u0301'.repeat(500)}`,
  '',
  '   ',
  '__proto__',
  'constructor',
  'x'.repeat(10_000),
  '&#0; &#xFFFE; \uFFFE\uFFFF',
];

const ELEMENTS = ['svg', 'rect', 'text', 'tspan', 'g', 'path', 'line', 'linearGradient', 'stop', 'defs'];
/** Matches the tags of an SVG. Any other angle bracket is left over. */
const TAG = /<\/?([a-zA-Z]+)((?: [\w:-]+="[^"<>]*")*) ?\/?>/g;

test.each(['line', 'bar', 'stacked_bar', 'heatmap'] as const)('hostile names are only text in a %s', async (kind) => {
  const pairs = HOSTILE.flatMap((channel, index) => HOSTILE.slice(0, 8).map((os, other) => [channel, os, index * 10 + other]));
  const inputs = [
    chartOf(kind, ['channel', 'os', 'views'], pairs, { title: HOSTILE.join(' '), subtitle: HOSTILE }),
    chartOf(
      kind,
      ['day', 'os', 'views'],
      HOSTILE.flatMap((os, index) => [
        [dayAt(0), os, index],
        [dayAt(2), os, index],
      ]),
    ),
    chartOf(
      kind,
      ['day', 'views'],
      HOSTILE.map((day, index) => [day, index]),
    ),
  ];
  for (const input of inputs) {
    const { svg } = await compose(input);
    const tags = [...svg.matchAll(TAG)];
    expect(tags.map(([, name = '']) => name).filter((name) => !ELEMENTS.includes(name))).toEqual([]);
    expect(tags.filter(([, , attributes = '']) => /href=|alert|hostname|signal|\bon\w+=/.test(attributes))).toEqual([]);
    expect(svg.replace(TAG, '').match(/[<>]/)).toBeNull();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
    expect(/[\u0000-\u0008\u000B-\u001F\u202A-\u202E\uFFFE\uFFFF]|\p{Cs}/u.test(svg)).toBe(false);
    for (const text of textsOf(svg)) expect(text.length).toBeLessThan(320);
    expect((await renderChart(input)).png.subarray(1, 4).toString()).toBe('PNG');
  }
});

test('drawing fetches nothing, even if a specification names addresses or files', async () => {
  let requests = 0;
  const own = await answerWith((_, response) => {
    requests += 1;
    response.end('[{"x":1}]');
  });
  const encoding = { x: { field: 'x', type: 'quantitative' as const } };
  for (const url of [`${own}/data.json`, 'file:///etc/hostname', '/etc/hostname']) {
    await drawPlot({ data: { url }, mark: 'point', encoding }).catch(() => undefined);
    const { svg: image } = await drawPlot({
      data: { values: [{ x: 1, url }] },
      mark: 'image',
      encoding: { ...encoding, url: { field: 'url' } },
    });
    expect(/href="[^"]/.test(image)).toBe(false);
  }
  for (const load of Object.values(closedLoader)) await expect(load()).rejects.toThrow('loads nothing');
  expect(requests).toBe(0);
});

test('the built module requires only the renderer, node:fs and node:path, and writes no file', () => {
  const code = readFileSync(join(dirname(inject('command')), 'chart.cjs'), 'utf8');
  const required = new Set([...code.matchAll(/\brequire\(\s*["']([^"']+)["']/g)].map(([, name = '']) => name));
  expect(required).toEqual(new Set(['@resvg/resvg-js', 'node:fs', 'node:path']));
  expect(code).not.toMatch(/node-fetch|child_process|\bwriteFile/);
});
