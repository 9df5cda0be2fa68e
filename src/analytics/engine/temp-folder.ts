import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isRunning } from '../../platform/files.ts';

/** Folders of other processes are removed after this time: their processes may run on another machine or in another container. */
const LEFT_MS = 60 * 60 * 1_000;

/** The folder can't be made, by the code of Node's error. */
export class NoTempFolderError extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super('no temporary folder', { cause });
    this.code = codeOf(cause) ?? 'no code';
  }
}

/** Creates this process's folder for data that doesn't fit in memory, and removes the folders of dead processes. Throws `NoTempFolderError`. */
export function makeTempFolder(base: string, pid: number): string {
  try {
    return makeFolderIn(base, pid);
  } catch (error) {
    throw new NoTempFolderError(error);
  }
}

function makeFolderIn(base: string, pid: number): string {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(base))
    if (/^\d+$/.test(name) && isLeft(join(base, name), Number(name))) removeTempFolder(base, Number(name));
  removeTempFolder(base, pid);
  const own = join(base, String(pid));
  // Windows may reuse a process id whose folder could not be removed.
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

export function removeTempFolder(base: string, pid: number): void {
  try {
    rmSync(join(base, String(pid)), { recursive: true, force: true });
  } catch {
    // Windows keeps files that are open; the next process removes them.
  }
}

function isLeft(folder: string, pid: number): boolean {
  try {
    return Date.now() - statSync(folder).mtimeMs >= LEFT_MS && !isRunning(pid);
  } catch {
    return false;
  }
}
