import type { Dimension, Scalar } from '../contract.ts';
import { isMeanOfParts, type Metric } from '../metrics.ts';
import { BEYOND_CHANCE, type Candidate, leastOf, type Value } from './stand-out.ts';

/** A dimension whose values have other shares than before; `change` is what that alone makes of the whole rate. */
export interface MixShift {
  readonly dimension: Dimension;
  readonly change: number;
  readonly values: readonly { readonly value: Scalar; readonly before: number; readonly now: number }[];
}

const MAX_VALUES = 3;

/**
 * The dimensions of which shifted shares alone, with each value's rate as it was, change the rate of the whole by more than
 * chance does, the most first. None for a metric that is no rate and no mean.
 */
export function mixShifts(metric: Metric, whole: Candidate, values: readonly Value[]): MixShift[] {
  if (!isMeanOfParts(metric)) return [];
  const dimensions = [...new Set(values.map(({ dimension }) => dimension))];
  const found = dimensions.flatMap((dimension): (MixShift & { readonly chance: number })[] => {
    const parts = values.filter((value) => value.dimension === dimension).map((value) => partOf(whole, value));
    const change = parts.reduce((sum, { effect }) => sum + effect, 0);
    const chance = Math.sqrt(parts.reduce((sum, { variance }) => sum + variance, 0));
    const largest = parts.toSorted((a, b) => Math.abs(b.effect) - Math.abs(a.effect)).slice(0, MAX_VALUES);
    return [{ dimension, change, chance, values: largest.map(({ value, before, now }) => ({ value, before, now })) }];
  });
  return found
    .filter(({ change, chance }) => Math.abs(change) >= Math.max(leastOf(whole), BEYOND_CHANCE * chance))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .map(({ chance: _, ...shift }) => shift);
}

/** A new value comes with the rate that it has now. */
function partOf(whole: Candidate, { value, before, now, base, repeats = { before: 1, now: 1 } }: Value) {
  const [views, viewsBefore] = [Math.max(1, whole.base.now), Math.max(1, whole.base.before)];
  const shares = { before: base.before / viewsBefore, now: base.now / views };
  const distance = (before ?? now ?? whole.before) - whole.before;
  const variance = distance ** 2 * ((repeats.now * shares.now) / views + (repeats.before * shares.before) / viewsBefore);
  return { value, ...shares, effect: (shares.now - shares.before) * distance, variance };
}
