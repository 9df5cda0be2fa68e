// Builds dist/, or the folder that is named: the command (main.cjs, small and quick to start), what it loads on first use,
// the approval page (page.html) and its views for a conversation (chat.html).
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildChart } from './build/chart.mjs';
import { NATIVE } from './build/native.mjs';
import { buildChatView, buildPage } from './build/page.mjs';
import {
  ahead,
  lazy,
  lazyUndici,
  noHttp2,
  noValidator,
  onlyVersion,
  plainAssert,
  plainNames,
  seldom,
  seldomEntry,
  undiciEntry,
} from './build/plugins.mjs';
import { buildServers } from './build/servers.mjs';
import { thirdPartyLicences } from './build/third-party.mjs';
import { loadSource } from './load-source.mjs';
import { root } from './root.mjs';

const src = (path) => join(root, 'src', path);

/** How everything is built; the benchmarks build what they compare with in the same way. */
export const common = {
  // Its file for Node requires its parts in a way that can't be followed.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  external: NATIVE,
  define: { 'import.meta.dirname': '__dirname' },
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/** The oldest Node that distributions still ship: it has to read the file that says that it is too old. */
const forOldNode = { target: 'node12' };

/**
 * What the command begins with. As one module that loads the others later, each of them would be a function of its own, with
 * which a start takes 3 % more CPU time.
 */
async function refusingOldNode() {
  const built = await build({
    ...common,
    ...forOldNode,
    entryPoints: [src('entry.ts')],
    format: 'iife',
    globalName: 'oldNode',
    write: false,
    plugins: [lazy],
  });
  return `${built.outputFiles[0].text}if (oldNode.isRefused) return;`;
}

/**
 * esbuild leaves regular expressions and tagged templates as they are. One character beyond Latin-1, and V8 keeps the whole file
 * in two bytes a character, which take twice the memory and longer to read.
 */
const inAscii = (code) =>
  code.replace(/\\[\0-\x7F]|\\?([^\0-\x7F])/g, (whole, character) =>
    character === undefined ? whole : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Builds everything into a folder. Each file is put in place whole, so that a server that is being started, or a second
 * build at the same time, never meets half of one.
 */
export async function buildAll(dist) {
  mkdirSync(dist, { recursive: true });
  const fresh = mkdtempSync(join(dist, '.new-'));
  try {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { listing, recordResponses } = await loadSource(
      `export { listing } from './mcp/listing/listing.ts'; export { recordResponses } from './mcp/protocol/record-responses.ts';`,
    );
    // Not in main.cjs: to parse it would take longer.
    writeFileSync(join(fresh, 'responses.tsv'), await recordResponses(version));
    writeFileSync(join(fresh, 'responses-read-only.tsv'), await recordResponses(version, ['--read-only']));
    const results = await Promise.all([
      build({
        ...common,
        ...forOldNode,
        entryPoints: [src('main.ts')],
        outfile: join(fresh, 'main.cjs'),
        banner: { js: await refusingOldNode() },
        plugins: [lazy, seldom, plainNames, onlyVersion],
      }),
      build({
        ...common,
        ...forOldNode,
        entryPoints: [src('mcp/protocol/old-node.ts')],
        outfile: join(fresh, 'old-node.cjs'),
        plugins: [plainNames],
      }),
      build({ ...common, ...forOldNode, stdin: seldomEntry, outfile: join(fresh, 'seldom.cjs'), plugins: [plainNames] }),
      buildServers(fresh, common, [lazy, lazyUndici, noValidator, ahead('listing/listing.ts', 'listing', listing())]),
      build({
        ...common,
        entryPoints: [src('commands/run-command.ts')],
        outfile: join(fresh, 'commands.cjs'),
        plugins: [lazy, lazyUndici],
      }),
      build({ ...common, entryPoints: [src('demo/service.ts')], outfile: join(fresh, 'demo.cjs') }),
      build({ ...common, entryPoints: [src('analytics/engine/child.ts')], outfile: join(fresh, 'engine.cjs') }),
      build({ ...common, entryPoints: [src('analytics/storage/clickhouse/client.ts')], outfile: join(fresh, 'clickhouse.cjs') }),
      build({ ...common, stdin: undiciEntry, outfile: join(fresh, 'undici.cjs'), plugins: [noHttp2, plainAssert] }),
      buildChart(fresh, common),
      buildPage(fresh),
      buildChatView(fresh),
    ]);
    chmodSync(join(fresh, 'main.cjs'), 0o755);
    const metafiles = results.map(({ metafile }) => metafile);
    writeFileSync(join(fresh, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(metafiles));
    const made = readdirSync(fresh);
    for (const name of made) if (name.endsWith('.cjs')) writeFileSync(join(fresh, name), inAscii(readFileSync(join(fresh, name), 'utf8')));
    for (const name of made) renameSync(join(fresh, name), join(dist, name));
    // What an earlier version built would be published with it.
    for (const name of readdirSync(dist)) if (/\.(cjs|json|tsv|html)$/.test(name) && !made.includes(name)) rmSync(join(dist, name));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll(resolve(process.argv[2] ?? join(root, 'dist')));
