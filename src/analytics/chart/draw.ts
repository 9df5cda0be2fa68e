import { renderAsync } from '@resvg/resvg-js';
import { compose, type Drawn } from './compose.ts';
import type { ChartInput } from './contract.ts';
import { FONT_FAMILY, FONT_FILES } from './font.ts';

const WIDTH_PX = 1200;

export interface Picture {
  readonly png: Buffer;
  readonly drawn: Drawn;
}

/** Draws the chart as PNG. `render-chart.ts` loads this module and its slow dependencies when first needed. */
export async function drawChart(input: ChartInput): Promise<Picture> {
  const { svg, needsSystemFonts, drawn } = await compose(input);
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: WIDTH_PX },
    font: { loadSystemFonts: needsSystemFonts, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    logLevel: 'off',
  });
  return { png: image.asPng(), drawn };
}
