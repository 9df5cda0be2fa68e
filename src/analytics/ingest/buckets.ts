import type { Span } from '../contract.ts';
import { firstEndingAfter, overlaps } from '../spans.ts';
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
