// How long until a client has the tool list, and what does the first call cost? Our built server, a server without an SDK
// (the minimum) and a one-tool server on the same SDK, built alike. All are started alternately in one run, so that the
// load of the machine affects all of them.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { common } from '../scripts/build.mjs';
import { startRawClient } from '../scripts/raw-client.mjs';
import { judged } from './findings.mjs';
import { cpuMsOf, fixture, median, newFolder, OURS, serverEnv, settledRssMbOf, startDemo } from './processes.mjs';
import { inTurn } from './rounds.mjs';

export const ERAS = ['legacy', 'modern'];
const RAW = 'raw, no SDK';
const ONE_TOOL = 'one tool, same SDK';

export const FIRST_CALL = { name: 'list_channels', arguments: { size: 10 } };

/** The figures of a start; each is the median of all starts. */
export const FIGURES = {
  wallMs: 'wall ms',
  cpuMs: 'CPU ms',
  rssMb: 'RSS MB',
  callMs: 'call ms',
  callCpuMs: '… CPU ms',
  callRssMb: '… RSS MB',
};

/** Targets of our server; `times` names the server that a ratio is taken to. */
const TARGETS = [
  { what: 'start to tools listed', figure: 'wallMs', times: RAW, atMost: 1.3 },
  { what: 'memory once the tools are listed', figure: 'rssMb', atMost: 49.5 },
  { what: 'memory after the first call', figure: 'callRssMb', atMost: 85 },
];

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      runs: { type: 'string', default: '21' },
      warmups: { type: 'string', default: '3' },
      ours: { type: 'string', default: OURS },
    },
  });
  const folder = newFolder();
  const demo = startDemo(values.ours, { channels: 60 });
  try {
    const service = await demo.next();
    const servers = await serversIn(folder, values.ours, service);
    const starts = await measureStarts({ servers, runs: Number(values.runs), warmups: Number(values.warmups) });
    const rows = summarised(starts);
    const findings = ERAS.flatMap((era) => TARGETS.map((target) => comparedWith(target, era, rows)));
    show(rows, findings, Number(values.runs));
    return findings;
  } finally {
    demo.child.kill();
  }
}

/** The servers, ours first; `call` is the first call of one that has a tool. */
async function serversIn(folder, ours, service) {
  const oneTool = join(folder, 'one-tool.cjs');
  await build({ ...common, entryPoints: [fixture('one-tool-server.ts')], outfile: oneTool });
  const env = serverEnv(folder, service);
  return [
    { name: 'ours', file: ours, env, call: FIRST_CALL },
    { name: RAW, file: fixture('raw-server.cjs') },
    { name: ONE_TOOL, file: oneTool, call: { name: 'echo', arguments: { text: 'x' } } },
  ];
}

export async function measureStarts({ servers, runs, warmups }) {
  const kinds = servers.flatMap((server) => ERAS.map((era) => ({ server, era })));
  const series = await inTurn(kinds, ({ server, era }) => startOnce(server, era), { rounds: runs, warmups });
  return kinds.map((kind, index) => ({ ...kind, starts: series[index] }));
}

async function startOnce({ file, env = {}, call }, era) {
  const began = performance.now();
  const client = startRawClient(process.execPath, [file], { era, env });
  const { pid } = client.child;
  try {
    await client.open();
    await client.request('tools/list');
    const wallMs = performance.now() - began;
    const cpuMs = cpuMsOf(pid);
    const listed = { wallMs, cpuMs, rssMb: await settledRssMbOf(pid) };
    if (call === undefined) return listed;
    const [called, cpuBefore] = [performance.now(), cpuMsOf(pid)];
    const { isError } = await client.request('tools/call', call);
    if (isError) throw new Error(`${file}: ${call.name} failed.`);
    const [callMs, cpuAfter] = [performance.now() - called, cpuMsOf(pid)];
    return { ...listed, callMs, callCpuMs: cpuAfter && cpuAfter - cpuBefore, callRssMb: await settledRssMbOf(pid) };
  } finally {
    await client.close();
  }
}

function summarised(series) {
  return series.map(({ server, era, starts }) => {
    const of = (figure) => starts.map((start) => start[figure]);
    const medians = Object.fromEntries(Object.keys(FIGURES).map((figure) => [figure, median(of(figure))]));
    return { name: server.name, era, fastestMs: Math.min(...of('wallMs')), ...medians };
  });
}

function comparedWith({ what, figure, times, ...target }, era, rows) {
  const figureOf = (name) => rows.find((row) => row.era === era && row.name === name)[figure];
  const value = times === undefined ? { mb: figureOf('ours') } : { ratio: figureOf('ours') / figureOf(times), against: times };
  return { what: `${what}, ${era} protocol`, ...value, ...target };
}

const shown = (value, digits = 1) => (value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits));

function show(rows, findings, runs) {
  console.log('From the start of the process to the whole tool list, and then the first call, of a demo service on loopback;');
  console.log(`medians of ${runs} starts, in turn.\n`);
  const titles = { ...FIGURES, fastestMs: 'fastest' };
  console.log(
    `server               era     ${Object.values(titles)
      .map((title) => title.padStart(9))
      .join('')}`,
  );
  for (const row of rows) {
    const figures = Object.keys(titles).map((figure) => shown(row[figure]).padStart(9));
    console.log(`${row.name.padEnd(20)} ${row.era.padEnd(7)} ${figures.join('')}`);
  }
  console.log();
  for (const { what, against, figure, target, met } of findings.map(judged))
    console.log(`${what}: ${figure} ${against} (target: ${target})${met === false ? ', MISSED' : ''}`);
}
