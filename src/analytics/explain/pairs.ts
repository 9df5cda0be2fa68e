import { definedFields } from '../../platform/defined-fields.ts';
import type { Scalar } from '../contract.ts';
import { areNested, CROSSED, type Dimension, isTimeDimension } from '../dimensions.ts';
import { addsUp, isMeanOfParts, isRatio, type Metric } from '../metrics.ts';
import { BEYOND_CHANCE, baseOf, type Candidate, chanceOf, leastOf, unexplainedOf, type Value, withoutPart } from './stand-out.ts';

/** The dimensions that are crossed with one, in lists of which each is one query. None for distinct counts: they don't add up. */
export function crossedWith(metric: Metric, dimension: Dimension): Dimension[][] {
  if (!addsUp(metric) && !isMeanOfParts(metric)) return [];
  const isOther = (other: Dimension): boolean => other !== dimension && !areNested(other, dimension);
  return CROSSED.map((dimensions) => dimensions.filter(isOther));
}

/** In standard deviations: below, a value is no more likely to be of a pair than any other. */
const LIKELY = 2;

/**
 * The value that is most likely one of a pair: the one furthest beyond chance. It need not stand out, since a pair stands out more
 * than its values: what happened to phones on one site is a small part of all phones.
 */
export function likeliestOfPair(metric: Metric, whole: Candidate, values: readonly Candidate[]): Candidate | undefined {
  const weighed = values.flatMap((value) => {
    const { unexplained, weight } = unexplainedOf(metric, whole, value);
    const beyond = Math.abs(unexplained) / (chanceOf(metric, whole, value) * weight);
    return isTimeDimension(value.dimension) || Math.abs(unexplained) < leastOf(whole) || !(beyond >= LIKELY) ? [] : [{ value, beyond }];
  });
  return weighed.sort((a, b) => b.beyond - a.beyond)[0]?.value;
}

type Row = (column: string) => Scalar;

/** The pairs of a value with the values of other dimensions, from the rows of one query by all of those. */
export function pairsFrom(
  metric: Metric,
  { dimension, value, name }: Pick<Candidate, 'dimension' | 'value' | 'name'>,
  dimensions: readonly Dimension[],
  rows: readonly Row[],
): Value[] {
  return dimensions.flatMap((dimension2) => {
    const groups = new Map<Scalar, Row[]>();
    for (const row of rows) {
      const group = groups.get(row(dimension2));
      if (group === undefined) groups.set(row(dimension2), [row]);
      else group.push(row);
    }
    return [...groups].flatMap(([value2, of]): Value[] => {
      const [now, before] = [sumOf(metric, of, ''), sumOf(metric, of, '_before')];
      if (now === undefined || before === undefined) return [];
      const base = { now: now.base, before: before.base };
      return [{ dimension, value, ...definedFields({ name }), dimension2, value2, now: now.amount, before: before.amount, base }];
    });
  });
}

/** A metric over several groups: null where it is a rate of nothing, undefined where none of them is known, which is not none. */
function sumOf(metric: Metric, all: readonly Row[], time: '' | '_before') {
  const rows = all.filter((row) => row(baseOf(metric) + time) !== null);
  if (rows.length === 0) return undefined;
  const sums = rows.map((row) => ({ amount: Number(row(metric + time) ?? 0), base: Number(row(baseOf(metric) + time) ?? 0) }));
  const base = sums.reduce((sum, one) => sum + one.base, 0);
  const amount = sums.reduce((sum, one) => sum + (isRatio(metric) ? one.amount * one.base : one.amount), 0);
  if (!isRatio(metric)) return { amount, base };
  return { amount: base === 0 ? null : amount / base, base };
}

/** Whether a pair explains more than either of its values, which without it changed otherwise, by more than chance makes. */
export function explainsMore(metric: Metric, whole: Candidate, pair: Candidate, either: readonly (Candidate | undefined)[]): boolean {
  const of = (candidate: Candidate): number => unexplainedOf(metric, whole, candidate).unexplained;
  return either.every((value) => {
    const rest = value && withoutPart(metric, value, pair);
    if (!value || !rest || rest.before === 0) return false;
    const { expected } = unexplainedOf(metric, rest, pair);
    const chance = Math.hypot(chanceOf(metric, rest, pair), (chanceOf(metric, rest, rest) * pair.before) / rest.before);
    return Math.abs(of(pair)) > Math.abs(of(value)) && Math.abs(pair.difference - expected) >= BEYOND_CHANCE * chance;
  });
}

/** A value that has another part of the views of another value than before. */
export interface ShiftWithin {
  readonly dimension: Dimension;
  readonly value: Scalar;
  /** Its share of them. */
  readonly before: number;
  readonly now: number;
}

/** A smaller shift explains nothing that people look for. */
const LEAST_SHIFT = 0.05;

/** Of each dimension in the pairs of a value, the share that shifted most, if by more than chance makes. Undefined of a value without views in one of the times. */
export function shiftsWithin(pairs: readonly Value[]): ShiftWithin[] | undefined {
  const dimensions = new Set(pairs.flatMap(({ dimension2 }) => dimension2 ?? []));
  const shifts = [...dimensions].map((dimension): ShiftWithin[] | undefined => {
    const own = pairs.filter(({ dimension2 }) => dimension2 === dimension);
    const total = (of: 'before' | 'now'): number => own.reduce((sum, { base }) => sum + base[of], 0);
    const [before, now] = [total('before'), total('now')];
    if (before === 0 || now === 0) return undefined;
    const shares = own.map(({ value2 = null, base }) => ({ value: value2, before: base.before / before, now: base.now / now }));
    const [largest] = shares.sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before));
    if (largest === undefined) return [];
    const mean = (largest.before + largest.now) / 2;
    const chance = BEYOND_CHANCE * Math.sqrt(mean * (1 - mean) * (1 / before + 1 / now));
    const isShift = Math.abs(largest.now - largest.before) >= Math.max(LEAST_SHIFT, chance);
    return isShift ? [{ dimension, ...largest }] : [];
  });
  return shifts.includes(undefined) ? undefined : shifts.flatMap((some) => some ?? []);
}
