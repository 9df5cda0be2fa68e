import type { Span } from '../contract.ts';
import { firstEndingAfter, overlaps } from '../spans.ts';
import type { CheckedView } from './check-record.ts';

/** A malformed record, with its own time or that of the record next to it. */
export interface MalformedRecord {
  readonly reason: string;
  readonly timeMs: number;
}

/** The views of a short span while the log is being read. */
export interface Bucket extends Span {
  /** The lines of its spool, a chunk a page. */
  readonly chunks: Buffer[];
  /** How many lines there are; a view that was read twice has two. */
  rows: number;
  /** Malformed records by reason. */
  readonly malformed: Map<string, number>;
  /** Why it may lack views. */
  problem: string | undefined;
  /** When the first of the readings began that cover it; infinite while it is not read to its end. */
  fetchedMs: number;
}

export const isRead = ({ fetchedMs }: Bucket): boolean => Number.isFinite(fetchedMs);

export type Buckets = ReturnType<typeof createBuckets>;

/** Buckets of one unit each over spans in order, to which views are distributed by their time. A view outside all of them is dropped. */
export function createBuckets(spans: readonly Span[], unitMs: number) {
  let buckets = spans.flatMap((span) => piecesOf(span, unitMs)).map(newBucket);

  function bucketAt(timeMs: number): Bucket | undefined {
    const bucket = buckets[firstEndingAfter(buckets, timeMs)];
    return bucket !== undefined && bucket.fromMs <= timeMs ? bucket : undefined;
  }

  return {
    /** Those that were not taken out, in order. */
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
      // Outside the JavaScript heap, where they cost no garbage collection.
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
