import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, isHeld, removeIfPossible } from '../disk.ts';
import { VideoHostingError } from '../errors.ts';
import { sleepFor } from '../service/retry.ts';
import { ProcessSchema } from './journal-lines.ts';
import { HEARTBEAT_MS, isAlive, thisProcess } from './owner.ts';

const LOOK_AGAIN_MS = 20;

/**
 * Does something with a record while no other process that keeps its journal in this folder does: no request can say
 * which state it is meant for, so two that looked before either wrote would overwrite each other. A file that is made
 * once tells whose turn it is; of one whose process is gone the next disposes.
 * Throws `cancelled` where `stop` aborts before the turn came, and `journal_failed` where the folder can't be written.
 */
export async function alone<T>(folder: string, key: string, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.lock`);
  const mark = JSON.stringify({ ...thisProcess(), turn: randomUUID() });
  while (!(await take(file, mark))) {
    if (await isAbandoned(file)) await putAway(file);
    else await sleepFor(LOOK_AGAIN_MS, stop).catch(() => {});
    if (stop.aborted)
      throw new VideoHostingError('cancelled', 'It was stopped before its turn came.', { facts: { outcome: 'nothing-sent' } });
  }
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS).unref();
  try {
    return await act();
  } finally {
    clearInterval(beat);
    // After a long sleep it may be another's by now.
    if ((await textOf(file)) === mark) await removeIfPossible(file);
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
    if (code === 'EEXIST' || isHeld(error)) return false;
    // A full disk makes the file, and takes nothing in.
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') await removeIfPossible(file);
    throw new VideoHostingError('journal_failed', `The folder of the journal can’t be written (${code}); nothing is sent without it.`, {
      cause: error,
      facts: { outcome: 'nothing-sent' },
    });
  }
}

/** Whether its process is gone, or silent for long; what can't be read yet was just made. */
async function isAbandoned(file: string): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) return false;
  const owner = ProcessSchema.safeParse(parsed(await textOf(file))).data ?? thisProcess();
  return !isAlive(owner, info.mtimeMs);
}

/** Of those who find it abandoned at once one moves it away; what turns out to be a fresh one goes back. */
async function putAway(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  const isMoved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if (await isAbandoned(aside)) await removeIfPossible(aside);
  else await rename(aside, file).catch(() => undefined);
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
