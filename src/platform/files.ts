/** What file systems and processes do in one way here and in another there, once for all. */
import { type BigIntStats, constants } from 'node:fs';
import { chmod, link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A folder for its owner alone. On Windows it has the rights of the folder it is made in. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Puts the names in a folder on disk for good. */
export async function fsyncFolder(folder: string): Promise<void> {
  // Windows can't open a folder; its file systems keep the name with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

/** A whole file of its owner's, on disk before the promise resolves. Pieces are written one at a time, with turns for others between them. */
export async function writeDurably(file: string, text: string | Buffer | Iterable<Buffer>): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    for (const piece of typeof text === 'string' || Buffer.isBuffer(text) ? [text] : text) await handle.writeFile(piece);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Puts a file that another wrote, from now on its owner's alone, on disk for good. */
export async function fsyncFile(file: string): Promise<void> {
  // A stick's file system knows no rights, and may say so.
  await chmod(file, 0o600).catch(() => undefined);
  // Windows flushes only what was opened to be written.
  const handle = await open(file, constants.O_RDWR);
  await handle.sync().finally(() => handle.close());
}

/** Gives a whole file a name that nobody has taken, in the same folder or another. False when somebody has. */
export async function linkExclusive(temporary: string, text: string | Buffer, name: string): Promise<boolean> {
  await writeDurably(temporary, text);
  try {
    await link(temporary, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
    return createOnce(name, text);
  } finally {
    await removeIfPossible(temporary);
  }
}

/** What file systems without hard links answer; EISDIR is what Node makes of it on Windows, for exFAT. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR']);

async function createOnce(name: string, text: string | Buffer): Promise<boolean> {
  try {
    await writeFile(name, text, { flag: 'wx', mode: 0o600, flush: true });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether Windows refuses it while another program looks at the file, as a virus scanner or an indexer does, or has it removed. */
export function isSharingViolation(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(codeOf(error) ?? '');
}

const MAX_TRIES = 60;
const LONGEST_PAUSE_MS = 100;

/** Moves a file, also into the place of another. On Windows one that is held is waited for, for about five seconds. */
export async function moveFile(from: string, to: string, { platform, move, pause }: System = THIS_SYSTEM): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await move(from, to);
    } catch (error) {
      if (tried >= MAX_TRIES || !isSharingViolation(error, platform)) throw error;
      await pause(Math.min(LONGEST_PAUSE_MS, tried * 10));
    }
  }
}

export interface System {
  readonly platform: NodeJS.Platform;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
}

const THIS_SYSTEM: System = { platform: process.platform, move: rename, pause: (ms) => wait(ms) };

/** Removes what nobody needs. What somebody holds may refuse to go, on Windows: after half a second it is left to who tidies up. */
export async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** Whether anything is there that can be looked at. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Whether two looks found the same file; they are `bigint`, since Windows' numbers of files are larger than what a number
 * holds exactly. There the number of the drive is not compared: versions of Node tell another by path than by handle.
 */
export function isSameFile(one: BigIntStats, other: BigIntStats, platform: NodeJS.Platform = process.platform): boolean {
  return one.ino === other.ino && (platform === 'win32' || one.dev === other.dev);
}

/** Whether a process of this machine is there. Its number may be another's by now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No permission to signal it means that it is there.
    return codeOf(error) === 'EPERM';
  }
}

/** The code of an error of Node's: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
