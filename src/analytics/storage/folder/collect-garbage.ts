import { join } from 'node:path';
import { exists, removeIfPossible } from '../../../platform/files.ts';
import { HOUR_MS } from '../../spans.ts';
import { ageMsOf, namesIn, removeAbandoned } from '../work-folder.ts';
import type { FolderStorage } from './folder-storage.ts';
import { partFile, partFilesOf } from './manifest.ts';

/** A file that no manifest names may still be about to be named for this long. */
const ORPHAN_MS = HOUR_MS;

/**
 * Removes what is no longer part of the storage: replaced parts after their grace period, and what killed processes left.
 * The grace period begins when a part is replaced: the age of its file says nothing.
 */
export async function collectGarbage(storage: FolderStorage): Promise<void> {
  const { folder, versions } = storage;
  const manifest = await storage.read();
  if (manifest !== undefined) {
    const due = manifest.retired.filter(({ dueMs }) => dueMs <= storage.clock()).map(({ file }) => file);
    await removeRetired(storage, due);
    const named = new Set([...partFilesOf(manifest.segments), ...manifest.retired.map(({ file }) => file)]);
    await removeOrphans(join(folder, 'parts'), (name) => named.has(partFile(name)));
  }
  await removeOrphans(join(folder, 'tmp'), () => false);
  await removeAbandoned(join(folder, 'work'));
  await removeAbandoned(join(folder, 'leases'));
  // Earlier versions of this program listed malformed records there.
  await removeIfPossible(join(folder, 'set-aside'));
  await versions.prune();
}

/** Removes files, and then those that are gone from the manifest. */
async function removeRetired({ folder, versions }: FolderStorage, files: readonly string[]): Promise<void> {
  const gone = new Set<string>();
  for (const file of files) {
    await removeIfPossible(join(folder, file));
    if (!(await exists(join(folder, file)))) gone.add(file);
  }
  if (gone.size === 0) return;
  await versions.commit(async (manifest) => {
    if (manifest === undefined || !manifest.retired.some(({ file }) => gone.has(file))) return undefined;
    return { ...manifest, version: manifest.version + 1, retired: manifest.retired.filter(({ file }) => !gone.has(file)) };
  });
}

async function removeOrphans(folder: string, isNamed: (name: string) => boolean): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!isNamed(name) && (await ageMsOf(path)) > ORPHAN_MS) await removeIfPossible(path);
  }
}
