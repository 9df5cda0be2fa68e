import { constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/foreign-text.ts';

const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Opens a file that a caller named, for reading, if it is a plain file inside one of the allowed folders. What is
 * checked is what was opened: links out, devices, pipes and a file that is swapped meanwhile don't get through.
 * Throws `file_refused`.
 */
export async function openInside(folders: readonly string[], name: string): Promise<FileHandle> {
  if (folders.length === 0)
    throw refused(
      name,
      'No folder for files is set, so files can’t be read.',
      'Set VIDEO_HOSTING_FILES_DIR to the folder that holds such files and restart the server.',
    );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name === '' || name.length > 1_000 || /[\u0000-\u001f\u007f]/.test(name)) throw refused(name, 'This is not a file name.');
  const candidates = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  for (const candidate of candidates) {
    const handle = await tryOpen(candidate);
    if (handle === undefined) continue;
    try {
      const problem = await problemWith(handle, candidate, folders);
      if (problem === undefined) return handle;
      throw refused(name, problem);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  throw refused(name, 'There is no such file in the folder for files.');
}

function refused(name: string, problem: string, hint?: string): VideoHostingError {
  return new VideoHostingError('file_refused', `${JSON.stringify(cleanText(name, 200))}: ${problem}`, {
    facts: { outcome: 'nothing-sent' },
    ...(hint === undefined ? {} : { hint }),
  });
}

async function tryOpen(path: string): Promise<FileHandle | undefined> {
  // Not to wait for the other end of a pipe; the flag is not there on Windows.
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
}

async function problemWith(handle: FileHandle, path: string, folders: readonly string[]): Promise<string | undefined> {
  const opened = await handle.stat();
  if (!opened.isFile()) return 'It is not a plain file.';
  if (opened.nlink > 1) return 'It is a hard link, so it may be a file from elsewhere.';
  if (opened.size > MAX_BYTES) return `It is larger than ${MAX_BYTES} bytes.`;
  const real = await realpath(path).catch(() => undefined);
  const there = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || there?.ino !== opened.ino || there.dev !== opened.dev) return 'It changed while it was opened.';
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return roots.some((root) => root !== undefined && isInside(root, real)) ? undefined : 'It is outside the folder for files.';
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
