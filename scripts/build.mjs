// Builds dist/: the command (main.cjs, small and quick to start), and what it loads on first use.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadSource } from './load-source.mjs';
import { root } from './root.mjs';

const src = (path) => join(root, 'src', path);
const dist = join(root, 'dist');

/** Modules that are files of their own beside the command, loaded when they are first imported. */
const LAZY = { [src('mcp/app.ts')]: './app.cjs', [src('demo/service.ts')]: './demo.cjs' };

const lazy = {
  name: 'lazy',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = LAZY[resolve(resolveDir, path)];
      return kind === 'dynamic-import' && file !== undefined ? { path: file, external: true } : undefined;
    });
  },
};

/** The lists that a start needs, worked out here instead of at each start. */
const ahead = (listing) => ({
  name: 'ahead',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]mcp[\\/]listing\.ts$/ }, () => ({
      contents: `const made = ${JSON.stringify(listing)};\nexport const listing = () => made;`,
      loader: 'js',
    }));
  },
});

/** The SDK imports a JSON Schema validator that we replace by our own checks (see server.ts); it is a third of its size. */
const noValidator = {
  name: 'no-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({ path: 'shims', namespace: 'no-validator' }));
    onLoad({ filter: /.*/, namespace: 'no-validator' }, () => ({
      contents: 'import process from "node:process"; export { process }; export class DefaultJsonSchemaValidator {}',
      loader: 'js',
      resolveDir: root,
    }));
  },
};

/** How everything is built; the benchmarks build what they compare with in the same way. */
export const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
};

/**
 * Builds everything into `dist/`. Each file is put in place whole, so that a server that is being started, or a second
 * build at the same time, never meets half of one.
 */
export async function buildAll() {
  mkdirSync(dist, { recursive: true });
  const fresh = mkdtempSync(join(dist, '.new-'));
  try {
    const { listing } = await loadSource(`export { listing } from './mcp/listing.ts';`);
    const to = (name) => ({ ...common, outfile: join(fresh, name) });
    await Promise.all([
      build({ ...to('main.cjs'), entryPoints: [src('main.ts')], plugins: [lazy, noValidator, ahead(listing())] }),
      build({ ...to('app.cjs'), entryPoints: [src('mcp/app.ts')], plugins: [lazy] }),
      build({ ...to('demo.cjs'), entryPoints: [src('demo/service.ts')] }),
    ]);
    chmodSync(join(fresh, 'main.cjs'), 0o755);
    for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(dist, name));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
