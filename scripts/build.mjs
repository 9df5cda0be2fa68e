// Builds dist/: the command (main.cjs, small and quick to start), and what it loads on first use.
import { createRequire } from 'node:module';
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = (path) => join(root, 'src', path);
const out = (path) => join(root, 'dist', path);

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

const common = {
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

export async function buildAll() {
  rmSync(out('.'), { recursive: true, force: true });
  await build({ ...common, entryPoints: [src('mcp/listing.ts')], outfile: out('listing.cjs'), plugins: [lazy] });
  const { listing } = createRequire(import.meta.url)(out('listing.cjs'));
  rmSync(out('listing.cjs'));
  await Promise.all([
    build({ ...common, entryPoints: [src('main.ts')], outfile: out('main.cjs'), plugins: [lazy, noValidator, ahead(listing())] }),
    build({ ...common, entryPoints: [src('mcp/app.ts')], outfile: out('app.cjs'), plugins: [lazy] }),
    build({ ...common, entryPoints: [src('demo/service.ts')], outfile: out('demo.cjs') }),
  ]);
  chmodSync(out('main.cjs'), 0o755);
  return listing();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
