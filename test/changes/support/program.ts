import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshHome } from '../../harness/start.ts';

/** A program for VIDEO_HOSTING_NOTIFY, of lines of the shell; what it writes to TOLD is read back. */
export function program(lines: string): { readonly path: string; readonly told: () => Record<string, unknown>[] } {
  const folder = freshHome();
  const [path, told] = [join(folder, 'notify.sh'), join(folder, 'told.jsonl')];
  writeFileSync(told, '');
  writeFileSync(path, `#!/bin/sh\n${lines.replaceAll('TOLD', told)}\n`);
  chmodSync(path, 0o700);
  return {
    path,
    told: () =>
      readFileSync(told, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}
