// Runs one benchmark: npm run bench -- startup [options of its own]; or all of them, and writes what they found to
// results.md. Each prints how it compares with something else that ran beside it, so that the machine and what else it
// does count for little.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultsPage } from './findings.mjs';

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
  let page = '';
  for (const one of Object.keys(BENCHMARKS)) {
    if (ONLY_BY_NAME.has(one)) continue;
    console.log(`\n# ${one}\n`);
    findings.push(...(await runOne(one, one === 'growth' ? ['--draw'] : [])));
    // As far as it is, should the rest be broken off.
    page = resultsPage(findings, new Date());
    writeFileSync(join(import.meta.dirname, 'results.md'), page);
  }
  console.log(`\n${page}`);
}
