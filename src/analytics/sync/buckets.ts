import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span } from '../contract.ts';
import { spoolLine, type ViewRow } from '../spool.ts';
import { momentText, overlaps } from '../store/spans.ts';
import type { Misfit } from './attempt.ts';

/** Text that waits in memory before it is written to a bucket's file. */
const FLUSH_LENGTH = 128 * 1_024;
/** What waits in all buckets together, before the reading is held up. */
const MAX_WAITING = 16 * 1_024 * 1_024;
/** Set-aside records that are listed one by one; all of them are counted. */
const MAX_LISTED = 1_000;

/** The views of a short span while they are being read: lines in a file. */
export interface Bucket extends Span {
  readonly file: string;
  rows: number;
  lines: string;
  written: Promise<void>;
  readonly reasons: Map<string, number>;
  readonly listed: string[];
  problem: string | undefined;
  /** When the first of the readings began that it was made from. */
  fetchedMs: number;
}

/** Shares views out by when they took place. What falls into none of the buckets isn't kept. */
export function createBuckets(folder: string) {
  const byUnit = new Map<number, Bucket[]>();
  let buckets: Bucket[] = [];
  let unitMs = 1;
  let waiting = 0;
  let failure: unknown;

  function find(timeMs: number): Bucket | undefined {
    return byUnit.get(Math.floor(timeMs / unitMs))?.find(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
  }

  function flush(bucket: Bucket): void {
    const { lines } = bucket;
    if (lines === '') return;
    bucket.lines = '';
    bucket.written = bucket.written.then(async () => {
      try {
        await appendFile(bucket.file, lines, { mode: 0o600 });
      } catch (error) {
        failure ??= error;
      } finally {
        waiting -= lines.length;
      }
    });
  }

  return {
    /** Makes a bucket for each unit of the spans, in the place of those there were. */
    cut(spans: readonly Span[], unit: number): void {
      unitMs = unit;
      byUnit.clear();
      buckets = spans.flatMap((span) => piecesOf(span, unit)).map((piece) => newBucket(piece, folder));
      for (const bucket of buckets) {
        const at = Math.floor(bucket.fromMs / unit);
        byUnit.set(at, [...(byUnit.get(at) ?? []), bucket]);
      }
    },
    /** Those not taken away yet, in order. */
    all: (): readonly Bucket[] => buckets,
    drop(done: readonly Bucket[]): void {
      buckets = buckets.filter((bucket) => !done.includes(bucket));
      for (const { fromMs } of done) {
        const unit = Math.floor(fromMs / unitMs);
        byUnit.set(
          unit,
          (byUnit.get(unit) ?? []).filter((bucket) => !done.includes(bucket)),
        );
      }
    },
    row(row: ViewRow, timeMs: number): void {
      const bucket = find(timeMs);
      if (bucket === undefined) return;
      const line = spoolLine(row);
      bucket.lines += line;
      bucket.rows += 1;
      waiting += line.length;
      if (bucket.lines.length >= FLUSH_LENGTH) flush(bucket);
    },
    setAside(misfits: readonly Misfit[], read: Span): void {
      for (const { reason, timeMs, page, index } of misfits) {
        const bucket = find(timeMs);
        if (bucket === undefined) continue;
        bucket.reasons.set(reason, (bucket.reasons.get(reason) ?? 0) + 1);
        if (bucket.listed.length < MAX_LISTED)
          bucket.listed.push(JSON.stringify({ reason, from: momentText(read.fromMs), to: momentText(read.toMs), page, index }));
      }
    },
    /** Holds a reading up while the disk is behind. */
    async drained(): Promise<void> {
      if (waiting > MAX_WAITING) await Promise.all(buckets.map((bucket) => bucket.written));
      if (failure !== undefined) throw failure;
    },
    /** Puts all of some buckets into their files. */
    async close(some: readonly Bucket[]): Promise<void> {
      for (const bucket of some) flush(bucket);
      await Promise.all(some.map((bucket) => bucket.written));
      if (failure !== undefined) throw failure;
    },
    /** Says of every bucket that a span touches what may be wrong with it. */
    doubt(span: Span, problem: string): void {
      for (const bucket of buckets) if (overlaps(bucket, span)) bucket.problem ??= problem;
    },
  };
}

export type Buckets = ReturnType<typeof createBuckets>;

function newBucket(span: Span, folder: string): Bucket {
  const file = join(folder, `${span.fromMs}-${span.toMs}.lines`);
  return {
    ...span,
    file,
    rows: 0,
    lines: '',
    written: Promise.resolve(),
    reasons: new Map(),
    listed: [],
    problem: undefined,
    fetchedMs: Number.POSITIVE_INFINITY,
  };
}

function piecesOf({ fromMs, toMs }: Span, unitMs: number): Span[] {
  const pieces: Span[] = [];
  for (let at = fromMs; at < toMs; ) {
    const end = Math.min(toMs, (Math.floor(at / unitMs) + 1) * unitMs);
    pieces.push({ fromMs: at, toMs: end });
    at = end;
  }
  return pieces;
}
