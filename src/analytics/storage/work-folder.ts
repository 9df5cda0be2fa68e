import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning, makeFolder, removeIfPossible } from '../../platform/files.ts';
import { DAY_MS } from '../../platform/time-units.ts';

/** This machine's name, reduced to characters that a file name may have. */
const HOST = hostname().replace(/[^\w.-]/g, '_');

export const processPrefix = (): string => `${HOST}~${process.pid}`;

const isOfThisProcess = (name: string): boolean => name === processPrefix() || name.startsWith(`${processPrefix()}~`);

/** Whether the process that a file is named after has ended. False if that is unknown, as for another machine's process. */
export function isAbandoned(name: string): boolean {
  const [, host, pid] = /^([\w.-]+)~(\d+)(?:~|$)/.exec(name) ?? [];
  return host === HOST && !isRunning(Number(pid));
}

export async function createWorkFolder(folder: string): Promise<string> {
  const path = join(folder, 'work', `${processPrefix()}~${randomUUID().slice(0, 8)}`);
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
    if (!isOfThisProcess(name) && (isAbandoned(name) || (await ageMsOf(path)) > DAY_MS)) await removeIfPossible(path);
  }
}

/** The names in a folder; none if it doesn't exist. */
export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** By this machine's clock; 0 if the file is gone. */
export async function ageMsOf(path: string): Promise<number> {
  const info = await stat(path).catch(() => undefined);
  return info === undefined ? 0 : Date.now() - info.mtimeMs;
}
