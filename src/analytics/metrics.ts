import { type Sentence, sentence } from '../text/sentence.ts';
import { UNKNOWN_UNITS, type VIEW_COLUMNS } from './columns.ts';

type ColumnOf<Sql> = Extract<(typeof VIEW_COLUMNS)[number], { readonly sql: Sql }>['name'];

/**
 * An expression over several columns, in SQL that every dialect reads; null where it is not known. `sql` is given the columns as
 * what to write for them: a product of numbers does not overflow, and an empty text is a missing one.
 */
interface Expression {
  readonly columns: readonly ColumnOf<'BOOLEAN' | 'BIGINT' | 'INTEGER' | 'VARCHAR'>[];
  readonly sql: (...columns: readonly string[]) => string;
}

/** How a sum is counted, judged and drawn follows from its kind. */
type SumKind =
  /** Views in which this is true. */
  | { readonly kind: 'count'; readonly from: ColumnOf<'BOOLEAN'> | Expression }
  /** A whole number that each view has, added up. */
  | { readonly kind: 'amount'; readonly from: ColumnOf<'BIGINT' | 'INTEGER'> | Expression }
  /** The exact number of distinct values, which can't be added up over groups. */
  | { readonly kind: 'distinct'; readonly from: ColumnOf<'VARCHAR' | 'UBIGINT'> };

interface SumWords {
  readonly meaning: string;
  readonly title?: string;
  /** One of what is counted, where a text names it. */
  readonly one?: string;
  /** Follows an answer with a column whose name contains `word`. */
  readonly definition?: { readonly word: string; readonly text: Sentence };
}

/** `missing` follows how many views have no value for it: what they lack, and what they count as. */
export type SumFrom = SumKind & SumWords & { readonly missing: string };

type Sum = SumFrom | (SumWords & { readonly kind: 'count'; readonly from?: never });

/** The first sum by the second. Of a `share`, each of the second is counted in the first or not; of a `mean`, each has a number. */
interface Ratio {
  readonly kind: 'share' | 'mean';
  readonly of: readonly [part: string, whole: string];
  readonly title?: string;
}

type MetricRow = Sum | Ratio;

/** One row for each metric. Nothing else says what a metric is. */
export const METRICS = {
  views: { kind: 'count', meaning: 'view records' },
  plays: {
    kind: 'count',
    from: 'started',
    one: 'play',
    meaning: 'views in which playback started',
    missing: 'don’t say whether playback started, and count as not played',
  },
  completions: {
    kind: 'count',
    from: 'ended',
    meaning: 'views in which playback ended',
    missing: 'don’t say whether playback ended, and count as not completed',
    definition: { word: 'completion', text: sentence`A completion is a view in which playback ended.` },
  },
  play_rate: { kind: 'share', of: ['plays', 'views'] },
  completion_rate: { kind: 'share', of: ['completions', 'plays'] },
  watch_time: { kind: 'amount', from: 'watch_time', meaning: 'sum of watch time', missing: 'have no watch time, and count as 0' },
  avg_watch_time: { kind: 'mean', of: ['watch_time', 'plays'], title: 'Average watch time per play' },
  unique_viewers: {
    kind: 'distinct',
    from: 'viewer',
    meaning: 'distinct viewers, exact; they do not add up over groups',
    missing: 'name no viewer, and count for none',
    definition: {
      word: 'unique_viewers',
      text: sentence`A viewer is a viewerId of the service: a person or a browser, that is not documented.`,
    },
  },
  watch_time_per_viewer: { kind: 'mean', of: ['watch_time', 'unique_viewers'] },
  unique_videos: { kind: 'distinct', from: 'video_key', meaning: 'distinct videos, exact', missing: 'name no video, and count for none' },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type Metric = keyof typeof METRICS;
export type MetricKind = (typeof METRICS)[Metric]['kind'];
export type SumMetric = { [Name in Metric]: (typeof METRICS)[Name] extends Ratio ? never : Name }[Metric];
/** Those that add up a number that each view has. */
export type AmountMetric = { [Name in Metric]: (typeof METRICS)[Name]['kind'] extends 'amount' ? Name : never }[Metric];
export type MeanMetric = { [Name in Metric]: (typeof METRICS)[Name]['kind'] extends 'mean' ? Name : never }[Metric];
type RatioMetric = Exclude<Metric, SumMetric>;

/** Asked for among metrics: a column of each row’s part of the total of the first of them that adds up. */
export const SHARE = 'share';

// The names that are written above.
export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];

export const isMetric = (name: string): name is Metric => Object.hasOwn(METRICS, name);
export const isRatio = (name: string): name is RatioMetric => isMetric(name) && 'of' in METRICS[name];
export const isDistinct = (name: string): boolean => isMetric(name) && METRICS[name].kind === 'distinct';
/** Whether the whole's value is the mean of its parts' values: of a ratio of distinct values it is not. */
export const isMeanOfParts = (name: string): boolean => isRatio(name) && partAndWhole(name).every(addsUp);
export const addsUp = (name: string): boolean => isMetric(name) && ['count', 'amount'].includes(METRICS[name].kind);

/** Whether its values are parts of a whole, also before, and also where only the name of a caller's column tells it. */
export function isPercent(name: string): boolean {
  const column = name.replace(/_before$/, '');
  return isMetric(column) ? METRICS[column].kind === 'share' : /_(rate|share)$/.test(column);
}

export const SUM_METRICS: readonly SumMetric[] = METRIC_NAMES.filter((name) => !isRatio(name));

const rowOfSum = (name: SumMetric): Sum => METRICS[name];
/** The columns of a view that a sum is from. */
export function columnsOf({ from }: Pick<Sum, 'from'>): readonly string[] {
  if (from === undefined) return [];
  return typeof from === 'string' ? [from] : from.columns;
}
/** The sums that a metric is computed from: of a ratio, its part and its whole. */
export const sumsOf = (metric: Metric): readonly SumMetric[] => (isRatio(metric) ? partAndWhole(metric) : [metric]);

/** What is added up of a metric, where that is a number that each view has: by what viewers differ most. */
export const amountOf = (metric: Metric): AmountMetric | undefined => sumsOf(metric).find(isAmount);
export const isAmount = (name: SumMetric): name is AmountMetric => METRICS[name].kind === 'amount';
export const isMean = (name: Metric): name is MeanMetric => METRICS[name].kind === 'mean';

/** Refuses at compile time a ratio of what is no sum. */
export const partAndWhole = (metric: RatioMetric): readonly [SumMetric, SumMetric] => METRICS[metric].of;

/** Of a mean, more digits than anybody reads say nothing; shares have six decimals, and what is counted is exact. */
export function withDigits(metric: Metric, value: number): number {
  if (!isRatio(metric)) return value;
  if (!isMean(metric)) return Number(value.toFixed(6));
  return Number(Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(4));
}

/** Columns without a documented unit that metrics add up, or that names of columns of a caller's SQL contain. */
export const unknownUnitsOf = (names: readonly string[]): string[] =>
  UNKNOWN_UNITS.filter((column) => names.some((name) => (isMetric(name) ? amountsOf(name) : name).includes(column)));

function amountsOf(metric: Metric): readonly string[] {
  const [first] = METRICS[metric].kind === 'share' ? [] : sumsOf(metric);
  return first === undefined || METRICS[first].kind !== 'amount' ? [] : columnsOf(METRICS[first]);
}

/** What its numbers are of, so that metrics of one unit can have an axis together; undefined for what is no metric. */
export function unitOf(name: string): string | undefined {
  if (!isMetric(name)) return undefined;
  const { kind } = METRICS[name];
  if (kind === 'distinct') return name;
  return kind === 'amount' || kind === 'mean' ? `${kind} of ${sumsOf(name)[0]}` : kind;
}

export function titleOfMetric(name: string): string | undefined {
  const row: MetricRow | undefined = isMetric(name) ? METRICS[name] : undefined;
  return row?.title;
}

export function meaningOf(metric: Metric): string {
  const unit = unknownUnitsOf([metric]).length > 0 ? '; unit not documented' : '';
  if (!isRatio(metric)) return `${METRICS[metric].meaning}${unit}`;
  const [part, whole] = partAndWhole(metric);
  return `${part} / ${whole}${unit}; null without ${whole}`;
}

/** `play_rate is plays/views, avg_watch_time per play`, of those whose names don’t say it. */
export function ratiosInWords(): string {
  const unclear = METRIC_NAMES.filter(isRatio).filter((metric) => !metric.includes('_per_'));
  const words = unclear.map((metric, index) => {
    const [part, whole] = partAndWhole(metric);
    const of = metric.includes(part) ? '' : `${part} `;
    const how = METRICS[metric].kind === 'mean' ? `${of}per ${rowOfSum(whole).one ?? whole}` : `${part}/${whole}`;
    return `${metric}${index === 0 ? ' is' : ''} ${how}`;
  });
  return words.join(', ');
}

export const columnWords = (names: readonly string[]): Sentence[] =>
  SUM_METRICS.flatMap((metric) => {
    const { definition } = rowOfSum(metric);
    const isAbout = (name: string) =>
      definition !== undefined && (name.includes(definition.word) || (isMetric(name) && sumsOf(name).includes(metric)));
    return definition !== undefined && names.some(isAbout) ? [definition.text] : [];
  });
