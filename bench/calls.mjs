import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { fixture, median, newFolder, OURS, serverEnv, startDemo, startLines } from './processes.mjs';
import { inTurn, ratioOf } from './rounds.mjs';

const WIDTHS = [1, 16];

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '40' },
      latency: { type: 'string', multiple: true, default: ['20'] },
      rounds: { type: 'string', default: '7' },
      warmups: { type: 'string', default: '2' },
      ours: { type: 'string', default: OURS },
    },
  });
  const rows = [];
  for (const latencyMs of values.latency.map(Number)) {
    const [calls, rounds, warmups] = [values.calls, values.rounds, values.warmups].map(Number);
    rows.push(...(await measureCalls({ calls, latencyMs, rounds, warmups, ours: values.ours })));
  }
  show(rows);
  return rows.map(({ latencyMs, width, p50Ratio }) => ({
    what: `list_channels over stdio, ${width} at a time, a service that takes ${latencyMs} ms, p50`,
    against: 'an undici request and JSON.parse',
    ratio: p50Ratio,
    atMost: 1.3,
  }));
}

export async function measureCalls({ calls, latencyMs, rounds, warmups, ours }) {
  const home = newFolder();
  const demo = startDemo(ours, { latencyMs, channels: 100 });
  const bare = startLines(process.execPath, [fixture('bare-list.cjs')]);
  const service = await demo.next();
  const { baseUrl, apiKey } = service;
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env: serverEnv(home, service) });
  await client.open();
  const list = () => client.request('tools/call', { name: 'list_channels', arguments: { page: 1, size: PAGE_SIZE } });
  try {
    const rows = [];
    for (const width of WIDTHS) {
      const bareTimes = () => {
        bare.child.stdin.write(`${JSON.stringify({ baseUrl, apiKey, path: PATH, count: calls, width })}\n`);
        return bare.next();
      };
      const taken = await inTurn([() => timed(calls, width, list), bareTimes], async (take) => spread(await take()), { rounds, warmups });
      const [ofOurs, ofBare] = taken;
      const of = (series, field) => median(series.map((one) => one[field]));
      const ratio = (field) => ratioOf(ofOurs, ofBare, (one) => one[field]);
      rows.push({
        latencyMs,
        width,
        oursP50Ms: of(ofOurs, 'p50'),
        oursP99Ms: of(ofOurs, 'p99'),
        bareP50Ms: of(ofBare, 'p50'),
        bareP99Ms: of(ofBare, 'p99'),
        p50Ratio: ratio('p50'),
        p99Ratio: ratio('p99'),
      });
    }
    return rows;
  } finally {
    await client.close();
    for (const { child } of [demo, bare]) child.kill();
  }
}

const PAGE_SIZE = 20;
const PATH = `/v1/channels?page=1&size=${PAGE_SIZE}`;

async function timed(count, width, act) {
  const times = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const began = performance.now();
      const { isError, structuredContent } = await act();
      if (isError || structuredContent.channels.length !== PAGE_SIZE) throw new Error('A call failed.');
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return times;
}

function spread(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length * 0.5)], p99: sorted[Math.floor(sorted.length * 0.99)] };
}

function show(rows) {
  const shown = (value, digits = 2) => value.toFixed(digits).padStart(9);
  console.log('list_channels over stdio, and a bare request of the same page; milliseconds, medians of rounds in turn.\n');
  console.log('latency at once ours p50 ours p99 bare p50 bare p99  ratio of p50, of p99');
  for (const { latencyMs, width, oursP50Ms, oursP99Ms, bareP50Ms, bareP99Ms, p50Ratio, p99Ratio } of rows)
    console.log(
      `${String(latencyMs).padStart(7)}${String(width).padStart(8)}${shown(oursP50Ms)}${shown(oursP99Ms)}${shown(bareP50Ms)}${shown(bareP99Ms)} ${shown(p50Ratio)} ${shown(p99Ratio)}`,
    );
}
