// Makes the MCPB bundles: a file per platform, each with only what runs there.
//
//   node scripts/bundle.mjs [--where-available] [platform…]     default: all platforms; into bundles/
//
// With --where-available, a bundle whose binaries the registry lacks is only reported, unless it is this machine's own.
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Resvg } from '@resvg/resvg-js';
import { buildAll } from './build.mjs';
import { bundleManifest, startScript } from './bundle/manifest.mjs';
import { fetchPackages, HERE, PLATFORMS } from './bundle/packages.mjs';
import { zipFolder } from './bundle/zip.mjs';
import { root } from './root.mjs';

const DOCUMENTS = ['README.md', 'LICENSE'];
/** Files of a package that are not needed to run it. */
const NOT_RUN = /\.(md|map|d\.[cm]?ts)$/;

const { values, positionals } = parseArgs({ options: { 'where-available': { type: 'boolean', default: false } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(PLATFORMS, name));
if (unknown.length > 0) throw new Error(`There are no bundles for ${unknown.join(', ')}, only for ${Object.keys(PLATFORMS).join(', ')}.`);

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8'));
const out = join(root, 'bundles');
const cache = join(root, 'node_modules', '.cache');
for (const folder of [out, cache]) mkdirSync(folder, { recursive: true });
function makeBundle(name, dist) {
  const platform = PLATFORMS[name];
  const fetched = join(work, `${name}-packages`);
  mkdirSync(fetched);
  const { packages, missing } = fetchPackages(platform, fetched);
  const file = join(out, `${packageJson.name}-${packageJson.version}-${name}.mcpb`);
  // An older one must not be taken for this one.
  for (const old of readdirSync(out)) if (old.endsWith(`-${name}.mcpb`)) rmSync(join(out, old));
  if (missing.length > 0) {
    const lacking = missing.map((one) => `${one.name}@${one.version}`).join(', ');
    console.error(`NOT MADE: the bundle for ${name}. The registry that npm uses here has no ${lacking}.`);
    if (!values['where-available'] || name === HERE) process.exitCode = 1;
    return;
  }
  const folder = join(work, name);
  // The client is for other programs.
  cpSync(dist, join(folder, 'dist'), { recursive: true, filter: (path) => !/[\\/]client\.[.\w]+$/.test(path) });
  for (const { name: one } of packages)
    cpSync(join(fetched, 'node_modules', one), join(folder, 'node_modules', one), {
      recursive: true,
      filter: (path) => !NOT_RUN.test(path),
    });
  for (const document of DOCUMENTS) copyFileSync(join(root, document), join(folder, document));
  writeFileSync(join(folder, 'icon.png'), new Resvg(readFileSync(join(root, 'scripts/bundle/icon.svg'), 'utf8')).render().asPng());
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(bundleManifest(manifest, platform), null, 2)}\n`);
  if (platform.os === 'darwin') writeFileSync(join(folder, 'start.sh'), startScript(platform, packageJson));
  const zip = zipFolder(folder);
  writeFileSync(file, zip);
  const sha256 = createHash('sha256').update(zip).digest('hex');
  console.log(`${file.slice(root.length + 1)}  ${megabytes(zip.length)}, unpacked ${megabytes(sizeOf(folder))}  sha256 ${sha256}`);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function sizeOf(folder) {
  const sizes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, name)));
  return sizes.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0);
}

// Beside the packages: the build lets the server run once.
const work = mkdtempSync(join(cache, 'bundle-'));
try {
  const dist = join(work, 'dist');
  await buildAll(dist);
  for (const name of positionals.length > 0 ? positionals : Object.keys(PLATFORMS)) makeBundle(name, dist);
} finally {
  rmSync(work, { recursive: true, force: true });
}
