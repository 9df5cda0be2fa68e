// Runs one benchmark: npm run bench -- startup [options of its own]. Each prints how it compares with something else
// that ran beside it, so that the machine and what else it does count for little.
const BENCHMARKS = {
  startup: () => import('./startup.mjs'),
  answers: () => import('./answers.mjs'),
  calls: () => import('./calls.mjs'),
  move: () => import('./move.mjs'),
  charts: () => import('./charts.mjs'),
  queries: () => import('./queries.mjs'),
  sync: () => import('./sync.mjs'),
  cluster: () => import('./cluster.mjs'),
};

const [name, ...options] = process.argv.slice(2);
if (!Object.hasOwn(BENCHMARKS, name ?? '')) {
  console.error(`Which benchmark? There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
const { run } = await BENCHMARKS[name]();
await run(options);
