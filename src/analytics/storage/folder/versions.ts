import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  codeOf,
  fsyncFolder,
  isLost,
  isSharingViolation,
  linkExclusive,
  makeFolder,
  namesInFolder,
  removeIfPossible,
} from '../../../platform/files.ts';
import { type Manifest, manifestText, parseManifest } from './manifest.ts';

/** All such numbers are safe integers. */
const VERSION = /^v(\d{1,15})\.json$/;
/** Older versions are removed; a process that fails to read one reads the newest instead. */
const KEPT_VERSIONS = 24;
const MAX_READS = 50;
const MAX_COMMITS = 1_000;

interface Newest {
  /** The greatest number, also if that version is damaged: the next one is added above it. */
  readonly version: number;
  /** Of the newest version that can be read; undefined if there is none. */
  readonly manifest: Manifest | undefined;
}

/**
 * The versions of a manifest, each in a file whose name can be created only once. So no lock is needed, a killed process leaves
 * nothing behind, and a reader lists one folder and reads one file.
 */
export function createVersions(folder: string, temporaryFolder: string) {
  let last: Newest | undefined;
  const fileOf = (version: number): string => join(folder, `v${version}.json`);

  async function newest(): Promise<Newest> {
    for (let attempt = 0; ; attempt += 1) {
      const [version = 0, ...older] = await numbersIn(folder);
      if (version === 0) return { version, manifest: undefined };
      if (last?.version === version) return last;
      const text = await textOf(version);
      const manifest = parseManifest(text ?? '');
      // It was removed as outdated, or another program has it open, or, without hard links, it is being written.
      if (manifest === undefined && attempt < MAX_READS) await wait(text === undefined ? 0 : 20);
      else {
        last = { version, manifest: manifest ?? (await firstReadable(older)) };
        return last;
      }
    }
  }

  async function firstReadable(versions: readonly number[]): Promise<Manifest | undefined> {
    for (const version of versions) {
      const manifest = parseManifest((await textOf(version)) ?? '');
      if (manifest !== undefined) return manifest;
    }
    return undefined;
  }

  async function textOf(version: number): Promise<string | undefined> {
    try {
      return await readFile(fileOf(version), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (isLost(error) || isSharingViolation(error)) return '';
      throw error;
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
      const [newestNumber = 0, ...older] = await numbersIn(folder);
      for (const number of older) if (number <= newestNumber - kept) await removeIfPossible(fileOf(number));
    },
  };
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && 'segments' in value;
}

/** Whether a later version contains all segments of `mine`. If one was replaced since, adding it again fails as superseded. */
function follows(later: Manifest | undefined, mine: Manifest): boolean {
  const ids = new Set(later?.segments.map(({ id }) => id));
  return later?.epoch === mine.epoch && mine.segments.every(({ id }) => ids.has(id));
}

/** The numbers of the versions, newest first. None if the folder is missing: nothing was ever stored. */
async function numbersIn(folder: string): Promise<number[]> {
  const names = await namesInFolder(folder);
  return names
    .flatMap((name) => VERSION.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}
