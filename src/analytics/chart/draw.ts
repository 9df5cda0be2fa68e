import { renderAsync } from '@resvg/resvg-js';
import { compose } from './compose.ts';
import type { ChartInput } from './contract.ts';
import { FONT_FAMILY, FONT_FILES } from './font.ts';
import type { Picture } from './rendering.ts';

const WIDTH_PX = 1200;

/** Draws the chart as PNG. Only the renderer's process (`child.ts`) loads this module and its native dependency. */
export async function renderChart(input: ChartInput): Promise<Picture> {
  const { svg, needsSystemFonts, drawn } = await compose(input);
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: WIDTH_PX },
    font: { loadSystemFonts: needsSystemFonts, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    logLevel: 'off',
  });
  return { png: image.asPng(), drawn };
}
