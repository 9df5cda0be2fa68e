/** The types that the parts of analytics share. `storage/contract.ts` has those of where views are stored. */

import type { VideoHostingError } from '../errors.ts';

/** Milliseconds since the epoch, UTC; `fromMs` is included, `toMs` is not. */
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
  /** There are more rows than were asked for. */
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
  'muted',
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

/** One question about one span, with names, dates and zones resolved. */
export interface Question {
  readonly span: Span;
  readonly metrics: readonly Metric[];
  readonly groupBy: readonly Dimension[];
  readonly filters: readonly Filter[];
  readonly started?: boolean;
  readonly ended?: boolean;
  readonly muted?: boolean;
  /** Only views on these days of the week, in the zone asked for; 0 is Monday. */
  readonly weekdays?: readonly number[];
  /** The offsets of the asked-for time zone over the span, the first one from before it. */
  readonly offsets: readonly ZoneOffset[];
}

/**
 * The answer to a question: a row for each group, first its dimensions and then exact integer sums from which the metrics are
 * derived: `views`, and as needed `plays`, `completions`, `watch_time`, `unique_viewers`, `unique_videos`.
 */
export interface Groups {
  readonly rows: readonly (readonly Scalar[])[];
  readonly columns: readonly Column[];
  /** The sums over all groups at once: distinct counts don't add up. */
  readonly total: readonly Scalar[];
}

/** What is stored of a span, and how well. */
export interface Coverage {
  readonly asked: Span;
  /** The parts of it that are stored, in order, without overlaps. */
  readonly held: readonly Span[];
  /** From the first stored record to the last, whatever was asked; null where there is none. Outside, a count is unknown, not zero. */
  readonly reach: Span | null;
  /** All that the service has of the span was read. */
  readonly complete: boolean;
  /** When the least fresh part of it was read. ISO time. */
  readonly asOf: string | null;
  /** Records stored for the span. */
  readonly records: number;
  /** Malformed records, which are not stored, and why. */
  readonly setAside: { readonly count: number; readonly reasons: readonly { readonly reason: string; readonly count: number }[] };
  /** Why it is not complete. */
  readonly missing?: string;
  /** The service's failure that kept the rest from being read. */
  readonly failure?: VideoHostingError;
}

export interface Ask {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What was covered before: where some of it no longer is stored, `views_gone` is thrown. */
  readonly held?: readonly Span[];
}

/** Longest SQL that a caller may send, in UTF-16 units, in both storages. */
export const MAX_SQL_CHARS = 20_000;

/** A small table of names beside the views in a caller's query. */
export interface SideTable {
  readonly name: 'channels' | 'projects' | 'videos';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Scalar[])[];
}

/** Reads what is not stored of a span, or may have changed, until done or out of time. */
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
