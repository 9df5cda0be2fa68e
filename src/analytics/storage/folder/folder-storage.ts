import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { exists, fsyncFile, fsyncFolder, makeFolder, moveFile, removeIfPossible, writeDurably } from '../../../platform/files.ts';
import { PART_COLUMNS } from '../../columns.ts';
import type { Span } from '../../contract.ts';
import type { WriteResult } from '../view-writer.ts';
import { filesOf, type Manifest, partFile, place, type Segment, setAsideFileOf, wasForgotten, withdrawFrom } from './manifest.ts';
import { processMark } from './processes.ts';
import { createVersions } from './versions.ts';
import { createViewerHash, readViewerKey } from './viewer-key.ts';

/** Which columns parts have. Those of another program's version are as good as none, and replaced. */
export const SCHEMA = `1:${PART_COLUMNS.map(({ name, sql }) => `${name} ${sql}`).join(',')}`;

/** A window that is to be kept, its files still under temporary names. */
export interface Draft extends Omit<Segment, 'id' | 'schema' | 'part' | 'setAsideFile'> {
  readonly temporaryPart: string | undefined;
  /** A line a record that was set aside. */
  readonly setAsideLines: readonly string[];
}

/**
 * The views that are kept of one account: immutable Parquet files, named by a manifest of which each change is a new
 * version. Any number of processes may use one folder at once, and be killed at any moment.
 */
export function createFolderStorage(folder: string, clock: () => number) {
  const temporaryFolder = join(folder, 'tmp');
  const versions = createVersions(join(folder, 'manifest'), temporaryFolder);

  /** Gives the files of a draft their names for good. */
  async function name(draft: Draft): Promise<Segment> {
    const { temporaryPart, setAsideLines, ...facts } = draft;
    const id = randomUUID();
    const window: Segment = {
      ...facts,
      id,
      schema: SCHEMA,
      ...(temporaryPart === undefined ? {} : { part: `${id}.parquet` }),
      ...(setAsideLines.length === 0 ? {} : { setAsideFile: `${id}.ndjson` }),
    };
    if (temporaryPart !== undefined) {
      await makeFolder(join(folder, 'parts'));
      await fsyncFile(temporaryPart);
      await moveFile(temporaryPart, join(folder, partFile(`${id}.parquet`)));
      await fsyncFolder(join(folder, 'parts'));
    }
    if (setAsideLines.length > 0) {
      await makeFolder(join(folder, 'set-aside'));
      await writeDurably(join(folder, setAsideFileOf(`${id}.ndjson`)), `${setAsideLines.join('\n')}\n`);
      await fsyncFolder(join(folder, 'set-aside'));
    }
    return window;
  }

  const missingFileOf = async (window: Segment): Promise<boolean> => {
    for (const file of filesOf([window])) if (!(await exists(join(folder, file)))) return true;
    return false;
  };

  /** Takes out windows that can't be read: what is not held is read again. False where there are none. */
  async function withdraw(isGone: (window: Segment) => boolean): Promise<boolean> {
    return (await versions.commit(async (manifest) => manifest && withdrawFrom(manifest, isGone, clock()))) !== undefined;
  }

  return {
    folder,
    temporaryFolder,
    versions,
    clock,
    read: versions.read,
    /** The manifest, made if there is none yet. */
    async open(): Promise<Manifest> {
      const manifest = await versions.read();
      if (manifest !== undefined) return manifest;
      await versions.commit(async (found) => (found === undefined ? emptyManifest() : undefined));
      return (await versions.read()) ?? emptyManifest();
    },
    async viewerHash(epoch: string): Promise<(viewerId: string) => string> {
      return createViewerHash(await readViewerKey(folder, temporaryFolder, epoch));
    },
    /** A folder of this process's own, for what isn't part of the lake yet. */
    async workFolder(): Promise<string> {
      const path = join(folder, 'work', `${processMark()}~${randomUUID().slice(0, 8)}`);
      await makeFolder(path);
      return path;
    },
    partPath: (part: string): string => join(folder, partFile(part)),
    withdraw,
    /** Whether what was read of some spans was removed since, on purpose. */
    async isForgotten(read: readonly (Span & { readonly fetchedMs: number })[], epoch: string): Promise<boolean> {
      const manifest = await versions.read();
      return manifest === undefined || read.some((span) => wasForgotten(manifest, span, epoch));
    },
    /** Makes a window part of the lake, in the place of all that it covers, or not at all. */
    async commit(draft: Draft, epoch: string): Promise<WriteResult> {
      const window = await name(draft);
      const outcome = await versions.commit<WriteResult>(async (manifest) => {
        if (manifest === undefined) return 'forgotten';
        if (manifest.windows.some(({ id }) => id === window.id)) return 'committed';
        const placed = place(manifest, window, epoch, clock());
        if (typeof placed === 'string') return placed;
        return (await missingFileOf(window)) ? 'forgotten' : placed.next;
      });
      if (outcome === 'beaten' || outcome === 'forgotten') {
        for (const file of filesOf([window])) await removeIfPossible(join(folder, file));
        return outcome;
      }
      if (!(await missingFileOf(window))) return 'committed';
      // Somebody removed its files between the last look and the commit.
      await withdraw(({ id }) => id === window.id);
      return 'forgotten';
    },
  };
}

export type FolderStorage = ReturnType<typeof createFolderStorage>;

export function emptyManifest(): Manifest {
  return { format: 1, version: 1, epoch: randomUUID().slice(0, 8), windows: [], retired: [], forgotten: [] };
}
