import type { TopLevelSpec } from 'vega-lite';
import { splitDimensions } from './axes.ts';
import { barPlot, isVertical } from './bar.ts';
import type { ChartInput } from './contract.ts';
import { columnTitle, DAILY, isOrdered, isTimeUnit } from './dimensions.ts';
import { drawableText, unshippedIn } from './font-coverage.ts';
import { type Frame, frameOf, latest, limit, numberOf } from './frame.ts';
import { heatPlot } from './heatmap.ts';
import { linePlot } from './line.ts';
import { haveOneUnit } from './metric.ts';
import { pageSvg } from './page.ts';
import { drawPlot, PLOT_WIDTHS } from './plot.ts';
import type { Drawn } from './rendering.ts';
import { hasAnyOf, type StandIn, withStandIns } from './stand-ins.ts';

const MAX_SERIES = 8;
const MAX_NAMES = 30;
const MAX_BARS = 72;
/** In all panels: a page of several is scrolled as it is. */
const MAX_PANEL_BARS = 54;
/** More vertical bars would be thinner than two pixels. */
const MAX_VERTICAL_BARS = 600;
const MAX_HEAT_COLUMNS = 370;
const MAX_HEAT_ROWS = 31;
const MAX_HEAT_ROWS_OF_ALL = 60;
/** Each has its name below it. */
const MAX_HEAT_NAMES = { wide: 24, narrow: 8 } as const;

/** Each has a panel; more would be too small to be read, or make a page that nobody scrolls through. */
const MAX_PANELS = 6;

interface Plot extends Drawn {
  readonly spec: TopLevelSpec;
}

const STAND_INS_NOTE = 'Keys and numbers with # stand for names in letters that could not be drawn.';

/** The chart as SVG, without the letters that no font has; which of its letters the shipped fonts lack; and what it shows. */
export async function compose(input: ChartInput, missing: ReadonlySet<string> = new Set()) {
  const plot = input.kind === 'heatmap' && input.dimensions.length > 1 ? heatmap(input, missing) : linesOrBars(input, missing);
  const { spec, standIns = [], ...rest } = plot;
  const isTitleMissing = input.ownTitle !== undefined && hasAnyOf(drawableText(input.title), missing);
  const title = drawableText(isTitleMissing ? input.ownTitle : input.title);
  const subtitle = input.subtitle.map(drawableText).filter((part) => part !== '');
  const notes = standIns.length === 0 ? rest.notes : [...rest.notes, STAND_INS_NOTE];
  const whole = pageSvg({ title, subtitle, plot: await drawPlot(spec), plotWidth: widthOf(input), size: input.size ?? 'wide', notes });
  const svg = missing.size === 0 ? whole : withoutLetters(whole, missing);
  const leavesWordsOut = isTitleMissing || svg !== whole;
  const drawn: Drawn = { ...rest, ...(standIns.length === 0 ? {} : { standIns }), ...(leavesWordsOut ? { leavesWordsOut } : {}) };
  return { svg, unshipped: unshippedIn(svg), drawn };
}

const widthOf = ({ size = 'wide' }: ChartInput): number => PLOT_WIDTHS[size];

const withoutLetters = (svg: string, missing: ReadonlySet<string>): string =>
  svg.replace(/[^\0-\x7f]+/gu, (run) =>
    Array.from(run, (letter) => (missing.has(letter) ? '…' : letter))
      .join('')
      .replace(/…+/gu, '…'),
  );

/** Whether the numbers are series on one axis; else each has a panel. */
function haveOneAxis({ columns, rows, metrics, isOfSql = false }: ChartInput): boolean {
  const drawn = metrics.flatMap((metric) => columns.find(({ name }) => name === metric) ?? []);
  const indexOf = (name: string): number => columns.findIndex((column) => column.name === name);
  const valuesOf = (name: string) => rows.flatMap((row) => numberOf(row[indexOf(name)]) ?? []);
  return drawn.length > 1 && haveOneUnit(drawn, valuesOf, isOfSql);
}

const panelsOf = (input: ChartInput, along: string | undefined, series: readonly string[]): Frame[] =>
  input.metrics.slice(0, MAX_PANELS).map((metric) => frameOf(input, along, series, [metric]));

function linesOrBars(input: ChartInput, missing: ReadonlySet<string>): Plot {
  const { along, series } = splitDimensions(input.dimensions);
  const all = series.length === 0 && haveOneAxis(input) ? [frameOf(input, along, series, input.metrics)] : panelsOf(input, along, series);
  const few = limit(all, 'series', MAX_SERIES, 'series');
  const [first] = few.frames;
  if (first === undefined) throw new Error('it has no number');
  const isOrderedAxis = isVertical(first.axis);
  const isSingle = first.series.categories.length === 1;
  const canStack = isSingle || all.every(({ look, areColumns }) => look.additive && !areColumns);
  const addsUp = input.kind === 'stacked_bar' && canStack;
  const bars = addsUp ? 1 : first.series.categories.length * (few.frames.some(({ hasBefore }) => hasBefore) ? 2 : 1);
  const isCrowded = isOrderedAxis && first.axis.categories.length * bars > MAX_VERTICAL_BARS;
  const isLine = isOrderedAxis && (isCrowded || input.kind === 'line');
  const isStacked = addsUp && !isLine;
  const most = Math.max(3, Math.min(MAX_NAMES, Math.floor((all.length === 1 ? MAX_BARS : MAX_PANEL_BARS / all.length) / bars)));
  const { frames, note } = isOrderedAxis ? { frames: few.frames, note: undefined } : limit(few.frames, 'x', most, 'names');
  const hidesBefore = isStacked && !isSingle;
  const drawn = frames.map((frame) => ({ ...frame, hasBefore: frame.hasBefore && !hidesBefore }));
  const named = isSingle ? (['axis'] as const) : (['axis', 'series'] as const);
  const { frames: shown, standIns } = standInsOf(drawn, named, input, missing);
  const { whyNotAdded } = (all.find(({ look }) => !look.additive) ?? first).look;
  const notes = [
    few.note,
    note,
    input.kind === 'line' && !isLine ? 'Drawn as bars: a line needs values with an order.' : undefined,
    input.kind !== 'line' && isCrowded ? 'Drawn as lines: there are too many bars to tell apart.' : undefined,
    input.kind === 'stacked_bar' && !isStacked && !isCrowded ? `Drawn side by side: ${whyNotAdded}.` : undefined,
    input.kind === 'heatmap' && !isCrowded ? 'Drawn as bars: a heatmap needs two dimensions.' : undefined,
    hidesBefore && frames.some(({ hasBefore }) => hasBefore) ? 'The comparison period is not drawn; it is in the table.' : undefined,
  ];
  return {
    kind: isLine ? 'line' : isStacked && !isSingle ? 'stacked_bar' : 'bar',
    frames: drawn,
    ...wholesOf(all, frames),
    spec: isLine
      ? linePlot(shown, widthOf(input))
      : barPlot(shown, isStacked && drawn.every(({ hasBefore }) => !hasBefore), widthOf(input)),
    standIns,
    notes: notes.filter((text) => text !== undefined),
  };
}

/** The frames are of the same rows and have the same axes, so each gets the same stand-ins. */
function standInsOf(
  frames: readonly Frame[],
  parts: readonly ('axis' | 'series')[],
  { keys }: Pick<ChartInput, 'keys'>,
  missing: ReadonlySet<string>,
): { readonly frames: readonly Frame[]; readonly standIns: readonly StandIn[] } {
  const redrawn = frames.map((frame) => withStandIns(frame, parts, keys, missing));
  return { frames: redrawn.map(({ frame }) => frame), standIns: redrawn[0]?.standIns ?? [] };
}

function wholesOf(all: readonly Frame[], drawn: readonly Frame[]): Pick<Plot, 'wholes'> {
  const named = (frame: Frame | undefined): number[] =>
    frame === undefined ? [] : [frame.axis, frame.series].map(({ categories }) => categories.filter(({ isOthers }) => !isOthers).length);
  return named(all[0]).join() === named(drawn[0]).join() ? {} : { wholes: all };
}

/** Time, or else what comes again every day, is on the horizontal axis; the other dimension is on the vertical axis. */
function heatmap(input: ChartInput, missing: ReadonlySet<string>): Plot {
  const [first = '', second = '', ...more] = input.dimensions;
  const across = [first, second].find(isTimeUnit) ?? [second, first].find((name) => DAILY.has(name)) ?? second;
  const down = [across === first ? second : first, ...more];
  const all = panelsOf(input, across, down);
  const most = Math.min(MAX_HEAT_ROWS, Math.floor(MAX_HEAT_ROWS_OF_ALL / all.length));
  const rows = limit(all, 'series', most, 'rows');
  const columns = isOrdered(across)
    ? latest(rows.frames, MAX_HEAT_COLUMNS)
    : limit(rows.frames, 'x', MAX_HEAT_NAMES[input.size ?? 'wide'], 'columns');
  const { frames } = columns;
  const { frames: shown, standIns } = standInsOf(frames, ['axis', 'series'], input, missing);
  const { spec, hasGaps } = heatPlot(shown, down.map(columnTitle).join(' · '), widthOf(input));
  return {
    kind: 'heatmap',
    frames,
    ...wholesOf(all, frames),
    spec,
    standIns,
    notes: [
      hasGaps ? 'Grey cells have no value.' : undefined,
      rows.note,
      columns.note,
      frames.some(({ hasBefore }) => hasBefore) ? 'The comparison period is not drawn; it is in the table.' : undefined,
    ].filter((text) => text !== undefined),
  };
}
