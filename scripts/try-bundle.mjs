// Checks that a client can install the bundles in bundles/. The official tool (@anthropic-ai/mcpb) validates and unpacks
// each. The one for this machine is started as a client does: by the command and environment of its manifest, with only
// the required settings filled in, with a demo account.
//
//   node scripts/try-bundle.mjs FOLDER     where @anthropic-ai/mcpb is installed
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HERE, PLATFORMS } from './bundle/packages.mjs';
import { root } from './root.mjs';
import { tryEveryClient } from './smoke/session.mjs';

const [, , tools = '.'] = process.argv;
const { getMcpConfigForManifest, unpackExtension, validateManifest } = await import(
  pathToFileURL(createRequire(join(resolve(tools), 'from-here.js')).resolve('@anthropic-ai/mcpb')).href
);
const bundles = join(root, 'bundles');
const files = readdirSync(bundles).filter((name) => name.endsWith('.mcpb'));
assert.ok(!Object.hasOwn(PLATFORMS, HERE) || files.some((name) => name.endsWith(`-${HERE}.mcpb`)), `no bundle for ${HERE} in bundles/`);
const work = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-bundle-'));
try {
  for (const file of files) await tryBundle(file, join(work, file, 'an extension’s folder'));
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function tryBundle(file, folder) {
  assert.ok(await unpackExtension({ mcpbPath: join(bundles, file), outputDir: folder, silent: true }), `${file} can't be unpacked`);
  assert.ok(validateManifest(folder), `${file} has no valid manifest`);
  const platform = Object.keys(PLATFORMS).find((name) => file.endsWith(`-${name}.mcpb`));
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  assert.deepEqual(manifest.compatibility.platforms, [PLATFORMS[platform]?.os]);
  assert.ok(existsSync(join(folder, manifest.server.entry_point)), 'no entry point');
  const superfluous = readdirSync(folder, { recursive: true }).filter((name) => /\.(cache|map|[cm]?ts)$/.test(name));
  assert.deepEqual(superfluous, []);
  if (platform === HERE) console.log(`${file}: works as installed, for clients: ${(await run(folder, manifest)).join('; ')}.`);
  else console.log(`${file}: is valid. It can't be started on ${HERE}.`);
}

async function run(folder, manifest) {
  const { startDemoService } = createRequire(import.meta.url)(join(folder, 'dist', 'demo.cjs'));
  const demo = await startDemoService({ now: new Date().toISOString() });
  const fill = (userConfig) => getMcpConfigForManifest({ manifest, extensionPath: folder, systemDirs: {}, userConfig, pathSeparator: sep });
  try {
    assert.equal(await fill({}), undefined, 'a client would start it without what it needs');
    const { command, args, env } = await fill({ base_url: demo.baseUrl, stats_url: demo.statsUrl, api_key: demo.apiKey });
    // The Node that runs this is the first that is found, and everything is kept below a home of its own.
    const own = { HOME: work, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };
    return await tryEveryClient({ command, args, env: { ...own, ...env } });
  } finally {
    await demo.close();
  }
}
