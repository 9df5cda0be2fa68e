import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BEGINNING_MS } from '../../spans.ts';
import { rowCount, type Segment } from '../segments.ts';
import { namesIn } from '../work-folder.ts';
import { collectGarbage } from './collect-garbage.ts';
import { createFolderStorage, EMPTY, type FolderStorage, viewerKeyFile } from './folder-storage.ts';
import { forgetSpan, type Manifest, partFilesOf } from './manifest.ts';

interface ForgetOptions {
  readonly folder: string;
  /** Folders whose contents may be derived from views: all of their files are removed, whatever the date. */
  readonly alsoEmpty: readonly string[];
  readonly upToMs?: number | undefined;
  readonly clock?: () => number;
}

interface ForgottenViews {
  /** Undefined if the manifest was lost or damaged: then all files were removed, whatever the date. */
  readonly views: number | undefined;
  /** Later than requested if a file holds views from both sides of that moment. */
  readonly upToMs: number | undefined;
  /** Files that could not be removed, for example because a program has them open on Windows. */
  readonly left: readonly string[];
}

/**
 * Removes views from this machine. The manifest stops naming them first: after a kill at any moment no answer uses them, and
 * the next process removes the remaining files. Readings in progress don't store them again.
 */
export async function forgetViews({ folder, alsoEmpty, upToMs, clock = Date.now }: ForgetOptions): Promise<ForgottenViews> {
  const storage = createFolderStorage(folder, clock);
  const isListed = (await storage.read()) !== undefined || (await namesIn(join(folder, 'parts'))).length === 0;
  let gone: readonly Segment[] = [];
  if ((await namesIn(join(folder, 'manifest'))).length > 0)
    await storage.versions.commit(async (manifest = EMPTY) => {
      const next = forgetSpan(manifest, { fromMs: BEGINNING_MS, toMs: upToMs ?? Number.MAX_SAFE_INTEGER }, clock());
      gone = manifest.segments.filter((segment) => !next.segments.includes(segment));
      return upToMs === undefined ? { ...next, epoch: EMPTY.epoch, forgotten: [] } : next;
    });
  const left = await removeFiles(storage, await storage.read(), alsoEmpty);
  await collectGarbage(storage);
  await storage.versions.prune(1);
  return {
    views: isListed ? rowCount(gone) : undefined,
    upToMs: upToMs === undefined ? undefined : Math.max(upToMs, ...gone.map(({ toMs }) => toMs)),
    left,
  };
}

/** Removes every file that the manifest doesn't name, also those of readings in progress. Returns the files that could not be removed. */
async function removeFiles({ folder }: FolderStorage, manifest: Manifest | undefined, alsoEmpty: readonly string[]): Promise<string[]> {
  const named = new Set(partFilesOf(manifest?.segments ?? []).map((file) => join(folder, file)));
  if (manifest !== undefined) named.add(join(folder, viewerKeyFile(manifest.epoch)));
  const keys = (await namesIn(folder)).filter((name) => name.endsWith('.key')).map((name) => join(folder, name));
  const folders = [...['parts', 'work', 'tmp'].map((name) => join(folder, name)), ...alsoEmpty];
  const inside = await Promise.all(folders.map(async (path) => (await namesIn(path)).map((name) => join(path, name))));
  const left: string[] = [];
  for (const path of [...keys, ...inside.flat()])
    if (!named.has(path)) await rm(path, { recursive: true, force: true }).catch(() => left.push(path));
  return left;
}
