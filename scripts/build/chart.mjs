import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../root.mjs';

const inPackages = (path) => join(root, 'node_modules', path);

const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'];

/** The process that draws charts: Vega and the fonts go with it, the renderer is native and stays a package. */
export async function buildChart(folder, common) {
  const built = await build({
    ...common,
    entryPoints: [join(root, 'src/analytics/chart/child.ts')],
    outfile: join(folder, 'chart.cjs'),
    // What Vega takes in a browser: no canvas of a package's, no reader of files.
    alias: {
      'vega-canvas': inPackages('vega-canvas/build/vega-canvas.browser.js'),
      'vega-loader': inPackages('vega-loader/build/vega-loader.browser.js'),
    },
  });
  for (const font of FONTS) copyFileSync(inPackages(`dejavu-fonts-ttf/ttf/${font}`), join(folder, font));
  return built;
}
