// Runs the tests in the clients that people use: Claude Code, Codex and Gemini CLI, from npm at the versions of
// test/clients/clients.json, outside the project. A newer one is reported, and fails nothing. No script of a package runs when it is installed, and the tests run where there is no network
// but loopback. Whatever is missing is reported. `-u` records what the clients draw now as expected, and makes the pictures of docs/clients.md again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getPackage } from './cluster/debian.mjs';
import { had, run } from './cluster/run.mjs';
import { root } from './root.mjs';

/** Brings loopback up and runs the arguments as a command. */
const LOOPBACK = '"$0" link set lo up && exec "$@"';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'video-hosting-mcp-tests');
mkdirSync(cache, { recursive: true });
const pinned = Object.values(JSON.parse(readFileSync(join(root, 'test', 'clients', 'clients.json'), 'utf8')));

const clients = await had('the clients', () => getClients(pinned));
if (clients !== '') await reportNewer(pinned);
const ip = await had('ip (Debian’s iproute2)', () => getProgram('ip', 'iproute2'));
const alone = ip && (await had('a network of loopback alone', getNamespace));
const tmux = await had('tmux', () => getProgram('tmux', 'tmux'));
if (tmux === '') console.log('SKIPPED: forms, and calls that are cancelled: without tmux nobody sees what a person sees.');
if (clients === '' || alone === '') console.log('\nNothing was tested: the clients, or a place to run them in, can’t be had here.');
else process.exitCode = test(process.argv.slice(2));

function test(args) {
  const command = [
    process.execPath,
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    'vitest.clients.config.ts',
    ...args,
  ];
  const pictures = args.includes('-u') || args.includes('--update') ? { CLIENTS_PICTURES: join(root, 'docs') } : {};
  const env = { ...process.env, ...pictures, CLIENTS_DIR: clients, CLIENTS_TMUX: tmux };
  const [program, ...before] = alone.split(' ');
  return spawnSync(program, [...before, 'sh', '-c', LOOPBACK, ip, ...command], { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

/** Each version has a folder of its own, PACKAGE/VERSION, which is complete or absent. */
async function getClients(packages) {
  const folder = join(cache, 'clients');
  for (const { package: name, versions } of packages)
    for (const version of versions) await getClient(name, version, join(folder, name, version));
  return folder;
}

async function getClient(name, version, folder) {
  if (existsSync(folder)) return;
  const work = `${folder}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--prefix', work, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`]);
  renameSync(work, folder);
}

/** Says which clients have a version that is not tried here yet. */
async function reportNewer(packages) {
  for (const { title, package: name, versions } of packages) {
    const newest = (await run('npm', ['view', name, 'version', '--loglevel=error']).catch(() => '')).trim();
    if (newest !== '' && !versions.includes(newest))
      console.log(`NOT TRIED: ${title} ${newest}. Add it to test/clients/clients.json, and see docs/clients.md.`);
  }
}

/** A program of this machine, or of Debian's package, which is unpacked and not installed. */
async function getProgram(name, debian) {
  const here = await run('which', [name]).catch(() => '');
  if (here !== '') return here.trim();
  const folder = await getPackage(cache, debian);
  const files = readdirSync(folder, { recursive: true });
  const program = files.find((file) => /(^|\/)s?bin\/[^/]+$/.test(file) && basename(file) === name);
  if (program === undefined) throw new Error(`its package has no ${name}`);
  const libraries = new Set(files.filter((file) => /\.so(\.\d+)*$/.test(file)).map((file) => join(folder, dirname(file))));
  const starter = join(folder, name);
  writeFileSync(starter, `#!/bin/sh\nLD_LIBRARY_PATH=${[...libraries].join(':')} exec ${join(folder, program)} "$@"\n`, { mode: 0o755 });
  return starter;
}

/** The command prefix that runs something in a network namespace of its own: root may, others as root of a user namespace. */
async function getNamespace() {
  const command = process.getuid?.() === 0 ? ['unshare', '--net'] : ['unshare', '--map-root-user', '--net'];
  await run(command[0], [...command.slice(1), 'sh', '-c', LOOPBACK, ip, 'true']);
  return command.join(' ');
}
