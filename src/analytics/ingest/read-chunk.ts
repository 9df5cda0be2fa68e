import type { Span } from '../contract.ts';
import { SECOND_MS } from '../spans.ts';
import { Attempt, type Misfit, type Reading } from './attempt.ts';
import type { LogPage } from './page-reader.ts';

/** A span of the log that is read in one go. */
export type ChunkResult =
  | { readonly kind: 'read'; readonly misfits: readonly Misfit[]; readonly problem: string | undefined }
  /** Too much for one go, or more than the service gives out of a span: to be read in so many pieces. */
  | { readonly kind: 'split'; readonly into: number };

/** Pages of a tile. Deep pages are slow in some services, and refused in others. */
const PAGES_PER_TILE = 10;
const PAGES_AT_ONCE = 4;
/** Readings of a tile whose pages keep shifting. */
const MAX_ATTEMPTS = 4;
/** Readings before it counts as certain that the service gives out less than it counts: totals may be guesses. */
const ATTEMPTS_TO_ACCUSE = 6;
const MAX_PIECES = 64;

/**
 * Reads every view of a span, as the service reads its bounds. Where anything moved meanwhile (a total, the place of a
 * record) it is read again, page after page, until a reading brings nothing that could have been missed.
 */
export async function readChunk(span: Span, first: LogPage, reading: Reading): Promise<ChunkResult> {
  const attempt = new Attempt(span, reading);
  attempt.begin(first);
  const canSplit = span.toMs - span.fromMs > SECOND_MS;
  if (canSplit && attempt.planned > 2 * PAGES_PER_TILE)
    return { kind: 'split', into: Math.min(MAX_PIECES, Math.ceil(attempt.planned / PAGES_PER_TILE)) };
  await attempt.finish(first, PAGES_AT_ONCE);
  const limit = limitMet(attempt);
  if (limit !== undefined && canSplit) return { kind: 'split', into: limit };
  if (limit !== undefined && attempt.records < (attempt.total ?? 0))
    return { kind: 'read', misfits: attempt.misfits, problem: 'the service gives out only part of the views of one second' };
  if (attempt.isQuiet) return { kind: 'read', misfits: attempt.misfits, problem: undefined };
  return readAgain(span, attempt, reading);
}

/** Into how many pieces to split a span of which the service doesn't give out everything; undefined where it does. */
function limitMet({ refusedAt, planned, records, total, mayBeLimited }: Attempt): number | undefined {
  if (refusedAt === undefined) return undefined;
  if (refusedAt <= planned || records < (total ?? 0)) return Math.min(MAX_PIECES, Math.ceil(planned / (refusedAt - 1)) + 1);
  // It may only know no page past the end. Pieces that have less settle it.
  return mayBeLimited ? 2 : undefined;
}

async function readAgain(span: Span, first: Attempt, reading: Reading): Promise<ChunkResult> {
  const known = { ids: new Set(first.ids), newestMs: first.newestMs };
  let isSteady = first.isSteady;
  let last = first;
  let isShort = false;
  for (let tries = 1; tries < (isShort ? ATTEMPTS_TO_ACCUSE : MAX_ATTEMPTS); tries += 1) {
    const page = await reading.reader.page(span, 1, reading);
    if (page === undefined) break;
    last = new Attempt(span, reading, known);
    // A log that grows faster than it is read has no end.
    last.begin(page, 2 * first.planned + PAGES_PER_TILE);
    await last.finish(page, 1);
    isSteady &&= last.isSteady && last.total === first.total;
    for (const id of last.ids) known.ids.add(id);
    known.newestMs = Math.max(known.newestMs, last.newestMs);
    if (last.missed > 0) continue;
    const records = known.ids.size + last.misfits.length;
    isShort = isSteady && records < (last.total ?? 0);
    if (isShort && tries < ATTEMPTS_TO_ACCUSE - 1) continue;
    const problem = isShort ? `the service counts ${last.total} views there and gave out ${records}` : undefined;
    return { kind: 'read', misfits: last.misfits, problem };
  }
  return { kind: 'read', misfits: last.misfits, problem: 'the log kept changing while it was read' };
}
