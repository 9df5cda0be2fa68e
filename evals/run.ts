import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { costs, ours, recordingsAt } from './compare.ts';
import { live } from './live/live.ts';
import type { Recording } from './play/recording.ts';
import { addRecording, parseRecording, RECORDINGS, storedRecordings } from './play/recordings.ts';
import { probe } from './probe.ts';
import { replayAll } from './replay/replay-all.ts';
import { root } from './root.ts';
import { comparison, summary } from './table.ts';
import { TASKS } from './tasks/index.ts';

const USAGE = `npm run evals -- COMMAND
  probe                       every tool and argument that tasks need is there, and their reading calls work
  replay [TASK …] [--update]  replays the recordings against the server; --update writes what is different into them
  live --command COMMAND [TASK …] [--runs 3] [--server wrapper] [--keep]
                              an assistant plays tasks; docs/evals.md says what COMMAND is
  add DIR …                   keeps the recordings that the driver left in these folders
  compare COMMIT [TASK …]     prints what recorded runs cost, beside those that were recorded at a commit
  table [--check]             writes the comparison with a plain wrapper into docs/evals.md and README.md
  check                       probe, replay and table --check: what CI runs`;

/** From the scripts, which have no types. */
export type ReplaceBlocks = (document: string, blocks: Readonly<Record<string, string>>) => string;

export async function run([command, ...rest]: readonly string[], replaceBlocks: ReplaceBlocks): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...rest],
    allowPositionals: true,
    options: {
      update: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      command: { type: 'string' },
      runs: { type: 'string', default: '3' },
      server: { type: 'string', default: 'ours' },
    },
  });
  const print = (line: string): boolean => process.stdout.write(`${line}\n`);
  switch (command) {
    case 'probe':
      return fail(!(await printProbe(print)));
    case 'replay':
      return fail(!(await replayAll({ tasks: positionals, update: values.update, folder: RECORDINGS, print })) && !values.update);
    case 'check': {
      const probed = await printProbe(print);
      const same = await replayAll({ tasks: [], update: false, folder: RECORDINGS, print });
      return fail(!writeTable(replaceBlocks, true) || !probed || !same);
    }
    case 'live': {
      const { command: line, runs, server, keep } = values;
      if (line === undefined) break;
      return live({ command: line, tasks: positionals, runs: Number(runs), server: server === 'wrapper' ? server : 'ours', keep, print });
    }
    case 'add':
      for (const folder of positionals) print(keepRecording(folder));
      return;
    case 'compare': {
      const [revision, ...tasks] = positionals;
      if (revision === undefined) break;
      const wanted = ({ task }: Recording): boolean => tasks.length === 0 || tasks.includes(task);
      for (const line of costs(ours().filter(wanted), recordingsAt(revision).filter(wanted))) print(line);
      return;
    }
    case 'table':
      return fail(!writeTable(replaceBlocks, values.check));
    default:
  }
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
}

function keepRecording(folder: string): string {
  return addRecording(parseRecording(readFileSync(join(folder, 'recording.json'), 'utf8')));
}

/** Writes the table and its summary, or with `checking` only looks whether they are up to date. */
function writeTable(replaceBlocks: ReplaceBlocks, checking: boolean): boolean {
  const recordings = storedRecordings().map(({ recording }) => recording);
  const pages = { 'docs/evals.md': comparison(recordings), 'README.md': summary(recordings) };
  const changed = Object.entries(pages).filter(([name, text]) => {
    const page = readFileSync(join(root, name), 'utf8');
    const wanted = replaceBlocks(page, { 'generated: evals': text });
    if (!checking) writeFileSync(join(root, name), wanted);
    return page !== wanted;
  });
  if (!checking) return true;
  for (const [name] of changed) process.stderr.write(`${name} does not show the recordings. Run: npm run evals -- table\n`);
  return changed.length === 0;
}

async function printProbe(print: (line: string) => void): Promise<boolean> {
  const findings = await probe();
  for (const finding of findings) print(finding);
  print(`${TASKS.length} tasks probed, ${findings.length} findings.`);
  return findings.length === 0;
}

function fail(failed: boolean): void {
  if (failed) process.exitCode = 1;
}
