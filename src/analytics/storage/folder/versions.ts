import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, fsyncFolder, isSharingViolation, linkExclusive, makeFolder, removeIfPossible } from '../../../platform/files.ts';
import { type Manifest, manifestText, parseManifest } from './manifest.ts';

const VERSION = /^v(\d+)\.json$/;
/** Older versions are removed; a process that fails to read one reads the newest instead. */
const KEPT_VERSIONS = 24;
const MAX_READS = 50;
const MAX_COMMITS = 1_000;

/**
 * The versions of a manifest, each in a file whose name can be created only once. So no lock is needed, a killed process leaves
 * nothing behind, and a reader lists one folder and reads one file.
 */
export function createVersions(folder: string, temporaryFolder: string) {
  let last: Manifest | undefined;
  const fileOf = (version: number): string => join(folder, `v${version}.json`);

  async function newest(): Promise<{ version: number; manifest: Manifest | undefined }> {
    for (let attempt = 0; ; attempt += 1) {
      const names = await readdir(folder).catch(noFolder);
      const version = Math.max(0, ...names.map((name) => Number(VERSION.exec(name)?.[1] ?? 0)));
      if (version === 0) return { version, manifest: undefined };
      if (last?.version === version) return { version, manifest: last };
      const text = await readFile(fileOf(version), 'utf8').catch(missing);
      const manifest = text === undefined ? undefined : parseManifest(text);
      if (manifest !== undefined) {
        last = manifest;
        return { version, manifest };
      }
      // It was removed as outdated, or another program has it open, or, without hard links, it is being written.
      if (attempt >= MAX_READS) throw new Error('The manifest of the stored views can’t be read.');
      await wait(text === undefined ? 0 : 20);
    }
  }

  return {
    read: async (): Promise<Manifest | undefined> => (await newest()).manifest,
    /**
     * Adds the version that `change` makes from the newest one; calls it again if another process was faster. If it returns
     * anything but a manifest, that is returned and no version is added.
     */
    async commit<No>(change: (manifest: Manifest | undefined) => Promise<Manifest | No>): Promise<Manifest | No> {
      await makeFolder(folder);
      await makeFolder(temporaryFolder);
      for (let attempt = 0; attempt < MAX_COMMITS; attempt += 1) {
        const { version, manifest } = await newest();
        const next = await change(manifest);
        if (!isManifest(next)) return next;
        const temporary = join(temporaryFolder, `${process.pid}-${randomUUID()}.json`);
        if (!(await linkExclusive(temporary, manifestText(next), fileOf(version + 1)))) continue;
        await fsyncFolder(folder);
        await removeIfPossible(fileOf(version + 1 - KEPT_VERSIONS));
        // A process that was suspended may have reused the number of a removed version, which has no effect.
        const after = await newest();
        if (after.version === version + 1 || follows(after.manifest, next)) return next;
      }
      throw new Error('The manifest of the stored views could not be changed.');
    },
    async prune(kept = KEPT_VERSIONS): Promise<void> {
      const names = await readdir(folder).catch(() => []);
      const numbers = names.flatMap((name) => Number(VERSION.exec(name)?.[1] ?? Number.NaN)).filter((number) => !Number.isNaN(number));
      const upTo = Math.max(0, ...numbers) - kept;
      for (const number of numbers) if (number <= upTo) await removeIfPossible(fileOf(number));
    },
  };
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && 'format' in value;
}

/** Whether a later version contains all segments of `mine`. If one was replaced since, adding it again fails as superseded. */
function follows(later: Manifest | undefined, mine: Manifest): boolean {
  const ids = new Set(later?.segments.map(({ id }) => id));
  return later?.epoch === mine.epoch && mine.segments.every(({ id }) => ids.has(id));
}

/** No names if the folder is missing: nothing was ever stored. */
function noFolder(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

function missing(error: unknown): '' | undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  if (isSharingViolation(error)) return '';
  throw error;
}
