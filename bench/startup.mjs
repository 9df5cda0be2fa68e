// How long until a client has the tool list? Our built server against a server without any SDK, which is the floor, and
// against a one-tool server on the same SDK, built alike. All are started in turn, in one run, so that what else the
// machine does falls on all of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { common } from '../scripts/build.mjs';
import { startRawClient } from '../scripts/raw-client.mjs';
import { root } from '../scripts/root.mjs';
import { cpuMsOf, median, rssMbOf } from './process-usage.mjs';

const fixture = (name) => join(import.meta.dirname, 'fixtures', name);
/** Long enough for what a start leaves to the next turns of the event loop. */
const SETTLE_MS = 100;

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      runs: { type: 'string', default: '21' },
      warmups: { type: 'string', default: '3' },
      node: { type: 'string', default: process.execPath },
      ours: { type: 'string', default: join(root, 'dist', 'main.cjs') },
      json: { type: 'boolean', default: false },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bench-'));
  try {
    const oneTool = join(folder, 'one-tool.cjs');
    await build({ ...common, entryPoints: [fixture('one-tool-server.ts')], outfile: oneTool });
    const servers = { ours: values.ours, 'raw, no SDK': fixture('raw-server.cjs'), 'one tool, same SDK': oneTool };
    const starts = await measure({ servers, node: values.node, runs: Number(values.runs), warmups: Number(values.warmups) });
    if (values.json) console.log(JSON.stringify(summarised(starts), null, 2));
    else show(summarised(starts), Number(values.runs));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ servers, node, runs, warmups }) {
  const series = Object.entries(servers).flatMap(([name, file]) => ['legacy', 'modern'].map((era) => ({ name, file, era, starts: [] })));
  for (let run = -warmups; run < runs; run += 1) {
    for (const { file, era, starts } of series) {
      const start = await startOnce(node, file, era);
      if (run >= 0) starts.push(start);
    }
  }
  return series;
}

async function startOnce(node, file, era) {
  const began = performance.now();
  const client = startRawClient(node, [file], { era });
  await client.open();
  await client.request('tools/list');
  const wallMs = performance.now() - began;
  const cpuMs = cpuMsOf(client.child.pid);
  await sleep(SETTLE_MS);
  const rssMb = rssMbOf(client.child.pid);
  await client.close();
  return { wallMs, cpuMs, rssMb };
}

function summarised(series) {
  return series.map(({ name, era, starts }) => {
    const of = (field) => starts.map((start) => start[field]);
    return {
      name,
      era,
      fastestMs: Math.min(...of('wallMs')),
      wallMs: median(of('wallMs')),
      cpuMs: median(of('cpuMs')),
      rssMb: median(of('rssMb')),
    };
  });
}

function show(rows, runs) {
  const shown = (value, digits = 1) => (value === undefined ? '–' : value.toFixed(digits));
  console.log(`From the start of the process to the whole tool list; medians of ${runs} starts, in turn.\n`);
  console.log('server               era      wall ms  fastest   CPU ms   RSS MB');
  for (const { name, era, wallMs, fastestMs, cpuMs, rssMb } of rows) {
    const figures = [wallMs, fastestMs, cpuMs, rssMb].map((value) => shown(value).padStart(8));
    console.log(`${name.padEnd(20)} ${era.padEnd(7)} ${figures.join(' ')}`);
  }
  console.log();
  for (const era of ['legacy', 'modern']) {
    const [ours, ...others] = rows.filter((row) => row.era === era);
    for (const other of others) {
      const ratio = (field) =>
        ours[field] === undefined || other[field] === undefined ? '–' : `${shown(ours[field] / other[field], 2)} ×`;
      console.log(`ours / ${other.name}, ${era}: wall ${ratio('wallMs')}, CPU ${ratio('cpuMs')}, RSS ${ratio('rssMb')}`);
    }
  }
}
