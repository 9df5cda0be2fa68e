import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { packagesFor } from './packages-for.mjs';

/**
 * Has npm fetch them into a folder, at the locked versions and checked by the lock file's sums. To npm a binary is
 * optional, and one that the registry doesn't have is left out without a word: those are answered.
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
  // Started by npm, this knows where npm is; else the shell finds it, on Windows too.
  const { npm_execpath: cli } = process.env;
  if (cli !== undefined) execFileSync(process.execPath, [cli, ...args], options);
  else execFileSync('npm', args, { ...options, shell: process.platform === 'win32' });
}
