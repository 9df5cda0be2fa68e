import type { Recording } from '../play/recording.ts';
import { type Stored, storedRecordings, writeRecording } from '../play/recordings.ts';
import type { Finished } from '../play/session.ts';
import { inParallel } from './in-parallel.ts';
import { differences, replay } from './replay.ts';

export interface ReplayOptions {
  /** Only recordings of these tasks; all where there are none. */
  readonly tasks: readonly string[];
  /** Writes verdicts, failed calls and the user's words as they are now into the recordings. */
  readonly update: boolean;
  readonly folder: string;
  readonly print: (line: string) => void;
}

/** Replays recordings, and prints what is not as recorded. True if nothing is. */
export async function replayAll({ tasks, update, folder, print }: ReplayOptions): Promise<boolean> {
  const stored = storedRecordings(folder).filter(({ recording }) => tasks.length === 0 || tasks.includes(recording.task));
  const different = await inParallel(stored, async ({ name, recording }: Stored): Promise<boolean> => {
    const finished = await replay(recording).catch(String);
    const lines = typeof finished === 'string' ? [finished] : differences(recording, finished);
    for (const line of lines) print(`${name}: ${line}`);
    if (update && typeof finished !== 'string') writeRecording({ name, recording: asNow(recording, finished) }, folder);
    return lines.length > 0;
  });
  const count = different.filter((isDifferent) => isDifferent).length;
  const passed = stored.filter(({ recording }) => recording.verdict.passed).length;
  print(`${stored.length} recordings replayed, ${stored.length - count} as recorded; ${passed} of them passed when they were recorded.`);
  if (count > 0) print('Where a difference is meant: npm run evals -- replay --update, and commit the recordings.');
  return count === 0;
}

/** What it took is as it was counted when the assistant played. */
function asNow(recording: Recording, { says, turns, errors, verdict }: Finished): Recording {
  return { ...recording, says, turns, counts: { ...recording.counts, errors }, verdict };
}
