import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, fsyncFolder, isSharingViolation, linkExclusive, makeFolder, removeIfPossible } from '../../../platform/files.ts';
import { type Manifest, parseManifest } from './manifest.ts';

const VERSION = /^v(\d+)\.json$/;
/** Older versions than this many are removed; whoever was about to read one looks for the newest again. */
const KEPT_VERSIONS = 24;
const MAX_READS = 50;
const MAX_COMMITS = 1_000;

/**
 * The versions of a manifest: a file each, written whole under a name that can be taken only once. So there is no lock,
 * nothing is left behind by a process that is killed, and a reader needs one look at the folder and one file.
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
      // Removed by now as too old; or held by another program; or, without hard links, just being written.
      if (attempt >= MAX_READS) throw new Error('The manifest of the kept views can’t be read.');
      await wait(text === undefined ? 0 : 20);
    }
  }

  return {
    /** The newest version; undefined where nothing was ever kept. */
    read: async (): Promise<Manifest | undefined> => (await newest()).manifest,
    /**
     * Makes the next version of whatever is newest by then; `change` may be called many times. What it answers instead of
     * a manifest is answered, and nothing done.
     */
    async commit<No>(change: (manifest: Manifest | undefined) => Promise<Manifest | No>): Promise<Manifest | No> {
      await makeFolder(folder);
      await makeFolder(temporaryFolder);
      for (let attempt = 0; attempt < MAX_COMMITS; attempt += 1) {
        const { version, manifest } = await newest();
        const next = await change(manifest);
        if (!isManifest(next)) return next;
        const temporary = join(temporaryFolder, `${process.pid}-${randomUUID()}.json`);
        if (!(await linkExclusive(temporary, JSON.stringify(next), fileOf(version + 1)))) continue;
        await fsyncFolder(folder);
        await removeIfPossible(fileOf(version + 1 - KEPT_VERSIONS));
        // A process that was stopped for long may have taken a name that had come and gone: then it's as if it had done nothing.
        const after = await newest();
        if (after.version === version + 1 || follows(after.manifest, next)) return next;
      }
      throw new Error('The manifest of the kept views could not be changed.');
    },
    /** Removes versions that nobody can be looking for. */
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

/** Whether what was added stands in a later version. Where it was replaced since, doing it again is refused as beaten. */
function follows(later: Manifest | undefined, mine: Manifest): boolean {
  const ids = new Set(later?.windows.map(({ id }) => id));
  return later?.epoch === mine.epoch && mine.windows.every(({ id }) => ids.has(id));
}

/** Nothing was ever kept. What else keeps a folder from being read says nothing of what is in it. */
function noFolder(error: unknown): string[] {
  if (codeOf(error) === 'ENOENT') return [];
  throw error;
}

function missing(error: unknown): '' | undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  if (isSharingViolation(error)) return '';
  throw error;
}
