import type { Column, Dimension, Groups, Metric, Question, Scalar } from '../contract.ts';
import type { Shift } from '../resolve/comparison-period.ts';
import { isTimeDimension, type TextDimension } from '../sql/compile.ts';
import { metricColumns, metricValues, type Sums, sumsReader } from '../sql/metrics.ts';
import { type Alignment, alignPeriods } from './align-periods.ts';
import { createJudge, judgeTotal, type Known } from './known.ts';
import { MAX_TIMES, timeLabel, timesOf } from './times.ts';

/** A column beside a key's column, with the name or title of the record. */
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
  readonly naming: Partial<Record<TextDimension, Naming>>;
  /** A column, with `-` before it for descending. */
  readonly orderBy?: string | undefined;
  /** The current time in milliseconds. Later gaps are not filled. */
  readonly present: number;
}

export interface Answer {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
  readonly totals: Readonly<Record<string, Scalar>>;
  /** Times without views are missing, because there were too many. */
  readonly hasGaps: boolean;
}

/** A group, with its dimensions as the engine numbers them. */
interface Group {
  readonly key: readonly Scalar[];
  readonly now: Sums | null;
  /** Undefined without a comparison; null if unknown, or if the other period has no counterpart. */
  readonly before: Sums | null | undefined;
}

export function answerColumns(
  groupBy: readonly Dimension[],
  metrics: readonly Metric[],
  isCompared: boolean,
  naming: AnswerInput['naming'],
): Column[] {
  return [
    ...groupBy.flatMap((dimension) => dimensionColumns(dimension, naming)),
    ...metrics.flatMap((metric) => metricColumns(metric, isCompared)),
  ];
}

function dimensionColumns(dimension: Dimension, naming: AnswerInput['naming']): Column[] {
  if (dimension === 'hour_of_day') return [{ name: dimension, type: 'integer' }];
  if (isTimeDimension(dimension)) return [{ name: dimension, type: dimension === 'weekday' ? 'text' : 'time' }];
  const name = naming[dimension]?.column;
  return [{ name: dimension, type: 'text' }, ...(name === undefined ? [] : [{ name, type: 'text' as const }])];
}

/** Makes the table of an answer from the sums of groups: compared, with gaps filled, named and sorted. */
export function answerOf(input: AnswerInput): Answer {
  const { now, earlier, naming, orderBy } = input;
  const { question } = now;
  const isCompared = earlier !== undefined;
  const columns = answerColumns(question.groupBy, question.metrics, isCompared, naming);
  const { groups, hasGaps } = groupsOf(input);
  const rows = groups.map((group) => ({ key: group.key, cells: rowOf(group, question, naming) }));
  const total = ({ question, groups, known }: Part): Sums | null => judgeTotal(question, known, sumsReader(groups.columns)(groups.total));
  const totals = question.metrics.flatMap((metric) => {
    const values = metricValues(metric, total(now), earlier && total(earlier));
    return metricColumns(metric, isCompared).map(({ name }, index) => [name, values[index] ?? null] as const);
  });
  return {
    columns,
    rows: sortRows(rows, { ...question, columns, orderBy }).map(({ cells }) => cells),
    totals: Object.fromEntries(totals),
    hasGaps,
  };
}

function rowOf({ key, now, before }: Group, { groupBy, metrics }: Question, naming: AnswerInput['naming']): Scalar[] {
  const dimensions = groupBy.flatMap((dimension, index) => labelsOf(dimension, key[index] ?? null, naming));
  return [...dimensions, ...metrics.flatMap((metric) => metricValues(metric, now, before))];
}

function labelsOf(dimension: Dimension, value: Scalar, naming: AnswerInput['naming']): Scalar[] {
  if (isTimeDimension(dimension)) return [value === null ? null : timeLabel(dimension, Number(value))];
  const name = naming[dimension];
  return name === undefined ? [value] : [value, typeof value === 'string' ? name.nameOf(value) : null];
}

const keyText = (key: readonly Scalar[]): string => JSON.stringify(key);

/** The groups of both periods and of the times without views, each with its sums now and before. */
function groupsOf({ now, earlier, present }: AnswerInput): { readonly groups: readonly Group[]; readonly hasGaps: boolean } {
  const { question } = now;
  const current = sumsByKey(now);
  const keys = new Map<string, readonly Scalar[]>([...current].map(([text, { key }]) => [text, key]));
  const add = (key: readonly Scalar[] | undefined): void => void (key && keys.set(keyText(key), key));
  const judge = createJudge(question, now.known);
  const before = earlier && comparisonOf(question, earlier);
  for (const key of before?.keys ?? []) add(key);
  const gaps = gapKeys([...keys.values()], question, present);
  for (const key of gaps ?? []) add(key);
  const groups = [...keys].map(([text, key]) => ({ key, now: judge(key, current.get(text)?.sums), before: before?.sumsOf(key) }));
  return { groups, hasGaps: gaps === undefined };
}

function sumsByKey({ question: { groupBy }, groups: { columns, rows } }: Part) {
  const read = sumsReader(columns);
  return new Map(
    rows.map((row) => {
      const key = row.slice(0, groupBy.length);
      return [keyText(key), { key, sums: read(row) }] as const;
    }),
  );
}

function comparisonOf(question: Question, earlier: Part & { readonly shift: Shift }) {
  const alignments = question.groupBy.map((dimension) =>
    isTimeDimension(dimension) ? alignPeriods(dimension, question, earlier.question, earlier.shift) : undefined,
  );
  const former = sumsByKey(earlier);
  const judge = createJudge(earlier.question, earlier.known);
  return {
    keys: [...former.values()].map(({ key }) => counterpart(key, alignments, 'after')),
    sumsOf(key: readonly Scalar[]): Sums | null {
      const there = counterpart(key, alignments, 'before');
      return there === undefined ? null : judge(there, former.get(keyText(there))?.sums);
    },
  };
}

/** The key that a key is compared with in the other period; undefined if there is none. */
function counterpart(
  key: readonly Scalar[],
  alignments: readonly (Alignment | undefined)[],
  direction: keyof Alignment,
): Scalar[] | undefined {
  const there = key.map((value, index) => {
    const alignment = alignments[index];
    return alignment === undefined ? value : alignment[direction](Number(value));
  });
  return there.includes(undefined) ? undefined : there.map((value) => value ?? null);
}

/**
 * The keys of every hour, day … of the span with every combination of the other dimensions that occurs. Undefined if there are
 * too many.
 */
function gapKeys(keys: readonly (readonly Scalar[])[], question: Question, present: number): Scalar[][] | undefined {
  const { groupBy, span } = question;
  const dimensions = groupBy.filter(isTimeDimension);
  if (dimensions.length === 0) return [];
  // If this machine's clock is behind the whole span, the present is unknown.
  const toMs = span.fromMs < present ? Math.min(span.toMs, present) : span.toMs;
  const times = timesOf(dimensions, { ...question, span: { ...span, toMs } });
  const isTime = groupBy.map(isTimeDimension);
  const others = new Map(keys.map((key) => key.filter((_, index) => !isTime[index])).map((other) => [keyText(other), other]));
  if (dimensions.length === groupBy.length) others.set('[]', []);
  if (times === undefined || times.length * others.size > MAX_TIMES) return undefined;
  return [...others.values()].flatMap((other) => times.map((time) => mergeKey(groupBy, other, time)));
}

function mergeKey(groupBy: readonly Dimension[], other: readonly Scalar[], time: readonly number[]): Scalar[] {
  const [others, times] = [[...other], [...time]];
  return groupBy.map((dimension) => (isTimeDimension(dimension) ? times.shift() : others.shift()) ?? null);
}

interface Row {
  readonly key: readonly Scalar[];
  readonly cells: readonly Scalar[];
}

interface Order {
  readonly groupBy: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly columns: readonly Column[];
  /** A column, with `-` before it for descending. */
  readonly orderBy?: string | undefined;
}

/** Sorts by `orderBy`, else by time and then by the first metric, descending. Ties are sorted by the dimensions. */
function sortRows<T extends Row>(rows: readonly T[], { groupBy, metrics, columns, orderBy }: Order): T[] {
  const name = orderBy?.replace(/^[-+]/, '');
  const sign = orderBy?.startsWith('-') === true ? -1 : 1;
  const dimension = groupBy.map(String).indexOf(name ?? '');
  const column = columns.findIndex((one) => one.name === (name ?? metrics[0]));
  const times = groupBy.flatMap((one, index) => (isTimeDimension(one) ? [index] : []));
  const compareRows = (a: T, b: T): number => {
    // Dimensions are compared as numbers, not as labels: Monday comes before Friday.
    if (dimension >= 0) return compareAt(a.key, b.key, dimension, sign);
    if (name !== undefined) return compareAt(a.cells, b.cells, column, sign);
    return compareKeys(a.key, b.key, times) || compareAt(a.cells, b.cells, column, -1);
  };
  const all = groupBy.map((_, index) => index);
  return rows.toSorted((a, b) => compareRows(a, b) || compareKeys(a.key, b.key, all));
}

const compareKeys = (a: readonly Scalar[], b: readonly Scalar[], indexes: readonly number[]): number =>
  indexes.reduce((order, index) => order || compareAt(a, b, index, 1), 0);

/** Missing values come last, ascending or descending. */
function compareAt(a: readonly Scalar[], b: readonly Scalar[], index: number, sign: 1 | -1): number {
  const [left, right] = [a[index] ?? null, b[index] ?? null];
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -sign : sign;
}
