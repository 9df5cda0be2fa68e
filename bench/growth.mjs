// How do time and memory grow with 10 and 100 times the amount? Channels (a search over all of them; our CPU time, since the
// demo service sorts all of them for each page), ids (a bulk move) and views (reading them into the cache).
// With --draw FILE it is drawn, with the product's own charts.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadSource } from '../scripts/load-source.mjs';
import { startRawClient } from '../scripts/raw-client.mjs';
import { measure as measureMove } from './move.mjs';
import { cpuMsOf, median, newFolder, OURS, peakRssMbOf, serverEnv, startDemo } from './processes.mjs';
import { inTurn } from './rounds.mjs';
import { measure as measureSync } from './sync.mjs';

const TIMES = [1, 10, 100];
/** What there is at first, and how often it is measured. */
const KINDS = {
  channels: { base: 100, rounds: 5, measure: measureChannels, time: 'our CPU time' },
  ids: { base: 10_000, rounds: 3, measure: measureIds },
  views: { base: 10_000, rounds: 1, measure: measureViews },
};

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      ours: { type: 'string', default: OURS },
      times: { type: 'string', multiple: true, default: TIMES.map(String) },
      draw: { type: 'string' },
    },
  });
  const rows = [];
  for (const [kind, { base, rounds, measure }] of Object.entries(KINDS))
    for (const times of values.times.map(Number)) {
      const count = base * times;
      rows.push({
        kind,
        times,
        count,
        ...(await measure({ count, rounds: Math.min(rounds, times < 100 ? rounds : 2), ours: values.ours })),
      });
    }
  show(rows);
  if (values.draw !== undefined) await draw(rows, values);
  return Object.keys(KINDS).map((kind) => findingOf(kind, rows));
}

function findingOf(kind, rows) {
  const of = rows.filter((row) => row.kind === kind);
  const [first, last] = [of[0], of.at(-1)];
  return {
    what: `${KINDS[kind].time ?? 'time'} of each, of ${last.count.toLocaleString('en')} ${kind}`,
    against: `${first.count.toLocaleString('en')} of them`,
    ratio: usOf(last) / usOf(first),
    atMost: 1.1,
  };
}

const usOf = ({ ms, count }) => (ms / count) * 1000;

async function measureIds({ count, rounds, ours }) {
  const { jobMs, peakRssMb } = await measureMove({ ids: count, latencyMs: 0, rounds, warmups: 1, ours });
  return { ms: jobMs, peakRssMb };
}

async function measureViews({ count, rounds, ours }) {
  const { syncPerSecond, peakRssMb } = await measureSync({ views: count, rounds, ours });
  return { ms: (count / syncPerSecond) * 1000, peakRssMb };
}

/** All pages are turned, since the service can't search. */
async function measureChannels({ count, rounds, ours }) {
  const home = newFolder();
  const demo = startDemo(ours, { channels: count });
  const env = serverEnv(home, await demo.next());
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env, timeoutMs: 120_000 });
  try {
    await client.open();
    const { pid } = client.child;
    const turnAll = async () => {
      const before = cpuMsOf(pid);
      const { isError, content } = await client.request('tools/call', { name: 'list_channels', arguments: { search: 'zzzzzz' } });
      if (isError) throw new Error(content[0].text);
      return cpuMsOf(pid) - before;
    };
    const [taken] = await inTurn([turnAll], (turn) => turn(), { rounds, warmups: 1 });
    return { ms: median(taken), peakRssMb: peakRssMbOf(pid) };
  } finally {
    await client.close();
    demo.child.kill();
  }
}

function show(rows) {
  const shown = (value, digits = 0) =>
    (value === undefined ? '–' : value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })).padStart(12);
  console.log('               count          ms    us each   peak RSS MB');
  for (const row of rows)
    console.log(`${row.kind.padEnd(8)}${shown(row.count)}${shown(row.ms)}${shown(usOf(row), 1)}${shown(row.peakRssMb)}`);
}

/** Time of each thing, as a part of what it takes where there is least. */
async function draw(rows, { ours, draw: file }) {
  const { createRenderer } = await loadSource(`export { createRenderer } from './analytics/chart/renderer.ts';`);
  const renderer = createRenderer({ file: join(dirname(ours), 'chart.cjs'), log: console.error });
  const first = (kind) => usOf(rows.find((row) => row.kind === kind));
  const { png } = await renderer.render({
    kind: 'bar',
    title: 'Time of each, when there is 10 and 100 times as much',
    subtitle: ['1 is what it takes where there is least', 'level or falling is linear or better'],
    columns: [
      { name: 'what', type: 'text' },
      { name: 'time_of_each', type: 'number' },
    ],
    rows: rows.map((row) => [`${row.count.toLocaleString('en')} ${row.kind}`, usOf(row) / first(row.kind)]),
    dimensions: ['what'],
    metrics: ['time_of_each'],
  });
  await renderer.close();
  writeFileSync(file, png);
}
