import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.mjs';
import { lookOnly } from './plugins.mjs';

const views = join(root, 'src', 'page', 'views');

/**
 * The approval page's views as one document: one style and one script between tags without attributes, so that a policy can
 * name their hashes, and nothing that is loaded from elsewhere.
 */
export const buildPage = (folder) => buildDocument(join(folder, 'page.html'), 'main.tsx', 'style/index.css', []);

/** The same views for a conversation, without the code that acts. */
export const buildChatView = (folder) => buildDocument(join(folder, 'chat.html'), 'chat/chat-main.tsx', 'chat/chat.css', [lookOnly]);

async function buildDocument(file, script, style, plugins) {
  const built = await build({
    absWorkingDir: root,
    entryPoints: { script: join(views, script), style: join(views, style) },
    outdir: root,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    // Those that have `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    plugins,
  });
  const textOf = (extension) => built.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
  const template = readFileSync(join(views, 'page.html'), 'utf8');
  // By functions: a replacement's text may hold what `replace` takes for a pattern.
  const html = template.replace('/*style*/', () => textOf('.css')).replace('/*script*/', () => textOf('.js'));
  writeFileSync(file, html);
  return built;
}
