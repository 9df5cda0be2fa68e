import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, type Sentence } from '../../text/sentence.ts';
import type { Axis } from './axes.ts';
import type { ChartKind } from './contract.ts';
import { columnTitle, isOrdered } from './dimensions.ts';
import type { Cell, Frame } from './frame.ts';
import { type MetricLook, valueLabel } from './metric.ts';
import type { Drawn } from './rendering.ts';
import type { StandIn } from './stand-ins.ts';

interface Description {
  readonly title: string;
  readonly about: readonly string[];
  readonly others: readonly string[];
  readonly wanted: 'auto' | ChartKind;
  /** Times that are counted in part, which can't be compared with the others. */
  readonly partial?: readonly string[] | undefined;
  readonly drawn: Drawn;
}

const CHART_WORDS = {
  line: 'line chart',
  bar: 'bar chart',
  stacked_bar: 'stacked bar chart',
  heatmap: 'heatmap',
} as const satisfies Readonly<Record<ChartKind, string>>;
const MAX_NAMES = 8;
const MAX_ABOUT = 300;

/** What a picture shows, in words that stand for it: its axes, its series, and its highest, lowest and last values. */
export function describeChart({ title, about, others, wanted, partial = [], drawn }: Description): string {
  const { kind, frames, wholes = frames, notes, standIns = [], leavesWordsOut = false } = drawn;
  const isOther = wanted !== 'auto' && wanted !== kind;
  return [
    `A ${CHART_WORDS[kind]}${frames.length > 1 ? ` in ${frames.length} panels, one below another` : ''}${isOther ? `, not a ${CHART_WORDS[wanted]}` : ''}: ${title}. ${about.map((part) => cleanText(part, MAX_ABOUT)).join('; ')}.`,
    axesText(kind, frames),
    ...frames.flatMap((frame, index) => panelText(kind, frame, wholes[index] ?? frame, frames.length > 1, partial)),
    ...partialText(wholes, partial),
    ...notes,
    ...(standIns.length === 0 ? [] : [standInsText(standIns)]),
    ...(leavesWordsOut
      ? ['Other words in letters that no font of this server’s machine has, as of the title, are not in the picture.']
      : []),
    ...(others.length === 0
      ? []
      : [`Not drawn: ${others.join(', ')}. A picture has room for ${frames.length} numbers of different units.`]),
  ].join('\n');
}

/** `a line chart of Views, as series: "A", "B"` */
export function seriesText({ kind, frames }: Drawn): Sentence {
  const [first] = frames;
  const titles = frames.map(({ look }) => look.title).join(', ');
  const names = first === undefined ? '' : namesOf(first.series);
  const own = first?.areColumns === true ? names : titles;
  const several =
    first === undefined || first.areColumns || first.series.categories.length === 1 || kind === 'heatmap' ? '' : `, as series: ${names}`;
  // Titles are words of this program or columns of the caller’s; of the data, names are quoted.
  const panels = frames.length > 1 ? ` in ${frames.length} panels` : '';
  return asSentence(`a ${CHART_WORDS[kind]}${panels} of ${own}${several}`);
}

const standInsText = (standIns: readonly StandIn[]): string =>
  `In the picture, keys or numbers stand for names in letters that no font of this server’s machine has: ${standIns.map(({ shown, label }) => `${shown} = ${quoted(label)}`).join(', ')}.`;

function axesText(kind: ChartKind, frames: readonly Frame[]): string {
  const [first] = frames;
  if (first === undefined) return '';
  const { axis, series } = first;
  const hasBefore = frames.some((frame) => frame.hasBefore);
  const lacksBefore = !hasBefore && frames.some((frame) => frame.lacksBefore);
  const count = series.categories.length;
  const listed = count === 1 ? 'One series' : `${count} series: ${namesOf(series)}`;
  const titles = frames.map(({ look }) => look.title).join('; ');
  const values = frames.length > 1 ? `, from the top: ${titles}` : `: ${first.areColumns ? listed : titles}`;
  const along = `${columnTitle(axis.dimension ?? 'all')}, ${rangeOf(axis)}`;
  const unknown = lacksBefore ? ' The span before has no values: what they would be is not known.' : '';
  const lighter = hasBefore ? ' Lighter, beside each: the span before.' : unknown;
  if (kind === 'heatmap')
    return `Across: ${along}. Down: ${columnTitle(series.dimension ?? 'groups')}, ${rangeOf(series)}. Colour${values}.`;
  const axes = kind === 'line' || isOrdered(axis.dimension ?? '') ? `Across: ${along}. Up${values}.` : `Down: ${along}. Across${values}.`;
  const isSaid = first.areColumns || (frames.length > 1 && count === 1);
  return `${axes}${isSaid ? '' : ` ${listed}.`}${lighter}`;
}

const namesOf = (axis: Axis): string => {
  const names = axis.categories.slice(0, MAX_NAMES).map((_, index) => nameAt(axis, index));
  const left = axis.categories.length - names.length;
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
};

function rangeOf(axis: Axis): string {
  const { length } = axis.categories;
  if (length === 1) return nameAt(axis, 0);
  if (!isOrdered(axis.dimension ?? '')) return `${length} names: ${namesOf(axis)}`;
  return `${length} values from ${nameAt(axis, 0)} to ${nameAt(axis, length - 1)}`;
}

/** A time as it is; anything else is quoted, because strangers may have written it. */
function nameAt({ dimension, categories }: Axis, index: number): string {
  const { label, isOthers = false } = categories[index] ?? { label: '' };
  return isOthers || isOrdered(dimension ?? '') ? label : quoted(label);
}

const quoted = (label: string): string => JSON.stringify(cleanText(label, 80));

type Valued = Cell & { readonly value: number };
const isValued = (cell: Cell): cell is Valued => cell.value !== null;

/** What is said of the values of a panel, or of each column that is a series of it, after its name. */
function panelText(kind: ChartKind, frame: Frame, rows: Frame, isOneOfSeveral: boolean, partial: readonly string[]): string[] {
  if (frame.areColumns)
    return frame.series.categories.map((_, index) => {
      const words = valuesText(kind, columnOf(frame, index), columnOf(rows, index), partial);
      return [`${nameAt(frame.series, index)}:`, ...words].join(' ');
    });
  const words = valuesText(kind, frame, rows, partial);
  return isOneOfSeveral ? [[`${frame.look.title}:`, ...words].join(' ')] : words;
}

/** A series alone. */
const columnOf = (frame: Frame, index: number): Frame => ({
  ...frame,
  series: { ...frame.series, categories: frame.series.categories.slice(index, index + 1) },
  cells: frame.cells.flatMap((cell) => (cell.series === index ? [{ ...cell, series: 0 }] : [])),
});

/** Which times are in no panel among the highest, lowest, first and last. */
function partialText(wholes: readonly Frame[], partial: readonly string[]): string[] {
  const isLeftOut = wholes.some((frame) => {
    const values = frame.cells.filter(isValued).map(({ x }) => partial.includes(nameAt(frame.axis, x)));
    return values.includes(true) && values.includes(false);
  });
  return isLeftOut ? [`Not among these, as counted in part: ${partial.join(', ')}.`] : [];
}

/** The highest and the lowest are those of all rows, also of those that have no place of their own. */
function valuesText(kind: ChartKind, frame: Frame, rows: Frame, partial: readonly string[]): string[] {
  const { axis, series, cells, look } = frame;
  const valuesIn = (one: Frame): Valued[] => {
    const { categories } = one.series;
    return one.cells.filter(isValued).filter((cell) => !one.axis.categories[cell.x]?.isOthers && !categories[cell.series]?.isOthers);
  };
  const all = valuesIn(rows);
  const isWhole =
    (of: Frame) =>
    ({ x }: Cell) =>
      !partial.includes(nameAt(of.axis, x));
  const hasWhole = all.some(isWhole(rows));
  const named = hasWhole ? all.filter(isWhole(rows)) : all;
  const drawn = valuesIn(frame).filter((cell) => !hasWhole || isWhole(frame)(cell));
  const [first] = named;
  if (first === undefined) return ['None of its places has a value: what they would be is not known.'];
  const highest = named.reduce((best, cell) => (cell.value > best.value ? cell : best), first);
  const lowest = named.reduce((best, cell) => (cell.value < best.value ? cell : best), first);
  const ends = kind !== 'heatmap' && axis.time !== undefined ? endsText(frame, drawn) : [];
  const places = axis.categories.length * series.categories.length;
  const rowless = places - cells.length;
  const drawnAs = kind === 'line' && look.additive ? ', and are drawn as 0' : '';
  const unknown = cells.filter(({ value }) => value === null).length;
  return [
    [`Highest: ${placeText(highest, rows)}.`, `Lowest: ${placeText(lowest, rows)}.`, ...ends].join(' '),
    ...(unknown === 0 ? [] : [`${unknown} of ${cells.length} places have no value: it is not known.`]),
    ...(rowless === 0 ? [] : [`${rowless} of ${places} places have no row${drawnAs}.`]),
  ];
}

function placeText({ value, x, series: at }: Valued, { axis, series, look }: Frame): string {
  const where = [nameAt(axis, x), ...(series.categories.length > 1 ? [nameAt(series, at)] : [])];
  return `${shown(value, look)} (${where.join(', ')})`;
}

/** A share as in the picture, any other number exactly. */
const shown = (value: number, look: MetricLook): string => (look.percent ? valueLabel(value, look) : String(value));

/** The first values and the last ones, and whether they rose. */
function endsText({ axis, series, look }: Frame, named: readonly Valued[]): string[] {
  const positions = named.map(({ x }) => x);
  const [start, end] = [Math.min(...positions), Math.max(...positions)];
  const at = (position: number) => named.filter(({ x }) => x === position).toSorted((a, b) => a.series - b.series);
  const first = new Map(at(start).map((cell) => [cell.series, cell.value]));
  const nameOf = ({ series: index }: Cell): string => (series.categories.length > 1 ? ` ${nameAt(series, index)}` : '');
  const listed = (position: number, words: (cell: Valued) => string): string =>
    `${nameAt(axis, position)}: ${at(position).slice(0, MAX_NAMES).map(words).join(', ')}.`;
  // Of one series, the highest says it.
  if (start === end) return series.categories.length === 1 ? [] : [listed(start, (cell) => `${shown(cell.value, look)}${nameOf(cell)}`)];
  return [
    `First, ${listed(start, (cell) => `${shown(cell.value, look)}${nameOf(cell)}`)}`,
    `Last, ${listed(end, (cell) => `${shown(cell.value, look)}${nameOf(cell)}${directionOf(first.get(cell.series), cell.value, look)}`)}`,
  ];
}

/** A share rises by points: a percentage of a percentage is misread. */
function directionOf(first: number | undefined, last: number, { percent }: MetricLook): string {
  if (first === undefined) return '';
  if (first === last) return ' (the same)';
  const size = Math.abs(percent ? 100 * (last - first) : (100 * (last - first)) / first);
  const by = percent ? ` by ${Number(size.toFixed(1))} points` : first > 0 ? ` by ${Number(size.toPrecision(2))} %` : '';
  return ` (${last > first ? 'up' : 'down'}${by})`;
}
