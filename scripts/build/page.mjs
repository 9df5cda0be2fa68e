import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.mjs';

const views = join(root, 'src', 'page', 'views');

/**
 * The approval page's views as one document: one style and one script between tags without attributes, so that a policy can
 * name their hashes, and nothing that is loaded from elsewhere.
 */
export async function buildPage(folder) {
  const built = await build({
    absWorkingDir: root,
    entryPoints: { page: join(views, 'main.tsx'), style: join(views, 'style', 'index.css') },
    outdir: folder,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  const textOf = (extension) => built.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
  const template = readFileSync(join(views, 'page.html'), 'utf8');
  // By functions: a replacement's text may hold what `replace` takes for a pattern.
  const html = template.replace('/*style*/', () => textOf('.css')).replace('/*script*/', () => textOf('.js'));
  writeFileSync(join(folder, 'page.html'), html);
  return built;
}
