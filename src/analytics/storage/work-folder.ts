import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRunning, makeFolder, removeIfPossible } from '../../platform/files.ts';
import { DAY_MS } from '../spans.ts';

/** This machine's name, as it may stand in the name of a file. */
const HOST = hostname().replace(/[^\w.-]/g, '_');

/** The start of the names of files that belong to this process: its machine and its id. */
export const processPrefix = (): string => `${HOST}~${process.pid}`;

/** Whether the process that a file is named after has ended. False where that can't be told, as of another machine's. */
export function isAbandoned(name: string): boolean {
  const [, host, pid] = /^([\w.-]+)~(\d+)(?:~|$)/.exec(name) ?? [];
  return host === HOST && !isRunning(Number(pid));
}

/** Creates a folder of this process's own, for files that are not stored yet. */
export async function createWorkFolder(folder: string): Promise<string> {
  const path = join(folder, 'work', `${processPrefix()}~${randomUUID().slice(0, 8)}`);
  await makeFolder(path);
  return path;
}

/** Removes from a folder what processes left that have ended, and what is older than a day. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isAbandoned(name) || (await ageMsOf(path)) > DAY_MS) await removeIfPossible(path);
  }
}

/** The names in a folder; none where it doesn't exist. */
export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** By the machine's own clock; 0 where the file is gone. */
export async function ageMsOf(path: string): Promise<number> {
  const info = await stat(path).catch(() => undefined);
  return info === undefined ? 0 : Date.now() - info.mtimeMs;
}
