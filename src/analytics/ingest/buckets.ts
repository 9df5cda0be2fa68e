import type { Span } from '../contract.ts';
import { DAY_MS, firstEndingAfter, isWithin, overlaps } from '../spans.ts';
import { isSettled } from '../storage/segments.ts';
import type { CheckedView } from './check-record.ts';

/** A malformed record, with its own time or that of the adjacent record. */
export interface MalformedRecord {
  readonly reason: string;
  readonly timeMs: number;
}

/** The views of a short span while the log is being read. */
export interface Bucket extends Span {
  readonly chunks: Buffer[];
  rows: number;
  readonly malformed: Map<string, number>;
  /** Why views may be missing. */
  problem: string | undefined;
  /** When the first reading that covers it began; infinite until it is read completely. */
  fetchedMs: number;
}

export const isRead = ({ fetchedMs }: Bucket): boolean => Number.isFinite(fetchedMs);

export type Buckets = ReturnType<typeof createBuckets>;

/** Buckets of one unit each, which receive the views of their time. A view outside of all of them is dropped. */
export function createBuckets(spans: readonly Span[], unitMs: number) {
  let buckets = spans.flatMap((span) => piecesOf(span, unitMs)).map(newBucket);

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
      for (const { reason, timeMs } of records) {
        const malformed = bucketAt(timeMs)?.malformed;
        malformed?.set(reason, (malformed.get(reason) ?? 0) + 1);
      }
    },
    /** Marks all buckets that a span overlaps as perhaps incomplete. */
    addProblem(span: Span, problem: string): void {
      for (const bucket of buckets) if (overlaps(bucket, span)) bucket.problem ??= problem;
    },
  };
}

const newBucket = (span: Span): Bucket => ({
  ...span,
  chunks: [],
  rows: 0,
  malformed: new Map(),
  problem: undefined,
  fetchedMs: Number.POSITIVE_INFINITY,
});

function piecesOf({ fromMs, toMs }: Span, unitMs: number): Span[] {
  const pieces: Span[] = [];
  for (let start = fromMs; start < toMs; ) {
    const end = Math.min(toMs, (Math.floor(start / unitMs) + 1) * unitMs);
    pieces.push({ fromMs: start, toMs: end });
    start = end;
  }
  return pieces;
}

const ROWS_PER_PART = 60_000;

/**
 * Groups complete buckets into segments, because a few files are faster to query than many. Days that have not settled will be
 * replaced, so each is a segment of its own. With `isLast`, no group waits for further buckets.
 */
export function groupsOf(buckets: readonly Bucket[], isReady: (bucket: Bucket) => boolean, isLast: boolean): Bucket[][] {
  const groups: Bucket[][] = [];
  let open: Bucket[] = [];
  let rows = 0;
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

function canJoin(one: Bucket, next: Bucket): boolean {
  if (one.toMs !== next.fromMs || one.problem !== next.problem) return false;
  const day = Math.floor(one.fromMs / DAY_MS) * DAY_MS;
  const areOfOneDay = isWithin(next, { fromMs: day, toMs: day + DAY_MS });
  const areEmpty = one.rows === 0 && next.rows === 0;
  return areOfOneDay || areEmpty || (isSettled(one) && isSettled(next) && monthOf(one.fromMs) === monthOf(next.fromMs));
}

/** Forgetting removes whole files, so a file has views of one month at most. */
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
