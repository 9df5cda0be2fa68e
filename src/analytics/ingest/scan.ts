import { setMaxListeners } from 'node:events';
import { createSlots } from '../../platform/slots.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../platform/time-units.ts';
import type { Span } from '../contract.ts';
import { common, isWithin, overlaps, union } from '../spans.ts';
import { isFilled, type ReadSpan, type Segment } from '../storage/segments.ts';
import { type Buckets, createBuckets, isRead, MARGIN_MS } from './buckets.ts';
import { createCommitQueue } from './commit-queue.ts';
import { createFailures, readHalves } from './narrow.ts';
import type { LogPage, PageReader, RecordSource } from './page-reader.ts';
import { type ChunkResult, readChunk } from './read-chunk.ts';
import type { Reading } from './read-pass.ts';

/** From this many views a day on, buckets are hours instead of days. */
const DENSE_PER_DAY = 25_000;
/** From this many views a day on, a question about today reads its last part alone: buckets are quarters of hours. */
const BUSY_PER_DAY = 2_000;
const CONCURRENT_CHUNKS = 3;
const QUARTER_MS = HOUR_MS / 4;
/** A last part of today is requested from so much earlier, for a view that shows that nothing of it is missing. */
const BEFORE_MS = 5 * 60 * SECOND_MS;
/** Today's segments that end later than this before now are not joined. */
const RECENT_MS = 2 * HOUR_MS;

export interface ScanOptions extends RecordSource {
  readonly reader: PageReader;
  readonly folder: string;
  readonly stored: readonly Segment[];
  readonly write: (span: ReadSpan, spool: string | undefined) => Promise<void>;
  readonly progress: (records: number, expected: number) => void;
}

/**
 * Reads the log of some spans and stores it piece by piece. The spans are requested in adjacent chunks that extend fourteen
 * hours beyond them on both sides: whatever time zone the service uses for the bounds, the chunks together contain every view,
 * and the date of a view decides where it belongs. A span on which the service fails is halved, down to days: the rest is read
 * and stored, and then the failure is thrown.
 *
 * A span that begins within a day, as the last part of today does, is requested from a little before its beginning, in the
 * time zone in which the service was seen to read the bounds. Nothing is missing if the service returned a view from before the
 * span. Else it is read like the others.
 */
export async function scan(spans: readonly Span[], options: ScanOptions): Promise<void> {
  for (const { range, of } of rangesOf(spans, options.stored))
    if (!(await scanRange(range, of, options, false))) await scanRange({ ...range, fromMs: startOf(of) - MARGIN_MS }, of, options, true);
}

interface Range {
  readonly range: Span;
  readonly of: readonly Span[];
}

/** What is requested, and for which of the spans. */
function rangesOf(spans: readonly Span[], stored: readonly Segment[]): Range[] {
  const requests = spans.map((span) => ({ span, range: requested(span, stored) }));
  return union(requests.map(({ range }) => range)).map((range) => ({
    range,
    of: requests.filter((one) => isWithin(one.range, range)).map(({ span }) => span),
  }));
}

const startOf = (spans: readonly Span[]): number => Math.min(...spans.map(({ fromMs }) => fromMs));

/**
 * False if nothing was stored, because the service may have more views of the spans than it was asked for. `isRepeated`: the time
 * zone turned out to be another one than was seen, and what is seen now may mislead as well.
 */
async function scanRange(range: Span, spans: readonly Span[], options: ScanOptions, isRepeated: boolean): Promise<boolean> {
  const { reader } = options;
  const clock = reader.serviceTime;
  const start = createStartCheck(range, spans);
  let zoneOffsetMs: number | undefined;
  const check: ScanOptions['check'] = (raw) => {
    const record = options.check(raw);
    if ('line' in record) start.see(record.timeMs);
    return record;
  };
  const failures = createFailures();
  const signal = AbortSignal.any([options.signal, failures.signal]);
  setMaxListeners(0, signal);
  const slots = createSlots(CONCURRENT_CHUNKS);
  const unread: Span[] = [];

  const firstPage = async (span: Span): Promise<LogPage> => {
    const page = await reader.page(span, 1, { check, signal });
    return page ?? { views: [], total: 0, pages: 0, size: 1, requestedMs: clock() };
  };
  const first = await firstPage(range).catch((error: unknown) => ({ error }));
  const expected = 'error' in first ? 0 : (first.total ?? 0);
  const nowMs = clock();
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const perDay = (expected / (Math.max(nowMs, range.fromMs + DAY_MS) - range.fromMs)) * DAY_MS;
  const unitMs = (expected / (range.toMs - range.fromMs)) * DAY_MS > DENSE_PER_DAY ? HOUR_MS : DAY_MS;
  const isBusy = perDay > BUSY_PER_DAY || spans.some(({ fromMs }) => fromMs % DAY_MS !== 0);
  const unitAt = (ms: number): number => (isBusy && ms >= todayMs ? QUARTER_MS : unitMs);
  const buckets = createBuckets(spans, unitAt, options.stored);
  const chunks = createChunks(buckets, range);
  const commits = createCommitQueue({
    ...options,
    clock,
    recentMs: nowMs - RECENT_MS,
    zoneOffsetMs: () => zoneOffsetMs,
    buckets,
    onFailure: failures.stop,
  });
  const reading: Reading = { reader, check, signal, buckets, onPage: (records) => options.progress(records, expected) };

  async function read(span: Span, known?: LogPage): Promise<boolean> {
    const pieces = await slots.run(span.fromMs, async () => {
      try {
        const page = known ?? (await firstPage(span));
        const result = await readChunk(span, page, reading);
        failures.succeeded();
        if (result.kind === 'split') return inPieces(span, result.pieces);
        chunks.add(span, page.requestedMs, result);
        if (!isRepeated && Number.isFinite(result.earliestMs))
          zoneOffsetMs = Math.max(zoneOffsetMs ?? -MARGIN_MS, offsetOf(span.fromMs - result.earliestMs));
        if (start.isRead) await commits.commit(false);
        return [];
      } catch (error) {
        return failures.isOfSpan(error) ? undefined : [];
      }
    });
    await Promise.all((pieces ?? []).map(readOrNarrow));
    return pieces !== undefined;
  }

  async function readOrNarrow(span: Span): Promise<void> {
    if (!(await read(span))) await narrow(span);
  }

  const narrow = async (span: Span): Promise<void> => void unread.push(...(await readHalves(span, readExactly, failures, signal)));

  /** A request ends one second after its span, and the service may fail on that second, so the span is a second shorter here. */
  async function readExactly({ fromMs, toMs }: Span): Promise<boolean> {
    const began = clock();
    const isAnswered = await read({ fromMs, toMs: toMs - SECOND_MS });
    if (isAnswered) chunks.addRead({ fromMs: toMs - SECOND_MS, toMs }, began);
    return isAnswered;
  }

  if ('error' in first) {
    const lastDay = { fromMs: Math.floor((range.toMs - 1) / DAY_MS) * DAY_MS, toMs: range.toMs };
    if (!failures.isOfSpan(first.error) || !(await read(lastDay))) throw first.error;
    await readOrNarrow({ fromMs: range.fromMs, toMs: lastDay.fromMs });
  } else if (!(await read(range, first))) await narrow(range);
  // Complete buckets are stored even if the rest failed.
  chunks.markBuckets(unread);
  if (start.isRead) await commits.commit(true);
  failures.throwIfAny(unread.length > 0);
  return start.isRead;
}

/** Whether the service sent all of the spans, though its time zone may not be the one in which they were requested. */
function createStartCheck(range: Span, spans: readonly Span[]) {
  const fromMs = startOf(spans);
  let hasEarlier = false;
  return {
    get isRead(): boolean {
      return hasEarlier || fromMs >= range.fromMs + MARGIN_MS;
    },
    see(timeMs: number): void {
      if (timeMs >= fromMs - BEFORE_MS && timeMs < fromMs) hasEarlier = true;
    },
  };
}

function createChunks(buckets: Buckets, range: Span) {
  const read: (Span & { readonly beganMs: number })[] = [];

  /** Marks the buckets that are complete in every time zone, and those next to an unread span. */
  function markBuckets(unread: readonly Span[] = []): void {
    const whole = union(read);
    const attempted = union([...read, ...unread]);
    for (const bucket of buckets.all()) {
      const needed = common(widened(bucket), range);
      const isCoveredBy = (spans: readonly Span[]) => needed !== undefined && spans.some((span) => isWithin(needed, span));
      if (isRead(bucket) || !isCoveredBy(attempted) || unread.some((span) => overlaps(span, bucket))) continue;
      if (!isCoveredBy(whole)) bucket.doubt ??= { kind: 'beside_failure' };
      bucket.fetchedMs = Math.min(...read.filter((chunk) => overlaps(chunk, widened(bucket))).map(({ beganMs }) => beganMs));
    }
  }

  const addRead = (span: Span, beganMs: number): void => void read.push({ ...span, beganMs });

  return {
    markBuckets,
    addRead,
    add(span: Span, beganMs: number, { malformed, outside, doubt }: Extract<ChunkResult, { kind: 'read' }>): void {
      buckets.addMalformed(malformed);
      buckets.addOutside(span, outside);
      if (doubt !== undefined) buckets.addDoubt(widened(span), doubt);
      addRead(span, beganMs);
      markBuckets();
    },
  };
}

function requested(span: Span, stored: readonly Segment[]): Span {
  const wide = widened(span);
  if (span.fromMs % DAY_MS === 0) return wide;
  const before = stored.findLast((segment) => segment.fromMs <= span.fromMs && isFilled(segment));
  return { ...wide, fromMs: span.fromMs - BEFORE_MS + (before?.zoneOffsetMs ?? 0) };
}

/**
 * In whole hours: less than one may be how late views enter the log, if the service goes by that. Of a time zone with half an hour, that
 * much more is requested. The first view comes a little after the span begins, which is no hour less.
 */
const offsetOf = (ms: number): number => Math.floor((ms + BEFORE_MS) / HOUR_MS) * HOUR_MS;

const widened = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs - MARGIN_MS, toMs: toMs + MARGIN_MS });

function inPieces(span: Span, count: number): Span[] {
  const width = (span.toMs - span.fromMs) / count;
  const unit = width > DAY_MS ? DAY_MS : SECOND_MS;
  const inner = Array.from({ length: count - 1 }, (_, index) => Math.floor((span.fromMs + (index + 1) * width) / unit) * unit);
  const bounds = [...new Set([span.fromMs, ...inner.filter((ms) => ms > span.fromMs), span.toMs])];
  return bounds.slice(1).map((toMs, index) => ({ fromMs: bounds[index] ?? toMs, toMs }));
}
