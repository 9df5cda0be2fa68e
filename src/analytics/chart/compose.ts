import type { TopLevelSpec } from 'vega-lite';
import { splitDimensions } from './axes.ts';
import { barPlot, isVertical } from './bar.ts';
import type { ChartInput, ChartKind } from './contract.ts';
import { columnTitle, isTimeUnit } from './dimensions.ts';
import { drawableText, unshippedIn } from './font-coverage.ts';
import { type Frame, frameOf, latest, limit } from './frame.ts';
import { heatPlot } from './heatmap.ts';
import { linePlot } from './line.ts';
import { pageSvg } from './page.ts';
import { drawPlot } from './plot.ts';
import type { Drawn } from './rendering.ts';
import { hasAnyOf, withStandIns } from './stand-ins.ts';

const MAX_SERIES = 8;
const MAX_NAMES = 30;
const MAX_BARS = 72;
/** More vertical bars would be thinner than two pixels. */
const MAX_VERTICAL_BARS = 600;
const MAX_HEAT_COLUMNS = 370;
const MAX_HEAT_ROWS = 31;
const MAX_HEAT_NAMES = 24;

interface Plot extends Drawn {
  readonly spec: TopLevelSpec;
}

const STAND_INS_NOTE = 'Keys and numbers with # stand for names in letters that no font of this machine has.';

/** The chart as SVG, without the letters that no font has; which of its letters the shipped fonts lack; and what it shows. */
export async function compose(input: ChartInput, missing: ReadonlySet<string> = new Set()) {
  const plot = input.kind === 'heatmap' && input.dimensions.length > 1 ? heatmap(input, missing) : linesOrBars(input, missing);
  const { spec, standIns = [], ...rest } = plot;
  const isTitleMissing = input.ownTitle !== undefined && hasAnyOf(drawableText(input.title), missing);
  const title = drawableText(isTitleMissing ? input.ownTitle : input.title);
  const subtitle = input.subtitle.map(drawableText).filter((part) => part !== '');
  const notes = standIns.length === 0 ? rest.notes : [...rest.notes, STAND_INS_NOTE];
  const whole = pageSvg({ title, subtitle, plot: await drawPlot(spec), notes });
  const svg = missing.size === 0 ? whole : withoutLetters(whole, missing);
  const leavesWordsOut = isTitleMissing || svg !== whole;
  const drawn: Drawn = { ...rest, ...(standIns.length === 0 ? {} : { standIns }), ...(leavesWordsOut ? { leavesWordsOut } : {}) };
  return { svg, unshipped: unshippedIn(svg), drawn };
}

const withoutLetters = (svg: string, missing: ReadonlySet<string>): string =>
  svg.replace(/[^\0-\x7f]+/gu, (run) =>
    Array.from(run, (letter) => (missing.has(letter) ? '…' : letter))
      .join('')
      .replace(/…+/gu, '…'),
  );

function linesOrBars(input: ChartInput, missing: ReadonlySet<string>): Plot {
  const { along, series } = splitDimensions(input.dimensions);
  const all = frameOf(input, along, series);
  const few = limit(all, 'series', MAX_SERIES, 'series');
  const isOrderedAxis = isVertical(few.frame.axis);
  const addsUp = input.kind === 'stacked_bar' && (all.look.additive || all.series.categories.length === 1);
  const bars = addsUp ? 1 : few.frame.series.categories.length * (few.frame.hasBefore ? 2 : 1);
  const isCrowded = isOrderedAxis && few.frame.axis.categories.length * bars > MAX_VERTICAL_BARS;
  const isLine = isOrderedAxis && (isCrowded || input.kind === 'line');
  const isStacked = addsUp && !isLine;
  const most = Math.max(3, Math.min(MAX_NAMES, Math.floor(MAX_BARS / bars)));
  const { frame, note } = isOrderedAxis ? { frame: few.frame, note: undefined } : limit(few.frame, 'x', most, 'names');
  const showsBefore = frame.hasBefore && !(isStacked && frame.series.categories.length > 1);
  const drawn = { ...frame, hasBefore: showsBefore };
  const named = frame.series.categories.length > 1 ? (['axis', 'series'] as const) : (['axis'] as const);
  const { frame: shown, standIns } = withStandIns(drawn, named, input.keys, missing);
  const notes = [
    few.note,
    note,
    input.kind === 'line' && !isLine ? 'Drawn as bars: a line needs values with an order.' : undefined,
    input.kind !== 'line' && isCrowded ? 'Drawn as lines: there are too many bars to tell apart.' : undefined,
    input.kind === 'stacked_bar' && !isStacked && !isCrowded ? `Drawn side by side: ${frame.look.whyNotAdded}.` : undefined,
    input.kind === 'heatmap' && !isCrowded ? 'Drawn as bars: a heatmap needs two dimensions.' : undefined,
    frame.hasBefore && !showsBefore ? 'The comparison period is not drawn; it is in the table.' : undefined,
  ];
  return {
    kind: kindOf(isLine, isStacked, frame),
    frame: drawn,
    ...wholeOf(all, frame),
    spec: isLine ? linePlot(shown) : barPlot(shown, isStacked && !showsBefore),
    standIns,
    notes: notes.filter((text) => text !== undefined),
  };
}

function kindOf(isLine: boolean, isStacked: boolean, { series }: Frame): ChartKind {
  if (isLine) return 'line';
  return isStacked && series.categories.length > 1 ? 'stacked_bar' : 'bar';
}

/** What is drawn can be in another order, so the places are counted. */
function wholeOf(all: Frame, drawn: Frame): Pick<Plot, 'whole'> {
  const named = ({ axis, series }: Frame): number[] =>
    [axis, series].map(({ categories }) => categories.filter(({ isOthers }) => isOthers !== true).length);
  return named(all).join() === named(drawn).join() ? {} : { whole: all };
}

/** Time, or else hours of the day, are on the horizontal axis; the other dimension is on the vertical axis. */
function heatmap(input: ChartInput, missing: ReadonlySet<string>): Plot {
  const [first = '', second = '', ...more] = input.dimensions;
  const across = [first, second].find(isTimeUnit) ?? [second, first].find((name) => name === 'hour_of_day') ?? second;
  const down = [across === first ? second : first, ...more];
  const all = frameOf(input, across, down);
  const rows = limit(all, 'series', MAX_HEAT_ROWS, 'rows');
  const columns = isVertical(all.axis) ? latest(rows.frame, MAX_HEAT_COLUMNS) : limit(rows.frame, 'x', MAX_HEAT_NAMES, 'columns');
  const { frame } = columns;
  const { frame: shown, standIns } = withStandIns(frame, ['axis', 'series'], input.keys, missing);
  const { spec, hasGaps } = heatPlot(shown, down.map(columnTitle).join(' · '));
  return {
    kind: 'heatmap',
    frame,
    ...wholeOf(all, frame),
    spec,
    standIns,
    notes: [
      hasGaps ? 'Grey cells have no value.' : undefined,
      rows.note,
      columns.note,
      frame.hasBefore ? 'The comparison period is not drawn; it is in the table.' : undefined,
    ].filter((text) => text !== undefined),
  };
}
