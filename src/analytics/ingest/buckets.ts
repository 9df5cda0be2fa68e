import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, HOUR_MS } from '../../platform/time-units.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { Span } from '../contract.ts';
import { firstEndingAfter, isWithin, overlaps } from '../spans.ts';
import { type Doubt, isFilled, isSettled, type Segment } from '../storage/segments.ts';
import type { CheckedView } from './check-record.ts';

/** A malformed record, with its own time or that of the adjacent record. */
export interface MalformedRecord {
  readonly reason: Sentence;
  readonly timeMs: number;
}

/** It isn't documented in which time zone the service reads `from` and `to`; no zone is further from UTC. */
export const MARGIN_MS = 14 * HOUR_MS;

export interface Bucket extends Span {
  readonly chunks: Buffer[];
  rows: number;
  readonly malformed: MalformedRecord[];
  /** Why views may be missing. */
  doubt: Doubt | undefined;
  /** When the first reading that covers it began; infinite until it is read completely. */
  fetchedMs: number;
}

const OUTSIDE = sentence`date is outside the time that the service was asked for`;

export const isRead = ({ fetchedMs }: Bucket): boolean => Number.isFinite(fetchedMs);

export type Buckets = ReturnType<typeof createBuckets>;

/**
 * Buckets of one unit each, which receive the views of their time. A view outside of all of them is dropped. No bucket ends
 * within a stored segment that has views: such a segment is only replaced as a whole.
 */
export function createBuckets(spans: readonly Span[], unitAt: (ms: number) => number, stored: readonly Segment[] = []) {
  const uncut = stored.filter(isFilled);
  const isCut = (ms: number): boolean => (uncut[firstEndingAfter(uncut, ms)]?.fromMs ?? ms) < ms;
  let buckets = spans.flatMap((span) => piecesOf(span, unitAt, isCut)).map(newBucket);

  function bucketAt(timeMs: number): Bucket | undefined {
    const bucket = buckets[firstEndingAfter(buckets, timeMs)];
    return bucket !== undefined && bucket.fromMs <= timeMs ? bucket : undefined;
  }

  return {
    all: (): readonly Bucket[] => buckets,
    takeOut(group: readonly Bucket[]): void {
      buckets = buckets.filter((bucket) => !group.includes(bucket));
    },
    addPage(views: readonly CheckedView[]): void {
      const lines = new Map<Bucket, string>();
      for (const { timeMs, line } of views) {
        const bucket = bucketAt(timeMs);
        if (bucket === undefined) continue;
        lines.set(bucket, (lines.get(bucket) ?? '') + line);
        bucket.rows += 1;
      }
      // Outside the JavaScript heap, so that they are not garbage-collected.
      for (const [bucket, text] of lines) bucket.chunks.push(Buffer.from(text));
    },
    addMalformed(records: readonly MalformedRecord[]): void {
      for (const record of records) bucketAt(record.timeMs)?.malformed.push(record);
    },
    /** Counts records that the service returned for a span although their date, which no bucket has, is far from it. */
    addOutside(span: Span, count: number): void {
      const bucket = buckets.find((one) => overlaps(one, span));
      const timeMs = Math.max(bucket?.fromMs ?? 0, span.fromMs);
      bucket?.malformed.push(...Array.from({ length: count }, () => ({ reason: OUTSIDE, timeMs })));
    },
    has: (timeMs: number): boolean => bucketAt(timeMs) !== undefined,
    addDoubt(span: Span, doubt: Doubt): void {
      for (const bucket of buckets) if (overlaps(bucket, span)) bucket.doubt ??= doubt;
    },
  };
}

const newBucket = (span: Span): Bucket => ({
  ...span,
  chunks: [],
  rows: 0,
  malformed: [],
  doubt: undefined,
  fetchedMs: Number.POSITIVE_INFINITY,
});

function piecesOf({ fromMs, toMs }: Span, unitAt: (ms: number) => number, isCut: (ms: number) => boolean): Span[] {
  const pieces: Span[] = [];
  let start = fromMs;
  for (let end = start; end < toMs; ) {
    end = Math.min(toMs, (Math.floor(end / unitAt(end)) + 1) * unitAt(end));
    if (end < toMs && isCut(end)) continue;
    pieces.push({ fromMs: start, toMs: end });
    start = end;
  }
  return pieces;
}

const ROWS_PER_PART = 60_000;

/**
 * Groups complete buckets into segments, because a few files are faster to query than many. Days that have not settled will be
 * replaced, so each is a segment of its own; so is each bucket that ends after `recentMs`, which will be read again without the
 * rest of its day. With `isLast`, no group waits for further buckets.
 */
export function groupsOf(
  buckets: readonly Bucket[],
  isReady: (bucket: Bucket) => boolean,
  { isLast, recentMs }: { readonly isLast: boolean; readonly recentMs: number },
): Bucket[][] {
  const groups: Bucket[][] = [];
  let open: Bucket[] = [];
  let rows = 0;
  const canJoin = (one: Bucket, next: Bucket): boolean => isAlike(one, next) && (next.toMs <= recentMs || areEmpty(one, next));
  const close = (): void => {
    if (open.length > 0) groups.push(open);
    open = [];
    rows = 0;
  };
  for (const bucket of buckets) {
    const last = open.at(-1);
    if (last !== undefined && !canJoin(last, bucket)) close();
    if (!isReady(bucket)) {
      if (last !== undefined && !isLast && canJoin(last, bucket)) return groups;
      close();
      continue;
    }
    if (open.length > 0 && rows + bucket.rows > ROWS_PER_PART) close();
    open.push(bucket);
    rows += bucket.rows;
  }
  close();
  return groups;
}

function isAlike(one: Bucket, next: Bucket): boolean {
  if (one.toMs !== next.fromMs || !isDeepStrictEqual(one.doubt, next.doubt)) return false;
  const day = Math.floor(one.fromMs / DAY_MS) * DAY_MS;
  const areOfOneDay = isWithin(next, { fromMs: day, toMs: day + DAY_MS });
  return areOfOneDay || areEmpty(one, next) || (isSettled(one) && isSettled(next) && monthOf(one.fromMs) === monthOf(next.fromMs));
}

const areEmpty = (one: Bucket, next: Bucket): boolean => one.rows === 0 && next.rows === 0;

/** Forgetting removes whole files, so a file has views of one month at most. */
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
