import { DAY_MS } from '../../platform/time-units.ts';
import type { Part } from '../assemble/answer.ts';
import { eachStep, timeLabel } from '../assemble/times.ts';
import type { Filter, Scalar } from '../contract.ts';
import { DIMENSIONS, type Dimension, isFlag, isTimeDimension } from '../dimensions.ts';
import { isRatio, METRICS, type Metric, type MetricKind } from '../metrics.ts';
import { SHORTEST_DAY_MS } from '../spans.ts';
import { type DayCount, type Departure, departureOf } from './departure.ts';
import type { Mix, MixShare } from './mix.ts';
import { narrowTo, numberOrNull, type PeriodParts, type Questions, rowsOf } from './parts.ts';
import { baseOf, type Candidate, type Named, unexplainedOf, type Value, withoutPart } from './stand-out.ts';

export interface DatedDeparture extends Departure {
  /** Its days were compared with those before, changed as all else did. */
  readonly isGrown?: true;
  /** Some days before it and the first ones of it, where these follow each other. */
  readonly days?: { readonly before: readonly DayCount[]; readonly from: readonly DayCount[] };
}

/** With when its shares depart, of the one that explains most. */
export interface DatedMix extends Mix {
  readonly departure?: DatedDeparture | undefined;
}

interface Days {
  readonly now: readonly DayCount[];
  readonly before: readonly DayCount[];
}

/** When the first row departs: its days, and those of all else, in both spans. */
export async function departureOfTop(whole: Candidate, top: Candidate, questions: Questions): Promise<DatedDeparture | undefined> {
  const { metric, partsBy } = questions;
  const of = narrowTo(top);
  if (of === undefined) return undefined;
  const { kind } = METRICS[metric];
  const own = daysIn(await partsBy({ groupBy: ['day'], of }), metric, questions);
  const direction = Math.sign(unexplainedOf(metric, whole, top).unexplained);
  const each = together(kind, top);
  const all = withoutPart(metric, whole, top);
  if (all === undefined || all.before <= 0)
    return withDays(departureOf(kind, { ...own, growth: 1, repeats: each }, undefined, direction), own);
  const wholeDays = daysIn(await partsBy({ groupBy: ['day'] }), metric, questions);
  const growth = all.now / all.before;
  const rest = { now: restOf(wholeDays.now, own.now), before: restOf(wholeDays.before, own.before), growth, repeats: 1 };
  const departure = withDays(departureOf(kind, { ...own, growth, repeats: each }, rest, direction), own);
  return departure && { ...departure, isGrown: true };
}

/** How many views of a viewer come together; of an amount, as many as make it vary as unevenly as viewers have it. */
function together(kind: MetricKind, { repeats = { before: 1, now: 1 }, squares, base, ...value }: Candidate): number {
  const uneven = (time: 'before' | 'now'): number => {
    const amount = kind === 'mean' ? value[time] * base[time] : value[time];
    return squares === undefined || amount === 0 ? 1 : (squares[time] * base[time]) / amount ** 2;
  };
  return Math.max(repeats.now, repeats.before, uneven('now'), uneven('before'));
}

/** When the share of a value departs. */
export async function departureOfShare(
  dimension: Dimension,
  { value, before, now }: MixShare,
  questions: Questions,
): Promise<DatedDeparture | undefined> {
  const { metric, partsBy } = questions;
  const of = narrowTo({ dimension, value });
  if (of === undefined) return undefined;
  const base = baseOf(metric);
  const part = daysIn(await partsBy({ groupBy: ['day'], of }), base, questions);
  const whole = daysIn(await partsBy({ groupBy: ['day'] }), base, questions);
  const own = { now: sharesOf(part.now, whole.now), before: sharesOf(part.before, whole.before) };
  return withDays(departureOf('share', { ...own, growth: 1, repeats: 1 }, undefined, Math.sign(now - before)), own);
}

const SHOWN_DAYS = 3;

function withDays(departure: Departure | undefined, { before, now }: Days): DatedDeparture | undefined {
  if (departure === undefined) return undefined;
  const days = new Map([...before, ...now].map((day) => [Date.parse(day.day), day]));
  const since = Date.parse(departure.since);
  const from = inARow(days, since, DAY_MS);
  const earlier = inARow(days, since - DAY_MS, -DAY_MS).reverse();
  return earlier.length === 0 ? departure : { ...departure, days: { before: earlier, from } };
}

function inARow(days: ReadonlyMap<number, DayCount>, first: number, stepMs: number): DayCount[] {
  const found = Array.from({ length: SHOWN_DAYS }, (_, index) => days.get(first + index * stepMs));
  const end = found.indexOf(undefined);
  return found.slice(0, end < 0 ? SHOWN_DAYS : end).filter((day) => day !== undefined);
}

function daysIn({ earlier, now }: PeriodParts, metric: Metric, questions: Questions): Days {
  return { now: daysOf(now, metric, questions), before: earlier === undefined ? [] : daysOf(earlier, metric, questions) };
}

/** The days that are over and were read whole. */
function daysOf(part: Part, metric: Metric, { answer, now }: Questions): DayCount[] {
  // A day on which clocks change is two steps.
  const passedMs = new Map<Scalar, number>();
  for (const { fromMs, toMs, numbers } of eachStep(['day'], part.question) ?? []) {
    const day = timeLabel('day', numbers[0] ?? 0);
    passedMs.set(day, (passedMs.get(day) ?? 0) + (toMs <= now ? toMs - fromMs : 0));
  }
  return rowsOf(answer({ now: part })).flatMap((read): DayCount[] => {
    const [day, value, base] = [read('day'), numberOrNull(read(metric)), numberOrNull(read(baseOf(metric)))];
    if (typeof day !== 'string' || (passedMs.get(day) ?? 0) < SHORTEST_DAY_MS || base === null) return [];
    return [{ day, amount: isRatio(metric) ? (value ?? 0) * base : (value ?? 0), base }];
  });
}

/** The days of a value or a pair of values. */
export interface ValueDays {
  readonly days: readonly DayCount[];
  /** Over all days. */
  readonly base: number;
}

/** Which values of a dimension are wanted, and how many there are. */
export interface ValuesOf {
  readonly dimension: Dimension;
  readonly wanted: readonly Value[];
  readonly count: number;
}

/** So many rows are read in a fraction of the time that it takes to compare each view with a list of values. */
const MAX_ROWS = 20_000;

/** The filters without which there would be too many rows: of those with most values first. */
function filtersOf(of: readonly ValuesOf[], days: number): Filter[] {
  let rows = of.reduce((product, { count }) => product * Math.max(1, count), days);
  return of
    .toSorted((one, other) => other.count - one.count)
    .flatMap(({ dimension, wanted, count }): Filter[] => {
      if (rows <= MAX_ROWS || isTimeDimension(dimension) || isFlag(dimension)) return [];
      rows *= wanted.length / Math.max(1, count);
      return [{ column: DIMENSIONS[dimension].column, values: wanted.map(({ value }) => (value === null ? null : String(value))) }];
    });
}

/** The days of the span, of which there are so many, by each of the wanted values, of one dimension or of two; by none, those of the whole. */
export async function daysByValue(of: readonly ValuesOf[], questions: Questions, dayCount = 1): Promise<(Named & ValueDays)[]> {
  const { metric, nowBy, answer } = questions;
  const dimensions = of.map((one) => one.dimension);
  const part = await nowBy({ groupBy: ['day', ...dimensions], of: { filters: filtersOf(of, dayCount) } });
  const wanted = new Map(of.map((one) => [one.dimension, new Set(one.wanted.map(({ value }) => value))]));
  const [dimension = 'day', dimension2] = dimensions;
  if (dimensions.length === 0) {
    const days = daysOf(part, metric, questions);
    return [{ dimension, value: null, days, base: days.reduce((sum, { base }) => sum + base, 0) }];
  }
  const found = new Map<string, Named & { readonly days: DayCount[]; base: number }>();
  for (const read of rowsOf(answer({ now: part }))) {
    const [day, value, base] = [read('day'), numberOrNull(read(metric)), numberOrNull(read(baseOf(metric)))];
    if (typeof day !== 'string' || base === null) continue;
    if (dimensions.some((name) => wanted.get(name)?.has(read(name)) !== true)) continue;
    const key = JSON.stringify(dimensions.map((name) => read(name)));
    const pair = dimension2 === undefined ? {} : { dimension2, value2: read(dimension2) };
    const own = found.get(key) ?? { dimension, value: read(dimension), ...pair, days: [], base: 0 };
    found.set(key, own);
    own.base += base;
    own.days.push({ day, amount: isRatio(metric) ? (value ?? 0) * base : (value ?? 0), base });
  }
  return [...found.values()];
}

function restOf(whole: readonly DayCount[], own: readonly DayCount[]): DayCount[] {
  const of = new Map(own.map((one) => [one.day, one]));
  return whole.map(({ day, amount, base }) => ({
    day,
    amount: amount - (of.get(day)?.amount ?? 0),
    base: base - (of.get(day)?.base ?? 0),
  }));
}

function sharesOf(part: readonly DayCount[], whole: readonly DayCount[]): DayCount[] {
  const of = new Map(part.map(({ day, amount }) => [day, amount]));
  return whole.map(({ day, amount }) => ({ day, amount: of.get(day) ?? 0, base: amount }));
}
