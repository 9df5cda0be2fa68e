// Has it become slower since a commit? Builds that commit, and measures its server and today's in turn, in one run:
// npm run bench -- --beside COMMIT [--runs 21] [--rounds 5]
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/root.mjs';
import { measureCalls } from './calls.mjs';
import { median, newFolder, serverEnv, startDemo } from './processes.mjs';
import { inTurn } from './rounds.mjs';
import { ERAS, FIGURES, FIRST_CALL, measureStarts } from './startup.mjs';

const MAIN = join('dist', 'main.cjs');

export async function run(options) {
  const { values, positionals } = parseArgs({
    args: options,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '21' }, rounds: { type: 'string', default: '5' } },
  });
  const [commit] = positionals;
  if (commit === undefined) {
    console.error('Beside which commit? npm run bench -- --beside COMMIT');
    process.exit(2);
  }
  const files = { before: join(builtAt(commit), MAIN), now: join(root, MAIN) };
  console.log(`now / ${commit}: medians of the ratios of runs in turn\n`);
  for (const [what, pairs] of [...(await starts(files, Number(values.runs))), ...(await calls(files, Number(values.rounds)))]) {
    const of = (pick) => median(pairs.map(pick));
    console.log(
      `${what.padEnd(44)} ${figure(of(({ now, before }) => now / before))} ×   ${figure(of(({ now }) => now))} / ${figure(of(({ before }) => before))}`,
    );
  }
}

const figure = (value) => (value === undefined ? '–' : value.toPrecision(3)).padStart(7);

/** The folder of a build of that commit. */
function builtAt(commit) {
  const folder = newFolder();
  const archive = join(folder, 'source.tar');
  const tree = join(folder, 'tree');
  mkdirSync(tree);
  execFileSync('git', ['archive', '--output', archive, commit], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', tree]);
  const lockOf = (project) => readFileSync(join(project, 'package-lock.json'), 'utf8');
  if (lockOf(tree) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
  else execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(process.execPath, [join('scripts', 'build.mjs')], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  return tree;
}

async function starts(files, runs) {
  const demo = startDemo(files.now, { channels: 60 });
  try {
    const service = await demo.next();
    const servers = Object.entries(files).map(([name, file]) => ({ name, file, env: serverEnv(newFolder(), service), call: FIRST_CALL }));
    const series = await measureStarts({ servers, runs, warmups: 3 });
    return ERAS.flatMap((era) => {
      const of = (name) => series.find((one) => one.era === era && one.server.name === name).starts;
      const pairs = of('now').map((start, at) => [start, of('before')[at]]);
      return Object.entries(FIGURES).map(([field, title]) => [
        `${era}: ${title.replace('…', 'call')}`,
        pairs.map(([now, before]) => ({ now: now[field], before: before[field] })),
      ]);
    });
  } finally {
    demo.child.kill();
  }
}

async function calls(files, rounds) {
  const measured = (ours) => measureCalls({ calls: 40, latencyMs: 20, rounds: 3, warmups: 1, ours });
  const [before, now] = await inTurn([files.before, files.now], measured, { rounds });
  return now[0].map(({ width }, at) => [
    `list_channels, ${width} at a time, × a bare request`,
    now.map((rows, round) => ({ now: rows[at].p50Ratio, before: before[round][at].p50Ratio })),
  ]);
}
