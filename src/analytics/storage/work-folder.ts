import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeIfPossible } from '../../platform/files.ts';
import { hasProcessEnded, processName } from '../../platform/process-liveness.ts';
import { DAY_MS } from '../../platform/time-units.ts';

const isOfThisProcess = (name: string): boolean => name === processName() || name.startsWith(`${processName()}~`);

export async function createWorkFolder(folder: string): Promise<string> {
  const path = join(folder, 'work', `${processName()}~${randomUUID().slice(0, 8)}`);
  await makeFolder(path);
  return path;
}

/**
 * Removes files of processes that have ended, and files of others that are older than a day. This process still uses its own:
 * a clock that was set forward, or a machine that slept, makes them seem old.
 */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (!isOfThisProcess(name) && (hasProcessEnded(name) || (await ageMsOf(path)) > DAY_MS)) await removeIfPossible(path);
  }
}

/** The names in a folder; none if it doesn't exist. */
export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** By this machine's clock; 0 if the file is gone. */
export async function ageMsOf(path: string): Promise<number> {
  const info = await stat(path).catch(() => undefined);
  return info === undefined ? 0 : Date.now() - info.mtimeMs;
}
