import type { Sentence } from '../../text/sentence.ts';
import type { Groups, Measure, Question, ResultColumn, Scalar } from '../contract.ts';
import { type ColumnDimension, DIMENSIONS, type Dimension, isFlag, isTimeDimension, type TimeDimension } from '../dimensions.ts';
import { addsUp, type SumMetric } from '../metrics.ts';
import type { Shift } from '../resolve/comparison-period.ts';
import { metricColumns, metricValues, missingWords, type Sums, shareColumns, shareValues, sumsReader } from '../sql/sums.ts';
import { type Alignment, alignPeriods } from './align-periods.ts';
import { COUNTED, createCountedDays } from './counted-days.ts';
import { createJudge, type Known } from './known.ts';
import { inOrder, type SortColumn, sortColumn } from './order.ts';
import { areAlike, createRecordedDays, daysText, isInPart, type RecordedDays } from './recorded-days.ts';
import { areEven, createRowTimes } from './row-times.ts';
import { MAX_TIMES, timeLabel, timesOf } from './times.ts';

/** The name or title that goes with a key, in a column beside it: the key itself stays. */
export interface Naming {
  readonly column: string;
  readonly nameOf: (key: string) => string | null;
}

export interface Part {
  readonly question: Question;
  readonly groups: Groups;
  readonly known: Known;
}

export interface AnswerInput {
  readonly now: Part;
  readonly earlier?: (Part & { readonly shift: Shift }) | undefined;
  readonly naming: Partial<Record<ColumnDimension, Naming>>;
  /** The metric of which each row’s share of the total is told. */
  readonly shareOf?: SumMetric | undefined;
  /** A column, with `-` before it for descending. */
  readonly orderBy?: string | undefined;
  /** Gaps after this moment, in milliseconds, are not filled: it is the present. */
  readonly present: number;
}

export interface Answer {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Scalar[])[];
  readonly totals: Readonly<Record<string, Scalar>>;
  readonly orderedBy: SortColumn | undefined;
  /** Which rows without views are left out: of times, if there would be too many, and of combinations of times with others. */
  readonly leftOut: 'times' | 'combinations' | undefined;
  /** Of how many views something is missing that is counted. */
  readonly missing: readonly Sentence[];
  /** How many days of the time, and of that before, are counted, where a day or more of either is not. */
  readonly days: { readonly now: RecordedDays; readonly before: RecordedDays | undefined } | undefined;
  /** Whether sums of a row have no ratio, since it has more of one of the compared times than of the other. */
  readonly hasUnevenRows: boolean;
}

/** A group, with its dimensions as the engine numbers them. */
interface Group {
  readonly key: readonly Scalar[];
  /** Null where it isn't known. */
  readonly now: Sums | null;
  /** Undefined where nothing is compared, null where nothing stands against it or it isn't known. */
  readonly before: Sums | null | undefined;
}

/** The columns of an answer, which are known before its rows. */
export function answerColumns(
  groupBy: readonly Dimension[],
  metrics: readonly Measure[],
  isCompared: boolean,
  { naming, shareOf }: Pick<AnswerInput, 'naming' | 'shareOf'>,
): ResultColumn[] {
  return [
    ...groupBy.flatMap((dimension) => dimensionColumns(dimension, naming)),
    ...metrics.flatMap((metric) => metricColumns(metric, isCompared)),
    ...(shareOf === undefined ? [] : shareColumns(shareOf, isCompared)),
  ];
}

function dimensionColumns(dimension: Dimension, naming: AnswerInput['naming']): ResultColumn[] {
  if (isTimeDimension(dimension)) return [{ name: dimension, type: DIMENSIONS[dimension].of }];
  if (isFlag(dimension)) return [{ name: dimension, type: 'boolean' }];
  const name = naming[dimension]?.column;
  return [{ name: dimension, type: 'text' }, ...(name === undefined ? [] : [{ name, type: 'text' as const }])];
}

/** Makes the table of an answer from the sums of groups: compared, with gaps filled, named and sorted. */
export function answerOf(input: AnswerInput): Answer {
  const { question } = input.now;
  const isCompared = input.earlier !== undefined;
  const columns = answerColumns(question.groupBy, question.metrics, isCompared, input);
  const found = comparedGroups(input);
  const { groups, leftOut } = fillGaps(found, input);
  const total = ({ question, groups, known }: Part): Sums | null =>
    createJudge({ ...question, groupBy: [] }, known)([], sumsReader(groups.columns)(groups.total));
  const whole = { key: [], now: total(input.now), before: input.earlier && total(input.earlier) };
  const days = createRecordedDays(question, input.now.known, input.present);
  const daysBefore = input.earlier && createRecordedDays(input.earlier.question, input.earlier.known, input.present);
  const pairs = input.earlier && pairings(question, input.earlier);
  const times = input.earlier && createRowTimes(question, input.present);
  const timesBefore = input.earlier && createRowTimes(input.earlier.question, input.present);
  const isEven = ({ key }: Group): boolean => {
    const then = pairs && counterpartKey(key, pairs, 'before');
    if (then === undefined || times === undefined || timesBefore === undefined) return true;
    return areEven([times.ofRow(key), timesBefore.ofRow(then)], [times, timesBefore]);
  };
  const isAlike = (group: Group): boolean => {
    const then = pairs && counterpartKey(group.key, pairs, 'before');
    return then === undefined || (areAlike(days?.ofRow(group.key), daysBefore?.ofRow(then)) && isEven(group));
  };
  const areWholesAlike = areAlike(days?.all, daysBefore?.all);
  const valuesOf = metricsOf(whole, question, input.shareOf, (group) => (group === whole ? areWholesAlike : isAlike(group)));
  const rows = groups.map((group) => ({
    key: group.key,
    cells: [...question.groupBy.flatMap((dimension, at) => labelsOf(dimension, group.key[at] ?? null, input.naming)), ...valuesOf(group)],
  }));
  const values = valuesOf(whole);
  const totals = answerColumns([], question.metrics, isCompared, input).map(({ name }, at) => [name, values[at] ?? null] as const);
  const missing = ({ question: { metrics }, groups }: Part, views: Parameters<typeof missingWords>[2]) =>
    missingWords(metrics, sumsReader(groups.columns)(groups.total), views);
  const order = { ...question, columns, orderBy: input.orderBy };
  const inPart = [days?.all, daysBefore?.all].some((all) => all !== undefined && isInPart(all)) ? days?.all : undefined;
  const marks = inPart === undefined ? [] : marksOf(inPart, daysBefore?.all);
  const countedDays = createCountedDays(question, input.now.known, input.present);
  const more = countedDays === undefined ? (question.groupBy.length === 0 ? marks : []) : ([[COUNTED, countedDays]] as const);
  return {
    columns: [...columns, ...more.map(([name]) => ({ name, type: 'text' as const }))],
    rows: inOrder(rows, order).map(({ key, cells }) => [
      ...cells,
      ...more.map(([, mark]) => (typeof mark === 'string' ? mark : mark(key))),
    ]),
    totals: {
      ...Object.fromEntries(totals),
      ...(areWholesAlike ? {} : perDay(whole, question.metrics, days?.all, daysBefore?.all)),
      ...Object.fromEntries(marks),
    },
    days: inPart && { now: inPart, before: daysBefore?.all },
    orderedBy: sortColumn(order),
    leftOut,
    hasUnevenRows: groups.some(
      (group) => group.now !== null && typeof group.before === 'object' && group.before !== null && !isEven(group),
    ),
    missing: [...missing(input.now, 'views'), ...(input.earlier === undefined ? [] : missing(input.earlier, 'views of the time before'))],
  };
}

/** Marks of numbers over a time of which not all days are counted. */
const marksOf = (now: RecordedDays, before: RecordedDays | undefined): (readonly [name: string, mark: string])[] => [
  [COUNTED, daysText(now)],
  ...(before === undefined ? [] : [[`${COUNTED}_before`, daysText(before)] as const]),
];

/** What sums of different days are compared by. */
function perDay(
  { now, before }: Group,
  metrics: Question['metrics'],
  days: RecordedDays | undefined,
  daysBefore: RecordedDays | undefined,
): Record<string, Scalar> {
  const each = (sum: number | undefined, { counted }: RecordedDays = { asked: 0, counted: 0 }): Scalar =>
    sum === undefined || counted === 0 ? null : Number((sum / counted).toPrecision(4));
  return Object.fromEntries(
    metrics.filter(isSummed).flatMap((metric) => [
      [`${metric}_per_day`, each(now?.[metric], days)],
      [`${metric}_per_day_before`, each(before?.[metric], daysBefore)],
    ]),
  );
}

const isSummed = (metric: Question['metrics'][number]): metric is SumMetric => addsUp(metric);

/** The values of a group, in the order of their columns. */
function metricsOf(
  whole: Group,
  { metrics }: Question,
  shareOf: SumMetric | undefined,
  isAlike: (group: Group) => boolean,
): (group: Group) => Scalar[] {
  const sums = ({ now, before }: Group) => (before === undefined ? [now] : [now, before]);
  return (group) => [
    ...metrics.flatMap((metric) => metricValues(metric, group.now, group.before, isAlike(group))),
    ...(shareOf === undefined ? [] : shareValues(shareOf, sums(group), sums(whole))),
  ];
}

function labelsOf(dimension: Dimension, value: Scalar, naming: AnswerInput['naming']): Scalar[] {
  if (isTimeDimension(dimension)) return [value === null ? null : timeLabel(dimension, Number(value))];
  // Some engines write it as a number.
  if (isFlag(dimension)) return [value === null ? null : Number(value) === 1];
  const name = naming[dimension];
  return name === undefined ? [value] : [value, typeof value === 'string' ? name.nameOf(value) : null];
}

const keyText = (key: readonly Scalar[]): string => JSON.stringify(key);

/** The groups of the span, each with what it was in the span before; groups that were only then are there too. */
function comparedGroups({ now, earlier }: AnswerInput): Group[] {
  const width = now.question.groupBy.length;
  const keyOf = (row: readonly Scalar[]): Scalar[] => row.slice(0, width);
  const read = sumsReader(now.groups.columns);
  const judge = createJudge(now.question, now.known);
  const nowOf = (row: readonly Scalar[]): Sums | null => judge(keyOf(row), read(row));
  if (earlier === undefined) return now.groups.rows.map((row) => ({ key: keyOf(row), now: nowOf(row), before: undefined }));
  const judgeBefore = createJudge(earlier.question, earlier.known);
  const pairs = pairings(now.question, earlier);
  const former = new Map(earlier.groups.rows.map((row) => [keyText(keyOf(row)), { key: keyOf(row), sums: read(row) }]));
  const groups = now.groups.rows.map((row) => {
    const then = counterpartKey(keyOf(row), pairs, 'before');
    const before = then && judgeBefore(then, former.get(keyText(then))?.sums);
    if (then !== undefined) former.delete(keyText(then));
    return { key: keyOf(row), now: nowOf(row), before: before ?? null };
  });
  const only = [...former.values()].flatMap(({ key, sums }) => {
    const there = counterpartKey(key, pairs, 'after');
    return there === undefined ? [] : [{ key: there, now: judge(there, undefined), before: judgeBefore(key, sums) }];
  });
  return [...groups, ...only];
}

function pairings(question: Question, earlier: Part & { readonly shift: Shift }): (Alignment | undefined)[] {
  return question.groupBy.map((dimension) =>
    isTimeDimension(dimension) ? alignPeriods(dimension, question, earlier.question, earlier.shift) : undefined,
  );
}

/** The key that stands against another in the other span; undefined where there is none. */
function counterpartKey(
  key: readonly Scalar[],
  pairs: readonly (Alignment | undefined)[],
  direction: 'before' | 'after',
): Scalar[] | undefined {
  const there = key.map((value, at) => {
    const pair = pairs[at];
    return pair === undefined ? value : pair[direction](Number(value));
  });
  return there.includes(undefined) ? undefined : there.map((value) => value ?? null);
}

/**
 * Where time is all that is asked by, the same with a row for each hour, day … of the span that has none: of zeros, or of
 * nulls where it isn't known.
 */
function fillGaps(groups: readonly Group[], input: AnswerInput): Pick<Answer, 'leftOut'> & { readonly groups: readonly Group[] } {
  const { question } = input.now;
  const dimensions = question.groupBy.filter(isTimeDimension);
  if (dimensions.length === 0) return { groups, leftOut: undefined };
  const times = timesSoFar(dimensions, input);
  if (dimensions.length < question.groupBy.length) {
    const others = new Set(groups.map(({ key }) => keyText(key.filter((_, at) => !isTimeDimension(question.groupBy[at] ?? 'day')))));
    const isWhole = times !== undefined && groups.length >= times.length * others.size;
    return { groups, leftOut: isWhole ? undefined : 'combinations' };
  }
  if (times === undefined || times.length > MAX_TIMES) return { groups, leftOut: 'times' };
  const known = new Set(groups.map(({ key }) => keyText(key)));
  const missing = times.filter((time) => !known.has(keyText(time)));
  return { groups: [...groups, ...emptyGroups(missing, input)], leftOut: undefined };
}

/** The times of the span up to the present; where the clock of this machine is behind the whole span, it says nothing of it. */
function timesSoFar(dimensions: readonly TimeDimension[], { now: { question }, present }: AnswerInput) {
  const { span } = question;
  const toMs = span.fromMs < present ? Math.min(span.toMs, present) : span.toMs;
  return timesOf(dimensions, { ...question, span: { ...span, toMs } });
}

function emptyGroups(times: readonly (readonly number[])[], { now, earlier }: AnswerInput): Group[] {
  const pairs = earlier === undefined ? undefined : pairings(now.question, earlier);
  const judge = createJudge(now.question, now.known);
  const judgeBefore = earlier && createJudge(earlier.question, earlier.known);
  return times.map((key) => {
    const then = pairs && counterpartKey(key, pairs, 'before');
    const before = judgeBefore && (then === undefined ? null : judgeBefore(then, undefined));
    return { key, now: judge(key, undefined), before };
  });
}
