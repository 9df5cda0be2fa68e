import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../platform/files.ts';

/** What a process left behind is taken away after this long: it may be another machine's, or another container's, whose processes we don't see. */
const LEFT_MS = 60 * 60 * 1_000;

/** A folder of this process's own for what doesn't fit in memory. Takes away what dead processes left. */
export function makeTempFolder(base: string, pid: number): string {
  mkdirSync(base, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(base))
    if (/^\d+$/.test(name) && isLeft(join(base, name), Number(name))) removeTempFolder(base, Number(name));
  removeTempFolder(base, pid);
  const own = join(base, String(pid));
  // Windows may give a number again whose folder still holds a file that would not go.
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return own;
}

export function removeTempFolder(base: string, pid: number): void {
  try {
    rmSync(join(base, String(pid)), { recursive: true, force: true });
  } catch {
    // Windows keeps files that are still open; the next process takes them away.
  }
}

function isLeft(folder: string, pid: number): boolean {
  try {
    return Date.now() - statSync(folder).mtimeMs >= LEFT_MS && !isRunning(pid);
  } catch {
    // Another was quicker.
    return false;
  }
}
