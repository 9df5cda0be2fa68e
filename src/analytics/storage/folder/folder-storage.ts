import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VideoHostingError } from '../../../errors.ts';
import { fsyncFile, fsyncFolder, isLost, linkExclusive, makeFolder, moveFile, removeIfPossible } from '../../../platform/files.ts';
import type { WriteResult } from '../contract.ts';
import { factsOfFile, type PartFile } from '../part-file.ts';
import { type Beginning, SCHEMA, type Segment } from '../segments.ts';
import { createViewerHash } from '../spool.ts';
import { addSegment, beginEpoch, type Manifest, partFile, withdrawSegments } from './manifest.ts';
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

  async function keyOf(epoch: string): Promise<Buffer | undefined> {
    const key = await readFile(join(folder, viewerKeyFile(epoch))).catch((error: unknown) => {
      if (isLost(error)) return undefined;
      throw error;
    });
    return key !== undefined && epochOf(key) === epoch ? key : undefined;
  }

  const hasKey = async ({ epoch }: Manifest): Promise<boolean> => (await keyOf(epoch)) !== undefined;

  /** The key for the hashes of viewers in an epoch. Throws `views_gone`. */
  async function viewerKey(epoch: string): Promise<Buffer> {
    const key = await keyOf(epoch);
    if (key !== undefined) return key;
    throw new VideoHostingError('views_gone', 'The key with which the viewers of the stored views were hashed was lost or damaged.');
  }

  async function createKey(): Promise<string> {
    const key = randomBytes(KEY_BYTES);
    const epoch = epochOf(key);
    await makeFolder(temporaryFolder);
    await linkExclusive(join(temporaryFolder, `${process.pid}-${randomUUID()}.key`), key, join(folder, viewerKeyFile(epoch)));
    await fsyncFolder(folder);
    return epoch;
  }

  return {
    folder,
    versions,
    clock,
    partFilesOf,
    viewerKey,
    read: versions.read,
    /** Begins an epoch if there is none, or if its key was lost or damaged. */
    async open(): Promise<Manifest> {
      const manifest = await versions.read();
      if (manifest !== undefined && (await hasKey(manifest))) return manifest;
      const epoch = await createKey();
      const begun = await versions.commit(async (found = EMPTY) =>
        (await hasKey(found)) ? { opened: found } : beginEpoch(found, epoch, clock()),
      );
      if (!('opened' in begun)) return begun;
      await removeIfPossible(join(folder, viewerKeyFile(epoch)));
      return begun.opened;
    },
    viewerHash: async (epoch: string) => createViewerHash(await viewerKey(epoch)),
    /** Removes unreadable segments from the manifest, so that they are read from the service again. False if there are none. */
    async withdraw(isUnreadable: (segment: Segment) => boolean): Promise<boolean> {
      return (await versions.commit(async (manifest) => manifest && withdrawSegments(manifest, isUnreadable, clock()))) !== undefined;
    },
    /** Adds a segment in place of the segments that it covers, or adds nothing. `serviceMs` is the service's time. */
    async commit({ temporaryPart, ...draft }: Draft, since: Beginning, serviceMs = clock()): Promise<WriteResult> {
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
        return addSegment(manifest, segment, since, clock(), serviceMs);
      });
      if (typeof result !== 'string') return 'committed';
      if (result !== 'committed') await removeIfPossible(partPath(part));
      return result;
    },
  };
}

export type FolderStorage = ReturnType<typeof createFolderStorage>;

export const viewerKeyFile = (epoch: string): string => `viewers-${epoch}.key`;

/** A fingerprint of its key, so that another key is noticed. It tells nothing of the hashes. */
const epochOf = (key: Buffer): string => createHash('sha256').update('epoch\0').update(key).digest('hex').slice(0, 16);

/** Before the first epoch, and after everything was forgotten. */
export const EMPTY: Manifest = { epoch: '', segments: [], retired: [], forgotten: [] };
