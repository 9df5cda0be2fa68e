import { setMaxListeners } from 'node:events';
import { type ErrorCode, VideoHostingError } from '../../errors.ts';
import type { Span } from '../contract.ts';
import { common, DAY_MS, HOUR_MS, isWithin, overlaps, SECOND_MS, union } from '../spans.ts';
import type { Reading } from './attempt.ts';
import { type Bucket, createBuckets } from './buckets.ts';
import { groupsOf } from './group.ts';
import type { Asking, LogPage, PageReader } from './page-reader.ts';
import { readChunk } from './read-chunk.ts';
import { BESIDE_A_FAILURE } from './refresh-policy.ts';

/** In which time zone the service reads `from` and `to` isn't documented: no zone is further from UTC than this. */
const MARGIN_MS = 14 * HOUR_MS;
/** From so many views a day on, they are kept by the hour. */
const DENSE_PER_DAY = 25_000;
const TILES_AT_ONCE = 3;
/** How many groups may wait to be committed before no more is read: groups come in bursts. They wait in files. */
const GROUPS_BEHIND = 8;
/** What is read is committed at least this often, so that a kill loses little. */
const COMMIT_MS = 5_000;

/** Spans on which the service failed one after the other, before it counts as down. */
const MAX_FAILURES_IN_A_ROW = 16;
/** Times that a span is halved although both halves of it, and of those, failed. */
const MAX_BARREN_HALVINGS = 3;
/** What the service may answer to one span and not to another. */
const ABOUT_A_SPAN: readonly ErrorCode[] = [
  'service_failed',
  'service_validation',
  'service_not_found',
  'unexpected_status',
  'unexpected_body',
  'response_too_large',
  'timed_out',
];

export interface ScanTools {
  readonly reader: PageReader;
  readonly check: Asking['check'];
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly clock: () => number;
  /** Keeps what lies side by side and is read to its end. */
  readonly commit: (group: readonly Bucket[], spool: readonly string[]) => Promise<void>;
  readonly progress: (records: number, expected: number) => void;
}

interface Tile extends Span {
  readonly beganMs: number;
}

/**
 * Reads the log of some spans and has it committed piece by piece. The spans are asked for in tiles that lie side by side
 * and reach fourteen hours beyond on both sides: whatever zone the service reads their bounds in, together they show all, and each
 * view's own date decides where it belongs. A span on which the service fails is halved, down to days: the rest is read and
 * kept, and then the failure is thrown.
 */
export async function scan(spans: readonly Span[], tools: ScanTools): Promise<void> {
  const ranges = union(spans.map(({ fromMs, toMs }) => ({ fromMs: fromMs - MARGIN_MS, toMs: toMs + MARGIN_MS })));
  for (const range of ranges) await scanRange(range, spans, tools);
}

async function scanRange(range: Span, spans: readonly Span[], { signal, ...tools }: ScanTools): Promise<void> {
  const buckets = createBuckets(tools.folder);
  const stop = new AbortController();
  const anyEnd = AbortSignal.any([signal, stop.signal]);
  // A listener a request in flight or waiting.
  setMaxListeners(0, anyEnd);
  const reading: Reading = {
    reader: tools.reader,
    check: tools.check,
    sink: buckets,
    signal: anyEnd,
    onPage: (records) => tools.progress(records, expected),
  };
  const done: Tile[] = [];
  const slots = createSlots(TILES_AT_ONCE);
  let expected = 0;
  let committedMs = tools.clock();
  const writers = createSlots(2);
  const commits: Promise<void>[] = [];
  const failed: Span[] = [];
  let failuresInARow = 0;
  let failure: { readonly error: unknown } | undefined;
  let lastError: unknown;

  /** Says of each bucket that is read to its end by now when its reading began. In the end, those beside a failure are read too. */
  function noteWhatIsRead(isLast: boolean): void {
    const whole = union(done);
    const covered = isLast ? union([...done, ...failed]) : whole;
    for (const bucket of buckets.all()) {
      const about = common(widened(bucket), range);
      if (isRead(bucket) || about === undefined || !covered.some((span) => isWithin(about, span))) continue;
      if (failed.some((span) => overlaps(span, bucket))) continue;
      if (!whole.some((span) => isWithin(about, span))) bucket.problem ??= BESIDE_A_FAILURE;
      bucket.fetchedMs = Math.min(...done.filter((tile) => overlaps(tile, about)).map(({ beganMs }) => beganMs));
    }
  }

  /** Commits what is ready while more is read; holds the reading up where that is far ahead. */
  async function commitReady(isLast: boolean): Promise<void> {
    noteWhatIsRead(isLast);
    for (const group of groupsOf(buckets.all(), isRead, isLast || tools.clock() - committedMs > COMMIT_MS)) {
      buckets.drop(group);
      committedMs = tools.clock();
      const committed = commitOne(group);
      // Told by whoever waits for it in the end.
      committed.catch(() => stop.abort());
      commits.push(committed);
    }
    if (writers.waiting > GROUPS_BEHIND) await commits[commits.length - GROUPS_BEHIND];
    if (isLast) await Promise.all(commits);
  }

  /** Two at once: one is sorted while the other is put on disk for good. */
  async function commitOne(group: readonly Bucket[]): Promise<void> {
    const spool = await buckets.spool(group);
    const leave = await writers.enter(group[0]?.fromMs ?? 0);
    try {
      await tools.commit(group, spool);
    } finally {
      leave();
    }
  }

  /** Notes a failure. Whether it is about this span alone: any other stops the rest, and is thrown when all have ended. */
  function isAboutSpan(error: unknown): boolean {
    failuresInARow += 1;
    const isAlone = error instanceof VideoHostingError && ABOUT_A_SPAN.includes(error.code) && failuresInARow < MAX_FAILURES_IN_A_ROW;
    if (!isAlone) {
      failure ??= { error };
      stop.abort();
    }
    lastError = error;
    return isAlone;
  }

  /** Reads a span, in pieces where it has to be. False where the service failed on this very span. */
  async function read(span: Span, known?: { readonly page: LogPage; readonly beganMs: number }): Promise<boolean> {
    const leave = await slots.enter(span.fromMs);
    let pieces = 0;
    try {
      const beganMs = known?.beganMs ?? tools.clock();
      const first = known?.page ?? (await firstPage(span));
      const result = await readChunk(span, first, reading);
      failuresInARow = 0;
      if (result.kind === 'read') {
        buckets.setAside(result.misfits, span);
        if (result.problem !== undefined) buckets.doubt(widened(span), result.problem);
        done.push({ ...span, beganMs });
        await commitReady(false);
      } else pieces = result.into;
    } catch (error) {
      if (isAboutSpan(error)) return false;
    } finally {
      leave();
    }
    await Promise.all(inPieces(span, pieces).map(readOrNarrow));
    return true;
  }

  async function readOrNarrow(span: Span): Promise<void> {
    if (!(await read(span))) await narrow(span);
  }

  /** Reads of a span on which the service failed what it can: the halves, newest first, and of those that fail theirs. */
  async function narrow(span: Span, barren = 0): Promise<void> {
    const halves = halvesOf(span);
    if (barren >= MAX_BARREN_HALVINGS || anyEnd.aborted) return void failed.push(span);
    const left: Span[] = [];
    for (const half of halves) if (!(await readExactly(half))) left.push(half);
    if (halves.length === 1) failed.push(...left);
    else for (const half of left) await narrow(half, left.length < halves.length ? 0 : barren + 1);
  }

  /** The service is asked for a second more than a span, which may be one that it fails on: here it is asked for no more. */
  async function readExactly({ fromMs, toMs }: Span): Promise<boolean> {
    const beganMs = tools.clock();
    const isAnswered = await read({ fromMs, toMs: toMs - SECOND_MS });
    if (isAnswered) done.push({ fromMs: toMs - SECOND_MS, toMs, beganMs });
    return isAnswered;
  }

  /** Where the whole can't be read in one: its last day tells whether the service answers at all. */
  async function readAround(error: unknown): Promise<void> {
    const lastDay = { fromMs: Math.floor((range.toMs - 1) / DAY_MS) * DAY_MS, toMs: range.toMs };
    if (!isAboutSpan(error) || !(await read(lastDay))) throw error;
    await readOrNarrow({ fromMs: range.fromMs, toMs: lastDay.fromMs });
  }

  const firstPage = async (span: Span): Promise<LogPage> => {
    const page = await reading.reader.page(span, 1, reading);
    // A first page is given or refused loudly.
    return page ?? { views: [], total: 0, pages: 0, size: 1 };
  };

  const beganMs = tools.clock();
  const first = await firstPage(range).catch((error: unknown) => ({ error }));
  expected = 'error' in first ? 0 : (first.total ?? 0);
  const perDay = expected / ((range.toMs - range.fromMs) / DAY_MS);
  buckets.cut(
    spans.flatMap((span) => common(span, range) ?? []),
    perDay > DENSE_PER_DAY ? HOUR_MS : DAY_MS,
  );
  if ('error' in first) await readAround(first.error);
  else if (!(await read(range, { page: first, beganMs }))) await narrow(range);
  // What is read to its end stays, whatever happened to the rest.
  await commitReady(true);
  if (failure !== undefined) throw failure.error;
  if (failed.length > 0) throw lastError;
}

const isRead = ({ fetchedMs }: Bucket): boolean => Number.isFinite(fetchedMs);

const widened = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs - MARGIN_MS, toMs: toMs + MARGIN_MS });

/** A span cut at the midnight (UTC) next to its middle, the newer half first; itself where there is none within. */
function halvesOf({ fromMs, toMs }: Span): Span[] {
  const middle = Math.floor((fromMs + toMs) / 2 / DAY_MS) * DAY_MS;
  const cutMs = middle > fromMs ? middle : middle + DAY_MS;
  if (cutMs >= toMs) return [{ fromMs, toMs }];
  return [
    { fromMs: cutMs, toMs },
    { fromMs, toMs: cutMs },
  ];
}

/** A span in so many pieces, side by side, with bounds at whole seconds, or days where they are longer. */
function inPieces(span: Span, count: number): Span[] {
  if (count < 2) return [];
  const width = (span.toMs - span.fromMs) / count;
  const unit = width > DAY_MS ? DAY_MS : SECOND_MS;
  const inner = Array.from({ length: count - 1 }, (_, index) => Math.floor((span.fromMs + (index + 1) * width) / unit) * unit);
  const bounds = [...new Set([span.fromMs, ...inner.filter((at) => at > span.fromMs), span.toMs])];
  return bounds.slice(1).map((toMs, index) => ({ fromMs: bounds[index] ?? toMs, toMs }));
}

/** Lets so many in at once; of those who wait, the one with the lowest rank first. */
function createSlots(count: number) {
  const waiting: { rank: number; start: () => void }[] = [];
  let free = count;
  const leave = (): void => {
    waiting.sort((a, b) => a.rank - b.rank);
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.start();
  };
  return {
    get waiting() {
      return waiting.length;
    },
    async enter(rank: number): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((start) => waiting.push({ rank, start }));
      return leave;
    },
  };
}
