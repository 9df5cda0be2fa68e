import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProcessEnded, processName } from './process-liveness.ts';

const OWNER = 'owner';

/** Makes a folder of this process, that only its user can enter, and removes those of the same prefix that killed processes left. */
export function makeTemporaryFolder(parent: string, prefix: string): string {
  removeLeft(parent, prefix);
  const folder = mkdtempSync(join(parent, prefix));
  try {
    writeFileSync(join(folder, OWNER), processName(), { mode: 0o600 });
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Only folders of this user that name their process, which is of this machine and has ended. */
function removeLeft(parent: string, prefix: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(prefix))) {
    const folder = join(parent, name);
    try {
      const info = lstatSync(folder);
      const isOurs = info.isDirectory() && (process.getuid === undefined || info.uid === process.getuid());
      if (isOurs && hasProcessEnded(readFileSync(join(folder, OWNER), 'utf8'))) rmSync(folder, { recursive: true, force: true });
    } catch {
      // It has no owner that is known, or is being removed by another process.
    }
  }
}
