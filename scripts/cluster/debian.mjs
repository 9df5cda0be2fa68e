import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * A package of Debian's with the libraries that this machine lacks, unpacked into a folder below `cache` and not installed.
 * Needs apt and dpkg, and no rights. Answers the folder. `isWanted` picks from the packages that it depends on.
 */
export async function getPackage(cache, name, isWanted = (needed) => needed.startsWith('lib')) {
  const made = join(cache, name);
  if (existsSync(made)) return made;
  const work = join(cache, `${name}.new`);
  rmSync(work, { recursive: true, force: true });
  for (const path of ['lists/partial', 'cache/archives/partial', 'debs', 'root']) mkdirSync(join(work, path), { recursive: true });
  // Lists and files of our own: those of the machine may be missing, old, or not ours to write.
  const options = [`Dir::State::lists=${work}/lists`, `Dir::Cache=${work}/cache`, `APT::Sandbox::User=${userInfo().username}`];
  const apt = (command, ...args) => run(command, [...options.flatMap((option) => ['-o', option]), ...args], { cwd: join(work, 'debs') });
  await apt('apt-get', 'update');
  const names = (await missingPackages(apt, name)).filter((needed) => needed === name || isWanted(needed));
  await apt('apt-get', 'download', ...names);
  for (const deb of readdirSync(join(work, 'debs'))) await run('dpkg', ['-x', join(work, 'debs', deb), join(work, 'root')]);
  writeFileSync(join(work, 'root', 'packages'), `${names.join('\n')}\n`);
  renameSync(join(work, 'root'), made);
  rmSync(work, { recursive: true, force: true });
  return made;
}

/** The package, and what it depends on and this machine lacks. */
async function missingPackages(apt, name) {
  const no = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((relation) => `--no-${relation}`);
  const needed = (await apt('apt-cache', 'depends', '--recurse', ...no, name)).match(/^[a-z0-9][a-z0-9.+-]*$/gm) ?? [];
  const installed = new Set((await run('dpkg-query', ['-W', '-f', '$' + '{Package}\n'])).split('\n'));
  return [...new Set([name, ...needed])].filter((one) => one === name || !installed.has(one));
}
