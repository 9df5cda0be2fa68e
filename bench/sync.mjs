// How quickly does the view log get into the lake? The whole product (`sync`, a process of its own with its DuckDB beside
// it: checks, spool, Parquet, durable commits) against fetching the same pages, as many at a time, and only parsing their
// JSON. The service is a third process, and takes its share of the machine in both: with fewer than three cores to spare
// the ratio is that of the CPU time of all, not of ours alone; `CPU us` shows that of each.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { cpuMsOf, fixture, median, newFolder, OURS, peakRssMbOf, serverEnv, startLines } from './processes.mjs';

/** As many requests as our client lets be under way at most. */
const WIDTH = 8;
const SAMPLE_MS = 100;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      views: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      ours: { type: 'string', default: OURS },
    },
  });
  const result = await measure({ views: Number(values.views), rounds: Number(values.rounds), ours: values.ours });
  show(result);
  const what = `${result.views.toLocaleString('en')} views into Parquet`;
  return [
    { what, against: 'fetching and JSON.parse alone, its rate', ratio: result.ratio, atLeast: 0.6 },
    { what: `memory at most, of all processes, ${what}`, mb: result.peakRssMb, atMost: 700 },
  ];
}

export async function measure({ views, rounds, ours }) {
  const home = newFolder();
  const demo = startLines(process.execPath, [fixture('views-process.cjs'), join(dirname(ours), 'demo.cjs'), String(views)]);
  const asked = () => {
    demo.child.stdin.write('\n');
    return demo.next();
  };
  const taken = [];
  try {
    const { baseUrl, statsUrl, apiKey, count } = await demo.next();
    const requests = join(home, 'requests.json');
    for (let round = 0; round < rounds; round += 1) {
      const synced = await syncAll(ours, join(home, `round-${round}`), { baseUrl, statsUrl, apiKey });
      if (synced.records !== count) throw new Error(`${synced.records} of ${count} views were kept.`);
      const bodies = await asked();
      writeFileSync(requests, JSON.stringify(bodies));
      const [bare] = await linesOf(spawnNode([fixture('bare-views.cjs'), JSON.stringify({ statsUrl, requests, width: WIDTH })], {}));
      await asked();
      taken.push({ synced, bare: JSON.parse(bare), requests: bodies.length });
    }
  } finally {
    demo.child.kill();
  }
  const of = (value) => median(taken.map(value));
  return {
    views,
    requests: of((round) => round.requests),
    syncPerSecond: of(({ synced }) => (synced.records / synced.ms) * 1000),
    barePerSecond: of(({ bare }) => (bare.records / bare.ms) * 1000),
    ratio: of(({ synced, bare }) => synced.records / synced.ms / (bare.records / bare.ms)),
    cpuUs: {
      server: of(({ synced }) => (synced.serverCpuMs / views) * 1000),
      engine: of(({ synced }) => (synced.engineCpuMs / views) * 1000),
      bare: of(({ bare }) => (bare.cpuMs / views) * 1000),
    },
    peakRssMb: of(({ synced }) => synced.peakRssMb),
    bytesPerView: of(({ synced }) => synced.bytes / views),
  };
}

/** The command, from its start to its end. */
async function syncAll(ours, home, service) {
  const began = performance.now();
  const child = spawnNode([ours, 'sync', '--from', '2025-01-01', '--to', '2026-12-31'], serverEnv(home, service));
  const usage = watch(child.pid);
  const output = await linesOf(child);
  const ms = performance.now() - began;
  const records = Number(/^([\d,]+) views are kept/.exec(output[1] ?? '')?.[1]?.replaceAll(',', ''));
  return { ms, records, bytes: bytesIn(home), ...usage.end() };
}

function spawnNode(args, env) {
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
}

async function linesOf(child) {
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  return lines;
}

/** The most memory that a process and its children held, each at its own peak, and their time. */
function watch(pid) {
  const peaks = new Map();
  const times = new Map();
  const look = () => {
    for (const one of [pid, ...childrenOf(pid)]) {
      const peak = peakRssMbOf(one);
      if (peak !== undefined) peaks.set(one, peak);
      const cpuMs = cpuMsOf(one);
      // Of a process that is ending there is nothing more to be had.
      if (cpuMs !== undefined) times.set(one, Math.max(cpuMs, times.get(one) ?? 0));
    }
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    end() {
      clearInterval(timer);
      const sum = (values) => [...values].reduce((total, value) => total + value, 0);
      const serverCpuMs = times.get(pid) ?? 0;
      return { peakRssMb: sum(peaks.values()), serverCpuMs, engineCpuMs: sum(times.values()) - serverCpuMs };
    },
  };
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.name.endsWith('.parquet'));
  return files.reduce((total, { parentPath, name }) => total + readFileSync(join(parentPath, name)).length, 0);
}

function show({ views, requests, syncPerSecond, barePerSecond, ratio, cpuUs, peakRssMb, bytesPerView }) {
  const number = (value, digits = 0) => (value === undefined ? '–' : value.toLocaleString('en', { maximumFractionDigits: digits }));
  console.log(`${number(views)} views in ${number(requests)} requests, ${WIDTH} at a time; medians of rounds taken in turn.\n`);
  console.log(`                  views/s   CPU us a view`);
  console.log(`fetch and parse ${number(barePerSecond).padStart(9)}   ${number(cpuUs.bare, 1)}`);
  console.log(`sync            ${number(syncPerSecond).padStart(9)}   ${number(cpuUs.server, 1)} and ${number(cpuUs.engine, 1)} of DuckDB`);
  console.log(`\nsync / fetch and parse  ${number(ratio, 2)}`);
  console.log(`peak RSS, both processes  ${number(peakRssMb)} MB`);
  console.log(`on disk  ${number(bytesPerView)} bytes a view`);
}
