import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { zipSync } from 'fflate';

/** Local time, as it is in the format: it reads the same wherever it is made. */
const MTIME = new Date(1980, 0, 1);
const UNIX = 3;

/** A folder as a zip file: the same bytes for the same content, on every machine. */
export function zipFolder(folder) {
  const names = readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'))
    .sort();
  const entries = names.map((name) => {
    const mode = name.endsWith('.sh') ? 0o755 : 0o644;
    return [name, [readFileSync(join(folder, name)), { mtime: MTIME, os: UNIX, attrs: (0o100000 | mode) << 16 }]];
  });
  return zipSync(Object.fromEntries(entries), { level: 6 });
}
