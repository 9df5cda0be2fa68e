import { renderAsync } from '@resvg/resvg-js';
import { compose } from './compose.ts';
import type { ChartInput } from './contract.ts';
import { FONT_FAMILY, FONT_FILES } from './font.ts';

const WIDTH_PX = 1200;

/** Draws the chart as PNG. `render-chart.ts` loads this module and its slow dependencies when first needed. */
export async function drawChart(input: ChartInput): Promise<Buffer> {
  const { svg, needsSystemFonts } = await compose(input);
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: WIDTH_PX },
    font: { loadSystemFonts: needsSystemFonts, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    logLevel: 'off',
  });
  return image.asPng();
}
