import type { Sentence } from '../text/sentence.ts';
/** The types that the parts of analytics share; `storage/contract.ts` has those of the storage. */

import type { VideoHostingError } from '../errors.ts';
import type { Dimension, TextColumn } from './dimensions.ts';
import type { AmountMetric, MeanMetric, Metric } from './metrics.ts';

/** Milliseconds since the epoch, UTC; `fromMs` is inclusive, `toMs` exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Scalar = string | number | boolean | null;

export interface ResultColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'time';
}

export interface Rows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Scalar[])[];
  readonly truncated: boolean;
}

/**
 * A metric, or for our own use, by dimensions and beside no metric but `views`: how many views name their viewer; the squares of
 * the numbers of those of each viewer, added up (how much of a group's views few viewers make), and of what each has of an amount; of
 * a mean, the products of both of its sums of each viewer and the squares of the second; or when the last view was, in milliseconds
 * since the epoch.
 */
export type Measure = Metric | OwnMeasure;
export type OwnMeasure =
  | 'viewer_views'
  | 'viewer_squares'
  | `${AmountMetric}_squares`
  | `${MeanMetric}_products`
  | `${MeanMetric}_base_squares`
  | 'last_view';

/** From this moment on, the zone has this offset from UTC. */
export interface ZoneOffset {
  readonly fromMs: number;
  readonly offsetSeconds: number;
}

const KEY_FILTERS = [
  { argument: 'videoKeys', column: 'video_key' },
  { argument: 'channels', column: 'channel_key' },
  { argument: 'projects', column: 'project_key' },
] as const;
export const TEXT_FILTERS = [
  { argument: 'countries', column: 'country', what: 'country' },
  { argument: 'browsers', column: 'browser', what: 'browser' },
  { argument: 'operatingSystems', column: 'os', what: 'operating system' },
  { argument: 'deviceTypes', column: 'device_type', what: 'device type' },
  { argument: 'embedDomains', column: 'embed_domain', what: 'embed domain' },
] as const;
/** The arguments of a question that filter by a column. */
export const FILTERS = [...KEY_FILTERS, ...TEXT_FILTERS];
export type FilterArguments = { readonly [Argument in (typeof FILTERS)[number]['argument']]?: readonly string[] | undefined };

/** Values of a column of texts that are counted, or else all but these; `null` is a missing value. */
export interface Filter {
  readonly column: TextColumn;
  readonly values: readonly (string | null)[];
  readonly leavesOut?: boolean;
}

/** Begins a value of a filter that leaves out. */
export const LEAVES_OUT = '!';

/** What stands for null among values of a dimension: in answers and charts, and as the value of a filter. */
export const NAMES_NONE = '(none)';

/** Filters by columns that are true or false. */
export const FLAGS = ['started', 'ended', 'muted'] as const;
export type Flags = { readonly [Flag in (typeof FLAGS)[number]]?: boolean | undefined };

export interface Question extends Flags {
  readonly span: Span;
  readonly metrics: readonly Measure[];
  readonly groupBy: readonly Dimension[];
  readonly filters: readonly Filter[];
  /** Only views on these days of the week, in the requested time zone; 0 is Monday. */
  readonly weekdays?: readonly number[] | undefined;
  /** The offsets of the requested time zone over the span, the first one from before it. */
  readonly offsets: readonly ZoneOffset[];
}

/**
 * The answer to a question: a row for each group, first its dimensions and then exact integer sums from which the metrics are
 * computed: `views`, those that the metrics need (`sql/sums.ts`), and `known_…`, the views that have a value for a sum at all.
 */
export interface Groups {
  readonly rows: readonly (readonly Scalar[])[];
  readonly columns: readonly ResultColumn[];
  /** The sums over all groups, in which distinct counts are not added up. */
  readonly total: readonly Scalar[];
}

/** A span, in words of this zone; without one, of UTC. */
export interface AskedSpan extends Span {
  readonly zone?: string;
}

/** A span on which the service failed, once or several times in a row. ISO times. */
export interface FailedTries {
  readonly count: number;
  readonly first: string;
  readonly last: string;
  /** Before that, a further try makes no sense; absent where the service refuses the span. */
  readonly retryAt?: string;
}

/** What could not be read when it was last tried. */
export interface FailedSpan extends Span {
  readonly tries: FailedTries;
  readonly why: Sentence;
}

export interface Coverage {
  readonly asked: Span;
  /** The stored parts of it, in order, without overlaps. */
  readonly covered: readonly Span[];
  /**
   * From the first stored record to the last, independent of the question; null if there is none. Outside, a count is unknown,
   * not zero.
   */
  readonly dataSpan: Span | null;
  /** Everything that the service has of the span was read. */
  readonly complete: boolean;
  /** When the least fresh part was read. ISO time. */
  readonly asOf: string | null;
  /** The last part, where it was read more than a minute after the least fresh one. */
  readonly newest?: { readonly from: string; readonly asOf: string };
  readonly records: number;
  /** Records of the time asked for that are dated later than `presentMs`: they are not counted. */
  readonly ahead?: number;
  /** Where the time asked for has begun and is not over: no view can be later. */
  readonly presentMs?: number;
  readonly rejected: { readonly count: number; readonly reasons: readonly { readonly reason: Sentence; readonly count: number }[] };
  /** What was not read, and why, in sentences. */
  readonly missing?: Sentence;
  /** What is missing is being read. */
  readonly stillReading?: boolean;
  /** How far the service’s clock is ahead of this machine’s, if that is known. */
  readonly clockAheadMs?: number;
  readonly failure?: VideoHostingError;
  readonly tries?: FailedTries;
}

export interface Ask {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What was covered before. If some of it is no longer stored, `views_gone` is thrown. */
  readonly covered?: readonly Span[];
}

export interface SideTable extends Pick<Rows, 'columns' | 'rows'> {
  readonly name: 'channels' | 'projects' | 'videos';
}

/** A caller's SQL over the views of a span and the tables of names. */
export interface CallerQuery {
  readonly sql: string;
  readonly span: Span;
  /** Of the zone in which `ts` is. */
  readonly offsets: readonly ZoneOffset[];
  readonly tables: readonly SideTable[];
  readonly maxRows: number;
}
