import { type Sentence, sentence } from '../../text/sentence.ts';
import { COLUMNS } from '../columns.ts';
import type { Groups, Measure, OwnMeasure, ResultColumn, Scalar } from '../contract.ts';
import {
  columnsOf,
  isAmount,
  isDistinct,
  isMean,
  isMetric,
  isRatio,
  METRIC_NAMES,
  METRICS,
  partAndWhole,
  SUM_METRICS,
  type SumFrom,
  type SumMetric,
  sumsOf,
} from '../metrics.ts';
import type { Dialect } from './dialect.ts';

/** Sums from columns that a view may have no value in. */
type SometimesMissing = Exclude<SumMetric, 'views'>;
type SumName = SumMetric | OwnMeasure | `known_${SometimesMissing}`;

/** The exact sums of a group, from which every metric is computed. */
export type Sums = Readonly<Record<SumName, number>>;

export interface Sum {
  readonly name: SumName;
  readonly columns: readonly string[];
  readonly sql: (dialect: Dialect) => string;
  /** It is over rows of a viewer, with `n` views and what they have of these. */
  readonly ofEach?: readonly SometimesMissing[];
}

const typeOf = (column: string) => COLUMNS.find(({ name }) => name === column)?.sql;

/** An empty text is a missing value, as in a dimension. */
const columnSql = (column: string): string => (typeOf(column) === 'VARCHAR' ? `nullif(${column}, '')` : column);

/** Numbers in floating point: of integers, a large product is an error in DuckDB, and another number in ClickHouse. */
const operandSql = (column: string): string =>
  /^(?:BIGINT|INTEGER)$/.test(typeOf(column) ?? '') ? `(${column} * 1e0)` : columnSql(column);

/** A sum from a view's columns, and how many views have a value for it at all. */
export function sumSql({ kind, from }: Pick<SumFrom, 'kind' | 'from'>) {
  const value = typeof from === 'string' ? columnSql(from) : `(${from.sql(...from.columns.map(operandSql))})`;
  return {
    sum: ({ countIf, sum, countDistinct }: Dialect) => ({ count: countIf, amount: sum, distinct: countDistinct })[kind](value),
    known: () => `count(${value})`,
  };
}

const SOMETIMES_MISSING = SUM_METRICS.filter((name) => name !== 'views');
const knownOf = (name: SometimesMissing) => `known_${name}` as const;

const AMOUNTS = SUM_METRICS.filter(isAmount);
const MEANS = METRIC_NAMES.filter(isMean);
const ofViewers = (value: string): string => `CASE WHEN viewer IS NULL THEN 0 ELSE ${value} END`;
/** What a row of a viewer has of a sum: of distinct viewers one. */
const eachOf = (name: SumMetric): string => (name === 'views' ? 'n' : isDistinct(name) ? '1' : `each_${name}`);
const isSummed = (name: SumMetric): name is SometimesMissing => name !== 'views' && !isDistinct(name);

/** What a row of a viewer has besides their views, for some of these sums. */
export function ofEachViewer(wanted: readonly Sum[], dialect: Dialect): string[] {
  const needed = new Set(wanted.flatMap(({ ofEach = [] }) => ofEach));
  return SOMETIMES_MISSING.filter((name) => needed.has(name)).map((name) => `${sumSql(METRICS[name]).sum(dialect)} AS ${eachOf(name)}`);
}

/** The products of what each viewer has of two sums, added up. */
function productsOf(name: OwnMeasure, one: SumMetric, other: SumMetric): Sum {
  const ofEach = [one, other].filter(isSummed);
  return {
    name,
    columns: ['viewer', ...ofEach.flatMap((sum) => columnsOf(METRICS[sum]))],
    sql: ({ sum }) => sum(ofViewers(`${eachOf(one)} * ${eachOf(other)}`)),
    ofEach,
  };
}

const SUMS: readonly Sum[] = [
  { name: 'views', columns: [], sql: () => 'count(*)' },
  ...SOMETIMES_MISSING.flatMap((name): Sum[] => {
    const [columns, { sum, known }] = [columnsOf(METRICS[name]), sumSql(METRICS[name])];
    return [
      { name, columns, sql: sum },
      { name: knownOf(name), columns, sql: known },
    ];
  }),
  { name: 'viewer_views', columns: ['viewer'], sql: ({ sum }) => sum(ofViewers('n')), ofEach: [] },
  { name: 'viewer_squares', columns: ['viewer'], sql: ({ sum }) => sum(ofViewers('n * n')), ofEach: [] },
  ...AMOUNTS.map((name) => productsOf(`${name}_squares`, name, name)),
  ...MEANS.flatMap((name) => {
    const [part, whole] = partAndWhole(name);
    return [productsOf(`${name}_products`, part, whole), productsOf(`${name}_base_squares`, whole, whole)];
  }),
  { name: 'last_view', columns: ['ts'], sql: ({ epochMs }) => epochMs('max(ts)') },
];

// Every name has a value.
const sumsFrom = (value: (name: SumName) => number): Sums => Object.fromEntries(SUMS.map(({ name }) => [name, value(name)])) as Sums;

export const NO_VIEWS = sumsFrom(() => 0);

const partsOf = (measure: Measure): readonly SumName[] => (isOwn(measure) ? [measure] : sumsOf(measure));

const isOwn = (measure: Measure): measure is OwnMeasure => !isMetric(measure);

/** The sums of measures that views may have no value for. */
function missingIn(measures: readonly Measure[]): SometimesMissing[] {
  const parts = new Set(measures.flatMap(partsOf));
  return SOMETIMES_MISSING.filter((name) => parts.has(name));
}

/** The sums that measures need, in a fixed order, always including the views. */
export function sumsFor(measures: readonly Measure[]): Sum[] {
  const needed = new Set<SumName>(['views', ...measures.flatMap(partsOf), ...missingIn(measures).map(knownOf)]);
  return SUMS.filter(({ name }) => needed.has(name));
}

/** To six decimals, which is as exact as anybody reads it. */
const rounded = (value: number): number => Number(value.toFixed(6));
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole));

/** The value of a measure. A ratio of nothing is null, not 0. */
function measured(measure: Measure, sums: Sums): number | null {
  if (!isRatio(measure)) return sums[measure];
  const [part, whole] = partAndWhole(measure);
  return ratio(sums[part], sums[whole]);
}

/** Of how many views a value is missing, and what that counts as: `3 of 10 views name no viewer, and count for none`. */
export const missingWords = (measures: readonly Measure[], sums: Sums, views: 'views' | 'views of the time before'): Sentence[] =>
  missingIn(measures)
    .filter((name) => sums[knownOf(name)] < sums.views)
    .map((name) => sentence`${sums.views - sums[knownOf(name)]} of ${sums.views} ${views} ${METRICS[name].missing}`);

/** A measure's columns; with a comparison also its earlier value, the difference, and the ratio of now to then. */
export function metricColumns(measure: Measure, isCompared: boolean): ResultColumn[] {
  const type: ResultColumn['type'] = isRatio(measure) ? 'number' : 'integer';
  const own = { name: measure, type };
  if (!isCompared) return [own];
  return [own, { name: `${measure}_before`, type }, { name: `${measure}_change`, type }, { name: `${measure}_ratio`, type: 'number' }];
}

/**
 * The values of those columns. `now` is null if unknown; `before` is also null without a counterpart. `isAlike`: neither is of fewer
 * days than the other for want of records, without which only rates and means have a ratio.
 */
export function metricValues(measure: Measure, now: Sums | null, before: Sums | null | undefined, isAlike = true): (number | null)[] {
  const value = now === null ? null : measured(measure, now);
  if (before === undefined) return [value];
  const then = before === null ? null : measured(measure, before);
  if (value === null || then === null) return [value, then, null, null];
  return [value, then, isRatio(measure) ? rounded(value - then) : value - then, isAlike || isRatio(measure) ? ratio(value, then) : null];
}

export const shareColumns = (metric: SumMetric, isCompared: boolean): ResultColumn[] =>
  (isCompared ? ['', '_before'] : ['']).map((then) => ({ name: `${metric}_share${then}`, type: 'number' }));

/** The values of those columns: parts of the totals now and then. */
export const shareValues = (metric: SumMetric, parts: readonly (Sums | null)[], totals: readonly (Sums | null)[]): (number | null)[] =>
  totals.map((total, at) => {
    const part = parts[at] ?? null;
    return part === null || total === null ? null : ratio(part[metric], total[metric]);
  });

export function sumsReader(columns: Groups['columns']): (row: readonly Scalar[]) => Sums {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  // The row of the total has only sums.
  return (row) =>
    sumsFrom((name) => {
      const index = indexes.get(name);
      return index === undefined ? 0 : Number(row[index - columns.length + row.length] ?? 0);
    });
}
