import type { Scalar } from '../contract.ts';
import { type Axis, axisLabel, axisOf, type Category, columnIndex } from './axes.ts';
import type { ChartInput } from './contract.ts';
import { isOrdered } from './dimensions.ts';
import { drawableText } from './font-coverage.ts';
import { commonLook, type MetricLook, metricLook } from './metric.ts';

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
  /** The series are columns of the rows, which are no parts of a whole. */
  readonly areColumns: boolean;
  /** Whether the rows are in an order that was asked for. */
  readonly isOrdered: boolean;
}

/** Sums and distances of larger values are no numbers. */
const MAX_VALUE = 1e305;

/** Rows with the same values of all dimensions are added up. Several metrics are series, in the place of series by dimensions. */
export function frameOf(
  input: ChartInput,
  along: string | undefined,
  seriesDimensions: readonly string[],
  metrics: readonly string[] = input.metrics.slice(0, 1),
): Frame {
  const areColumns = metrics.length > 1;
  const drawn = metrics.map((metric) => {
    const valueIndex = columnIndex(input, metric);
    const column = input.columns[valueIndex] ?? { name: metric, type: 'number' };
    const beforeIndex = input.columns.findIndex(({ name }) => name === `${metric}_before`);
    return { column, look: metricLook(column, input.isOfSql), valueIndex, beforeIndex };
  });
  const alongIndex = along === undefined ? undefined : columnIndex(input, along);
  const seriesIndexes = seriesDimensions.map((name) => columnIndex(input, name));
  const positions = new Map<string, Scalar>();
  const names = new Map<string, Scalar>();
  const groups = input.rows.flatMap((row) => {
    const position = alongIndex === undefined ? 'All' : (row[alongIndex] ?? null);
    const x = JSON.stringify(position);
    positions.set(x, position);
    return drawn.map(({ column, look, valueIndex, beforeIndex }) => {
      const own = areColumns ? [column.name] : seriesIndexes.map((index) => row[index] ?? null);
      const series = JSON.stringify(own);
      names.set(series, areColumns ? look.title : nameOf(own));
      return { x, series, value: numberOf(row[valueIndex]), before: beforeIndex < 0 ? null : numberOf(row[beforeIndex]) };
    });
  });
  const axis = withDrawableLabels(axisOf(along, positions));
  const series = withDrawableLabels(axisOf(seriesDimensions.length === 1 && !areColumns ? seriesDimensions[0] : undefined, names));
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
    lacksBefore: drawn.some(({ beforeIndex }) => beforeIndex >= 0) && !hasBefore,
    look: commonLook(drawn.map(({ look }) => look)),
    areColumns,
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
export function numberOf(value: Scalar | undefined): number | null {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

const indexByKey = (categories: readonly Category[]): ReadonlyMap<string, number> =>
  new Map(categories.map(({ key }, index) => [key, index]));

interface Limited {
  readonly frames: readonly Frame[];
  readonly note?: string;
}

/**
 * Limits the series or the positions of a chart to the first ones, where the rows are in an order that was asked for, else to the
 * largest of the first panel; in the order of the rows. The others are summed up as Others if there is one number and it adds up.
 * A note says what is left of them.
 */
export function limit(frames: readonly Frame[], which: 'series' | 'x', most: number, what: string): Limited {
  const [first] = frames;
  if (first === undefined) return { frames };
  const axis = which === 'x' ? first.axis : first.series;
  const count = axis.categories.length;
  if (count <= most) return { frames };
  const isOfColumns = which === 'series' && first.areColumns;
  const weights = weightsOf(first, which, count);
  const all = axis.categories.map((_, index) => index);
  const bySize = all.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b);
  const isAsked = isOfColumns || (first.isOrdered && !isOrdered(axis.dimension ?? ''));
  const addsUp = frames.length === 1 && first.look.additive && !first.areColumns;
  const chosen = (isAsked ? all : bySize).slice(0, addsUp && which === 'x' ? most - 1 : most);
  const kept = chosen.toSorted((a, b) => a - b);
  const newIndex = new Map(kept.map((old, now) => [old, now]));
  const left = count - kept.length;
  const others: Category[] = addsUp ? [{ key: 'others', label: `Others (${left})`, isOthers: true }] : [];
  const categories = [...kept.flatMap((index) => axis.categories[index] ?? []), ...others];
  const shorter: Axis = { dimension: axis.dimension, categories };
  const limited = frames.map((frame): Frame => {
    const cells = frame.cells.flatMap((cell) => {
      const now = newIndex.get(cell[which]);
      return now === undefined && !addsUp ? [] : [{ ...cell, [which]: now ?? kept.length }];
    });
    return { ...frame, [which === 'x' ? 'axis' : 'series']: shorter, cells: mergeCells(cells) };
  });
  const shown = `${isAsked ? `The first ${kept.length}` : `The ${kept.length} largest`} of ${count} ${what} are shown`;
  const sumOfOthers = first.cells.reduce((total, cell) => total + (newIndex.has(cell[which]) ? 0 : (cell.value ?? 0)), 0);
  const isOfSeveral = frames.length > 1 || first.areColumns;
  const by = isOfSeveral && !isAsked ? `, by ${first.areColumns ? first.series.categories[0]?.label : first.look.title}` : '';
  const why = isOfSeveral ? '' : `: ${first.look.whyNotAdded}`;
  const rest = addsUp ? `Others: ${left} ${what}, ${sumOfOthers} in all` : `the others are left out${why}`;
  return { frames: limited, note: `${shown}${by}; ${rest}.` };
}

/** Of several columns the first one counts, by which rows are sorted. */
function weightsOf({ cells, areColumns }: Frame, which: 'series' | 'x', count: number): number[] {
  const weights = Array.from({ length: count }, () => 0);
  for (const cell of cells)
    if (!areColumns || cell.series === 0) weights[cell[which]] = (weights[cell[which]] ?? 0) + Math.abs(cell.value ?? 0);
  return weights;
}

export function latest(frames: readonly Frame[], most: number): Limited {
  const [first] = frames;
  const left = (first?.axis.categories.length ?? 0) - most;
  if (first === undefined || left <= 0) return { frames };
  const { dimension, categories, time } = first.axis;
  const axis: Axis = {
    dimension,
    categories: categories.slice(left),
    ...(time === undefined ? {} : { time: { ...time, moments: time.moments.slice(left) } }),
  };
  const limited = frames.map((frame): Frame => {
    const cells = frame.cells.flatMap((cell) => (cell.x < left ? [] : [{ ...cell, x: cell.x - left }]));
    return { ...frame, axis, cells };
  });
  return { frames: limited, note: `The latest ${most} of ${categories.length} columns are shown.` };
}
