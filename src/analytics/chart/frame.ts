import type { Scalar } from '../contract.ts';
import { type Axis, axisLabel, axisOf, type Category, columnIndex } from './axes.ts';
import type { ChartInput } from './contract.ts';
import { isOrdered } from './dimensions.ts';
import { drawableText } from './font-coverage.ts';
import { type MetricLook, metricLook } from './metric.ts';

export interface Cell {
  readonly x: number;
  readonly series: number;
  readonly value: number | null;
  readonly before: number | null;
}

/** The rows of a chart as positions on an axis, series, and a cell for each pair that has a value. */
export interface Frame {
  readonly axis: Axis;
  /** A single one if there is no second dimension. */
  readonly series: Axis;
  readonly cells: readonly Cell[];
  readonly hasBefore: boolean;
  /** The span is compared with one of which no value is known. */
  readonly lacksBefore: boolean;
  readonly look: MetricLook;
  /** Whether the rows are in an order that was asked for. */
  readonly isOrdered: boolean;
}

/** Sums and distances of larger values are no numbers. */
const MAX_VALUE = 1e305;

/** Rows with the same values of all dimensions are added up. */
export function frameOf(input: ChartInput, along: string | undefined, seriesDimensions: readonly string[]): Frame {
  const valueIndex = columnIndex(input, input.metric);
  const beforeIndex = input.columns.findIndex(({ name }) => name === `${input.metric}_before`);
  const alongIndex = along === undefined ? undefined : columnIndex(input, along);
  const seriesIndexes = seriesDimensions.map((name) => columnIndex(input, name));
  const positions = new Map<string, Scalar>();
  const names = new Map<string, Scalar>();
  const groups = input.rows.map((row) => {
    const position = alongIndex === undefined ? 'All' : (row[alongIndex] ?? null);
    const series = seriesIndexes.map((index) => row[index] ?? null);
    const group = { x: JSON.stringify(position), series: JSON.stringify(series) };
    positions.set(group.x, position);
    names.set(group.series, nameOf(series));
    return { ...group, value: numberOf(row[valueIndex]), before: beforeIndex < 0 ? null : numberOf(row[beforeIndex]) };
  });
  const axis = withDrawableLabels(axisOf(along, positions));
  const series = withDrawableLabels(axisOf(seriesDimensions.length === 1 ? seriesDimensions[0] : undefined, names));
  const [xIndex, seriesIndex] = [indexByKey(axis.categories), indexByKey(series.categories)];
  const cells = groups.map((group) => ({ ...group, x: xIndex.get(group.x) ?? 0, series: seriesIndex.get(group.series) ?? 0 }));
  const merged = mergeCells(cells);
  if (merged.some(({ value, before }) => Math.max(Math.abs(value ?? 0), Math.abs(before ?? 0)) > MAX_VALUE))
    throw new Error('its values are too large');
  const hasBefore = merged.some(({ before }) => before !== null);
  return {
    axis,
    series,
    cells: merged,
    hasBefore,
    lacksBefore: beforeIndex >= 0 && !hasBefore,
    look: metricLook(input.columns[valueIndex] ?? { name: input.metric, type: 'number' }, input.isOfSql),
    isOrdered: input.isOrdered === true,
  };
}

/** Categories stay separate even if their drawable labels are the same. */
function withDrawableLabels(axis: Axis): Axis {
  return { ...axis, categories: axis.categories.map((category) => ({ ...category, label: drawableText(category.label) })) };
}

function mergeCells(cells: readonly Cell[]): Cell[] {
  const merged = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.x} ${cell.series}`;
    const other = merged.get(key);
    merged.set(key, other === undefined ? cell : { ...cell, value: sum(other.value, cell.value), before: sum(other.before, cell.before) });
  }
  return [...merged.values()];
}

const nameOf = (values: readonly Scalar[]): Scalar => (values.length === 1 ? (values[0] ?? null) : values.map(axisLabel).join(' · '));

/** Integers beyond 2^53 arrive as decimal digits. */
function numberOf(value: Scalar | undefined): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

const indexByKey = (categories: readonly Category[]): ReadonlyMap<string, number> =>
  new Map(categories.map(({ key }, index) => [key, index]));

interface Limited {
  readonly frame: Frame;
  readonly note?: string;
}

/**
 * Limits the series or the positions of a chart to the first ones, where the rows are in an order that was asked for, else to the
 * largest. The others are summed up as Others if the metric is additive. A note says what is left of them.
 */
export function limit(frame: Frame, which: 'series' | 'x', most: number, what: string): Limited {
  const axis = which === 'x' ? frame.axis : frame.series;
  const count = axis.categories.length;
  const weights = weightsOf(frame.cells, which, count);
  const { additive } = frame.look;
  const all = axis.categories.map((_, index) => index);
  const bySize = all.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  // The caller's order is kept if each position is a row, and if there are no totals to order by.
  const isTime = isOrdered(axis.dimension ?? '');
  const isAsked = frame.isOrdered && !isTime;
  const keepsOrder = !additive || isTime || isAsked || (which === 'x' && frame.series.categories.length <= 1);
  const chosen = count <= most ? bySize : (isAsked ? all : bySize).slice(0, additive && which === 'x' ? most - 1 : most);
  const kept = keepsOrder ? chosen.toSorted((a, b) => a - b) : chosen;
  if (count <= most && keepsOrder) return { frame };
  const newIndex = new Map(kept.map((old, now) => [old, now]));
  const left = count - kept.length;
  const others: Category[] = additive && left > 0 ? [{ key: 'others', label: `Others (${left})`, isOthers: true }] : [];
  const categories = [...kept.flatMap((index) => axis.categories[index] ?? []), ...others];
  const cells = frame.cells.flatMap((cell) => {
    const now = newIndex.get(cell[which]);
    return now === undefined && !additive ? [] : [{ ...cell, [which]: now ?? kept.length }];
  });
  const shorter: Axis = { dimension: axis.dimension, categories };
  const limited = { ...frame, [which === 'x' ? 'axis' : 'series']: shorter, cells: mergeCells(cells) };
  if (left === 0) return { frame: limited };
  const shown = `${isAsked ? `The first ${kept.length}` : `The ${kept.length} largest`} of ${count} ${what} are shown`;
  const sumOfOthers = frame.cells.reduce((total, cell) => total + (newIndex.has(cell[which]) ? 0 : (cell.value ?? 0)), 0);
  const rest = additive ? `Others: ${left} ${what}, ${sumOfOthers} in all` : `the others are left out: ${frame.look.whyNotAdded}`;
  return { frame: limited, note: `${shown}; ${rest}.` };
}

function weightsOf(cells: readonly Cell[], which: 'series' | 'x', count: number): number[] {
  const weights = Array.from({ length: count }, () => 0);
  for (const cell of cells) weights[cell[which]] = (weights[cell[which]] ?? 0) + Math.abs(cell.value ?? 0);
  return weights;
}

export function latest(frame: Frame, most: number): Limited {
  const { categories, time } = frame.axis;
  const left = categories.length - most;
  if (left <= 0) return { frame };
  const axis: Axis = {
    dimension: frame.axis.dimension,
    categories: categories.slice(left),
    ...(time === undefined ? {} : { time: { ...time, moments: time.moments.slice(left) } }),
  };
  const cells = frame.cells.flatMap((cell) => (cell.x < left ? [] : [{ ...cell, x: cell.x - left }]));
  return { frame: { ...frame, axis, cells }, note: `The latest ${most} of ${categories.length} columns are shown.` };
}
