import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { namingFile } from '../platform/files.ts';
import { sentence } from '../text/sentence.ts';
import { areFilesTaken, chunksOf, fileRefused, type NamedFiles, openInside } from './named-files.ts';

/** A file that a caller named, and how it was when it was read. */
export interface NotedFile {
  readonly name: string;
  readonly state: string;
}

/** The same files, with a note of each that is opened. */
export function noteFiles(files: NamedFiles) {
  const noted = new Map<string, NotedFile>();
  return {
    files: {
      areTaken: areFilesTaken(files),
      async open(name: string): Promise<FileHandle> {
        const handle = await openInside(files, name);
        noted.set(name, { name, state: await stateOf(handle) });
        return handle;
      },
    } satisfies NamedFiles,
    noted: (): readonly NotedFile[] => [...noted.values()],
  };
}

const stateOf = async (handle: FileHandle): Promise<string> => {
  const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
};

/**
 * Copies what a file held when it was noted to a new path, durably and for its owner alone, and returns its SHA-256. Throws
 * `file_refused` where it was written to since.
 */
export async function copyNoted(files: NamedFiles, { name, state }: NotedFile, path: string): Promise<string> {
  const handle = await openInside(files, name);
  try {
    const hash = createHash('sha256');
    const isSame = async () => (await stateOf(handle)) === state;
    if (!(await isSame())) throw changed(name);
    const copy = await open(path, 'w', 0o600);
    try {
      for await (const chunk of await chunksOf(handle)) {
        hash.update(chunk);
        await copy.writeFile(chunk);
      }
      // A list tells how old it is.
      const { atime, mtime } = await handle.stat();
      await copy.utimes(atime, mtime);
      await copy.datasync();
    } catch (error) {
      throw namingFile(error, path);
    } finally {
      await copy.close();
    }
    if (!(await isSame())) throw changed(name);
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** The SHA-256 of a file, as far as it reaches now. */
export async function digestOfFile(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await chunksOf(handle)) hash.update(chunk);
  return hash.digest('hex');
}

const changed = (name: string) => fileRefused(name, sentence`It was written to while it was read; call again once nothing writes to it.`);
