// Checks that the package is complete and has only what a user needs. Packs it, installs the archive into an empty folder
// and uses it from there: the command by npx, and the server with every kind of client, with analytics and charts. Needs
// the npm registry, for the two packages with native parts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { tryEveryClient } from './smoke/session.mjs';

const { name, version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-package-'));
const user = join(work, 'user');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const npx = npm.replace('npm', 'npx');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The environment of a user: what finds programs and the npm registry, nothing of this project's. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(npm_(lifecycle|package|command)|INIT_CWD|NODE_)/i.test(key))),
  NO_UPDATE_NOTIFIER: '1',
};

const run = (command, args, cwd) => execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const [archive] = JSON.parse(run(npm, ['pack', '--json', '--pack-destination', work, ...QUIET], root).replace(/^[^[]*/, ''));
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{"private":true}\n');
  run(npm, ['install', '--ignore-scripts', ...QUIET, join(work, archive.filename)], user);
  checkInstalled();
  assert.equal(run(npx, ['--no', '--', name, '--version'], user), `${version}\n`);
  const kinds = await tryEveryClient({ command: join(user, 'node_modules', '.bin', name), args: ['--demo'] });
  console.log(
    `${archive.filename}: ${megabytes(archive.size)}, ${archive.files.length} files; installed with what it needs: ${megabytes(sizeOf(user))}. Works as installed, for clients: ${kinds.join('; ')}.`,
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Only what is listed as needed at run time came along, and what that brings. */
function checkInstalled() {
  const scopes = readdirSync(join(user, 'node_modules')).filter((entry) => !entry.startsWith('.'));
  const allowed = [name, ...Object.keys(dependencies).map((dependency) => dependency.split('/')[0]), 'detect-libc'];
  assert.deepEqual(
    scopes.filter((entry) => !allowed.includes(entry)),
    [],
    'packages that nobody asked for',
  );
}

function sizeOf(path) {
  const info = lstatSync(path);
  return info.isDirectory() ? readdirSync(path).reduce((sum, entry) => sum + sizeOf(join(path, entry)), 0) : info.size;
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
