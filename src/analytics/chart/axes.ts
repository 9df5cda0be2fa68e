import type { Scalar } from '../contract.ts';
import type { ChartInput } from './contract.ts';
import { cycleOf, isOrdered, isTimeUnit, momentOf, nextOf, type TimeUnit } from './dimensions.ts';

/** One place along an axis, or one series. */
export interface Category {
  readonly key: string;
  readonly label: string;
  /** The one that stands for all those there is no room for. */
  readonly isOthers?: boolean;
}

/** The places along an axis in their order. */
export interface Axis {
  readonly dimension: string | undefined;
  readonly categories: readonly Category[];
  /** Of a time series: when each of them is. */
  readonly time?: { readonly unit: TimeUnit; readonly moments: readonly number[] };
}

/** A series that is longer has gaps that are left out: nobody would see them. */
const MAX_STEPS = 10_000;

export const keyOf = (value: Scalar): string => JSON.stringify(value);

/** A value of a dimension as it stands at an axis. */
export function labelOf(value: Scalar): string {
  if (value === null) return '(none)';
  const text = String(value);
  return text.trim() === '' ? '(empty)' : text;
}

/** Which dimension goes along the horizontal axis (or down the side, where it has no order), and which ones make series. */
export function splitDimensions(dimensions: readonly string[]): { readonly along: string | undefined; readonly series: readonly string[] } {
  const along = dimensions.find(isTimeUnit) ?? dimensions.find(isOrdered) ?? dimensions[0];
  return { along, series: dimensions.filter((dimension) => dimension !== along) };
}

/** The axis of one dimension: time and what comes round in their order (`inFull`: every step), anything else as the rows have it. */
export function axisOf(dimension: string | undefined, found: ReadonlyMap<string, Scalar>, inFull: boolean): Axis {
  const values = [...found.entries()];
  const asFound = values.map(([key, value]) => ({ key, label: labelOf(value) }));
  if (dimension === undefined) return { dimension, categories: asFound };
  if (isTimeUnit(dimension)) return timeAxis(dimension, values, inFull) ?? { dimension, categories: asFound };
  const cycle = cycleOf(dimension);
  if (cycle === undefined) return { dimension, categories: asFound };
  const inCycle = cycle.flatMap(
    (label) => asFound.find((category) => category.label === label) ?? (inFull ? { key: keyOf(label), label } : []),
  );
  return { dimension, categories: [...inCycle, ...asFound.filter(({ label }) => !cycle.includes(label))] };
}

function timeAxis(unit: TimeUnit, values: readonly (readonly [string, Scalar])[], inFull: boolean): Axis | undefined {
  const places = values.map(([key, value]) => ({ key, label: labelOf(value), moment: momentOf(unit, labelOf(value)) ?? Number.NaN }));
  if (places.some(({ moment }) => Number.isNaN(moment))) return undefined;
  places.sort((a, b) => a.moment - b.moment);
  const filled = places.flatMap((place, index) => [...missingBetween(unit, places[index - 1]?.moment, place.moment), place]);
  const kept = filled.length > MAX_STEPS || !inFull ? places : filled;
  return { dimension: unit, categories: kept, time: { unit, moments: kept.map(({ moment }) => moment) } };
}

function missingBetween(unit: TimeUnit, from: number | undefined, to: number): (Category & { moment: number })[] {
  const missing: (Category & { moment: number })[] = [];
  if (from === undefined) return missing;
  for (let moment = nextOf(unit, from); moment < to && missing.length <= MAX_STEPS; moment = nextOf(unit, moment)) {
    missing.push({ key: `missing ${moment}`, label: '', moment });
  }
  return missing;
}

/** Where in a row a column is; that it is there is the caller's promise. */
export function columnIndex({ columns }: Pick<ChartInput, 'columns'>, name: string): number {
  const index = columns.findIndex((column) => column.name === name);
  if (index < 0) throw new Error('The chart was asked for a column that the rows lack.');
  return index;
}
