import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span } from './contract.ts';
import { BEGINNING_MS } from './spans.ts';
import { collectGarbage, namesIn } from './storage/folder/collect-garbage.ts';
import { createFolderStorage, type FolderStorage } from './storage/folder/folder-storage.ts';
import { filesOf, forgetIn, type Manifest, type Segment } from './storage/folder/manifest.ts';
import { viewerKeyFile } from './storage/folder/viewer-key.ts';

export interface ForgetOptions {
  /** The account's folder for views. */
  readonly folder: string;
  /** Folders whose contents may come from views: they are emptied, whatever the date. */
  readonly alsoEmpty: readonly string[];
  /** Up to then, not included; everything where absent. */
  readonly upToMs?: number | undefined;
  readonly clock?: () => number;
}

export interface Forgotten {
  /** Views that were kept and are no longer. */
  readonly views: number;
  /** What was removed up to: later than asked where a file held views of both sides. */
  readonly upToMs: number | undefined;
  /** Files that would not go, as when a program holds one open on Windows. */
  readonly left: readonly string[];
}

/**
 * Removes views from this machine. First the manifest stops naming them, so that after a kill at any moment none of them
 * is ever answered from again and what is left is removed by whoever comes next; readings under way keep nothing of them.
 */
export async function forgetViews({ folder, alsoEmpty, upToMs, clock = Date.now }: ForgetOptions): Promise<Forgotten> {
  const lake = createFolderStorage(folder, clock);
  const before = await lake.read();
  const isGone = (window: Segment): boolean => upToMs === undefined || window.fromMs < upToMs;
  let gone: readonly Segment[] = [];
  if (before !== undefined) {
    const span: Span = { fromMs: BEGINNING_MS, toMs: upToMs ?? Number.MAX_SAFE_INTEGER };
    await lake.versions.commit(async (manifest) => {
      gone = manifest?.windows.filter(isGone) ?? [];
      if (manifest === undefined) return undefined;
      const next = forgetIn(manifest, span, clock());
      return upToMs === undefined ? { ...next, epoch: randomUUID().slice(0, 8), forgotten: [] } : next;
    });
  }
  const left = await removeFiles(lake, await lake.read(), alsoEmpty);
  await collectGarbage(lake);
  await lake.versions.prune(1);
  return {
    views: gone.reduce((sum, { rows }) => sum + rows, 0),
    upToMs: upToMs === undefined ? undefined : Math.max(upToMs, ...gone.map(({ toMs }) => toMs)),
    left,
  };
}

/** Removes every file that the manifest doesn't name, those of readings under way too. Answers what would not go. */
async function removeFiles({ folder }: FolderStorage, manifest: Manifest | undefined, alsoEmpty: readonly string[]): Promise<string[]> {
  const named = new Set(filesOf(manifest?.windows ?? []).map((file) => join(folder, file)));
  const key = manifest === undefined ? undefined : viewerKeyFile(manifest.epoch);
  const keys = (await namesIn(folder)).filter((name) => name.endsWith('.key') && name !== key).map((name) => join(folder, name));
  const folders = [...['parts', 'set-aside', 'work', 'tmp'].map((name) => join(folder, name)), ...alsoEmpty];
  const inside = await Promise.all(folders.map(async (path) => (await readdir(path).catch(() => [])).map((name) => join(path, name))));
  const left: string[] = [];
  for (const path of [...keys, ...inside.flat()]) {
    if (named.has(path)) continue;
    await rm(path, { recursive: true, force: true }).catch(() => left.push(path));
  }
  return left;
}
