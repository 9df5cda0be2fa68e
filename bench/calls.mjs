// What does a call cost on its way? `list_channels`, over stdio and back, against a bare undici request of the same page
// with JSON.parse of its body, at the same demo service, in turn, one at a time and sixteen at a time. And what of that
// no server over stdio can be without: a relay that does nothing but pass the request and the records on. A service on
// the same machine answers at once, in less time than two processes need to talk; one across a network takes longer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { root } from '../scripts/root.mjs';
import { startLines } from './lines.mjs';
import { median } from './process-usage.mjs';

const fixture = (name) => join(import.meta.dirname, 'fixtures', name);
const WIDTHS = [1, 16];

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      calls: { type: 'string', default: '400' },
      latency: { type: 'string', multiple: true, default: ['0', '20'] },
      rounds: { type: 'string', default: '7' },
      warmups: { type: 'string', default: '2' },
      ours: { type: 'string', default: join(root, 'dist', 'main.cjs') },
      json: { type: 'boolean', default: false },
    },
  });
  const rows = [];
  for (const latencyMs of values.latency.map(Number)) {
    // Where each takes long, fewer calls tell as much.
    const calls = latencyMs === 0 ? Number(values.calls) : Math.ceil(Number(values.calls) / 10);
    rows.push(...(await measure({ calls, latencyMs, rounds: Number(values.rounds), warmups: Number(values.warmups), ours: values.ours })));
  }
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else show(rows);
  return rows.flatMap(({ latencyMs, width, p50Ratio, relayRatio }) => {
    const what = (name) => `${name} over stdio, ${width} at a time, a service that takes ${latencyMs} ms, p50`;
    const against = 'an undici request and JSON.parse';
    return [
      { what: what('list_channels'), against, ratio: p50Ratio, atMost: 1.5 },
      { what: what('the same relayed, no SDK and no check,'), against, ratio: relayRatio },
    ];
  });
}

async function measure({ calls, latencyMs, rounds, warmups, ours }) {
  const home = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bench-'));
  const demo = startLines(process.execPath, [fixture('demo-process.cjs'), join(dirname(ours), 'demo.cjs'), '0', String(latencyMs), '100']);
  const bare = startLines(process.execPath, [fixture('bare-list.cjs')]);
  const { baseUrl, statsUrl, apiKey } = await demo.next();
  const env = {
    HOME: home,
    VIDEO_HOSTING_BASE_URL: baseUrl,
    VIDEO_HOSTING_STATS_URL: statsUrl,
    VIDEO_HOSTING_API_KEY: apiKey,
    VIDEO_HOSTING_DATA_DIR: join(home, 'data'),
  };
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env });
  const relay = startRawClient(process.execPath, [fixture('relay.cjs'), baseUrl, apiKey, PATH], { era: 'legacy' });
  await Promise.all([client.open(), relay.open()]);
  const list = (of) => () => of.request('tools/call', { name: 'list_channels', arguments: { page: 1, size: PAGE_SIZE } });
  try {
    const rows = [];
    for (const width of WIDTHS) {
      const series = { ours: [], relay: [], bare: [] };
      for (let round = -warmups; round < rounds; round += 1) {
        const callTimes = await timed(calls, width, list(client));
        const relayTimes = await timed(calls, width, list(relay));
        bare.child.stdin.write(`${JSON.stringify({ baseUrl, apiKey, path: PATH, count: calls, width })}\n`);
        const bareTimes = await bare.next();
        if (round < 0) continue;
        series.ours.push(spread(callTimes));
        series.relay.push(spread(relayTimes));
        series.bare.push(spread(bareTimes));
      }
      const of = (name, field) => median(series[name].map((one) => one[field]));
      // Round by round, since the machine is not the same throughout.
      const ratio = (field, name = 'ours') => median(series[name].map((one, round) => one[field] / series.bare[round][field]));
      rows.push({
        latencyMs,
        width,
        oursP50Ms: of('ours', 'p50'),
        oursP99Ms: of('ours', 'p99'),
        bareP50Ms: of('bare', 'p50'),
        bareP99Ms: of('bare', 'p99'),
        p50Ratio: ratio('p50'),
        p99Ratio: ratio('p99'),
        relayRatio: ratio('p50', 'relay'),
      });
    }
    return rows;
  } finally {
    await Promise.all([client.close(), relay.close()]);
    for (const { child } of [demo, bare]) child.kill();
    rmSync(home, { recursive: true, force: true });
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
  console.log('latency at once ours p50 ours p99 bare p50 bare p99  ratio of p50, of p99, of a relay’s p50');
  for (const { latencyMs, width, oursP50Ms, oursP99Ms, bareP50Ms, bareP99Ms, p50Ratio, p99Ratio, relayRatio } of rows)
    console.log(
      `${String(latencyMs).padStart(7)}${String(width).padStart(8)}${shown(oursP50Ms)}${shown(oursP99Ms)}${shown(bareP50Ms)}${shown(bareP99Ms)} ${shown(p50Ratio)} ${shown(p99Ratio)} ${shown(relayRatio)}`,
    );
}
