import { SECOND_MS } from '../../platform/time-units.ts';
import type { Span } from '../contract.ts';
import type { Doubt } from '../storage/segments.ts';
import type { MalformedRecord } from './buckets.ts';
import type { LogPage } from './page-reader.ts';
import { type Reading, ReadPass } from './read-pass.ts';

/** A chunk that was read, or that must be split because it is too long or the service doesn't return all of it. */
export type ChunkResult =
  | {
      readonly kind: 'read';
      readonly malformed: readonly MalformedRecord[];
      readonly outside: number;
      readonly earliestMs: number;
      readonly doubt: Doubt | undefined;
    }
  | { readonly kind: 'split'; readonly pieces: number };

const PAGES_PER_CHUNK = 10;
const CONCURRENT_PAGES = 4;
const MAX_PASSES = 4;
/** Passes before the service is reported to return fewer views than it counts: totals may be estimates. */
const MAX_PASSES_WHEN_SHORT = 6;
const MAX_PIECES = 64;

/**
 * Reads every view of a span, as the service interprets its bounds. If anything changed meanwhile (a total, the position of a
 * record), it is read again, page after page, until a pass finds nothing that another could have missed.
 */
export async function readChunk(span: Span, first: LogPage, reading: Reading): Promise<ChunkResult> {
  const pass = new ReadPass(span, reading);
  pass.begin(first);
  const canSplit = span.toMs - span.fromMs > SECOND_MS;
  if (canSplit && pass.plannedPages > 2 * PAGES_PER_CHUNK)
    return { kind: 'split', pieces: Math.min(MAX_PIECES, Math.ceil(pass.plannedPages / PAGES_PER_CHUNK)) };
  await pass.finish(first, CONCURRENT_PAGES);
  const pieces = piecesForLimit(pass);
  if (pieces !== undefined && canSplit) return { kind: 'split', pieces };
  if (pass.refusedPage !== undefined && pieces !== undefined && pass.records < (pass.total ?? 0))
    return readOf(pass, { kind: 'part_of_second' });
  if (pass.isComplete && !(await hasRolled(span, first, pass, reading))) return readOf(pass, undefined);
  return readAgain(span, pass, reading);
}

/**
 * Whether the pages shifted under a total that stayed: a log that keeps so many views loses its oldest with each new one. Only a
 * span that reaches to the present gets new ones.
 */
async function hasRolled(span: Span, first: LogPage, { plannedPages }: ReadPass, reading: Reading): Promise<boolean> {
  if (plannedPages === 1 || first.requestedMs >= span.toMs) return false;
  const again = await reading.reader.page(span, 1, reading);
  return identityOf(first) !== identityOf(again);
}

/** Of the first view of a page. */
function identityOf(page: LogPage | undefined): string | undefined {
  const view = page?.views.find((record) => 'line' in record);
  return view && `${view.timeMs} ${view.id}`;
}

const readOf = ({ malformed, outside, earliestMs }: ReadPass, doubt: Doubt | undefined): ChunkResult => ({
  kind: 'read',
  malformed,
  outside,
  earliestMs,
  doubt,
});

/** The number of pieces to split a span into if the service doesn't return all of it; undefined if it does, as far as is seen. */
function piecesForLimit(pass: ReadPass): number | undefined {
  const { refusedPage, idlePage, plannedPages, records, total, mayBeLimited } = pass;
  if (refusedPage === undefined) {
    // Pages beyond a depth are empty, or the last one again. After a single page, the total is rather a wrong one.
    if (idlePage !== undefined && idlePage > 2 && records < (total ?? 0)) return Math.ceil(plannedPages / (idlePage - 1)) + 1;
    // The halves show whether there are more.
    return pass.looksLimited ? 2 : undefined;
  }
  if (refusedPage <= plannedPages || records < (total ?? 0)) return Math.min(MAX_PIECES, Math.ceil(plannedPages / (refusedPage - 1)) + 1);
  // The service may refuse only pages past the end. Smaller pieces show whether it does.
  return mayBeLimited ? 2 : undefined;
}

async function readAgain(span: Span, first: ReadPass, reading: Reading): Promise<ChunkResult> {
  const known = { ids: new Set(first.ids), newestMs: first.newestMs };
  let isSteady = first.isSteady;
  let last = first;
  let isShort = false;
  for (let tries = 1; tries < (isShort ? MAX_PASSES_WHEN_SHORT : MAX_PASSES); tries += 1) {
    const page = await reading.reader.page(span, 1, reading);
    if (page === undefined) break;
    last = new ReadPass(span, reading, known);
    // A log that grows faster than it is read never ends.
    last.begin(page, 2 * first.plannedPages + PAGES_PER_CHUNK);
    await last.finish(page, 1);
    isSteady &&= last.isSteady && last.total === first.total;
    for (const id of last.ids) known.ids.add(id);
    known.newestMs = Math.max(known.newestMs, last.newestMs);
    if (last.missed > 0) continue;
    const records = known.ids.size + last.malformed.length;
    isShort = isSteady && records < (last.total ?? 0);
    if (isShort && tries < MAX_PASSES_WHEN_SHORT - 1) continue;
    return readOf(last, isShort ? { kind: 'short', counted: last.total ?? 0, returned: records } : undefined);
  }
  return readOf(last, { kind: 'kept_changing' });
}
