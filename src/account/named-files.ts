import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import systemPath, { isAbsolute, type PlatformPath, resolve } from 'node:path';
import { VideoHostingError } from '../errors.ts';
import { isSameFile } from '../platform/files.ts';
import { cleanText } from '../service/sanitize-text.ts';

const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Opens a file that a caller named, for reading, if it is a plain file inside one of the allowed folders. What is
 * checked is what was opened: links out, devices, pipes and a file that is swapped meanwhile don't get through.
 * Throws `file_refused`.
 */
export async function openInside(folders: readonly string[], name: string): Promise<FileHandle> {
  if (folders.length === 0)
    throw fileRefused(
      name,
      'VIDEO_HOSTING_FILES_DIR is not set, so files can’t be read.',
      'Set VIDEO_HOSTING_FILES_DIR to the folder that holds such files and restart the server.',
    );
  if (!isFileName(name)) throw fileRefused(name, 'This is not a file name.');
  const candidates = isAbsolute(name) ? [resolve(name)] : folders.map((folder) => resolve(folder, name));
  const problems: string[] = [];
  for (const candidate of candidates) {
    const found = await tryOpen(candidate, folders);
    if (typeof found !== 'string') return found;
    problems.push(found);
  }
  throw fileRefused(name, problems.find((problem) => problem !== NOT_THERE) ?? NOT_THERE);
}

/** Whether this can name a file. On Windows a colon that follows no drive's letter names what is hidden beside one. */
export function isFileName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name === '' || name.length > 1_000 || /[\u0000-\u001f\u007f]/.test(name)) return false;
  return platform !== 'win32' || !name.replace(/^[a-z]:/i, '').includes(':');
}

const NOT_THERE = 'There is no such file in the folder for files.';
const OUTSIDE = 'It is outside the folder for files.';

/** The error of a file that a caller named: `problem` is a sentence, `hint` what to do where that isn't the usual. */
export function fileRefused(name: string, problem: string, hint?: string): VideoHostingError {
  return new VideoHostingError('file_refused', `${JSON.stringify(cleanText(name, 200))}: ${problem}`, {
    facts: { outcome: 'nothing-sent' },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The open file, or why not. What lies outside is not so much as looked at. */
async function tryOpen(path: string, folders: readonly string[]): Promise<FileHandle | string> {
  const roots = (await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)))).filter((root) => root !== undefined);
  if (![...folders.map((folder) => resolve(folder)), ...roots].some((folder) => isInside(folder, path))) return OUTSIDE;
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return NOT_THERE;
  if (!roots.some((root) => isInside(root, real))) return OUTSIDE;
  // Not to wait for the other end of a pipe, nor to follow what was put there meanwhile; the flags are not there on Windows.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(real, flags).catch(() => undefined);
  if (handle === undefined) return 'It can’t be opened.';
  const problem = await problemWith(handle, real).catch(() => CHANGED);
  if (problem === undefined) return handle;
  await handle.close();
  return problem;
}

const CHANGED = 'It changed while it was opened.';

async function problemWith(handle: FileHandle, real: string): Promise<string | undefined> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile()) return 'It is not a plain file.';
  if (opened.nlink > 1) return 'It is a hard link, so it may be a file from elsewhere.';
  if (opened.size > MAX_BYTES) return `It is larger than ${MAX_BYTES} bytes.`;
  return (await isStillAt(handle, real, opened)) ? undefined : CHANGED;
}

/** Whether what was opened is what lies there: a folder on the way may have been swapped for a link since it was looked at. */
async function isStillAt({ fd }: FileHandle, real: string, opened: BigIntStats): Promise<boolean> {
  // Linux knows what was opened. Elsewhere it is looked at twice more, which leaves a swap there and back a chance.
  const known = process.platform === 'linux' ? await readlink(`/proc/self/fd/${fd}`).catch(() => undefined) : undefined;
  if (known !== undefined) return known === real;
  for (let look = 0; look < 2; look += 1) {
    const there = await stat(real, { bigint: true });
    if ((await realpath(real)) !== real || !isSameFile(there, opened)) return false;
  }
  return true;
}

/** Whether a path lies below a folder, as the paths of a system are read. */
export function isInside(root: string, path: string, { relative, sep, isAbsolute }: PlatformPath = systemPath): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
