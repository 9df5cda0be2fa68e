import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Half a gigabyte, and for tests alone: so it is no dependency of the package. */
const VERSION = '3.4.0';

/** Embedded ClickHouse 26, from npm. Answers the package's folder. */
export async function getChdb(cache) {
  const folder = join(cache, `chdb-${VERSION}`);
  const made = join(folder, 'node_modules', 'chdb');
  const done = join(folder, 'done');
  if (existsSync(done)) return made;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...quiet, `chdb@${VERSION}`]);
  // It has no binary for Windows or musl, and says so when it is loaded.
  await run(process.execPath, ['-e', `require(${JSON.stringify(made)})`]);
  writeFileSync(done, '');
  return made;
}
