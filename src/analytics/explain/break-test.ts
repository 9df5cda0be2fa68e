/** Whether a series of days has a level until one of them and another from it on, and how likely chance alone makes that. */
export interface DayLevel {
  /** ISO. */
  readonly day: string;
  /** A part of all of that day, or a rate less that of all else. */
  readonly level: number;
  /** How many observations it is of. */
  readonly weight: number;
  /** The number itself. */
  readonly amount: number;
}

export interface Break {
  readonly since: string;
  /** What the number was each day before, and is from then on. */
  readonly before: number;
  readonly now: number;
  /** How likely chance alone makes one as clear, on any day of this series. */
  readonly chance: number;
}

/** Fewer days on either side are no level. */
const MIN_DAYS = 3;
/** A part of the larger level, below which a difference is none that people look for. */
const LEAST_CHANGE = 0.3;
/** Of the days on either side, the part that has to be nearer to its own level: else it came back, or was never so. */
const ON_SIDE = 0.8;

/**
 * The day from which a level differs most from the one before it, for good. Undefined where days vary too much, or the number itself did
 * not change with its part of the whole. `unit`: the variance that one observation has at least, as a function of the level.
 */
export function breakOf(days: readonly DayLevel[], unit: (level: number) => number): Break | undefined {
  const known = days.filter(({ weight }) => weight > 0);
  if (known.length < 2 * MIN_DAYS + 1) return undefined;
  const [levels, amounts] = [clearest(known, unit), ({ at }: Split) => clearestAt(evenly(known), at)];
  if (levels === undefined) return undefined;
  const own = amounts(levels);
  const isSame = Math.sign(own.after - own.before) === Math.sign(levels.after - levels.before);
  const isLarge = Math.abs(own.after - own.before) >= LEAST_CHANGE * Math.max(Math.abs(own.before), Math.abs(own.after));
  const isClear = Math.abs(own.after - own.before) >= 3 * own.deviation;
  if (!isSame || !isLarge || !isClear || !isForGood(known, levels)) return undefined;
  const positions = known.length - 2 * MIN_DAYS + 1;
  const chance = Math.min(1, positions * tailOf(Math.abs(levels.after - levels.before) / levels.deviation, known.length - 2));
  return { since: known[levels.at]?.day ?? '', before: own.before, now: own.after, chance };
}

interface Split {
  /** The index of the first day of the second level. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
  /** Of the difference of both, by chance. */
  readonly deviation: number;
}

const evenly = (days: readonly DayLevel[]): DayLevel[] => days.map((day) => ({ ...day, level: day.amount, weight: 1 }));

function clearest(days: readonly DayLevel[], unit: (level: number) => number): Split | undefined {
  let best: Split | undefined;
  const clarity = (split: Split | undefined): number => (split === undefined ? 0 : Math.abs(split.after - split.before) / split.deviation);
  for (let at = MIN_DAYS; at <= days.length - MIN_DAYS; at += 1) {
    const split = clearestAt(days, at, unit);
    if (clarity(split) > clarity(best)) best = split;
  }
  return best;
}

/** Two levels, with the variance of the days round them, but no less than that of their observations. */
function clearestAt(days: readonly DayLevel[], at: number, unit: (level: number) => number = () => 0): Split {
  const [first, second] = [days.slice(0, at), days.slice(at)];
  const [before, after] = [levelOf(first), levelOf(second)];
  const squares = (some: readonly DayLevel[], level: number): number =>
    some.reduce((sum, day) => sum + day.weight * (day.level - level) ** 2, 0);
  const variance = (squares(first, before) + squares(second, after)) / (days.length - 2);
  const each = 1 / weightOf(first) + 1 / weightOf(second);
  const least = unit(before) / weightOf(first) + unit(after) / weightOf(second);
  return { at, before, after, deviation: Math.sqrt(Math.max(variance * each, least, Number.MIN_VALUE)) };
}

const weightOf = (days: readonly DayLevel[]): number => days.reduce((sum, { weight }) => sum + weight, 0);
const levelOf = (days: readonly DayLevel[]): number =>
  days.reduce((sum, { level, weight }) => sum + level * weight, 0) / Math.max(weightOf(days), Number.MIN_VALUE);

/** Whether nearly all days are nearer to the level of their own side, the last ones too. */
function isForGood(days: readonly DayLevel[], { at, before, after }: Split): boolean {
  const middle = (before + after) / 2;
  const isOwn = ({ level }: DayLevel, index: number): boolean => (index < at ? level - middle : middle - level) * (before - after) >= 0;
  const owns = days.map(isOwn);
  const shareOf = (some: readonly boolean[]): number => some.filter(Boolean).length / some.length;
  return [owns.slice(0, at), owns.slice(at), owns.slice(-MIN_DAYS)].every(
    (some) => shareOf(some) >= (some.length === MIN_DAYS ? 0.66 : ON_SIDE),
  );
}

/** How likely Student’s t is further from 0 than this, either way. */
export function tailOf(t: number, freedom: number): number {
  return Number.isFinite(t) ? incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) : 0;
}

/** The regularised incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  const tiny = 1e-300;
  const atLeast = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let [c, d] = [1, 1 / atLeast(1 - ((a + b) * x) / (a + 1))];
  let sum = d;
  for (let m = 1; m <= 300; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / atLeast(1 + even * d);
    c = atLeast(1 + even / c);
    sum *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / atLeast(1 + odd * d);
    c = atLeast(1 + odd / c);
    const step = d * c;
    sum *= step;
    if (Math.abs(step - 1) < 1e-12) break;
  }
  return front * sum;
}

/** Stirling’s series, after the argument was raised to where it is exact. */
function logGamma(x: number): number {
  let [shift, z] = [0, x];
  for (; z < 8; z += 1) shift -= Math.log(z);
  const inverse = 1 / (z * z);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1_260 - inverse / 1_680))) / z;
  return shift + (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series;
}
