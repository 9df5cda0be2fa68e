import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';

const require = createRequire(import.meta.url);

/**
 * Runs TypeScript that may import from `src/` (its paths are relative to that folder) and answers its exports, for
 * what is made from code: lists, tables, the manifest.
 */
export async function loadSource(contents) {
  const folder = mkdtempSync(join(tmpdir(), 'video-hosting-mcp-load-'));
  try {
    const outfile = join(folder, 'source.cjs');
    await build({
      stdin: { contents, resolveDir: join(root, 'src'), loader: 'ts' },
      bundle: true,
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
