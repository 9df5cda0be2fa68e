import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, removeIfPossible } from '../../../platform/files.ts';
import { HOUR_MS } from '../../spans.ts';
import type { FolderStorage } from './folder-storage.ts';
import { filesOf, partFile, setAsideFileOf } from './manifest.ts';
import { isGone } from './processes.ts';

/** Files that no manifest names may be about to be named by one for this long. */
const ORPHAN_MS = HOUR_MS;

/**
 * Removes what is no longer part of the lake: replaced parts after their grace, and what processes left that were killed.
 * Parts are judged by the moment at which they were replaced, never by their age on disk.
 */
export async function collectGarbage(lake: FolderStorage): Promise<void> {
  const now = lake.clock();
  const manifest = await lake.read();
  if (manifest !== undefined) {
    const due = manifest.retired.filter(({ dueMs }) => dueMs <= now);
    for (const { file } of due) await removeIfPossible(join(lake.folder, file));
    await dropFromRetired(
      lake,
      due.map(({ file }) => file),
    );
    const named = new Set([...filesOf(manifest.windows), ...manifest.retired.map(({ file }) => file)]);
    await removeOld(join(lake.folder, 'parts'), (name) => named.has(partFile(name)));
    await removeOld(join(lake.folder, 'set-aside'), (name) => named.has(setAsideFileOf(name)));
  }
  await removeOld(join(lake.folder, 'tmp'), () => false);
  await removeLeft(join(lake.folder, 'work'));
  await removeLeft(join(lake.folder, 'leases'));
  await lake.versions.prune();
}

/** Takes files that are gone off the list; not worth a version of its own for a few. */
async function dropFromRetired(lake: FolderStorage, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const gone = new Set<string>();
  for (const file of files) if (!(await exists(join(lake.folder, file)))) gone.add(file);
  await lake.versions.commit(async (manifest) => {
    if (manifest === undefined || !manifest.retired.some(({ file }) => gone.has(file))) return undefined;
    return { ...manifest, version: manifest.version + 1, retired: manifest.retired.filter(({ file }) => !gone.has(file)) };
  });
}

/** What belongs to processes that are gone, or to nobody knows whom for long. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isGone(name.split('~').slice(0, 2).join('~')) || (await ageOf(path)) > 24 * HOUR_MS) await removeIfPossible(path);
  }
}

async function removeOld(folder: string, isKept: (name: string) => boolean): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!isKept(name) && (await ageOf(path)) > ORPHAN_MS) await removeIfPossible(path);
  }
}

/** What a folder holds; nothing where there is none. */
export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Files are dated by the machine's own clock. */
async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
}
