import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fsyncFile, fsyncFolder, linkExclusive, makeFolder, moveFile, removeIfPossible } from '../../../platform/files.ts';
import { factsOfFile, type PartFile } from '../../part-file.ts';
import type { WriteResult } from '../contract.ts';
import { SCHEMA, type Segment } from '../segments.ts';
import { createViewerHash } from '../spool.ts';
import { addSegment, type Manifest, partFile, withdrawSegments } from './manifest.ts';
import { createVersions } from './versions.ts';

interface Draft extends Omit<Segment, 'id' | 'schema' | 'part' | 'file'> {
  readonly temporaryPart?: string | undefined;
}

const KEY_BYTES = 32;

/**
 * The stored views of one account: immutable Parquet files, listed by a versioned manifest. Any number of processes may use one
 * folder at once, and be killed at any moment.
 */
export function createFolderStorage(folder: string, clock: () => number) {
  const temporaryFolder = join(folder, 'tmp');
  const versions = createVersions(join(folder, 'manifest'), temporaryFolder);
  const partPath = (part: string): string => join(folder, partFile(part));

  /** The parts of segments. One of unknown length counts as damaged. */
  function partFilesOf(segments: readonly Segment[]): PartFile[] {
    return segments.flatMap(({ part, file = { bytes: -1, checksum: '' } }) =>
      part === undefined ? [] : [{ path: partPath(part), ...file }],
    );
  }

  /** The key for the hashes of viewers in an epoch. The first process that needs it creates it for all. */
  async function viewerKey(epoch: string): Promise<Buffer> {
    const file = join(folder, viewerKeyFile(epoch));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const key = await readFile(file).catch(() => undefined);
      if (key?.length === KEY_BYTES) return key;
      await makeFolder(temporaryFolder);
      await linkExclusive(join(temporaryFolder, `${process.pid}-${randomUUID()}.key`), randomBytes(KEY_BYTES), file);
      await fsyncFolder(folder);
    }
    throw new Error('The key for hashes of viewers can’t be read.');
  }

  return {
    folder,
    versions,
    clock,
    partFilesOf,
    viewerKey,
    read: versions.read,
    async open(): Promise<Manifest> {
      const manifest = await versions.read();
      if (manifest !== undefined) return manifest;
      await versions.commit(async (found) => (found === undefined ? emptyManifest() : undefined));
      return (await versions.read()) ?? emptyManifest();
    },
    viewerHash: async (epoch: string) => createViewerHash(await viewerKey(epoch)),
    /** Removes unreadable segments from the manifest, so that they are read from the service again. False if there are none. */
    async withdraw(isUnreadable: (segment: Segment) => boolean): Promise<boolean> {
      return (await versions.commit(async (manifest) => manifest && withdrawSegments(manifest, isUnreadable, clock()))) !== undefined;
    },
    /** Adds a segment in place of the segments that it covers, or adds nothing. */
    async commit({ temporaryPart, ...draft }: Draft, epoch: string): Promise<WriteResult> {
      const id = randomUUID();
      const part = `${id}.parquet`;
      const written = temporaryPart === undefined ? {} : { part, file: await factsOfFile(temporaryPart) };
      const segment: Segment = { ...draft, id, schema: SCHEMA, ...written };
      if (temporaryPart !== undefined) {
        await makeFolder(join(folder, 'parts'));
        await fsyncFile(temporaryPart);
        await moveFile(temporaryPart, partPath(part));
        await fsyncFolder(join(folder, 'parts'));
      }
      const result = await versions.commit<WriteResult>(async (manifest) => {
        if (manifest === undefined) return 'forgotten';
        // After a race with another commit it may have been added already.
        if (manifest.segments.some((one) => one.id === id)) return 'committed';
        return addSegment(manifest, segment, epoch, clock());
      });
      if (typeof result !== 'string') return 'committed';
      if (result !== 'committed') await removeIfPossible(partPath(part));
      return result;
    },
  };
}

export type FolderStorage = ReturnType<typeof createFolderStorage>;

export const viewerKeyFile = (epoch: string): string => `viewers-${epoch}.key`;

export function emptyManifest(): Manifest {
  return { format: 1, version: 1, epoch: randomUUID().slice(0, 8), segments: [], retired: [], forgotten: [] };
}
