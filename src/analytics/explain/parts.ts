import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { DAY_MS } from '../../platform/time-units.ts';
import type { Answer, AnswerInput } from '../assemble/answer.ts';
import type { Coverage, Filter, Flags, Measure, Scalar } from '../contract.ts';
import { cycleOf, DIMENSION_NAMES, DIMENSIONS, type Dimension, isCyclic, isFlag, isTimeDimension } from '../dimensions.ts';
import { amountOf, isDistinct, isMean, type Metric } from '../metrics.ts';
import type { ComparisonPeriod } from '../resolve/comparison-period.ts';
import type { ResolvedSpan } from '../resolve/dates.ts';
import type { ViewReader } from '../storage/contract.ts';
import { mixShifts } from './mix.ts';
import { crossedWith, explainsMore, pairsFrom, type ShiftWithin, shiftsWithin } from './pairs.ts';
import { baseOf, type Candidate, comparable, type Named, standOut, unexplainedOf, type Value } from './stand-out.ts';

/** Filters beside those of the question. */
interface Narrowing {
  readonly filters: readonly Filter[];
  readonly flags?: Flags;
}

interface Asked {
  readonly groupBy: readonly Dimension[];
  readonly metrics?: readonly Measure[];
  readonly of?: Narrowing;
}

export type PeriodParts = Pick<AnswerInput, 'now' | 'earlier'>;

/** How the parts of a difference are asked for. */
export interface Questions {
  readonly metric: Metric;
  readonly comparison: ComparisonPeriod;
  /** The present. */
  readonly now: number;
  readonly partsBy: (asked: Asked) => Promise<PeriodParts>;
  /** The same of the span alone. */
  readonly nowBy: (asked: Asked) => Promise<AnswerInput['now']>;
  readonly answer: (parts: PeriodParts) => Answer;
  readonly answerBy: (asked: Asked) => Promise<Answer>;
  /** Only views on some weekdays count. */
  readonly isOfWeekdays: boolean;
  /** The same of all views of the account; undefined where the question has no filters. */
  readonly answerOfAll: ((asked: Asked) => Promise<Answer>) | undefined;
}

/** Days, and times that come again every week or day, only where those of one span stand against the same of the other. */
export function usefulDimensions({ shift, span }: ComparisonPeriod): readonly Dimension[] {
  const keepsWeekdays = (shift.by === 'days' || shift.by === 'weeks of year') && shift.count % 7 === 0;
  const keepsHours = shift.by !== 'time' || (span.toMs - span.fromMs) % DAY_MS === 0;
  return DIMENSION_NAMES.filter((dimension) => {
    if (!isTimeDimension(dimension)) return true;
    if (!isCyclic(dimension)) return dimension === 'day' && keepsWeekdays;
    return cycleOf(dimension).every === 'day' ? keepsHours : keepsWeekdays;
  });
}

/** What an answer can do without, if it would take too long. */
export async function optional<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof VideoHostingError && error.code === 'query_too_heavy') return undefined;
    throw error;
  }
}

/** One after the other: each is asked for both spans at once, and others want to ask something too. */
async function eachAnswer<Of>(all: readonly Of[], ask: (of: Of) => Promise<Answer>) {
  const found: { readonly of: Of; readonly rows: readonly Row[] }[] = [];
  const skipped: Of[] = [];
  for (const of of all) {
    const answer = await optional(() => ask(of));
    if (answer === undefined) skipped.push(of);
    else found.push({ of, rows: rowsOf(answer) });
  }
  return { found, skipped };
}

type Row = (column: string) => Scalar;

export const rowsOf = ({ columns, rows }: Answer): Row[] =>
  rows.map((row) => (name) => row[columns.findIndex((column) => column.name === name)] ?? null);

export async function valuesBy(dimensions: readonly Dimension[], { metric, answerBy }: Questions) {
  const { found, skipped } = await eachAnswer(dimensions, (dimension) => answerBy({ groupBy: [dimension] }));
  const base = baseOf(metric);
  const valueIn = (dimension: Dimension, read: Row): Value[] => {
    // Not known, which is not none.
    if (read(base) === null || read(`${base}_before`) === null) return [];
    const name = read(`${dimension}_name`) ?? read(`${dimension}_title`);
    return [{ ...readValue(dimension, metric, read), ...(typeof name === 'string' ? { name } : {}) }];
  };
  return { values: found.flatMap(({ of, rows }) => rows.flatMap((read) => valueIn(of, read))), skipped };
}

export function readValue(dimension: Dimension, metric: Metric, read: Row): Value {
  const base = baseOf(metric);
  const [now, before, baseNow, baseBefore] = [metric, `${metric}_before`, base, `${base}_before`].map((name) => numberOrNull(read(name)));
  const numbers = { before: before ?? null, now: now ?? null, base: { now: baseNow ?? 0, before: baseBefore ?? 0 } };
  return { dimension, value: read(dimension), ...numbers };
}

export const numberOrNull = (value: Scalar): number | null => (typeof value === 'number' ? value : null);

/**
 * The values of the dimensions that would stand out if each view came by itself, with how many views of a viewer come together, and
 * how unevenly viewers have what is added up. Others don't stand out either way, so their viewers are not counted.
 */
export async function byViewers(whole: Candidate, values: readonly Value[], { metric, answerBy }: Questions) {
  const likely = [...standOut(metric, whole, comparable(values)), ...mixShifts(metric, whole, values)];
  const dimensions = [...new Set(likely.map(({ dimension }) => dimension))];
  const of = values.filter(({ dimension }) => dimensions.includes(dimension));
  // Of distinct viewers and videos, each counts once.
  if (isDistinct(metric)) return { values: of, skipped: [], areNamed: true };
  const { viewers, skipped, areNamed } = await viewersBy(metric, dimensions, answerBy);
  const counted = of.filter(({ dimension }) => !skipped.includes(dimension));
  return { values: counted.map((value) => ({ ...value, ...viewers(value) })), skipped, areNamed };
}

/** How the views of each value of these dimensions come by viewers. `areNamed`: some views name their viewer. */
async function viewersBy(metric: Metric, dimensions: readonly Dimension[], answerBy: Questions['answerBy'], of?: Narrowing) {
  const keyOf = (dimension: Dimension, value: Scalar): string => JSON.stringify([dimension, value]);
  const amount = amountOf(metric);
  const ofAmount = amount === undefined ? [] : ([`${amount}_squares`] as const);
  const ofMean = isMean(metric) ? ([`${metric}_products`, `${metric}_base_squares`] as const) : [];
  const metrics = ['views', 'viewer_views', 'viewer_squares', ...ofAmount, ...ofMean] as const;
  const { found, skipped } = await eachAnswer(dimensions, (dimension) =>
    answerBy({ groupBy: [dimension], metrics, ...definedFields({ of }) }),
  );
  const counted = new Map<string, Pick<Candidate, 'repeats' | 'squares'>>();
  let areNamed = found.length === 0;
  for (const { of: dimension, rows } of found) {
    const [now, before] = [viewersIn(rows, metric, ''), viewersIn(rows, metric, '_before')];
    areNamed ||= now.areNamed || before.areNamed;
    for (const read of rows) {
      // Of distinct viewers, each counts once.
      const repeats = isDistinct(baseOf(metric)) ? undefined : { now: now.repeats(read), before: before.repeats(read) };
      const squares = amount && { now: now.squares(read), before: before.squares(read) };
      counted.set(keyOf(dimension, read(dimension)), definedFields({ repeats, squares }));
    }
  }
  return { viewers: ({ dimension, value }: Pick<Value, 'dimension' | 'value'>) => counted.get(keyOf(dimension, value)), skipped, areNamed };
}

/**
 * Viewers of a value differ as those of all values do, or more; but for the value in which they differ most, since one viewer who has much
 * of something is no measure of those of other values. Views without a viewer come
 * together as those with one do: as those of the same value, or of all where these do so more.
 */
function viewersIn(rows: readonly Row[], metric: Metric, time: '' | '_before') {
  const numberIn = (read: Row, name: string): number => Number(read(name + time) ?? 0);
  const namedIn = (read: Row): number => numberIn(read, 'viewer_views');
  const namelessIn = (read: Row): number => numberIn(read, 'views') - namedIn(read);
  /** Of one view with a viewer. */
  const eachFrom = (squaresIn: (read: Row) => number) => {
    const ownOf = (read: Row): number => squaresIn(read) / Math.max(1, namedIn(read));
    const ofNamed = rows.filter((read) => namedIn(read) > 0).sort((one, other) => ownOf(one) - ownOf(other));
    const alike = ofNamed.slice(0, Math.max(1, ofNamed.length - 1));
    const each = total(alike, squaresIn) / Math.max(1, total(alike, namedIn));
    return (read: Row): number => Math.max(each, ownOf(read));
  };
  const viewSquaresIn = (read: Row): number => numberIn(read, 'viewer_squares');
  const wholeIn = (read: Row): number => numberIn(read, `${amountOf(metric)}_squares`);
  /** Without what each viewer has as their part of a mean. */
  const besideMeanIn = (read: Row): number => {
    const [products, ofBase] = [numberIn(read, `${metric}_products`), numberIn(read, `${metric}_base_squares`)];
    return Math.max(0, wholeIn(read) - (ofBase === 0 ? 0 : products ** 2 / ofBase));
  };
  const [eachView, each] = [eachFrom(viewSquaresIn), eachFrom(besideMeanIn)];
  // Views without a viewer are no part of what a mean is per viewer.
  const eachNameless = isDistinct(baseOf(metric)) ? eachFrom(wholeIn) : each;
  return {
    areNamed: rows.some((read) => namedIn(read) > 0),
    repeats: (read: Row): number =>
      Math.max(1, (viewSquaresIn(read) + namelessIn(read) * eachView(read)) / Math.max(1, numberIn(read, 'views'))),
    squares: (read: Row): number => namedIn(read) * each(read) + namelessIn(read) * eachNameless(read),
  };
}

const total = (rows: readonly Row[], of: (read: Row) => number): number => rows.reduce((sum, read) => sum + of(read), 0);

export interface Crossed {
  readonly pairs: readonly Candidate[];
  /** What was crossed. */
  readonly of: readonly Value[];
  /** What it was crossed with. */
  readonly dimensions: readonly Dimension[];
  /** Of each value that has views in both times, what shifted in it by more than chance. */
  readonly within: readonly { readonly of: Value; readonly shifts: readonly ShiftWithin[] }[];
}

/** More of them say the same again: a phone's brand, its system. */
const MAX_PAIRS = 3;

/** The pairs of the value that stands out most with values of other dimensions that explain more than either. */
async function pairsOf(whole: Candidate, top: Value, values: readonly Candidate[], { metric, answerBy }: Questions): Promise<Crossed> {
  const of = narrowTo(top);
  const groupings = of === undefined ? [] : crossedWith(metric, top.dimension);
  const { found, skipped } = await eachAnswer(groupings, (groupBy) => answerBy({ groupBy, ...definedFields({ of }) }));
  const all = found.flatMap(({ of: groupBy, rows }) => pairsFrom(metric, top, groupBy, rows));
  const isCause = (pair: Candidate): boolean => {
    const second = { dimension: pair.dimension2, value: pair.value2 };
    const either = [top, second].map((one) => values.find(({ dimension, value }) => dimension === one.dimension && value === one.value));
    return standOut(metric, whole, [pair]).length > 0 && explainsMore(metric, whole, pair, either);
  };
  const likely = comparable(all).filter(isCause);
  const { viewers } = await viewersBy(metric, [...new Set(likely.flatMap(({ dimension2 }) => dimension2 ?? []))], answerBy, of);
  const pairs = likely.flatMap((pair): Candidate[] => {
    const counted = pair.dimension2 && viewers({ dimension: pair.dimension2, value: pair.value2 ?? null });
    return counted === undefined ? [] : [{ ...pair, ...counted }];
  });
  const unexplained = (pair: Candidate): number => Math.abs(unexplainedOf(metric, whole, pair).unexplained);
  const largest = pairs.filter(isCause).sort((a, b) => unexplained(b) - unexplained(a));
  const dimensions = groupings.filter((groupBy) => !skipped.includes(groupBy)).flat();
  const shifts = shiftsWithin(all);
  return { pairs: largest.slice(0, MAX_PAIRS), of: [top], dimensions, within: shifts === undefined ? [] : [{ of: top, shifts }] };
}

/** The pairs of each of some values. */
export async function pairsOfEach(
  whole: Candidate,
  tops: readonly Value[],
  values: readonly Candidate[],
  questions: Questions,
): Promise<Crossed> {
  const crossed: Crossed[] = [];
  for (const top of tops) crossed.push(await pairsOf(whole, top, values, questions));
  return {
    pairs: crossed.flatMap(({ pairs }) => pairs),
    of: tops,
    dimensions: [...new Set(crossed.flatMap(({ dimensions }) => dimensions))],
    within: crossed.flatMap(({ within }) => within),
  };
}

/** Only the views of a value, or of a pair. Undefined where no filter says that: of a time, and of views without a flag. */
export function narrowTo({ dimension, value, dimension2, value2 = null }: Named): Narrowing | undefined {
  const pair = [{ dimension, value }, ...(dimension2 === undefined ? [] : [{ dimension: dimension2, value: value2 }])];
  const filters: Filter[] = [];
  let flags: Flags | undefined;
  for (const { dimension, value } of pair) {
    if (isTimeDimension(dimension)) return undefined;
    if (!isFlag(dimension)) filters.push({ column: DIMENSIONS[dimension].column, values: [value === null ? null : String(value)] });
    else if (typeof value === 'boolean') flags = { ...flags, [DIMENSIONS[dimension].column]: value };
    else return undefined;
  }
  return { filters, ...definedFields({ flags }) };
}

export interface PeriodTotal {
  /** Null of a rate of nothing. */
  readonly value: number | null;
  readonly base: number;
}

export interface PeriodTotals {
  /** How many periods were asked for. */
  readonly asked: number;
  readonly totals: readonly PeriodTotal[];
  /** Those that were not read, or not whole. */
  readonly unread: readonly ResolvedSpan[];
}

/** When the first record of the service is, where a day before it was read and had none. */
async function beginOfRecords([period]: readonly ResolvedSpan[], store: ViewReader): Promise<number | undefined> {
  const first = period === undefined ? undefined : (await store.coverage(period)).dataSpan?.fromMs;
  if (first === undefined) return undefined;
  const { complete } = await store.coverage({ fromMs: first - DAY_MS, toMs: first });
  return complete ? first : undefined;
}

/** The totals of the periods of which all is held; nothing is read for them. */
export async function totalsBefore(
  periods: readonly ResolvedSpan[],
  store: ViewReader,
  totalIn: (period: ResolvedSpan, coverage: Coverage) => Promise<PeriodTotal | undefined>,
): Promise<PeriodTotals> {
  const totals: PeriodTotal[] = [];
  const unread: ResolvedSpan[] = [];
  const begins = await beginOfRecords(periods, store);
  for (const period of periods) {
    const coverage = await store.coverage(period);
    if (!coverage.complete && !(begins !== undefined && period.fromMs < begins)) unread.push(period);
    // Part of a time would have less for that alone.
    if (!coverage.complete || coverage.dataSpan === null || coverage.dataSpan.fromMs > period.fromMs) continue;
    const total = await totalIn(period, coverage);
    if (total !== undefined) totals.push(total);
  }
  return { asked: periods.length, totals, unread };
}
