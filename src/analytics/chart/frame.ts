import type { Scalar } from '../contract.ts';
import { type Axis, axisOf, type Category, columnIndex, keyOf, labelOf } from './axes.ts';
import type { ChartInput } from './contract.ts';
import { isOrdered } from './dimensions.ts';
import { type MetricLook, metricLook } from './metric.ts';

/** One value of the picture. */
export interface Cell {
  /** Place along the axis. */
  readonly x: number;
  readonly series: number;
  readonly value: number | null;
  readonly before: number | null;
}

/** The rows as a picture needs them: places along an axis, series, a value for each of both. */
export interface Frame {
  readonly axis: Axis;
  /** One without a name where there is no second dimension. */
  readonly series: Axis;
  readonly cells: readonly Cell[];
  readonly hasBefore: boolean;
  readonly look: MetricLook;
}

interface Group {
  readonly x: string;
  readonly series: string;
  readonly cell: { value: number | null; before: number | null };
}

/** `inFull`: with every weekday and hour as a series, whether there are views or not. */
export function frameOf(input: ChartInput, along: string | undefined, seriesDimensions: readonly string[], inFull: boolean): Frame {
  const look = metricLook(input.metric, input.unit);
  const valueAt = columnIndex(input, input.metric);
  const beforeAt = input.columns.findIndex(({ name }) => name === `${input.metric}_before`);
  const alongAt = along === undefined ? undefined : columnIndex(input, along);
  const seriesAt = seriesDimensions.map((name) => columnIndex(input, name));

  const xs = new Map<string, Scalar>();
  const names = new Map<string, Scalar>();
  const groups = new Map<string, Group>();
  for (const row of input.rows) {
    const x = alongAt === undefined ? 'All' : (row[alongAt] ?? null);
    const series = nameOf(seriesAt.map((at) => row[at] ?? null));
    const cell = { value: numberOf(row[valueAt]), before: beforeAt < 0 ? null : numberOf(row[beforeAt]) };
    place({ x, series, cell });
  }
  return build();

  /** Groups of the same name stay apart, as two bars or two series, unless their values can be added up at one place. */
  function place({ x, series, cell }: { x: Scalar; series: Scalar; cell: Group['cell'] }): void {
    const mayAdd = look.additive && (seriesDimensions.length > 0 || (along !== undefined && isOrdered(along)));
    for (let copy = 1; ; copy += 1) {
      const suffix = copy === 1 ? '' : ` ${copy}`;
      const xKey = keyOf(x) + (seriesDimensions.length === 0 ? suffix : '');
      const seriesKey = keyOf(series) + (seriesDimensions.length === 0 ? '' : suffix);
      const there = groups.get(`${xKey}\n${seriesKey}`);
      if (there !== undefined && !mayAdd) continue;
      if (there === undefined) groups.set(`${xKey}\n${seriesKey}`, { x: xKey, series: seriesKey, cell });
      else Object.assign(there.cell, { value: sum(there.cell.value, cell.value), before: sum(there.cell.before, cell.before) });
      xs.set(xKey, x);
      names.set(seriesKey, series);
      return;
    }
  }

  function build(): Frame {
    const axis = axisOf(along, xs, true);
    const series = axisOf(seriesDimensions.length === 1 ? seriesDimensions[0] : undefined, names, inFull);
    const xIndex = indexOf(axis.categories);
    const seriesIndex = indexOf(series.categories);
    const cells = [...groups.values()].map((group) => ({
      x: xIndex.get(group.x) ?? 0,
      series: seriesIndex.get(group.series) ?? 0,
      ...group.cell,
    }));
    return { axis, series, cells, hasBefore: beforeAt >= 0, look };
  }
}

/** Of several dimensions together. */
const nameOf = (values: readonly Scalar[]): Scalar => (values.length === 1 ? (values[0] ?? null) : values.map(labelOf).join(' · '));

const numberOf = (value: Scalar | undefined): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

export const sum = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : a + b);

const indexOf = (categories: readonly Category[]): ReadonlyMap<string, number> => new Map(categories.map(({ key }, index) => [key, index]));
