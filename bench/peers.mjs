// Beside servers of others: from the start of the process to the whole tool list, and the memory after it. Ours is the
// packed npm package, installed like theirs. All are started alternately.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startRawClient } from '../scripts/raw-client.mjs';
import { root } from '../scripts/root.mjs';
import { installed, PEERS } from './peers/packages.mjs';
import { cpuMsOf, median, newFolder, settledRssMbOf } from './processes.mjs';
import { inTurn } from './rounds.mjs';

export async function run(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      runs: { type: 'string', default: '11' },
      warmups: { type: 'string', default: '2' },
    },
  });
  const servers = [installOurs(newFolder()), ...PEERS.map((peer) => ({ ...peer, ...installed(peer) }))];
  const rows = await measure(servers, Number(values.runs), Number(values.warmups));
  show(rows);
  return findings(rows);
}

/** What `npm install video-hosting-mcp` would install. */
function installOurs(folder) {
  execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, join(folder, tarball)], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const main = join(folder, 'node_modules', 'video-hosting-mcp', 'dist', 'main.cjs');
  return { name: 'ours', main, env: { VIDEO_HOSTING_DATA_DIR: join(folder, 'data') } };
}

async function measure(servers, runs, warmups) {
  const series = await inTurn(servers, startOnce, { rounds: runs, warmups });
  return servers.map(({ name }, index) => {
    const starts = series[index];
    const of = (field) => median(starts.map((start) => start[field]));
    return { name, tools: starts[0].tools, wallMs: of('wallMs'), cpuMs: of('cpuMs'), rssMb: of('rssMb') };
  });
}

async function startOnce({ main, args = [], env = {} }) {
  const began = performance.now();
  const client = startRawClient(process.execPath, [main, ...args], { era: 'legacy', env });
  await client.open();
  let tools = 0;
  for (let cursor; ; ) {
    const page = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    tools += page.tools.length;
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const wallMs = performance.now() - began;
  const cpuMs = cpuMsOf(client.child.pid);
  const rssMb = await settledRssMbOf(client.child.pid);
  await client.close();
  return { wallMs, cpuMs, rssMb, tools };
}

function findings([ours, ...peers]) {
  const beside = (what, field, atMost) => {
    const [best] = [...peers].sort((a, b) => a[field] - b[field]);
    return { what, against: `${best.name}, the best of ${peers.length}`, ratio: ours[field] / best[field], atMost };
  };
  return [
    beside('start to tools listed, installed package', 'wallMs', 0.5),
    beside('memory once the tools are listed, installed package', 'rssMb', 0.75),
  ];
}

function show(rows) {
  const shown = (value) => (value === undefined ? '–' : value.toFixed(0)).padStart(9);
  console.log('From the start of the process to the whole tool list; medians of starts, alternately.\n');
  console.log('server              wall ms   CPU ms   RSS MB    tools');
  for (const { name, wallMs, cpuMs, rssMb, tools } of rows)
    console.log(`${name.padEnd(18)}${[wallMs, cpuMs, rssMb, tools].map(shown).join('')}`);
}
