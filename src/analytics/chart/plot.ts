import { type LoggerInterface, parse, textMetrics, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT_FAMILY, widthOf } from './font.ts';
import { INK } from './palette.ts';

declare module 'vega' {
  /** Documented for programs that measure text in their own way, but missing in Vega's types. */
  export const textMetrics: { width: (item: { fontSize?: number; fontWeight?: unknown }, text: unknown) => number };
}

export const AXIS_SIZE = 11.5;

/** A picture without what stands round it. */
export interface Plot {
  readonly spec: TopLevelSpec;
  readonly height: number;
}

/** One part of a specification in layers; what is common to all of ours is put in by `plotOf`. */
export interface PlotParts {
  readonly height: number;
  /** Texts for the values of an axis: they come to the specification as data, never as a part of an expression. */
  readonly xText: Readonly<Record<string, string | readonly string[]>>;
  readonly yText: Readonly<Record<string, string | readonly string[]>>;
  // Vega-Lite's type of a layer is a union of hundreds; what is wrong in one fails when it is compiled.
  readonly layer: readonly object[];
}

export const PLOT_WIDTH = 752;

/** Nothing is ever fetched: neither a file nor an address, whatever a specification may say. */
const refuse = (): Promise<never> => Promise.reject(new Error('A chart loads nothing.'));
export const closedLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** Warnings are about taste; what is wrong is thrown. */
const quiet: LoggerInterface = {
  level: (() => 0) as LoggerInterface['level'],
  error: () => quiet,
  warn: () => quiet,
  info: () => quiet,
  debug: () => quiet,
};

/** The part of a chart that Vega draws, as its specification. */
export function plotOf({ height, xText, yText, layer }: PlotParts): TopLevelSpec {
  // See `layer`.
  return {
    width: PLOT_WIDTH,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    params: [
      { name: 'xText', value: xText },
      { name: 'yText', value: yText },
    ],
    layer,
    config: THEME,
  } as unknown as TopLevelSpec;
}

/** Draws a specification of ours as the inside of an SVG of its size. */
export async function drawPlot(spec: TopLevelSpec): Promise<string> {
  // Vega has no canvas here to measure on, and would guess.
  textMetrics.width = (item, text) => widthOf(String(text ?? ''), item.fontSize ?? AXIS_SIZE, item.fontWeight === 'bold');
  const view = new View(parse(compile(spec, { logger: quiet }).spec), { renderer: 'none', loader: closedLoader, logger: quiet });
  try {
    const svg = await view.toSVG();
    return svg.slice(svg.indexOf('>') + 1, svg.lastIndexOf('</svg>'));
  } finally {
    view.finalize();
  }
}

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
    labelOverlap: false,
    labelFlush: false,
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
};
