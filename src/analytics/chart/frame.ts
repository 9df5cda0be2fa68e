import type { Scalar } from '../contract.ts';
import { type Axis, axisOf, type Category, columnIndex, labelOf } from './axes.ts';
import type { ChartInput } from './contract.ts';
import { drawableText } from './font-coverage.ts';
import { type MetricLook, metricLook } from './metric.ts';

export interface Cell {
  /** Index of the position on the axis. */
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
  readonly look: MetricLook;
}

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
  return { axis, series, cells: mergeCells(cells), hasBefore: beforeIndex >= 0, look: metricLook(input.metric) };
}

/** Categories stay separate even if their drawable labels are the same. */
function withDrawableLabels(axis: Axis): Axis {
  return { ...axis, categories: axis.categories.map((category) => ({ ...category, label: drawableText(category.label) })) };
}

export function mergeCells(cells: readonly Cell[]): Cell[] {
  const merged = new Map<string, Cell>();
  for (const cell of cells) {
    const key = `${cell.x} ${cell.series}`;
    const other = merged.get(key);
    merged.set(key, other === undefined ? cell : { ...cell, value: sum(other.value, cell.value), before: sum(other.before, cell.before) });
  }
  return [...merged.values()];
}

const nameOf = (values: readonly Scalar[]): Scalar => (values.length === 1 ? (values[0] ?? null) : values.map(labelOf).join(' · '));

const numberOf = (value: Scalar | undefined): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

const indexByKey = (categories: readonly Category[]): ReadonlyMap<string, number> =>
  new Map(categories.map(({ key }, index) => [key, index]));
