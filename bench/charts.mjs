// How long a chart takes: the first one of a server, which starts the renderer's process and loads everything, and the next
// ones.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildChart } from '../scripts/build/chart.mjs';
import { common } from '../scripts/build.mjs';
import { loadSource } from '../scripts/load-source.mjs';
import { root } from '../scripts/root.mjs';
import { median } from './processes.mjs';

const FIRST_MS = 1500;
const NEXT_MS = 150;

const dayAt = (index) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
const series = (count) => Array.from({ length: count }, (_, index) => `Channel ${index + 1}`);
const days = (count, names) =>
  Array.from({ length: count }, (_, day) =>
    names.map((name, index) => [dayAt(day), name, 500 + ((day * 7919 + index * 331) % 700)]),
  ).flat();

function chart(kind, dimensions, rows) {
  const columns = [...dimensions.map((name) => ({ name, type: 'text' })), { name: 'views', type: 'integer' }];
  return { kind, title: 'Views', subtitle: ['January 2026', 'UTC'], columns, rows, dimensions, metrics: ['views'] };
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const CHARTS = {
  'line, 400 days': chart(
    'line',
    ['day'],
    days(400, ['']).map(([day, , views]) => [day, views]),
  ),
  'line, 90 days × 8': chart('line', ['day', 'channel'], days(90, series(8))),
  'bar, 30 names': chart(
    'bar',
    ['channel'],
    series(30).map((name, index) => [name, 9000 - index * 200]),
  ),
  'stacked_bar, 31 days × 8': chart('stacked_bar', ['day', 'channel'], days(31, series(8))),
  'heatmap, week × hours': chart(
    'heatmap',
    ['weekday', 'hour_of_day'],
    weekdays.flatMap((day, row) => Array.from({ length: 24 }, (_, hour) => [day, hour, (row * 31 + hour * 77) % 400])),
  ),
};

async function timeOf(renderer, input) {
  const started = performance.now();
  await renderer.render(input);
  return performance.now() - started;
}

export async function run(options) {
  const { values } = parseArgs({ args: options, options: { rounds: { type: 'string', default: '9' } } });
  const rounds = Number(values.rounds);
  // Below node_modules, so that the renderer is found.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'charts-'));
  try {
    await buildChart(folder, common);
    const file = join(folder, 'chart.cjs');
    const { createRenderer } = await loadSource(`export { createRenderer } from './analytics/chart/renderer.ts';`);
    const open = () => createRenderer({ file, log: console.error });
    const firsts = [];
    for (let round = 0; round < rounds; round += 1) {
      const renderer = open();
      firsts.push(await timeOf(renderer, CHARTS['line, 90 days × 8']));
      await renderer.close();
    }
    const row = (name, times, goal) => ({
      chart: name,
      'median ms': Math.round(median(times)),
      'slowest ms': Math.round(Math.max(...times)),
      'goal ms': goal,
    });
    const rows = [row('the first of a server', firsts, FIRST_MS)];
    const renderer = open();
    await renderer.render(CHARTS['bar, 30 names']);
    for (const [name, input] of Object.entries(CHARTS)) {
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await timeOf(renderer, input));
      rows.push(row(name, times, NEXT_MS));
    }
    await renderer.close();
    console.table(rows);
    return [
      { what: 'the first chart of a server', ms: median(firsts), below: FIRST_MS },
      { what: 'the next charts, the slowest kind', ms: Math.max(...rows.slice(1).map((next) => next['median ms'])), below: NEXT_MS },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2));
