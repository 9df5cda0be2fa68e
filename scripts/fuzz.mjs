import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadSource } from './load-source.mjs';

// The long part of what test/hazards/fuzz.slow.test.ts does for a few seconds:
//   node scripts/fuzz.mjs [calls] [answers] [records] [seed]

const [calls = 100_000, answers = 100_000, records = 20_000, seed = Date.now() % 1_000_000_007] = process.argv.slice(2).map(Number);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
const megabytes = () => {
  collect();
  return Math.round(process.memoryUsage().heapUsed / 1_048_576);
};

const { fuzzAnswers, fuzzBodies, fuzzCalls } = await loadSource(`
  export { fuzzAnswers } from '../test/hazards/fuzz-answers.ts';
  export { fuzzBodies } from '../test/hazards/fuzz-bodies.ts';
  export { fuzzCalls } from '../test/hazards/fuzz-calls.ts';
`);

process.on('uncaughtException', (error) => {
  console.error('Not caught:', error);
  process.exitCode = 1;
});

console.log(`seed ${seed}`);
for (const [what, fuzz, count] of [
  ['malformed calls', fuzzCalls, calls],
  ['malformed answers', fuzzBodies, answers],
  ['calls with malformed records', fuzzAnswers, records],
]) {
  // Code that the first few load and compile is no leak.
  await fuzz({ seed, count: Math.min(2_000, count) });
  const before = megabytes();
  let highest = before;
  const onProgress = (done) => {
    if (done % 10_000 === 0) highest = Math.max(highest, megabytes());
  };
  const { problems, ms, ...figures } = await fuzz({ seed: seed + 1, count, onProgress });
  const heap = `heap ${before} MB before, ${highest} at most, ${megabytes()} after`;
  console.log(
    `${figures.calls} ${what}: ${figures.answers} answered, ${figures.errors} clear errors, ${Math.round(ms / 1_000)} s; ${heap}`,
  );
  for (const problem of problems) console.log(`  ! ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
