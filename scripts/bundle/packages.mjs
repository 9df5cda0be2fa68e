import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { packagesFor } from './packages-for.mjs';

/** The platforms of bundles: Node's names for the system and the processor, and npm's for the C library. */
export const PLATFORMS = {
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'win32-x64': { os: 'win32', cpu: 'x64' },
};

/** The platform of this machine, which need not be among them. */
export const HERE = `${process.platform}-${process.arch}`;

/**
 * Lets npm install the packages of a platform into a folder, at the versions and with the checksums of the lock file. npm
 * silently leaves out an optional binary that the registry doesn't have: those are returned as `missing`.
 */
export function fetchPackages(platform, folder) {
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(folder, name));
  const { os, cpu, libc } = platform;
  const target = [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
  npm(['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...target], folder);
  const packages = packagesFor(platform, JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
  const missing = packages.filter(({ name }) => !existsSync(join(folder, 'node_modules', name, 'package.json')));
  return { packages, missing };
}

function npm(args, cwd) {
  const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
  // npm tells its scripts where it is; otherwise the shell finds it, on Windows too.
  const { npm_execpath: cli } = process.env;
  if (cli !== undefined) execFileSync(process.execPath, [cli, ...args], options);
  else execFileSync('npm', args, { ...options, shell: process.platform === 'win32' });
}
