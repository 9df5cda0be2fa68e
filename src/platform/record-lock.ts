import { createHash, randomUUID } from 'node:crypto';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VideoHostingError } from '../errors.ts';
import { codeOf, exists, isSharingViolation, removeIfPossible } from './files.ts';
import { HEARTBEAT_MS, holdsLock, ProcessSchema, thisProcess } from './process-liveness.ts';

const LOOK_AGAIN_MS = 20;

/**
 * Does something with a record while no other process that keeps its journal in this folder does: no request can say
 * which state it is meant for, so two that looked before either wrote would overwrite each other. A file that is made
 * once tells whose turn it is; of one whose process is gone the next disposes.
 * Throws `cancelled` where `stop` aborts before the turn came, and `journal_failed` where the folder can't be written.
 */
export async function withRecordLock<T>(folder: string, key: string, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  const file = join(folder, `${digestOf(key)}.lock`);
  const mark = JSON.stringify({ ...thisProcess(), turn: randomUUID() });
  while (!(await take(file, mark))) {
    const left = await abandonedMark(file);
    if (left !== undefined) await putAway(file, left);
    if (await exists(file)) await sleep(LOOK_AGAIN_MS, undefined, { signal: stop }).catch(() => {});
    if (stop.aborted)
      throw new VideoHostingError('cancelled', 'It was stopped before its turn came.', { facts: { outcome: 'nothing-sent' } });
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS).unref();
  try {
    return await act();
  } finally {
    clearInterval(beat);
    await giveBack(file, mark);
  }
}

/** Whether it is ours now; not while another has it. */
async function take(file: string, mark: string): Promise<boolean> {
  try {
    await writeFile(file, mark, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const code = codeOf(error) ?? 'no code';
    // Windows refuses a name whose file is just being removed.
    if (code === 'EEXIST' || isSharingViolation(error)) return false;
    // A full disk makes the file, and takes nothing in.
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') await removeIfPossible(file);
    throw new VideoHostingError('journal_failed', `The folder of the journal can’t be written (${code}); nothing is sent without it.`, {
      cause: error,
      facts: { outcome: 'nothing-sent' },
    });
  }
}

const TRY_AGAIN_MS = 1_000;

/** Takes the file away, unless it is another's by now. One that another program holds, on Windows, is tried again until it goes. */
async function giveBack(file: string, mark: string): Promise<void> {
  const text = await textOf(file);
  if (text === mark) await removeIfPossible(file);
  if ((text === mark || text === '') && (await exists(file))) setTimeout(() => void giveBack(file, mark), TRY_AGAIN_MS).unref();
}

/** What it holds, if its process is gone; what can't be read yet was just made. */
async function abandonedMark(file: string): Promise<string | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return undefined;
  const mark = await textOf(file);
  return holdsLock(ProcessSchema.safeParse(parsed(mark)).data, info.mtimeMs) ? undefined : mark;
}

/**
 * Takes an abandoned file away. Of those who find it at once one may: who makes the file that is named after its mark, and
 * then looks again. So nobody takes away the fresh one that another put in its place, not even for a moment.
 */
async function putAway(file: string, mark: string): Promise<void> {
  const heir = `${file}.${digestOf(mark)}`;
  if (!(await take(heir, JSON.stringify(thisProcess())))) {
    // Who was about to do it may be gone as well.
    if ((await abandonedMark(heir)) !== undefined) await removeIfPossible(heir);
    return;
  }
  if ((await abandonedMark(file)) === mark) await removeIfPossible(file);
  await removeIfPossible(heir);
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
