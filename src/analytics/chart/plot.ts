import { logger, None, parse, textMetrics, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FONT_FAMILY, widthOf } from './font.ts';
import { INK } from './palette.ts';

declare module 'vega' {
  /** Documented for custom text measuring, but missing in Vega's types. */
  export const textMetrics: { width: (item: { fontSize?: number; fontWeight?: unknown }, text: unknown) => number };
}

export const AXIS_SIZE = 11.5;
export const LEGEND_SIZE = 12;
export const MAX_GRADIENT = 180;

export interface PlotParts {
  /** Names of positions and series. The specification contains them as data, never in an expression. */
  readonly names: { readonly x?: readonly string[]; readonly y?: readonly string[]; readonly series?: readonly string[] };
  /** From the top. */
  readonly panels: readonly Panel[];
  /** The width of what stands left of the panels' vertical axis, by which they get one width. */
  readonly labelsWidth: number;
  /** Of the whole plot. */
  readonly width: number;
}

export interface Panel {
  readonly height: number;
  // Vega-Lite's type of a layer is a union of hundreds; compiling reports errors.
  readonly layer: readonly object[];
}

/** Where a panel stands, which decides what of an axis it shows. */
export interface Place {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Of how many. */
  readonly count: number;
  /** What the name of a scale of the panel begins with. */
  readonly prefix: string;
  /** Of the whole plot. */
  readonly width: number;
}

/** The width of a plot: of one for a page, and of one for a phone. */
export const PLOT_WIDTHS = { wide: 752, narrow: 310 } as const;

/** What names may take of a plot. */
export const namesShare = (width: number, most: number): number => Math.min(most, width * 0.4);

export const ALONE: Place = { isFirst: true, isLast: true, count: 1, prefix: '', width: PLOT_WIDTHS.wide };

export const placesOf = <T>(all: readonly T[], width: number): (readonly [T, Place])[] =>
  all.map((one, index) => {
    const { length: count } = all;
    return [one, { isFirst: index === 0, isLast: index === count - 1, count, prefix: count === 1 ? '' : `${panelName(index)}_`, width }];
  });

const panelName = (index: number): string => `panel${index}`;

/** Of a plot whose height is free: one alone is as high as a few panels, each of which can still be read. */
export const panelHeight = ({ count }: Place): number => (count === 1 ? 300 : Math.max(120, Math.round(480 / count)));

const refuse = (): Promise<never> => Promise.reject(new Error('A chart loads nothing.'));
export const closedLoader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

/** Warnings are about style; errors are thrown. */
const quiet = logger(None);

const SPACE_BETWEEN = 26;
/** Each panel has numbers of another unit. */
const OF_ITS_OWN = { scale: { color: 'independent', fill: 'independent' }, legend: { color: 'independent', fill: 'independent' } };
/** Right of the panels, for the label of the last tick. */
const SPACE_BESIDE = 14;

export function plotOf({ names, panels, labelsWidth, width: whole }: PlotParts): TopLevelSpec {
  const width = whole - labelsWidth - SPACE_BESIDE;
  const [first, second] = panels;
  // Panels can't be fitted to a width, so theirs is computed.
  const plot =
    second === undefined
      ? { width: whole, ...first, autosize: { type: 'fit-x', contains: 'padding' } }
      : {
          vconcat: panels.map((panel, index) => ({ name: panelName(index), width, ...panel })),
          spacing: SPACE_BETWEEN,
          resolve: OF_ITS_OWN,
        };
  return { ...plot, params: [{ name: 'names', value: names }], config: THEME } as unknown as TopLevelSpec;
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
    labelFontSize: LEGEND_SIZE,
    labelColor: INK.text,
    labelLimit: 0,
    titleFontSize: LEGEND_SIZE,
    titleFontWeight: 'normal',
    titleColor: INK.text,
    titleLimit: 0,
    symbolType: 'square',
    symbolSize: 130,
    symbolStrokeWidth: 0,
    symbolOpacity: 1,
    gradientLength: MAX_GRADIENT,
    gradientThickness: 12,
    gradientStrokeWidth: 0,
  },
};
