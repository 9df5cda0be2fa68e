import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';

const PACKAGE = 'clickhouse-server';

/** Debian's ClickHouse server with its libraries, unpacked. Needs apt and dpkg, and no rights. Answers the folder. */
export async function getServer(cache) {
  const made = join(cache, PACKAGE);
  if (existsSync(made)) return made;
  const work = join(cache, `${PACKAGE}.new`);
  rmSync(work, { recursive: true, force: true });
  for (const path of ['lists/partial', 'cache/archives/partial', 'debs', 'root']) mkdirSync(join(work, path), { recursive: true });
  // Lists and files of our own: those of the machine may be missing, old, or not ours to write.
  const options = [`Dir::State::lists=${work}/lists`, `Dir::Cache=${work}/cache`, `APT::Sandbox::User=${userInfo().username}`];
  const apt = (command, ...args) => run(command, [...options.flatMap((option) => ['-o', option]), ...args], { cwd: join(work, 'debs') });
  await apt('apt-get', 'update');
  const names = await missingPackages(apt);
  await apt('apt-get', 'download', ...names);
  for (const name of readdirSync(join(work, 'debs'))) await run('dpkg', ['-x', join(work, 'debs', name), join(work, 'root')]);
  const binary = join(work, 'root', 'usr', 'sbin', PACKAGE);
  if (!existsSync(binary)) throw new Error('its package has no server');
  writeFileSync(join(work, 'root', 'packages'), `${names.join('\n')}\n`);
  renameSync(join(work, 'root'), made);
  rmSync(work, { recursive: true, force: true });
  return made;
}

/** The server and those of its libraries that this machine lacks. */
async function missingPackages(apt) {
  const no = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((relation) => `--no-${relation}`);
  const needed = (await apt('apt-cache', 'depends', '--recurse', ...no, PACKAGE)).match(/^[a-z0-9][a-z0-9.+-]*$/gm) ?? [];
  const installed = new Set((await run('dpkg-query', ['-W', '-f', '$' + '{Package}\n'])).split('\n'));
  const wanted = [...new Set(needed)].filter((name) => !installed.has(name));
  return wanted.filter((name) => name.startsWith('lib') || name.startsWith('clickhouse'));
}
