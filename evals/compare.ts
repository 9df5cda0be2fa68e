import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recording } from './play/recording.ts';
import { storedRecordings } from './play/recordings.ts';
import { root } from './root.ts';
import { callsPerWish, groupByTask, median } from './table.ts';

/** The recordings of this server as they were at a commit. */
export function recordingsAt(revision: string): Recording[] {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-evals-'));
  try {
    const archive = join(folder, 'recordings.tar');
    mkdirSync(join(folder, 'tree'));
    execFileSync('git', ['archive', '--output', archive, revision, 'evals/recordings'], { cwd: root });
    execFileSync('tar', ['-xf', archive, '-C', join(folder, 'tree')]);
    return ours(join(folder, 'tree', 'evals', 'recordings'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function ours(folder?: string): Recording[] {
  return storedRecordings(folder).flatMap(({ recording }) => (recording.server === 'ours' ? [recording] : []));
}

/** What the runs of each task cost now, a line each, beside what they cost then, and the sum of the tasks that both have. */
export function costs(now: readonly Recording[], then: readonly Recording[]): string[] {
  const [tasks, former] = [groupByTask(now), groupByTask(then)];
  const tokens = (runs: readonly Recording[]): number => median(runs.map(turnTokens));
  const lines = [...tasks].map(([task, runs]) => {
    const right = runs.filter(({ verdict }) => verdict.passed).length;
    const unsafe = runs.reduce((sum, { verdict }) => sum + verdict.unsafe.length, 0);
    const before = former.get(task);
    const ratio = before === undefined ? '' : `, ${shown(tokens(before))} then: ${(tokens(runs) / tokens(before)).toFixed(2)} ×`;
    const calls = Number(median(runs.map(callsPerWish)).toFixed(1));
    return `${task}: ${right} of ${runs.length} right, ${unsafe} unsafe, ${calls} calls per wish, ${shown(tokens(runs))} tokens${ratio}`;
  });
  const both = [...tasks].flatMap(([task, runs]) => {
    const before = former.get(task);
    return before === undefined ? [] : [{ is: tokens(runs), was: tokens(before) }];
  });
  const is = both.reduce((sum, one) => sum + one.is, 0);
  const was = both.reduce((sum, one) => sum + one.was, 0);
  return [
    ...lines,
    `${both.length} tasks in both: ${shown(is)} tokens of calls and answers, ${shown(was)} then: ${(is / was).toFixed(2)} ×`,
  ];
}

/** Tokens of calls and answers, as counted when it was played. */
function turnTokens({ counts: { tokens } }: Recording): number {
  return tokens.arguments + tokens.answers;
}

function shown(value: number): string {
  return Math.round(value).toLocaleString('en');
}
