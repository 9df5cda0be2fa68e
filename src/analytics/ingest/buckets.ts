import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span } from '../contract.ts';
import { momentText, overlaps } from '../spans.ts';
import type { Misfit } from './attempt.ts';
import type { CheckedView } from './check-record.ts';

/** Bytes that wait in all buckets together before some are written to files. */
const MAX_WAITING = 48 * 1_024 * 1_024;
/** Set-aside records that are listed one by one; all of them are counted. */
const MAX_LISTED = 1_000;

/** The views of a short span while they are being read, as lines: first those in the file, then those that wait. */
export interface Bucket extends Span {
  readonly file: string;
  isInFile: boolean;
  rows: number;
  /** Of the page that is being taken. */
  lines: string;
  waiting: Buffer[];
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
  let waitingBytes = 0;
  let touched = new Set<Bucket>();

  function find(timeMs: number): Bucket | undefined {
    return byUnit.get(Math.floor(timeMs / unitMs))?.find(({ fromMs, toMs }) => timeMs >= fromMs && timeMs < toMs);
  }

  /** Takes what waits out of memory. */
  function takeWaiting(bucket: Bucket): Buffer[] {
    const { waiting } = bucket;
    bucket.waiting = [];
    for (const { length } of waiting) waitingBytes -= length;
    return waiting;
  }

  /** Lines as bytes lie outside the heap, where they cost no collecting. */
  function pack(): void {
    for (const bucket of touched) {
      const bytes = Buffer.from(bucket.lines);
      bucket.lines = '';
      bucket.waiting.push(bytes);
      waitingBytes += bytes.length;
    }
    touched = new Set();
  }

  /** Writes the fullest buckets to their files. Done at once, so that lines stay in order. */
  function makeRoom(): void {
    const fullest = [...buckets].sort((a, b) => b.waiting.length - a.waiting.length);
    for (const bucket of fullest) {
      if (waitingBytes <= MAX_WAITING / 2) return;
      appendFileSync(bucket.file, Buffer.concat(takeWaiting(bucket)), { mode: 0o600 });
      bucket.isInFile = true;
    }
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
    view({ timeMs, line }: CheckedView): void {
      const bucket = find(timeMs);
      if (bucket === undefined) return;
      bucket.lines += line;
      bucket.rows += 1;
      touched.add(bucket);
    },
    /** Called after every page. */
    packed(): void {
      pack();
      if (waitingBytes > MAX_WAITING) makeRoom();
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
    /** Files of the lines of some buckets, each bucket's in order. */
    async spool(some: readonly Bucket[]): Promise<string[]> {
      const files = some.filter(({ isInFile }) => isInFile).map(({ file }) => file);
      const chunks = some.flatMap(takeWaiting);
      if (chunks.length === 0) return files;
      const together = join(folder, `${randomUUID()}.lines`);
      await writeFile(together, chunks, { mode: 0o600 });
      return [...files, together];
    },
    /** Says of every bucket that a span touches what may be wrong with it. */
    doubt(span: Span, problem: string): void {
      for (const bucket of buckets) if (overlaps(bucket, span)) bucket.problem ??= problem;
    },
  };
}

function newBucket(span: Span, folder: string): Bucket {
  const file = join(folder, `${span.fromMs}-${span.toMs}.lines`);
  return {
    ...span,
    file,
    isInFile: false,
    rows: 0,
    lines: '',
    waiting: [],
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
