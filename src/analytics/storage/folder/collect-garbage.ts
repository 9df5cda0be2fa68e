import { join } from 'node:path';
import { exists, removeIfPossible } from '../../../platform/files.ts';
import { HOUR_MS } from '../../../platform/time-units.ts';
import { ageMsOf, namesIn, removeAbandoned } from '../work-folder.ts';
import { type FolderStorage, viewerKeyFile } from './folder-storage.ts';
import { partFile, partFilesOf } from './manifest.ts';

/** A file that no manifest names may be added to one within this time. */
const ORPHAN_MS = HOUR_MS;

/**
 * Removes replaced parts after their grace period, which begins when they are replaced, and files of killed processes.
 */
export async function collectGarbage(storage: FolderStorage): Promise<void> {
  const { folder, versions } = storage;
  const manifest = await storage.read();
  if (manifest !== undefined) {
    const due = manifest.retired.filter(({ dueMs }) => dueMs <= storage.clock()).map(({ file }) => file);
    await removeRetired(storage, due);
    const named = new Set([...partFilesOf(manifest.segments), ...manifest.retired.map(({ file }) => file)]);
    await removeOrphans(join(folder, 'parts'), (name) => named.has(partFile(name)));
    await removeOrphans(folder, (name) => !name.endsWith('.key') || name === viewerKeyFile(manifest.epoch));
  }
  await removeOrphans(join(folder, 'tmp'), () => false);
  await removeAbandoned(join(folder, 'work'));
  await removeAbandoned(join(folder, 'leases'));
  await versions.prune();
}

/** Removes files, and then takes them off the manifest's list of retired files. */
async function removeRetired({ folder, versions }: FolderStorage, files: readonly string[]): Promise<void> {
  const gone = new Set<string>();
  for (const file of files) {
    await removeIfPossible(join(folder, file));
    if (!(await exists(join(folder, file)))) gone.add(file);
  }
  if (gone.size === 0) return;
  await versions.commit(async (manifest) => {
    if (manifest === undefined || !manifest.retired.some(({ file }) => gone.has(file))) return undefined;
    return { ...manifest, retired: manifest.retired.filter(({ file }) => !gone.has(file)) };
  });
}

async function removeOrphans(folder: string, isNamed: (name: string) => boolean): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!isNamed(name) && (await ageMsOf(path)) > ORPHAN_MS) await removeIfPossible(path);
  }
}
