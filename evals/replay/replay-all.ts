import type { Recording } from '../play/recording.ts';
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

type Result = Replayed | Error;

/** Replays recordings, and prints what is not as recorded. True if nothing is. */
export async function replayAll({ tasks, update, folder, print }: ReplayOptions): Promise<boolean> {
  const stored = storedRecordings(folder).filter(({ recording }) => tasks.length === 0 || tasks.includes(recording.task));
  const played = await inParallel(stored, async (one) => ({ ...one, result: await tryReplay(one) }));
  const surfaces = changedSurfaces(played, folder);
  printDrift(played, print);
  for (const lines of surfaces.values()) print(['\nThe instructions or tools are not those of the recordings:', ...lines].join('\n'));
  const different = played.filter(isDifferent);
  for (const { name, result } of played) if (failure(result) !== undefined) print(`${name}: ${failure(result)}`);
  if (update) {
    for (const { name, result } of played) if (!(result instanceof Error)) keep(name, result, folder);
    pruneSurfaces(folder);
  }
  const same = different.length === 0 && surfaces.size === 0;
  print(summary(played, different.length));
  if (!same) print('Where a difference is meant: npm run evals -- replay --update, and commit the recordings.');
  return same;
}

interface Played extends Stored {
  readonly result: Result;
}

async function tryReplay({ recording }: Stored): Promise<Result> {
  return replay(recording).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}

function isDifferent({ result }: Played): boolean {
  return result instanceof Error || result.drift.length > 0;
}

/** What is worse than another text. */
function failure(result: Result): string | undefined {
  if (result instanceof Error) return `MISS. ${result.message}`;
  return result.verdictChanged ? 'THE VERDICT CHANGED.' : undefined;
}

/** Prints each difference once, with the recordings that it is in: one changed sentence is in many. */
function printDrift(played: readonly Played[], print: ReplayOptions['print']): void {
  const names = new Map<string, string[]>();
  for (const { name, result } of played) {
    for (const { what, lines } of result instanceof Error ? [] : result.drift) {
      const shown = lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines`];
      const text = [what, ...shown].join('\n  ');
      names.set(text, [...(names.get(text) ?? []), name]);
    }
  }
  for (const [text, of] of names) {
    const others = of.length > 3 ? ` and ${of.length - 3} more` : '';
    print(`\n${of.slice(0, 3).join(', ')}${others}: ${text}`);
  }
}

/** For each surface of recordings that is another now, the differences. */
function changedSurfaces(played: readonly Played[], folder: string): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const { recording, result } of played) {
    if (result instanceof Error || result.recording.surface === recording.surface || changed.has(recording.surface)) continue;
    changed.set(recording.surface, lineDiff(storedSurface(recording.surface, folder) ?? '', stringifySurface(result.surface)));
  }
  return changed;
}

function keep(name: string, { recording, surface }: Replayed, folder: string): void {
  writeRecording({ name, recording }, folder);
  writeSurface(surface, folder);
}

function summary(played: readonly Played[], different: number): string {
  const tokens = (of: (one: Played) => number): string => played.reduce((sum, one) => sum + of(one), 0).toLocaleString('en');
  const answers = ({ counts }: Recording): number => counts.tokens.answers;
  const was = tokens(({ recording }) => answers(recording));
  const is = tokens(({ recording, result }) => answers(result instanceof Error ? recording : result.recording));
  const passed = played.filter(({ recording }) => recording.verdict.passed).length;
  const lines = [
    `\n${played.length} recordings replayed, ${played.length - different} as recorded; ${passed} of them passed when they were recorded.`,
    ...(was === is ? [] : [`Tokens of all answers: ${was} as recorded, ${is} now.`]),
  ];
  return lines.join('\n');
}
