import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf, fsyncFolder, linkFile, makeFolder, namesInFolder, readRegular, removeIfPossible } from '../../platform/files.ts';
import { isAlive } from '../../platform/process-liveness.ts';
import { isWrittenByNewer, replayLines } from './change-record.ts';
import { createCoveredChanges } from './covered-changes.ts';
import { CHANGE_ID, idsIn } from './file-names.ts';
import { withRecordLock } from './record-lock.ts';

const LOCK = 'take-over';
/** The file that makes a change one, after all others of it are there. */
const JOURNAL = '.jsonl';

/**
 * Moves the changes of one journal’s folder to another’s, but for those that a process carries out now. Each is whole in the one or the other at any
 * moment: its files get a second name, the journal last, before they lose the first. After a kill the next call goes on. Throws `cancelled` where
 * `stop` aborts while another process does the same.
 */
export async function takeOverChanges(from: string, to: string, stop: AbortSignal): Promise<void> {
  if (!(await namesInFolder(from)).some((name) => CHANGE_ID.test(changeIdIn(name)))) return;
  await makeFolder(to);
  await withRecordLock(from, LOCK, stop, async () => {
    const ended = await endedIn(from);
    const beside = await besideIn(from);
    const journals = [...ended].map((changeId) => `${changeId}${JOURNAL}`);
    await linkAll(
      beside.filter((name) => ended.has(changeIdIn(name))),
      from,
      to,
    );
    await linkAll(journals, from, to);
    for (const name of journals) if (await isSame(join(from, name), join(to, name))) await removeIfPossible(join(from, name));
    // Also what an earlier call left that was killed.
    const idsThere = async (folder: string) => new Set(idsIn(await namesInFolder(folder)));
    const [left, there] = await Promise.all([idsThere(from), idsThere(to)]);
    const isOver = (changeId: string) => !left.has(changeId) && there.has(changeId);
    for (const name of beside) if (isOver(changeIdIn(name))) await removeIfPossible(join(from, name));
  });
}

const changeIdIn = (name: string): string => /chg-[0-9a-z]{9}-[0-9a-z]{4}/.exec(name)?.[0] ?? '';

/** Whether a process carries out a change of a journal’s folder now. What can’t be read at this moment may be one. */
export async function hasRunning(folder: string): Promise<boolean> {
  try {
    for (const changeId of idsIn(await namesInFolder(folder))) if (await isRunning(join(folder, `${changeId}${JOURNAL}`))) return true;
    return false;
  } catch {
    return true;
  }
}

async function isRunning(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readRegular(path), stat(path)]);
    return isAtWork(text.toString(), mtimeMs);
  } catch (error) {
    // Another process took it over.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Of what a newer version wrote, its heartbeat alone tells. */
function isAtWork(text: string, touchedMs: number): boolean {
  const record = replayLines(text, touchedMs);
  return record === undefined ? isWrittenByNewer(text) && isAlive(undefined, touchedMs) : record.status === 'running';
}

/** The changes that nobody carries out. One that can’t be read is among them, and stays what it is. */
async function endedIn(folder: string): Promise<ReadonlySet<string>> {
  const ended = new Set<string>();
  for (const changeId of idsIn(await namesInFolder(folder))) {
    const path = join(folder, `${changeId}${JOURNAL}`);
    const [text, info] = await Promise.all([readFile(path, 'utf8').catch(() => ''), stat(path).catch(() => undefined)]);
    if (info !== undefined && !isAtWork(text, info.mtimeMs)) ended.add(changeId);
  }
  return ended;
}

/** The files of changes beside their journals, and those that mark what standing approvals covered. */
async function besideIn(folder: string): Promise<readonly string[]> {
  const names = (await namesInFolder(folder)).filter((name) => changeIdIn(name) !== '' && !name.endsWith(JOURNAL));
  return [...names, ...(await createCoveredChanges(folder).marks())];
}

async function linkAll(names: readonly string[], from: string, to: string): Promise<void> {
  for (const folder of new Set(names.map((name) => dirname(name)))) await makeFolder(join(to, folder));
  for (const name of names) {
    const temporary = join(to, `${changeIdIn(name)}.${randomUUID()}.new`);
    await linkFile(join(from, name), join(to, name), temporary).catch((error: unknown) => {
      // A request to stop, or what another process had not finished.
      if (codeOf(error) !== 'ENOENT' || name.endsWith(JOURNAL)) throw error;
    });
  }
  for (const folder of new Set(names.map((name) => dirname(name)))) await fsyncFolder(join(to, folder));
}

/** Whether nothing is lost with one of the two: without hard links the first may have been written to since it was copied. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [text, copy] = await Promise.all([readFile(one), readFile(other)]);
  return text.equals(copy);
}
