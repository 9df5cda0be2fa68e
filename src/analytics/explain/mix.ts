import type { Scalar } from '../contract.ts';
import type { Dimension } from '../dimensions.ts';
import { isMeanOfParts, isRatio, type Metric } from '../metrics.ts';
import { BEYOND_CHANCE, type Candidate, comparable, leastOf, type Value } from './stand-out.ts';

/** The difference of a whole rate, split by a dimension. */
export interface Mix {
  readonly dimension: Dimension;
  /** What shifted shares alone make of it, with each value's rate as it was. */
  readonly shiftedShares: number;
  /** The rest: what the values' own changes make of it, with the shares as they are now. */
  readonly changedParts: number;
  /** The values of which the shares shifted most. */
  readonly shares: readonly MixShare[];
}

export interface MixShare {
  readonly value: Scalar;
  /** Its part of what the rate is a rate of. */
  readonly before: number;
  readonly now: number;
  /** What it is a part of the whole by: plays, say. */
  readonly base: { readonly before: number; readonly now: number };
  /** Null where it has none of that. */
  readonly rate: { readonly before: number | null; readonly now: number | null };
}

const MAX_VALUES = 3;

/** How many times more distinct viewers the values of a dimension may have together than the whole, to be shares of it. */
const MAX_OVERLAP = 1.05;

/**
 * The dimensions whose values have shares of the whole: of a rate or a mean all; of one per distinct viewer those in which few
 * viewers have several values. None of a metric that is neither.
 */
export function dimensionsOfShares(metric: Metric, whole: Candidate, values: readonly Value[]): Dimension[] {
  if (!isRatio(metric)) return [];
  const addUp = (dimension: Dimension): boolean =>
    (['before', 'now'] as const).every((of) => {
      const sum = values.filter((value) => value.dimension === dimension).reduce((sum, { base }) => sum + base[of], 0);
      return sum <= MAX_OVERLAP * whole.base[of];
    });
  return [...new Set(values.map(({ dimension }) => dimension))].filter((dimension) => isMeanOfParts(metric) || addUp(dimension));
}

/** The dimensions of which shifted shares alone change the rate of the whole by more than chance does, the most first. */
export function mixShifts(metric: Metric, whole: Candidate, values: readonly Value[]): Mix[] {
  return dimensionsOfShares(metric, whole, values)
    .map((dimension) => splitBy(dimension, whole, values))
    .filter(({ mix, chance }) => Math.abs(mix.shiftedShares) >= Math.max(leastOf(whole), BEYOND_CHANCE * chance))
    .map(({ mix }) => mix)
    .sort((a, b) => Math.abs(b.shiftedShares) - Math.abs(a.shiftedShares));
}

export function splitBy(dimension: Dimension, whole: Candidate, values: readonly Value[]): { readonly mix: Mix; readonly chance: number } {
  const parts = values.filter((value) => value.dimension === dimension).map((value) => partOf(whole, value));
  const shiftedShares = parts.reduce((sum, { effect }) => sum + effect, 0);
  const chance = Math.sqrt(parts.reduce((sum, { variance }) => sum + variance, 0));
  const largest = parts.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)).slice(0, MAX_VALUES);
  const shares = largest.map(({ effect: _, variance: __, ...share }) => share);
  return { mix: { dimension, shiftedShares, changedParts: whole.difference - shiftedShares, shares }, chance };
}

/** The values of a dimension if each changed against the whole: a rate can fall while it rises in each part. */
export function againstWhole(dimension: Dimension, whole: Candidate, values: readonly Value[]): Candidate[] {
  const parts = comparable(values.filter((value) => value.dimension === dimension));
  const isAgainst = whole.difference !== 0 && parts.length > 1 && parts.every(({ difference }) => difference * whole.difference < 0);
  return isAgainst ? parts.sort((a, b) => b.base.now - a.base.now) : [];
}

/** A new value comes with the rate that it has now. */
function partOf(whole: Candidate, { value, before, now, base, repeats = { before: 1, now: 1 } }: Value) {
  const [views, viewsBefore] = [Math.max(1, whole.base.now), Math.max(1, whole.base.before)];
  const shares = { before: base.before / viewsBefore, now: base.now / views };
  const distance = (before ?? now ?? whole.before) - whole.before;
  const variance = distance ** 2 * ((repeats.now * shares.now) / views + (repeats.before * shares.before) / viewsBefore);
  return { value, ...shares, base, rate: { before, now }, effect: (shares.now - shares.before) * distance, variance };
}
