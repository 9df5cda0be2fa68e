// How quickly does a bulk move go? The whole product (a client, our server as a process of its own, its journal on disk)
// against a bare undici loop of the same batches, as many at a time, at the same demo service, in turn, in one run.
// A service on the same machine answers at once; `latency` is what each of its answers takes longer, in milliseconds.
// `moves` is the time at the service, by its own clock: from the arrival of the first request to the end of the last.
// `job` is a change's own time, by its journal: from the intent being written, once the user agreed, to the end being
// written. `call` is what the client waits for: it has the file read and the plan made again too.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { root } from '../scripts/root.mjs';
import { startLines } from './lines.mjs';
import { cpuMsOf, median, peakRssMbOf } from './process-usage.mjs';

const fixture = (name) => join(import.meta.dirname, 'fixtures', name);
/** From how many ids on a move is a rate. */
const RATE_FROM = 100_000;
const BATCH = { batchSize: 1_000, width: 8 };

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      ids: { type: 'string', multiple: true, default: ['10000', '100000', '1000000'] },
      latency: { type: 'string', multiple: true, default: ['0', '20'] },
      rounds: { type: 'string', default: '15' },
      warmups: { type: 'string', default: '2' },
      ours: { type: 'string', default: join(root, 'dist', 'main.cjs') },
      json: { type: 'boolean', default: false },
    },
  });
  const rows = [];
  for (const latencyMs of values.latency.map(Number)) {
    for (const ids of values.ids.map(Number)) {
      // A million takes its time: fewer rounds tell as much.
      const rounds = ids > 200_000 ? Math.min(7, Number(values.rounds)) : Number(values.rounds);
      rows.push(await measure({ ids, latencyMs, rounds, warmups: Number(values.warmups), ours: values.ours }));
    }
  }
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else show(rows);
  return rows.flatMap(({ ids, latencyMs, jobRate, peakRssMb }) => [
    {
      what: `moving ${ids.toLocaleString('en')} ids, a service that takes ${latencyMs} ms`,
      against: 'a bare undici loop’s rate, as many at a time',
      ratio: jobRate,
      // What few batches take is mostly to put the intent on disk, which no loop does: a figure, and no rate to reach.
      ...(ids < RATE_FROM ? {} : { atLeast: 0.9 }),
    },
    ...(ids >= 1_000_000 && latencyMs === 0 ? [{ what: 'memory at most, moving them', mb: peakRssMb, below: 400 }] : []),
  ]);
}

export async function measure({ ids: count, latencyMs, rounds, warmups, ours }) {
  const home = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bench-'));
  const demo = startLines(process.execPath, [
    fixture('demo-process.cjs'),
    join(dirname(ours), 'demo.cjs'),
    String(count),
    String(latencyMs),
  ]);
  const bare = startLines(process.execPath, [fixture('bare-move.cjs')]);
  const { baseUrl, statsUrl, apiKey, ids, projects } = await demo.next();
  const idsFile = join(home, 'ids.txt');
  writeFileSync(idsFile, ids.join('\n'));
  const server = await startOurs(ours, home, { baseUrl, statsUrl, apiKey });
  const series = { bare: [], bareMoves: [], moves: [], job: [], call: [] };
  const movesMs = async () => {
    demo.child.stdin.write('\n');
    return (await demo.next()).ms;
  };
  try {
    for (let round = -warmups; round < rounds; round += 1) {
      // Each moves all of them, to and fro.
      const [first, second] = [projects[0], projects[1]];
      bare.child.stdin.write(`${JSON.stringify({ baseUrl, apiKey, projectId: first, idsFile, ...BATCH })}\n`);
      const { ms: bareMs } = await bare.next();
      const bareMovesMs = await movesMs();
      const { jobMs, callMs } = await server.move(second, count);
      const times = { bare: bareMs, bareMoves: bareMovesMs, moves: await movesMs(), job: jobMs, call: callMs };
      if (round >= 0) for (const name of Object.keys(series)) series[name].push(times[name]);
    }
    const peakRssMb = peakRssMbOf(server.pid);
    const cpuMs = cpuMsOf(server.pid) / (rounds + warmups);
    const of = (name) => median(series[name]);
    // Pair by pair, since the machine is not the same throughout.
    const ratio = (ours, theirs = 'bare') => median(series[theirs].map((ms, round) => ms / series[ours][round]));
    return {
      ids: count,
      latencyMs,
      bareMs: of('bare'),
      movesMs: of('moves'),
      jobMs: of('job'),
      callMs: of('call'),
      movesRate: ratio('moves', 'bareMoves'),
      jobRate: ratio('job'),
      callRate: ratio('call'),
      peakRssMb,
      cpuMs,
    };
  } finally {
    await server.close();
    for (const { child } of [demo, bare]) child.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

async function startOurs(ours, home, { baseUrl, statsUrl, apiKey }) {
  const env = {
    HOME: home,
    VIDEO_HOSTING_BASE_URL: baseUrl,
    VIDEO_HOSTING_STATS_URL: statsUrl,
    VIDEO_HOSTING_API_KEY: apiKey,
    VIDEO_HOSTING_FILES_DIR: home,
    VIDEO_HOSTING_DATA_DIR: join(home, 'data'),
  };
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env, timeoutMs: 120_000 });
  await client.open();
  const call = async (name, args) => (await client.request('tools/call', { name, arguments: args })).structuredContent;
  const move = async (targetProject, count) => {
    const args = { targetProject, videoIdsFile: 'ids.txt' };
    const { confirmationToken } = await call('move_videos', args);
    const began = performance.now();
    const { status, moved, changeId } = await call('move_videos', { ...args, confirmationToken });
    const callMs = performance.now() - began;
    if (status !== 'applied' || moved !== count) throw new Error(`Moved ${moved}: ${status}.`);
    return { callMs, jobMs: jobMsOf(home, changeId) };
  };
  return { pid: client.child.pid, move, close: client.close };
}

function jobMsOf(home, changeId) {
  const accounts = join(home, 'data', 'accounts');
  const [account] = readdirSync(accounts);
  const lines = readFileSync(join(accounts, account, 'changes', `${changeId}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  const at = (line) => Date.parse(JSON.parse(line).at);
  return at(lines.at(-1)) - at(lines[0]);
}

function show(rows) {
  const shown = (value, digits = 0) => (value === undefined ? '–' : value.toFixed(digits)).padStart(9);
  console.log(`Batches of ${BATCH.batchSize}, at most ${BATCH.width} at a time; medians of rounds taken in turn.\n`);
  console.log('      ids  latency  bare ms moves ms   job ms  call ms moves/bare job/bare call/bare   CPU ms  peak RSS MB');
  for (const { ids, latencyMs, bareMs, movesMs, jobMs, callMs, movesRate, jobRate, callRate, cpuMs, peakRssMb } of rows)
    console.log(
      `${shown(ids)}${shown(latencyMs)}${shown(bareMs)}${shown(movesMs)}${shown(jobMs)}${shown(callMs)} ${shown(movesRate, 2)}${shown(jobRate, 2)}${shown(callRate, 2)} ${shown(cpuMs)}    ${shown(peakRssMb)}`,
    );
  console.log(
    '\nmoves/bare, job/bare and call/bare: our rate as a part of the bare loop’s; moves, of the bare loop’s own time at the service.',
  );
}
