// Runs one benchmark: npm run bench -- startup [options of its own]
const BENCHMARKS = { startup: './startup.mjs', move: './move.mjs' };

const [name, ...options] = process.argv.slice(2);
const file = BENCHMARKS[name];
if (file === undefined) {
  console.error(`Which benchmark? There are: ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
const { run } = await import(file);
await run(options);
