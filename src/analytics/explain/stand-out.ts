import type { Scalar } from '../contract.ts';
import { DIMENSION_NAMES, type Dimension } from '../dimensions.ts';
import { addsUp, isMean, isMeanOfParts, isRatio, METRICS, type Metric, partAndWhole, withDigits } from '../metrics.ts';

/** A number in two times; a *change* is an act on the account elsewhere, so in code this is a difference, and `change` in answers. */
export interface Difference {
  readonly before: number;
  readonly now: number;
  readonly difference: number;
}

/** A value of a dimension, of which a number may be unknown; a rate of nothing is null too. */
export interface Value extends Omit<Candidate, keyof Difference> {
  readonly before: number | null;
  readonly now: number | null;
}

/** A value of a dimension; `base` is what the metric is a part of or a mean over: views, or plays. */
export interface Candidate extends Difference {
  readonly dimension: Dimension;
  readonly value: Scalar;
  readonly name?: string;
  /** Of a pair of values. */
  readonly dimension2?: Dimension;
  readonly value2?: Scalar;
  readonly base: Pick<Difference, 'before' | 'now'>;
  /** How many views of one viewer come together, on average over the views; 1 where each is by itself. */
  readonly repeats?: Pick<Difference, 'before' | 'now'>;
  /**
   * The squares of what each viewer has of an amount, added up, or of a mean, of how much more or less than it: much where few have
   * most of it.
   */
  readonly squares?: Pick<Difference, 'before' | 'now'>;
}

/** Which value it is, or pair of values. */
export type Named = Pick<Candidate, 'dimension' | 'value' | 'dimension2' | 'value2'>;

export interface Explanation extends Omit<Candidate, 'base' | 'repeats' | 'squares' | 'difference'> {
  readonly change: number;
  /** What it would be if the value had changed as the whole did. */
  readonly expected: number;
  /** What of it that leaves, of a rate as its part in the difference of the whole rate. */
  readonly unexplained: number;
}

/** The metric that says how many observations are behind another one. */
export function baseOf(metric: Metric): Metric {
  if (isRatio(metric)) return partAndWhole(metric)[1];
  return METRICS[metric].kind === 'amount' ? 'views' : metric;
}

export const comparable = (values: readonly Value[]): Candidate[] =>
  values.flatMap(({ before, now, ...value }) =>
    before === null || now === null ? [] : [{ ...value, before, now, difference: now - before }],
  );

/** So many times what chance alone makes of a value. */
export const BEYOND_CHANCE = 4;
/** Parts of the whole difference, and of the whole, below which a value explains nothing. */
const OF_DIFFERENCE = 0.1;
const OF_WHOLE = 0.01;

/** The least that explains something of the difference of the whole. */
export const leastOf = (whole: Difference): number =>
  Math.max(OF_DIFFERENCE * Math.abs(whole.difference), OF_WHOLE * Math.abs(whole.before));

/**
 * The values that account for the difference of the whole: those that changed themselves, by more than their size explains and
 * more than chance does, the most unexplained first. None where everything changed evenly. The whole must not have been zero.
 */
export function standOut(metric: Metric, whole: Candidate, candidates: readonly Candidate[]): Explanation[] {
  const least = leastOf(whole);
  const found = candidates.flatMap((candidate): Explanation[] => {
    const { unexplained, weight } = unexplainedOf(metric, whole, candidate);
    const chance = BEYOND_CHANCE * chanceOf(metric, whole, candidate) * weight;
    const isCause = Math.abs(candidate.difference) * weight >= least && Math.abs(unexplained) >= Math.max(least, chance);
    return isCause ? [explanationOf(metric, whole, candidate)] : [];
  });
  const rank = ({ dimension }: Explanation): number => DIMENSION_NAMES.indexOf(dimension);
  return found.sort((a, b) => Math.abs(b.unexplained) - Math.abs(a.unexplained) || rank(a) - rank(b));
}

export function explanationOf(metric: Metric, whole: Candidate, candidate: Candidate): Explanation {
  const { base: _, repeats: __, squares: ___, difference, ...shown } = candidate;
  const { expected, unexplained } = unexplainedOf(metric, whole, candidate);
  return {
    ...shown,
    before: withDigits(metric, shown.before),
    now: withDigits(metric, shown.now),
    change: rounded(metric, difference),
    expected: rounded(metric, expected),
    unexplained: rounded(metric, unexplained),
  };
}

export function unexplainedOf(metric: Metric, whole: Candidate, { before, difference, base }: Candidate) {
  const expected = (before * whole.difference) / whole.before;
  // A rate of few moves the whole rate little.
  const weight = isRatio(metric) ? base.now / whole.base.now : 1;
  return { expected, weight, unexplained: (difference - expected) * weight };
}

/**
 * By how much chance alone makes a value differ: viewers come by themselves, and each as it likes. Where few of them
 * watch much, one more or less of them makes a large difference.
 */
export function chanceOf(metric: Metric, whole: Candidate, candidate: Candidate): number {
  const { before, now, base, repeats = { before: 1, now: 1 }, squares = { before: 0, now: 0 } } = candidate;
  const grown = whole.now / whole.before;
  const rate = (whole.before + whole.now) / 2;
  const perBase = Math.sqrt(repeats.now / Math.max(1, base.now) + repeats.before / Math.max(1, base.before));
  switch (METRICS[metric].kind) {
    case 'share':
      return Math.sqrt(rate * Math.max(0, 1 - rate)) * perBase;
    case 'mean':
      return Math.max(rate * perBase, Math.sqrt(squares.now / Math.max(1, base.now) ** 2 + squares.before / Math.max(1, base.before) ** 2));
    case 'distinct':
      return Math.sqrt(now + grown ** 2 * before);
    case 'count':
      return Math.sqrt(repeats.now * now + grown ** 2 * repeats.before * before);
    case 'amount': {
      const each = (whole.now + whole.before) / Math.max(1, whole.base.now + whole.base.before);
      const even = each * Math.SQRT2 * Math.sqrt(repeats.now * base.now + grown ** 2 * repeats.before * base.before);
      return Math.max(even, Math.sqrt(squares.now + grown ** 2 * squares.before));
    }
  }
}

export const isSame = (a: Named, b: Named): boolean =>
  a.dimension === b.dimension && a.value === b.value && a.dimension2 === b.dimension2 && a.value2 === b.value2;

/** What of a value is left without a part of it; undefined where that has no number, and of what is made of distinct values. */
export function withoutPart(metric: Metric, whole: Candidate, part: Candidate): Candidate | undefined {
  if (!addsUp(metric) && !isMeanOfParts(metric)) return undefined;
  const base = { before: whole.base.before - part.base.before, now: whole.base.now - part.base.now };
  const restOf = (of: 'before' | 'now'): number =>
    isRatio(metric) ? (whole[of] * whole.base[of] - part[of] * part.base[of]) / base[of] : whole[of] - part[of];
  const [before, now] = [restOf('before'), restOf('now')];
  return Number.isFinite(before) && Number.isFinite(now) ? { ...whole, base, before, now, difference: now - before } : undefined;
}

/** What was computed is no more exact than what was counted: whole views, shares to four decimals, and means as they are shown. */
export const rounded = (metric: Metric, value: number): number =>
  isMean(metric) ? withDigits(metric, value) : Number(value.toFixed(isRatio(metric) ? 4 : 0));
