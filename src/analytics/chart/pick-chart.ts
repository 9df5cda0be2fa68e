import type { ResultColumn, Scalar } from '../contract.ts';
import { splitDimensions } from './axes.ts';
import type { ChartKind } from './contract.ts';
import { isOrdered, isTimeUnit } from './dimensions.ts';
import { metricLook } from './metric.ts';

const MIN_LINE_POINTS = 3;
/** A stack of more parts is unreadable. */
const MAX_PARTS = 9;

/** The kind of chart that suits these rows best; undefined for a single number, and for more than two dimensions. */
export function pickChart(
  columns: readonly ResultColumn[],
  rows: readonly (readonly Scalar[])[],
  dimensions: readonly string[],
  metrics: readonly string[],
  isOfSql = false,
): ChartKind | undefined {
  const valuesOf = (name: string): number => new Set(rows.map((row) => row[columns.findIndex((column) => column.name === name)])).size;
  const [first, second] = dimensions;
  const time = dimensions.find(isTimeUnit);
  const isLong = time !== undefined && valuesOf(time) >= MIN_LINE_POINTS;
  if (first === undefined || dimensions.length > 2) return undefined;
  if (second === undefined) return isLong ? 'line' : 'bar';
  if (isOrdered(first) && isOrdered(second)) return 'heatmap';
  if (isLong) return 'line';
  const drawn = columns.filter(({ name }) => metrics.includes(name));
  const addsUp = drawn.every((column) => metricLook(column, isOfSql).additive);
  if (time !== undefined) return addsUp ? 'stacked_bar' : 'bar';
  const [parts = second] = splitDimensions(dimensions).series;
  return addsUp && valuesOf(parts) <= MAX_PARTS ? 'stacked_bar' : 'heatmap';
}
