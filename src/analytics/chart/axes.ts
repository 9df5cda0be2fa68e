import { NAMES_NONE, type Scalar } from '../contract.ts';
import type { TimeUnit } from '../dimensions.ts';
import type { ChartInput } from './contract.ts';
import { CYCLES, isOrdered, isTimeUnit, momentOf } from './dimensions.ts';

export interface Category {
  readonly key: string;
  readonly label: string;
  readonly isOthers?: boolean;
}

export interface Axis {
  readonly dimension: string | undefined;
  readonly categories: readonly Category[];
  readonly time?: { readonly unit: TimeUnit; readonly moments: readonly number[] };
}

export const labelsOf = ({ categories }: Axis): string[] => categories.map(({ label }) => label);

export function axisLabel(value: Scalar): string {
  if (value === null) return NAMES_NONE;
  const text = String(value);
  return text.trim() === '' ? '(empty)' : text;
}

/** The dimension of the main axis (horizontal if it is ordered, else vertical), and the dimensions of the series. */
export function splitDimensions(dimensions: readonly string[]): { readonly along: string | undefined; readonly series: readonly string[] } {
  const along = dimensions.find(isTimeUnit) ?? dimensions.find(isOrdered) ?? dimensions[0];
  return { along, series: dimensions.filter((dimension) => dimension !== along) };
}

/** The axis of a dimension: times, weekdays and hours in their order, other values in the order of the rows. */
export function axisOf(dimension: string | undefined, found: ReadonlyMap<string, Scalar>): Axis {
  const categories = [...found].map(([key, value]) => ({ key, label: axisLabel(value) }));
  if (dimension === undefined) return { dimension, categories };
  if (isTimeUnit(dimension)) return timeAxis(dimension, categories) ?? { dimension, categories };
  const cycle = CYCLES.get(dimension);
  if (cycle === undefined) return { dimension, categories };
  const position = ({ label }: Category): number => (cycle.includes(label) ? cycle.indexOf(label) : cycle.length);
  return { dimension, categories: categories.toSorted((a, b) => position(a) - position(b)) };
}

function timeAxis(unit: TimeUnit, categories: readonly Category[]): Axis | undefined {
  const dated = categories.map((category) => ({ category, moment: momentOf(unit, category.label) ?? Number.NaN }));
  if (dated.some(({ moment }) => Number.isNaN(moment))) return undefined;
  dated.sort((a, b) => a.moment - b.moment);
  return {
    dimension: unit,
    categories: dated.map(({ category }) => category),
    time: { unit, moments: dated.map(({ moment }) => moment) },
  };
}

export function columnIndex({ columns }: Pick<ChartInput, 'columns'>, name: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index < 0) throw new Error('The chart was asked for a column that the rows lack.');
  return index;
}
