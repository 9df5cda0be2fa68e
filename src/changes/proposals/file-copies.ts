import { copyFile, type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { NamedFiles } from '../../files/named-files.ts';
import { copyNoted, digestOfFile, type NotedFile } from '../../files/noted-files.ts';
import { codeOf, fsyncFile, removeIfPossible } from '../../platform/files.ts';
import { inQuotes, sentence } from '../../text/sentence.ts';
import { damagedFile } from './file-errors.ts';

/** What a file held that a call names, as it was read; the copy has its place in the list in its name. */
export const FileCopySchema = z.object({ name: z.string(), sha256: z.string() });
export type FileCopy = z.output<typeof FileCopySchema>;

const pathOf = (folder: string, changeId: string, index: number): string => join(folder, `${changeId}.file${index}`);

/** Copies what the files of a call held beside it, each whole and durably. Throws `file_refused` where one was written to since it was read. */
export async function copyFiles(folder: string, changeId: string, files: NamedFiles, noted: readonly NotedFile[]): Promise<FileCopy[]> {
  const copies: FileCopy[] = [];
  for (const [index, file] of noted.entries())
    copies.push({ name: file.name, sha256: await copyNoted(files, file, pathOf(folder, changeId, index)) });
  return copies;
}

/** Copies them to another folder, durably; those that nobody needs any more are gone. */
export async function moveCopies(from: string, to: string, changeId: string, copies: readonly FileCopy[]): Promise<void> {
  for (const index of copies.keys()) {
    const path = pathOf(to, changeId, index);
    const isThere = await copyFile(pathOf(from, changeId, index), path).then(
      () => true,
      (error: unknown) => (codeOf(error) === 'ENOENT' ? false : Promise.reject(error)),
    );
    if (isThere) await fsyncFile(path);
  }
}

export async function removeCopies(folder: string, changeId: string, copies: readonly FileCopy[]): Promise<void> {
  for (const index of copies.keys()) await removeIfPossible(pathOf(folder, changeId, index));
}

/** Opens what was kept in the place of the files themselves. Throws `not_found` where that can’t be relied on. */
export function copiedFiles(folder: string, changeId: string, copies: readonly FileCopy[]): NamedFiles {
  return {
    areTaken: true,
    async open(name: string): Promise<FileHandle> {
      const index = copies.findIndex((copy) => copy.name === name);
      const handle = index < 0 ? undefined : await open(pathOf(folder, changeId, index)).catch(() => undefined);
      if (handle === undefined) throw damagedFile(changeId, sentence`what ${inQuotes(name, 200)} held is gone`);
      if ((await digestOfFile(handle)) === copies[index]?.sha256) return handle;
      await handle.close();
      throw damagedFile(changeId, sentence`what ${inQuotes(name, 200)} held is not as it was written`);
    },
  };
}
