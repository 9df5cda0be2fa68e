import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants, readFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  copyFile,
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Creates a folder that only its owner can read; on Windows it inherits its rights. */
export async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 });
  try {
    // Node’s own recursion never ends where a folder is there and can hold none, as in /proc.
    await make().catch(async (error: unknown) => {
      if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
      await makeFolder(dirname(path));
      await make();
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

/** The names in a folder, none where there is no such folder. */
export const namesInFolder = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });

/** Has an error tell the file that it is of: Node leaves it out of one that befalls an open file, such as that of a full disk. */
export function namingFile(error: unknown, file: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path: file });
  return error;
}

/** As Node’s `writeFile`; what the disk refuses tells the file. */
export const writeWholeFile = (file: string, data: string | Buffer, options: Parameters<typeof writeFile>[2]): Promise<void> =>
  writeFile(file, data, options).catch((error: unknown) => {
    throw namingFile(error, file);
  });

/** As Node’s `appendFile`; what the disk refuses tells the file. */
export const appendToFile = (file: string, text: string, options: Parameters<typeof appendFile>[2] = {}): Promise<void> =>
  appendFile(file, text, options).catch((error: unknown) => {
    throw namingFile(error, file);
  });

/** Makes the names in a folder durable. */
export async function fsyncFolder(folder: string): Promise<void> {
  // Windows can't open a folder; its file systems keep the name with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY);
  await handle.sync().finally(() => handle.close());
}

/** To open a pipe would wait for whoever is at its other end. Windows has none among its files. */
export const OPENS_AT_ONCE = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/** Throws what names the file unless it is one: no folder, pipe or device. */
export async function assertRegular(handle: FileHandle, path: string): Promise<void> {
  if (!(await handle.stat()).isFile()) throw Object.assign(new Error('This is no file.'), { code: 'EFTYPE', syscall: 'open', path });
}

/** Opens a file to be read. Throws at once for what is none. */
export async function openRegular(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | OPENS_AT_ONCE);
  try {
    await assertRegular(handle, path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** As Node’s `readFile`, of a file: what is none is refused at once. */
export async function readRegular(path: string): Promise<Buffer> {
  const handle = await openRegular(path);
  return handle.readFile().finally(() => handle.close());
}

/** Writes a whole file, readable by its owner only, durably. Chunks are written one at a time. */
export async function writeDurably(file: string, text: string | Buffer | Iterable<Buffer>): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    for (const chunk of typeof text === 'string' || Buffer.isBuffer(text) ? [text] : text) await handle.writeFile(chunk);
    await handle.datasync();
  } catch (error) {
    throw namingFile(error, file);
  } finally {
    await handle.close();
  }
}

/** Makes a file that other code wrote durable, and readable by its owner only. */
export async function fsyncFile(file: string): Promise<void> {
  // FAT has no rights, and may fail.
  await chmod(file, 0o600).catch(() => undefined);
  // Windows flushes only a file that is open for writing.
  const handle = await open(file, constants.O_RDWR);
  await handle.sync().finally(() => handle.close());
}

/**
 * Creates a whole file unless the name is taken; `temporary` is a path on the same file system. Returns false when it is taken. By default it is
 * durable, with its name once the folder is.
 */
export async function linkExclusive(temporary: string, text: string | Buffer, name: string, { isDurable = true } = {}): Promise<boolean> {
  try {
    await (isDurable ? writeDurably(temporary, text) : writeWholeFile(temporary, text, { flag: 'wx', mode: 0o600 }));
    return await linkOnce(temporary, name).catch((error: unknown) => {
      if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
      return createOnce(name, text);
    });
  } finally {
    await removeIfPossible(temporary);
  }
}

/** Gives a file a second name. Returns false when that is taken. */
async function linkOnce(file: string, name: string): Promise<boolean> {
  try {
    await link(file, name);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What file systems without hard links answer; EISDIR is what Node makes of it on Windows, for exFAT. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EISDIR']);

/** Gives a file a second name, unless that is taken; without hard links as a copy. Returns false when it is taken. */
export async function linkFile(file: string, name: string, temporary: string): Promise<boolean> {
  try {
    return await linkOnce(file, name);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
  }
  if (await exists(name)) return false;
  const { atime, mtime } = await stat(file);
  await copyFile(file, temporary);
  await utimes(temporary, atime, mtime);
  await fsyncFile(temporary);
  await moveFile(temporary, name);
  return true;
}

async function createOnce(name: string, text: string | Buffer): Promise<boolean> {
  const handle = await open(name, 'wx', 0o600).catch((error: unknown) => {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    return true;
  } catch (error) {
    await handle.close().catch(() => undefined);
    // A part of it would be taken for the whole, or for a damaged one.
    await removeIfPossible(name);
    throw namingFile(error, name);
  }
}

/** Whether Windows refused because another program, such as a virus scanner, has the file open, or it is being removed. */
export function isSharingViolation(error: unknown): boolean {
  return process.platform === 'win32' && /^(EPERM|EACCES|EBUSY)$/.test(codeOf(error) ?? '');
}

/** Whether nothing can be read there: no file, a folder in its place, or a broken disk. After other failures the next try may succeed. */
export function isLost(error: unknown): boolean {
  return LOST.has(codeOf(error) ?? '');
}

/** Whether the machine had not what it takes at that moment, such as a free descriptor: that tells nothing of the file. */
export function isShortage(error: unknown): boolean {
  return SHORTAGE.has(codeOf(error) ?? '');
}

const SHORTAGE = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

const LOST = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EIO']);

const MAX_TRIES = 60;
const MAX_PAUSE_MS = 100;

/** Moves a file, replacing another. On Windows a sharing violation is retried for about five seconds. */
export async function moveFile(from: string, to: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (tried >= MAX_TRIES || !isSharingViolation(error)) throw error;
      await wait(Math.min(MAX_PAUSE_MS, tried * 10));
    }
  }
}

/** Removes a file or folder. A sharing violation, on Windows, is retried for half a second and then ignored. */
export async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The path itself, or what is nearest above it and there. */
export async function nearestExisting(path: string): Promise<string> {
  return (await exists(path)) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** As much as the journal of a small change. */
const PROBE_BYTES = 4_096;

/** Why a file can’t be written in a folder: rights alone don’t tell. Leaves nothing. */
export async function failureToWrite(folder: string): Promise<unknown> {
  const file = join(folder, `check-${randomUUID()}.new`);
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (error) {
    return namingFile(error, folder);
  } finally {
    await removeIfPossible(file);
  }
}

/**
 * Whether both are of the same file; they are `bigint`, since Windows' file numbers exceed safe integers. There `dev` is not
 * compared: versions of Node give different ones by path and by handle.
 */
export function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && (process.platform === 'win32' || one.dev === other.dev);
}

/** Whether a process of this machine has this id. One that has ended, and that its parent has not asked about yet, runs no more. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // It exists, and this process may not signal it.
    return codeOf(error) === 'EPERM';
  }
}

/** The fields of a process in `/proc`, from its state on; undefined where there is none. */
export function statusFields(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold spaces and parentheses itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** By its state and the number of its threads, of which another one than the first may still be at work. */
function hasEnded(pid: number): boolean {
  const { 0: state, 17: threads } = statusFields(pid) ?? [];
  return state !== undefined && /[ZX]/.test(state) && Number(threads) <= 1;
}

/** The code of a Node error: `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
