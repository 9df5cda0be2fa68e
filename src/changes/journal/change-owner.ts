/**
 * Which process carries a change out. To resume one, a process claims the next epoch, and the owner of an earlier epoch sends and writes
 * nothing more.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { linkExclusive } from '../../platform/files.ts';
import { fieldsIn } from '../../platform/is-object.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { isAlive, isOfThisMachine, type ProcessInfo, ProcessSchema, thisProcess } from '../../platform/process-liveness.ts';
import { OFFER } from './file-names.ts';

/** Claims the next epoch of a change after `epoch`, and returns its number; undefined where another live process has it. */
export async function claimEpoch(folder: string, changeId: string, epoch: number): Promise<number | undefined> {
  const temporary = join(folder, `${changeId}.${randomUUID()}${OFFER}`);
  for (let next = epoch + 1; ; next += 1) {
    const file = claimFile(folder, changeId, next);
    if (await linkExclusive(temporary, JSON.stringify(thisProcess()), file)) return next;
    if (await isOfLiving(file)) return undefined;
  }
}

/** Whether the process is alive that claimed an epoch, or began a change; one that died before it wrote a line left its file behind. */
export async function isOfLiving(file: string): Promise<boolean> {
  const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  const value = parseJsonOrUndefined(text);
  // It may still be being written. An intent names the process in it, also that of a newer version.
  return isAlive(ProcessSchema.safeParse(fieldsIn(value).process ?? value).data, mtimeMs);
}

export const claimFile = (folder: string, changeId: string, epoch: number) => join(folder, `${changeId}.epoch${epoch}`);

/** The changes that this process writes now, by writer. */
const writers = new Map<symbol, string>();

/** To be called before its first line can be read: a change that no writer of this process has counts as interrupted. Returns what ends that. */
export function beginsToWrite(changeId: string): () => void {
  const writer = Symbol(changeId);
  writers.set(writer, changeId);
  return () => void writers.delete(writer);
}

/** Whether the process that a journal names is still carrying the change out. */
export function isOwnerAtWork(changeId: string, owner: ProcessInfo, touchedMs: number): boolean {
  // A file of our own that could not be written to the end looks as if it went on.
  if (owner.pid === process.pid && isOfThisMachine(owner)) return [...writers.values()].includes(changeId);
  return isAlive(owner, touchedMs);
}
