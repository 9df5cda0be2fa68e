import { pruneSurfaces, type Stored, storedRecordings, storedSurface, writeRecording, writeSurface } from '../play/recordings.ts';
import { stringifySurface } from '../play/surface.ts';
import { lineDiff } from './diff.ts';
import { inParallel } from './in-parallel.ts';
import { type Replayed, replay } from './replay.ts';

export interface ReplayOptions {
  /** Only recordings of these tasks; all where there are none. */
  readonly tasks: readonly string[];
  /** Writes what is different into the recordings, with the turns of the assistants as they were. */
  readonly update: boolean;
  readonly folder: string;
  readonly print: (line: string) => void;
}

const MAX_LINES = 60;

/** Replays recordings, and prints what is not as recorded. True if nothing is. */
export async function replayAll({ tasks, update, folder, print }: ReplayOptions): Promise<boolean> {
  const stored = storedRecordings(folder).filter(({ recording }) => tasks.length === 0 || tasks.includes(recording.task));
  const replayed = await inParallel(stored, tryReplay);
  const failed = stored.filter((one, index) => !report(one, replayed[index], print));
  const surfaces = changedSurfaces(stored, replayed, folder);
  for (const lines of surfaces.values()) print(['', 'The instructions or tools are not those of the recordings:', ...lines].join('\n'));
  if (update) {
    for (const [index, one] of stored.entries()) write(one, replayed[index], folder);
    pruneSurfaces(folder);
  }
  const passed = stored.filter(({ recording }) => recording.verdict.passed).length;
  const same = failed.length === 0 && surfaces.size === 0;
  print(
    `\n${stored.length} recordings replayed, ${stored.length - failed.length} as recorded; ${passed} of them passed when they were recorded.`,
  );
  if (!same) print('Where a difference is meant: npm run evals -- replay --update, and commit the recordings.');
  return same;
}

async function tryReplay({ recording }: Stored): Promise<Replayed | Error> {
  return replay(recording).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

/** Prints what is not as recorded; false if anything is not. */
function report({ name }: Stored, result: Replayed | Error | undefined, print: ReplayOptions['print']): boolean {
  if (result instanceof Error || result === undefined) {
    print(`\n${name}: MISS. ${result?.message ?? ''}`);
    return false;
  }
  if (result.drift.length === 0) return true;
  print(`\n${name}: ${result.verdictChanged ? 'THE VERDICT CHANGED' : 'drift'}`);
  const { drift } = result;
  for (const line of drift.slice(0, MAX_LINES)) print(`  ${line}`);
  if (drift.length > MAX_LINES) print(`  … ${drift.length - MAX_LINES} more lines`);
  return false;
}

/** For each surface of recordings that is another now, the differences. */
function changedSurfaces(stored: readonly Stored[], replayed: readonly (Replayed | Error)[], folder: string): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const [index, { recording }] of stored.entries()) {
    const result = replayed[index];
    if (result === undefined || result instanceof Error || result.recording.surface === recording.surface) continue;
    if (changed.has(recording.surface)) continue;
    changed.set(recording.surface, lineDiff(storedSurface(recording.surface, folder) ?? '', stringifySurface(result.surface)));
  }
  return changed;
}

function write({ name }: Stored, result: Replayed | Error | undefined, folder: string): void {
  if (result === undefined || result instanceof Error) return;
  writeRecording({ name, recording: result.recording }, folder);
  writeSurface(result.surface, folder);
}
