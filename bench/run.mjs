// Runs one benchmark, with options of its own: npm run bench -- startup; or all of them, and writes the table of figures and
// targets into docs/benchmarks.md; or compares with a commit: npm run bench -- --beside COMMIT.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceBlocks } from '../scripts/generate/replace-blocks.mjs';
import { root } from '../scripts/root.mjs';
import { figuresTable } from './findings.mjs';

const PAGE = join(root, 'docs', 'benchmarks.md');

const BENCHMARKS = {
  startup: () => import('./startup.mjs'),
  peers: () => import('./peers.mjs'),
  calls: () => import('./calls.mjs'),
  http: () => import('./http.mjs'),
  flood: () => import('./flood.mjs'),
  answers: () => import('./answers.mjs'),
  move: () => import('./move.mjs'),
  sync: () => import('./sync.mjs'),
  growth: () => import('./growth.mjs'),
  standing: () => import('./standing.mjs'),
  refresh: () => import('./refresh.mjs'),
  queries: () => import('./queries.mjs'),
  charts: () => import('./charts.mjs'),
  cluster: () => import('./cluster.mjs'),
};
/** `charts` has no target, and `cluster` needs a database server. */
const ONLY_BY_NAME = new Set(['charts', 'cluster']);

const [name, ...options] = process.argv.slice(2);
const isBeside = name === '--beside';
if (name !== undefined && !isBeside && !Object.hasOwn(BENCHMARKS, name)) {
  console.error(`Which benchmark? There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
if (name === undefined) await runAll();
else if (isBeside) await (await import('./beside.mjs')).run(options);
else await runOne(name, options);

async function runOne(one, given) {
  const { run } = await BENCHMARKS[one]();
  return run(given);
}

async function runAll() {
  const findings = [];
  let figures = '';
  for (const one of Object.keys(BENCHMARKS)) {
    if (ONLY_BY_NAME.has(one)) continue;
    console.log(`\n# ${one}\n`);
    findings.push(...(await runOne(one, one === 'growth' ? ['--draw', join(root, 'docs', 'growth.png')] : [])));
    // After each benchmark, so that an interrupted run leaves what it measured.
    figures = figuresTable(findings, new Date());
    writeFileSync(PAGE, replaceBlocks(readFileSync(PAGE, 'utf8'), { 'measured: figures': figures }));
  }
  console.log(`\n${figures}`);
}
