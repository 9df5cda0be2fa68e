// Runs one benchmark: npm run bench -- startup [options of its own]; or all of them, and writes the figures into
// docs/benchmarks.md. Each prints how it compares with something else that ran beside it, so that the machine and what
// else it does count for little.
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
  answers: () => import('./answers.mjs'),
  move: () => import('./move.mjs'),
  sync: () => import('./sync.mjs'),
  growth: () => import('./growth.mjs'),
  charts: () => import('./charts.mjs'),
  queries: () => import('./queries.mjs'),
  cluster: () => import('./cluster.mjs'),
};
/** Wants a database server that most machines don't have. */
const ONLY_BY_NAME = new Set(['cluster']);

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHMARKS, name)) {
  console.error(`Which benchmark? There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
if (name === undefined) await runAll();
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
    findings.push(...(await runOne(one, one === 'growth' ? ['--draw'] : [])));
    // After each benchmark, so that an interrupted run leaves what it measured.
    figures = figuresTable(findings, new Date());
    writeFileSync(PAGE, replaceBlocks(readFileSync(PAGE, 'utf8'), { 'measured: figures': figures }));
  }
  console.log(`\n${figures}`);
}
