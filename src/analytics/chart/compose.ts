import type { TopLevelSpec } from 'vega-lite';
import { type Axis, splitDimensions } from './axes.ts';
import { barPlot, isVertical } from './bar.ts';
import type { ChartInput } from './contract.ts';
import { isTimeUnit, titleOf } from './dimensions.ts';
import { type FontCoverage, fontCoverageFor, STAND_IN } from './font-coverage.ts';
import { type Frame, frameOf } from './frame.ts';
import { heatPlot } from './heatmap.ts';
import { latest, limit } from './limit.ts';
import { linePlot } from './line.ts';
import { type Page, pageSvg } from './page.ts';
import { drawPlot } from './plot.ts';

const MAX_SERIES = 8;
const MAX_NAMES = 30;
/** All bars of a picture with several at each name. */
const MAX_BARS = 72;
/** Side by side; more than this would be thinner than two pixels. */
const MAX_STANDING = 600;
const MAX_HEAT_COLUMNS = 370;
const MAX_HEAT_ROWS = 31;
const MAX_HEAT_NAMES = 24;

/** What stands on the page beside the texts of the input. */
type Drawn = Pick<Page, 'notes'> & { readonly spec: TopLevelSpec };

export interface Composed {
  readonly svg: string;
  readonly needsSystemFonts: boolean;
}

/** The chart as SVG, and which fonts it takes. */
export async function compose(input: ChartInput): Promise<Composed> {
  const letters = fontCoverageFor(textsOf(input));
  const shown = { ...input, ...(input.unit === undefined ? {} : { unit: letters.show(input.unit) }) };
  const head = { title: letters.show(input.title), subtitle: input.subtitle.map(letters.show).filter((part) => part !== '') };
  const svg = input.rows.length === 0 ? emptyPage(head) : await fullPage(shown, head, letters);
  return { svg, needsSystemFonts: letters.needsSystemFonts };
}

type Head = Pick<Page, 'title' | 'subtitle'>;

const emptyPage = (head: Head): string => pageSvg({ ...head, notes: [], message: 'No views in this span' });

async function fullPage(input: ChartInput, head: Head, letters: FontCoverage): Promise<string> {
  const { spec, ...rest } = input.kind === 'heatmap' && input.dimensions.length > 1 ? heatmap(input, letters) : linesOrBars(input, letters);
  const plot = await drawPlot(spec);
  const page = { ...head, ...rest, plot };
  const notes =
    plot.svg.includes(STAND_IN) || JSON.stringify(page).includes(STAND_IN)
      ? [...rest.notes, `${STAND_IN} stands for letters that no font of this machine has; the table shows them.`]
      : rest.notes;
  return pageSvg({ ...page, notes });
}

function linesOrBars(input: ChartInput, letters: FontCoverage): Drawn {
  const { along, series } = splitDimensions(input.dimensions);
  const all = withLetters(frameOf(input, along, series, false), letters);
  const few = limit(all, 'series', MAX_SERIES, 'series');
  const isOrderedAxis = isVertical(few.frame.axis);
  const addsUp = input.kind === 'stacked_bar' && (all.look.additive || all.series.categories.length === 1);
  const bars = addsUp ? 1 : few.frame.series.categories.length * (few.frame.hasBefore ? 2 : 1);
  const isCrowded = isOrderedAxis && few.frame.axis.categories.length * bars > MAX_STANDING;
  const isLine = isOrderedAxis && (isCrowded || input.kind === 'line');
  const isStacked = addsUp && !isLine;
  const most = Math.max(3, Math.min(MAX_NAMES, Math.floor(MAX_BARS / bars)));
  const { frame, note } = isOrderedAxis ? { frame: few.frame, note: undefined } : limit(few.frame, 'x', most, 'names');
  const showsBefore = frame.hasBefore && !(isStacked && frame.series.categories.length > 1);
  const drawn = { ...frame, hasBefore: showsBefore };
  const notes = [
    few.note,
    note,
    input.kind === 'line' && !isLine ? 'Drawn as bars: the names have no order that a line could follow.' : undefined,
    input.kind !== 'line' && isCrowded ? 'Drawn as lines: there are too many bars to tell apart.' : undefined,
    input.kind === 'stacked_bar' && !isStacked && !isCrowded ? 'Drawn side by side: these values don’t add up.' : undefined,
    input.kind === 'heatmap' && !isCrowded ? 'Drawn as bars: a heatmap takes two dimensions.' : undefined,
    frame.hasBefore && !showsBefore ? 'The span before is not drawn; it is in the table.' : undefined,
  ];
  return {
    spec: isLine ? linePlot(drawn) : barPlot(drawn, isStacked && !showsBefore),
    notes: notes.filter((text) => text !== undefined),
  };
}

/** Time goes from left to right, then hours do; the other dimension goes down. */
function heatmap(input: ChartInput, letters: FontCoverage): Drawn {
  const [first = '', second = '', ...more] = input.dimensions;
  const across = [first, second].find(isTimeUnit) ?? [second, first].find((name) => name === 'hour_of_day') ?? second;
  const down = [across === first ? second : first, ...more];
  const all = withLetters(frameOf(input, across, down, true), letters);
  const rows = limit(all, 'series', MAX_HEAT_ROWS, 'rows');
  const columns = isVertical(all.axis) ? latest(rows.frame, MAX_HEAT_COLUMNS) : limit(rows.frame, 'x', MAX_HEAT_NAMES, 'columns');
  const { frame } = columns;
  const { spec, hasGaps } = heatPlot(frame, down.map(titleOf).join(' · '));
  return {
    spec,
    notes: [
      hasGaps ? 'Grey places have no value.' : undefined,
      rows.note,
      columns.note,
      frame.hasBefore ? 'The span before is not drawn; it is in the table.' : undefined,
    ].filter((text) => text !== undefined),
  };
}

/** Every name as it can be drawn. Which is which was decided before: names that look the same stay two. */
function withLetters(frame: Frame, letters: FontCoverage): Frame {
  const shown = (axis: Axis): Axis => ({
    ...axis,
    categories: axis.categories.map((category) => ({ ...category, label: letters.show(category.label) })),
  });
  return { ...frame, axis: shown(frame.axis), series: shown(frame.series) };
}

/** Every text that may come from strangers. */
function* textsOf({ title, subtitle, unit, columns, rows, dimensions }: ChartInput): Generator<string> {
  yield title;
  yield* subtitle;
  if (unit !== undefined) yield unit;
  const places = dimensions.map((name) => columns.findIndex((column) => column.name === name));
  for (const row of rows) {
    for (const place of places) {
      const value = row[place];
      if (typeof value === 'string') yield value;
    }
  }
}
