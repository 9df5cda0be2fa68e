import { definedFields } from '../../platform/defined-fields.ts';
import { areNested, type Dimension, isTimeDimension } from '../dimensions.ts';
import { addsUp, isDistinct, isRatio, METRICS, type Metric } from '../metrics.ts';
import { type Break, breakOf, type DayLevel } from './break-test.ts';
import { daysByValue, type ValueDays, type ValuesOf } from './days.ts';
import { narrowTo, optional, type Questions, rowsOf } from './parts.ts';
import { type Candidate, isSame, type Named, type Value } from './stand-out.ts';

/** A value or a pair that fell or rose for good on a day inside the span, whatever the whole did. */
export interface FoundBreak extends Named, Break {
  readonly name?: string;
  /** Of a pair, what each of its values was without the other one, a day before and since: people ask that next. */
  readonly rests?: readonly (Pick<Break, 'before' | 'now'> & Pick<Named, 'dimension' | 'value'>)[];
}

export interface Breaks {
  /** Least likely by chance first. */
  readonly found: readonly FoundBreak[];
  /** Whether all could be looked at. */
  readonly isLooked: boolean;
  readonly arePairsLooked: boolean;
  /** How many values and pairs were. */
  readonly count: number;
}

const MIN_DAYS = 7;
/** How likely chance may make one of all that are looked at. */
const MAX_CHANCE = 0.001;
/** Parts of the whole below which a value, or a pair, is not looked at. */
const LEAST_PART = 0.01;
const LEAST_OF_PAIR = 0.03;
/** Of few, a day more or less is chance. */
const MIN_BASE = 40;
const MAX_VALUES = 60;
const MAX_SHOWN = 5;
/** Whose viewers are counted: one person who comes more often is no break. */
const MAX_TESTED = 10;
/** So much more a pair changes than each of its values, to be told instead of them. */
const MORE = 1.25;

/** Whose values are crossed with each other: one of each kind that people ask for. */
const OF_PAIRS: readonly Dimension[] = ['device_type', 'browser', 'embed_domain', 'country', 'channel'];

/** Looks for breaks of each value of these dimensions, and of pairs. */
export async function breaksIn(
  whole: Candidate,
  dimensions: readonly Dimension[],
  values: readonly Value[],
  questions: Questions,
): Promise<Breaks> {
  const { metric } = questions;
  const all = (await daysByValue([], questions))[0]?.days ?? [];
  // Of fewer days nothing can be said to be for good.
  if (all.length < MIN_DAYS) return { found: [], isLooked: true, arePairsLooked: true, count: 0 };
  const large = (dimension: Dimension, part: number): Value[] =>
    values
      .filter((value) => value.dimension === dimension && value.base.now >= Math.max(MIN_BASE, part * whole.base.now))
      .filter((value) => narrowTo(value) !== undefined)
      .sort((a, b) => b.base.now - a.base.now)
      .slice(0, MAX_VALUES);
  const valuesOf = (dimension: Dimension, wanted: readonly Value[]): ValuesOf => ({
    dimension,
    wanted: wanted.filter((value) => value.dimension === dimension),
    count: values.filter((value) => value.dimension === dimension).length,
  });
  const of = dimensions.filter((dimension) => !isTimeDimension(dimension));
  const series: (Named & ValueDays)[] = [];
  let isLooked = true;
  for (const dimension of of) {
    const wanted = large(dimension, LEAST_PART);
    // One value that has all is the whole.
    if (wanted.length === 0 || wanted.every(({ base }) => base.now === whole.base.now)) continue;
    const found = await optional(() => daysByValue([valuesOf(dimension, wanted)], questions, all.length));
    if (found === undefined) isLooked = false;
    series.push(...(found ?? []));
  }
  const singles = series.length;
  const arePairsLooked = addsUp(metric);
  for (const [one, other] of arePairsLooked ? pairsOf(of) : []) {
    const wanted = [...large(one, LEAST_OF_PAIR), ...large(other, LEAST_OF_PAIR)];
    if (new Set(wanted.map(({ dimension }) => dimension)).size < 2) continue;
    const found = await optional(() => daysByValue([valuesOf(one, wanted), valuesOf(other, wanted)], questions, all.length));
    if (found === undefined) isLooked = false;
    series.push(...(found ?? []).filter(({ base }) => base >= Math.max(MIN_BASE, LEAST_PART * whole.base.now)));
  }
  const found = series.flatMap((one, index): (FoundBreak & { readonly isPair: boolean })[] => {
    const own = breakOf(levelsOf(metric, one, all), unitOf(metric, 1, all));
    const chance = own && Math.min(1, own.chance * series.length);
    if (own === undefined || chance === undefined || chance > MAX_CHANCE) return [];
    const name = values.find((value) => value.dimension === one.dimension && value.value === one.value)?.name;
    const { dimension, value, dimension2, value2 } = one;
    return [{ ...definedFields({ dimension, value, dimension2, value2, name }), ...own, chance, isPair: index >= singles }];
  });
  const told = found.filter((one) => !isOfPair(one, found) && !isExplained(one, found));
  const ranked = told.sort((a, b) => a.chance - b.chance || changeOf(b) - changeOf(a)).map(({ isPair: _, ...one }) => one);
  const certain: FoundBreak[] = [];
  for (const one of ranked.slice(0, MAX_TESTED)) {
    const own = series.find((other) => isSame(other, one));
    const repeats = await repeatsOf(one, questions);
    const again = own && breakOf(levelsOf(metric, own, all), unitOf(metric, repeats, all));
    const chance = again && Math.min(1, again.chance * series.length);
    if (own !== undefined && chance !== undefined && chance <= MAX_CHANCE)
      certain.push({ ...one, ...again, chance, ...definedFields({ rests: restsOf(one, own, series, all) }) });
  }
  return { found: certain.slice(0, MAX_SHOWN), isLooked, arePairsLooked, count: series.length };
}

/** Undefined of a single value, and where the days of one of the two were not looked at. */
function restsOf(
  { dimension, value, dimension2, value2, since }: FoundBreak,
  pair: ValueDays,
  series: readonly (Named & ValueDays)[],
  all: readonly DayCountOf[],
): FoundBreak['rests'] {
  if (dimension2 === undefined) return undefined;
  const amounts = ({ days }: ValueDays) => new Map(days.map(({ day, amount }) => [day, amount]));
  const ofPair = amounts(pair);
  const rests = [
    { dimension, value },
    { dimension: dimension2, value: value2 ?? null },
  ].flatMap((single) => {
    const found = series.find((one) => isSame(one, single));
    if (found === undefined) return [];
    const own = amounts(found);
    const mean = (days: readonly DayCountOf[]): number =>
      days.reduce((sum, { day }) => sum + (own.get(day) ?? 0) - (ofPair.get(day) ?? 0), 0) / Math.max(1, days.length);
    return [{ ...single, before: mean(all.filter(({ day }) => day < since)), now: mean(all.filter(({ day }) => day >= since)) }];
  });
  return rests.length < 2 ? undefined : rests;
}

const pairsOf = (dimensions: readonly Dimension[]): [Dimension, Dimension][] => {
  const crossed = OF_PAIRS.filter((dimension) => dimensions.includes(dimension));
  return crossed.flatMap((one, index) =>
    crossed.slice(index + 1).flatMap((other): [Dimension, Dimension][] => (areNested(one, other) ? [] : [[one, other]])),
  );
};

/** By what part of the larger level it changed. */
const changeOf = ({ before, now }: Break): number => Math.abs(now - before) / Math.max(Math.abs(before), Math.abs(now), Number.MIN_VALUE);

const isIn = (single: Named, { dimension, value, dimension2, value2 }: Named): boolean =>
  isSame(single, { dimension, value }) ||
  isSame({ dimension: single.dimension, value: single.value }, { dimension: dimension2 ?? dimension, value: value2 ?? null });

const areNear = (one: Break, other: Break): boolean => Math.abs(Date.parse(one.since) - Date.parse(other.since)) <= 2 * 86_400_000;
const isSameWay = (one: Break, other: Break): boolean => one.now > one.before === other.now > other.before;

type Ranked = FoundBreak & { readonly isPair: boolean };

/** Of a value that changed less than a pair of it: the pair is what broke. */
const isOfPair = (one: Ranked, all: readonly Ranked[]): boolean =>
  !one.isPair &&
  all.some(
    (pair) => pair.isPair && isIn(one, pair) && areNear(one, pair) && isSameWay(one, pair) && changeOf(pair) >= MORE * changeOf(one),
  );

/** Of a pair that changed no more than one of its values did. */
const isExplained = (one: Ranked, all: readonly Ranked[]): boolean =>
  one.isPair &&
  all.some(
    (single) =>
      !single.isPair && isIn(single, one) && areNear(one, single) && isSameWay(one, single) && changeOf(one) < MORE * changeOf(single),
  );

/** Against all of the day, so that neither weekdays nor what all did alike is a break of a value. */
function levelsOf(metric: Metric, { days }: ValueDays, all: readonly DayCountOf[]): DayLevel[] {
  const whole = new Map(all.map((day) => [day.day, day]));
  const own = new Map(days.map((day) => [day.day, day]));
  return [...whole.values()].map(({ day, amount, base }) => {
    const { amount: part, base: ofPart } = own.get(day) ?? { amount: 0, base: 0 };
    if (!isRatio(metric)) return { day, level: amount === 0 ? 0 : part / amount, weight: amount, amount: part };
    const rest = base - ofPart;
    const rate = ofPart === 0 ? 0 : part / ofPart;
    return { day, level: rate - (rest === 0 ? 0 : (amount - part) / rest), weight: ofPart, amount: rate };
  });
}

type DayCountOf = ValueDays['days'][number];

/**
 * The least variance of one observation: of a view that is of a value or not, or is counted or not. `repeats`: how many views of a
 * viewer come together.
 */
function unitOf(metric: Metric, repeats: number, all: readonly DayCountOf[]): (level: number) => number {
  const ofValue = (level: number): number => repeats * level * Math.max(0, 1 - level);
  switch (METRICS[metric].kind) {
    case 'count':
    case 'distinct':
      return ofValue;
    case 'amount': {
      const [amount, base] = [all.reduce((sum, day) => sum + day.amount, 0), all.reduce((sum, day) => sum + day.base, 0)];
      return (level) => ofValue(level) * (amount / Math.max(1, base));
    }
    case 'share':
      return () => repeats / 4;
    case 'mean':
      return () => 0;
  }
}

/** How many views of one viewer come together in a value, on average over its views. */
async function repeatsOf(one: Named, { metric, nowBy, answer }: Questions): Promise<number> {
  const of = narrowTo(one);
  if (of === undefined || isDistinct(metric)) return 1;
  const metrics = ['views', 'viewer_views', 'viewer_squares'] as const;
  const [read] = rowsOf(answer({ now: await nowBy({ groupBy: [one.dimension], metrics, of }) }));
  const [views, squares] = [Number(read?.('viewer_views') ?? 0), Number(read?.('viewer_squares') ?? 0)];
  return views === 0 ? 1 : Math.max(1, squares / views);
}
