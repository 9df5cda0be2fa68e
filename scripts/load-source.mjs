import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { NATIVE } from './build/native.mjs';
import { lazy } from './build/plugins.mjs';
import { root } from './root.mjs';

const require = createRequire(import.meta.url);

/**
 * Runs TypeScript that may import from `src/` (its paths are relative to that folder) and answers its exports, for
 * what is made from code: lists, tables, the manifest. Without plugins, what the command loads later is there at once.
 */
export async function loadSource(contents, { plugins = [lazy] } = {}) {
  // Below node_modules, so that what isn't built in is found.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'load-'));
  try {
    const outfile = join(folder, 'source.cjs');
    await build({
      stdin: { contents, resolveDir: join(root, 'src'), loader: 'js' },
      bundle: true,
      external: NATIVE,
      plugins,
      // Where a module stands is only asked when it runs.
      logOverride: { 'empty-import-meta': 'silent' },
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      outfile,
      logLevel: 'warning',
    });
    return require(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
