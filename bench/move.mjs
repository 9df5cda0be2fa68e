// How quickly does a bulk move go? The whole product (a client, our server as a process of its own, its journal on disk)
// against a bare undici loop of the same batches, as many in flight, at the same demo service, alternately in one run.
// `latency` is how many milliseconds the service takes to answer. `job` is the time of the change by its journal: from the
// intent being written, after the user agreed, to the end being written. The peak of memory is that of the first move: what
// V8 has not collected by the end of one adds to the peak of the next.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { cpuMsOf, fixture, median, newFolder, OURS, peakRssMbOf, serverEnv, startDemo, startLines } from './processes.mjs';
import { inTurn, ratioOf } from './rounds.mjs';

const BATCH = { batchSize: 1_000, width: 8 };

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      ids: { type: 'string', multiple: true, default: ['100000', '1000000'] },
      latency: { type: 'string', multiple: true, default: ['20'] },
      rounds: { type: 'string', default: '15' },
      warmups: { type: 'string', default: '2' },
      ours: { type: 'string', default: OURS },
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
  show(rows);
  return rows.flatMap(({ ids, latencyMs, jobRate, peakRssMb }) => {
    const what = `moving ${ids.toLocaleString('en')} ids, a service that takes ${latencyMs} ms`;
    return [
      { what, against: 'the rate of a bare undici loop, as many in flight', ratio: jobRate, atLeast: 0.9 },
      { what: `memory at most, ${what}`, mb: peakRssMb, atMost: 400 },
    ];
  });
}

export async function measure({ ids: count, latencyMs, rounds, warmups, ours }) {
  const home = newFolder();
  const demo = startDemo(ours, { videos: count, latencyMs });
  const bare = startLines(process.execPath, [fixture('bare-move.cjs')]);
  const service = await demo.next();
  const { baseUrl, apiKey, ids, projects } = service;
  const idsFile = join(home, 'ids.txt');
  writeFileSync(idsFile, ids.join('\n'));
  const server = await startOurs(ours, home, service);
  let peakRssMb;
  // Each moves all of them, to and fro.
  const moveBare = async () => {
    bare.child.stdin.write(`${JSON.stringify({ baseUrl, apiKey, projectId: projects[0], idsFile, ...BATCH })}\n`);
    return (await bare.next()).ms;
  };
  const moveOurs = async () => {
    const ms = await server.move(projects[1], count);
    peakRssMb ??= peakRssMbOf(server.pid);
    return ms;
  };
  try {
    const [ofBare, ofJobs] = await inTurn([moveBare, moveOurs], (move) => move(), { rounds, warmups });
    return {
      ids: count,
      latencyMs,
      bareMs: median(ofBare),
      jobMs: median(ofJobs),
      jobRate: ratioOf(ofBare, ofJobs),
      peakRssMb,
      cpuMs: cpuMsOf(server.pid) / (rounds + warmups),
    };
  } finally {
    await server.close();
    for (const { child } of [demo, bare]) child.kill();
  }
}

async function startOurs(ours, home, service) {
  const env = { ...serverEnv(home, service), VIDEO_HOSTING_FILES_DIR: home };
  const client = startRawClient(process.execPath, [ours], { era: 'legacy', env, timeoutMs: 120_000 });
  await client.open();
  const call = async (name, args) => (await client.request('tools/call', { name, arguments: args })).structuredContent;
  const move = async (targetProject, count) => {
    const args = { targetProject, videoIdsFile: 'ids.txt' };
    const { changeId, confirmationToken, preview } = await call('move_videos', args);
    const { status, moved } = await call('confirm_change', { changeId, confirmationToken, summary: preview.summary });
    if (status !== 'applied' || moved !== count) throw new Error(`Moved ${moved}: ${status}.`);
    return jobMsOf(home, changeId);
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
  console.log(`Batches of ${BATCH.batchSize}, at most ${BATCH.width} in flight; medians of rounds, alternately.\n`);
  console.log('      ids  latency  bare ms   job ms job/bare   CPU ms  peak RSS MB');
  for (const { ids, latencyMs, bareMs, jobMs, jobRate, cpuMs, peakRssMb } of rows)
    console.log(
      `${[ids, latencyMs, bareMs, jobMs].map((value) => shown(value)).join('')}${shown(jobRate, 2)}${shown(cpuMs)}    ${shown(peakRssMb)}`,
    );
  console.log('\njob/bare: our rate as a part of the bare loop’s.');
}
