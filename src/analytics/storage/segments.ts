import { HOUR_MS } from '../../platform/time-units.ts';
import type { Sentence } from '../../text/sentence.ts';
import { PART_COLUMNS } from '../columns.ts';
import type { Span } from '../contract.ts';
import { isWithin, overlaps, without } from '../spans.ts';
import type { ViewExtent } from '../sql/partitions.ts';
import type { PartFacts } from './part-file.ts';

/**
 * The columns of a part, and what their values are made of. A segment with others comes from another version of this program and is
 * read from the service again.
 */
export const SCHEMA = `3:${PART_COLUMNS.map(({ name, sql }) => `${name} ${sql}`).join(',')}`;

/** Why some views of a span may be missing that was read to its end. */
export type Doubt =
  /** A span beside it could not be read, and the time zone that the service reads spans in is not documented: the next question reads both again. */
  | { readonly kind: 'beside_failure' }
  | { readonly kind: 'part_of_second' | 'kept_changing' }
  | { readonly kind: 'short'; readonly counted: number; readonly returned: number };

/** A span that was read to its end. */
export interface ReadSpan extends Span {
  /** When its reading began, by the service’s clock where it tells the time; in milliseconds since the epoch, like every time here. */
  readonly fetchedMs: number;
  /** Malformed records that are not stored, by reason and day, most frequent first. */
  readonly rejected: readonly RejectedRecords[];
  readonly doubt?: Doubt;
  /**
   * How far east of UTC the service read the times of its requests, in whole hours, or less: by the first views that it sent.
   * Which time zone it is isn't documented, and it may change.
   */
  readonly zoneOffsetMs?: number;
}

/** A span whose views are all stored, in one part. Segments never overlap. */
export interface Segment extends ReadSpan {
  readonly id: string;
  /** `SCHEMA` of the version that wrote it. */
  readonly schema: string;
  readonly rows: number;
  /** Name of its part; absent if it has no views. */
  readonly part?: string;
  /** What the file of its part must contain, where parts are files. */
  readonly file?: PartFacts;
  readonly minMs?: number;
  readonly maxMs?: number;
}

export interface ReasonCount {
  readonly reason: Sentence;
  readonly count: number;
}

/** Malformed records of a day, with the time from the first to the last. */
export interface RejectedRecords extends ReasonCount, Span {}

export const rejectedIn = (segments: readonly Segment[], span: Span): RejectedRecords[] =>
  segments.flatMap(({ rejected }) => rejected.filter((one) => overlaps(one, span)));

/** A span that was deleted on purpose, at `atMs`: views of readings that began before are not stored. */
export interface Forgotten extends Span {
  readonly atMs: number;
}

export type Beginning = Pick<StorageSnapshot, 'epoch' | 'forgotten'>;

export interface StorageSnapshot {
  /** Changes when everything is forgotten; each epoch has its own key for the hashes of viewers. */
  readonly epoch: string;
  readonly segments: readonly Segment[];
  readonly forgotten: readonly Forgotten[];
}

/**
 * A span that was read this long after its end counts as final. The service doesn't document how late a view may enter the
 * log, nor for how long a record changes: two days cover a playback and a delayed queue.
 */
export const SETTLE_MS = 48 * HOUR_MS;

export const isSettled = ({ toMs, fetchedMs }: Pick<Segment, 'toMs' | 'fetchedMs'>): boolean => fetchedMs >= toMs + SETTLE_MS;

/** Clocks that are set right differ by less than this. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** Whether it was read while a clock was ahead, so that its age is not known. */
export const isFromFuture = ({ fetchedMs }: Pick<Segment, 'fetchedMs'>, nowMs: number): boolean => fetchedMs > nowMs + CLOCK_TOLERANCE_MS;

export const isReadable = ({ schema }: Segment): boolean => schema === SCHEMA;

export const isFilled = (segment: Segment): boolean => segment.rows > 0 && isReadable(segment);

/** Whether a span was forgotten since its reading began. Times are not compared: they are of different clocks. */
export function wasForgotten({ epoch, forgotten }: Beginning, read: Span, since: Beginning): boolean {
  const isKnown = (one: Forgotten): boolean =>
    since.forgotten.some(({ atMs, fromMs, toMs }) => atMs === one.atMs && fromMs === one.fromMs && toMs === one.toMs);
  return epoch !== since.epoch || forgotten.some((one) => overlaps(one, read) && !isKnown(one));
}

/**
 * The segments that a new one replaces, with their remainders, or why it can't be added. Those that were read while a clock was
 * ahead of `nowMs`, the service's time, give way to it.
 */
export function replacedBy(added: Segment, stored: StorageSnapshot, since: Beginning, nowMs: number) {
  if (wasForgotten(stored, added, since)) return 'forgotten';
  const replaced = stored.segments.filter((segment) => overlaps(segment, added));
  const [ahead, others] = [replaced.filter((one) => isFromFuture(one, nowMs)), replaced.filter((one) => !isFromFuture(one, nowMs))];
  const remaining = remainingSegments(others, added);
  return remaining === undefined ? 'superseded' : { replaced, ahead, remaining };
}

/** The remainders of the segments that a new one overlaps; undefined if one of them takes precedence. */
export function remainingSegments(overlapped: readonly Segment[], added: Segment): Segment[] | undefined {
  const readable = overlapped.filter(({ schema }) => schema === added.schema);
  const isNewer = ({ fetchedMs, doubt }: Segment): boolean =>
    fetchedMs >= added.fetchedMs && (doubt === undefined || added.doubt !== undefined);
  // Only a segment without views can be cut.
  if (readable.some((segment) => isNewer(segment) || (segment.rows > 0 && !isWithin(segment, added)))) return undefined;
  return readable.flatMap((segment) =>
    without([segment], [added]).map((rest, index) => ({
      ...segment,
      ...rest,
      id: index === 0 ? segment.id : `${segment.id}-${rest.fromMs}`,
      rejected: segment.rejected.filter((one) => overlaps(one, rest)),
    })),
  );
}

export function segmentsOf(segments: readonly Segment[], span: Span): Segment[] {
  return segments.filter((segment) => segment.part !== undefined && isReadable(segment) && overlaps(viewSpan(segment), span));
}

/** The time from the first view of those segments to the last, and the number of their views. */
export function viewExtent(segments: readonly Segment[], span: Span): ViewExtent {
  const those = segmentsOf(segments, span);
  return {
    fromMs: Math.min(...those.map((segment) => viewSpan(segment).fromMs)),
    toMs: Math.max(...those.map((segment) => viewSpan(segment).toMs)),
    rows: rowCount(those),
  };
}

const viewSpan = ({ fromMs, toMs, minMs, maxMs }: Segment): Span => ({ fromMs: minMs ?? fromMs, toMs: (maxMs ?? toMs) + 1 });

export const partNames = (segments: readonly Segment[]): string[] => segments.flatMap(({ part }) => part ?? []);

export const rowCount = (segments: readonly Segment[]): number => segments.reduce((sum, { rows }) => sum + rows, 0);

export function sumByReason(counts: Iterable<ReasonCount>): ReasonCount[] {
  const sums = new Map<Sentence, number>();
  for (const { reason, count } of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
  return [...sums].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}
