/**
 * What the parts of analytics say to each other. The boundary to an engine is a question, not a text of SQL: another
 * store can take the place of the folder of Parquet files without anything above it changing.
 */

import type { VideoHostingError } from '../errors.ts';

/** Milliseconds since the epoch, UTC; from included, to not. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export type Scalar = string | number | boolean | null;

export interface Column {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number' | 'boolean' | 'time';
}

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
  /** There were more than asked for. */
  readonly truncated: boolean;
}

export const METRICS = [
  'views',
  'plays',
  'completions',
  'play_rate',
  'completion_rate',
  'watch_time',
  'avg_watch_time',
  'unique_viewers',
  'unique_videos',
] as const;
export type Metric = (typeof METRICS)[number];

export const DIMENSIONS = [
  'video',
  'channel',
  'project',
  'hour',
  'day',
  'week',
  'month',
  'weekday',
  'hour_of_day',
  'country',
  'continent',
  'region',
  'city',
  'browser',
  'os',
  'device_type',
  'device_brand',
  'embed_domain',
  'embed_url',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** From this moment on a zone's clocks are this far ahead of UTC. */
export interface ZoneOffset {
  readonly fromMs: number;
  readonly offsetSeconds: number;
}

/** Values that a column may have; `null` is a value that is missing. */
export interface Filter {
  readonly column: 'video_key' | 'channel_key' | 'project_key' | 'country' | 'browser' | 'os' | 'device_type' | 'embed_domain';
  readonly values: readonly (string | null)[];
}

/** One question about one span, worked out as far as no engine is needed. */
export interface Question {
  readonly span: Span;
  readonly metrics: readonly Metric[];
  readonly groupBy: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly started?: boolean;
  readonly ended?: boolean;
  /** The offsets of the asked-for time zone over the span, the first one from before it. */
  readonly offsets: readonly ZoneOffset[];
}

/**
 * The answer to a question: a row a group, the dimensions first and then exact sums, integers, from which its metrics
 * follow: `views`, and those asked for of `plays`, `completions`, `watch_time`, `unique_viewers`, `unique_videos`.
 */
export interface Groups {
  readonly rows: readonly (readonly Scalar[])[];
  readonly columns: readonly Column[];
  /** The sums over all groups at once: distinct counts don't add up. */
  readonly total: readonly Scalar[];
}

/** What was read of a span, and how well. */
export interface Coverage {
  readonly asked: Span;
  /** The parts of it that are held, in order, without overlaps. */
  readonly held: readonly Span[];
  /** From the first record that is held to the last, of whatever time; null where there is none. What lies outside isn't zero. */
  readonly reach: Span | null;
  /** All that the service has of the span was read. */
  readonly complete: boolean;
  /** When the least fresh part of it was read. ISO time. */
  readonly asOf: string | null;
  /** Records held for the span. */
  readonly records: number;
  /** Records that were set aside as malformed, and why. */
  readonly setAside: { readonly count: number; readonly reasons: readonly { readonly reason: string; readonly count: number }[] };
  /** Why it is not complete. */
  readonly missing?: string;
  /** What the service did instead of giving out the rest. */
  readonly failure?: VideoHostingError;
}

export interface Ask {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What was found to be held: where some of it no longer is, there is no answer. */
  readonly held?: readonly Span[];
}

/** Longest SQL that a caller may send, in UTF-16 units, whichever engine runs it. */
export const MAX_SQL_CHARS = 20_000;

/** Where views are kept and asked for. */
export interface AnalyticsStore {
  /** Answers from what is held; says nothing of what isn't. */
  ask(question: Question, how: Ask): Promise<Groups>;
  /** One read-only query of a stranger's making over `views` of the span, and the tables given. */
  sandboxed(
    query: { readonly sql: string; readonly span: Span; readonly tables: readonly SideTable[]; readonly maxRows: number },
    how: Ask,
  ): Promise<Rows>;
  close(): Promise<void>;
}

/** A small table of names that goes with the views in a stranger's query. */
export interface SideTable {
  readonly name: 'channels' | 'projects' | 'videos';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** Reads what a span needs and isn't held or has not settled, until done or out of time. */
export interface ViewSync {
  ensure(
    span: Span,
    how: {
      readonly signal: AbortSignal;
      readonly until: number;
      readonly progress: (done: number, total?: number, message?: string) => void;
    },
  ): Promise<Coverage>;
}
