import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BEGINNING_MS } from '../../spans.ts';
import { rowsOf, type Segment } from '../segments.ts';
import { namesIn } from '../work-folder.ts';
import { collectGarbage } from './collect-garbage.ts';
import { createFolderStorage, type FolderStorage, viewerKeyFile } from './folder-storage.ts';
import { forgetSpan, type Manifest, partFilesOf } from './manifest.ts';

export interface ForgetOptions {
  /** The account's folder for views. */
  readonly folder: string;
  /** Folders whose contents may come from views: they are emptied, whatever the date. */
  readonly alsoEmpty: readonly string[];
  /** Up to then, not included; everything where absent. */
  readonly upToMs?: number | undefined;
  readonly clock?: () => number;
}

export interface ForgottenViews {
  /** How many views were removed. */
  readonly views: number;
  /** What was removed up to: later than asked where a file held views of both sides. */
  readonly upToMs: number | undefined;
  /** Files that could not be removed, as when a program holds one open on Windows. */
  readonly left: readonly string[];
}

/**
 * Removes views from this machine. The manifest stops naming them first: after a kill at any moment no answer uses them, and
 * the next process removes the files that are left. Readings under way store nothing of them.
 */
export async function forgetViews({ folder, alsoEmpty, upToMs, clock = Date.now }: ForgetOptions): Promise<ForgottenViews> {
  const storage = createFolderStorage(folder, clock);
  let gone: readonly Segment[] = [];
  if ((await storage.read()) !== undefined)
    await storage.versions.commit(async (manifest) => {
      if (manifest === undefined) return undefined;
      const next = forgetSpan(manifest, { fromMs: BEGINNING_MS, toMs: upToMs ?? Number.MAX_SAFE_INTEGER }, clock());
      gone = manifest.segments.filter((segment) => !next.segments.includes(segment));
      return upToMs === undefined ? { ...next, epoch: randomUUID().slice(0, 8), forgotten: [] } : next;
    });
  const left = await removeFiles(storage, await storage.read(), alsoEmpty);
  await collectGarbage(storage);
  await storage.versions.prune(1);
  return {
    views: rowsOf(gone),
    upToMs: upToMs === undefined ? undefined : Math.max(upToMs, ...gone.map(({ toMs }) => toMs)),
    left,
  };
}

/** Removes every file that the manifest doesn't name, those of readings under way too. Returns those that could not be removed. */
async function removeFiles({ folder }: FolderStorage, manifest: Manifest | undefined, alsoEmpty: readonly string[]): Promise<string[]> {
  const named = new Set(partFilesOf(manifest?.segments ?? []).map((file) => join(folder, file)));
  if (manifest !== undefined) named.add(join(folder, viewerKeyFile(manifest.epoch)));
  const keys = (await namesIn(folder)).filter((name) => name.endsWith('.key')).map((name) => join(folder, name));
  const folders = [...['parts', 'set-aside', 'work', 'tmp'].map((name) => join(folder, name)), ...alsoEmpty];
  const inside = await Promise.all(folders.map(async (path) => (await namesIn(path)).map((name) => join(path, name))));
  const left: string[] = [];
  for (const path of [...keys, ...inside.flat()])
    if (!named.has(path)) await rm(path, { recursive: true, force: true }).catch(() => left.push(path));
  return left;
}
