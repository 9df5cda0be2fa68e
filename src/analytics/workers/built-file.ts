import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The built program of a child process: beside this bundle, or of the last build. */
export function builtFile(name: string): string {
  const beside = join(import.meta.dirname, name);
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', '..', '..', 'dist', name);
}
