import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { root } from '../scripts/root.mjs';

/** Runs a TypeScript file of this folder and returns its exports. Packages stay outside, so that only our own files are bundled. */
export async function load(name) {
  // Below node_modules, so that packages are found.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'evals-'));
  try {
    const outfile = join(folder, 'evals.mjs');
    await build({
      entryPoints: [join(root, 'evals', name)],
      bundle: true,
      packages: 'external',
      platform: 'node',
      target: 'node20',
      format: 'esm',
      outfile,
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    // Its process would take 100 MB for as long as a task is played.
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
