import { logger, None, parse, textMetrics, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT_FAMILY, widthOf } from './font.ts';
import { INK } from './palette.ts';

declare module 'vega' {
  /** Documented for custom text measuring, but missing in Vega's types. */
  export const textMetrics: { width: (item: { fontSize?: number; fontWeight?: unknown }, text: unknown) => number };
}

export const AXIS_SIZE = 11.5;

export interface PlotParts {
  readonly height: number;
  /** Names of positions and series. The specification contains them as data, never in an expression. */
  readonly names: { readonly x?: readonly string[]; readonly y?: readonly string[]; readonly series?: readonly string[] };
  // Vega-Lite's type of a layer is a union of hundreds; compiling reports errors.
  readonly layer: readonly object[];
}

export const PLOT_WIDTH = 752;

const refuse = (): Promise<never> => Promise.reject(new Error('A chart loads nothing.'));
export const closedLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** Warnings are about style; errors are thrown. */
const quiet = logger(None);

export function plotOf({ height, names, layer }: PlotParts): TopLevelSpec {
  return {
    width: PLOT_WIDTH,
    height,
    autosize: { type: 'fit-x', contains: 'padding' },
    params: [{ name: 'names', value: names }],
    layer,
    config: THEME,
  } as unknown as TopLevelSpec;
}

export async function drawPlot(spec: TopLevelSpec): Promise<{ readonly svg: string; readonly height: number }> {
  // Without a canvas Vega would only estimate the width.
  textMetrics.width = (item, text) => widthOf(String(text ?? ''), item.fontSize ?? AXIS_SIZE, item.fontWeight === 'bold');
  const view = new View(parse(compile(spec, { logger: quiet }).spec), { renderer: 'none', loader: closedLoader, logger: quiet });
  try {
    const svg = await view.toSVG();
    const inside = svg.indexOf('>') + 1;
    const height = Number(/ height="([\d.]+)"/.exec(svg.slice(0, inside))?.[1]);
    return { svg: svg.slice(inside, svg.lastIndexOf('</svg>')), height };
  } finally {
    view.finalize();
  }
}

export const labelLayer = (values: readonly object[], encoding: object, mark: object): object => ({
  data: { values },
  mark: { type: 'text', color: INK.text, ...mark },
  encoding: { ...encoding, text: { field: 'label', type: 'nominal' } },
});

const THEME = {
  font: FONT_FAMILY,
  background: null,
  padding: 0,
  aria: false,
  view: { stroke: null },
  axis: {
    labelFontSize: AXIS_SIZE,
    labelColor: INK.text,
    labelLimit: 0,
    labelPadding: 6,
    labelLineHeight: 15,
    titleFontSize: AXIS_SIZE,
    titleFontWeight: 'normal',
    titleColor: INK.muted,
    titlePadding: 12,
    titleLimit: 0,
    gridColor: INK.grid,
    domainColor: INK.line,
    tickColor: INK.line,
    tickSize: 4,
  },
  legend: {
    orient: 'top',
    offset: 28,
    rowPadding: 6,
    columnPadding: 20,
    labelFontSize: 12,
    labelColor: INK.text,
    labelLimit: 0,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    titleColor: INK.text,
    titleLimit: 0,
    symbolType: 'square',
    symbolSize: 130,
    symbolStrokeWidth: 0,
    symbolOpacity: 1,
    gradientLength: 180,
    gradientThickness: 12,
    gradientStrokeWidth: 0,
  },
};
