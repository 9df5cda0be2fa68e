import { VideoHostingError } from '../errors.ts';
import type { ListQuery, Page } from './list.ts';
import { answeredPageWindow, endsList, firstPageWindow, type PageWindow, stepBack, windowAfter } from './page-window.ts';
import { createPagingState, type ListReader, type PagingState, type ReadOptions, type ReadResult } from './paging-state.ts';

export interface Whole<T> extends ReadResult {
  readonly items: readonly T[];
}

/** Readings from the beginning, once windows can't be trusted. */
const MAX_PASSES = 4;
/** In a row, each twice as far as the one before. */
const MAX_STEPS_BACK = 12;
/** Windows in a row that bring nothing new: what was added before us, or a step back, accounts for some. */
const MAX_FRUITLESS = 30;

/**
 * Every record of a list exactly once, while the list may change. Pages are counted from the list's start, so a record
 * that goes away moves those behind it onto a page already read. Each page is therefore asked for with a size that
 * makes it overlap what was read before: as long as they share a record, nothing between them was missed, given that
 * the records keep their order. Where they share none we step back until they do. A service that does not page as
 * documented is read from the beginning until a pass brings nothing new.
 */
export async function* eachRecord<T extends { readonly id: string }, Q extends ListQuery>(
  reader: ListReader<T, Q>,
  options: ReadOptions<Q> = {},
): AsyncGenerator<T, ReadResult> {
  const notes = createPagingState(reader, options);
  const reachedEnd = yield* readWindows(notes, reader.size);
  if (reachedEnd && notes.isEnough()) return notes.result(true);
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const settled = yield* readPass(notes, reader.size);
    if (settled) return notes.result(true);
  }
  return notes.result(false);
}

/** The whole of a list. */
export async function readAll<T>(records: AsyncGenerator<T, ReadResult>): Promise<Whole<T>> {
  const items: T[] = [];
  for (;;) {
    const next = await records.next();
    if (next.done) return { ...next.value, items };
    items.push(next.value);
  }
}

/** Reads by overlapping windows. Returns whether the end was reached without a gap; false where the service pages otherwise. */
async function* readWindows<T>(notes: PagingState<T>, asked: number): AsyncGenerator<T, boolean> {
  const { page } = await askFirst(notes, asked);
  yield* notes.take(page);
  const count = page.identities.length;
  if (endsList(firstPageWindow(asked), count, page.pager)) return true;
  // The service's own largest page may be smaller than what we asked for.
  if (count === 0 || count > asked) return false;
  return yield* readOn(notes, windowAfter(count, count), count);
}

async function* readOn<T>(notes: PagingState<T>, from: PageWindow, size: number): AsyncGenerator<T, boolean> {
  let window = from;
  let stepsBack = 0;
  let fruitless = 0;
  while (!notes.isExhausted && stepsBack <= MAX_STEPS_BACK && fruitless <= MAX_FRUITLESS) {
    const page = await notes.ask(window.page, window.size);
    if (page === undefined || (window.page > 1 && !notes.overlaps(page))) {
      stepsBack += 1;
      window = stepBack(window, size, stepsBack);
      continue;
    }
    stepsBack = 0;
    const before = notes.seenCount;
    yield* notes.take(page);
    const answered = answeredPageWindow(window, page.pager);
    const length = page.identities.length;
    if (endsList(answered, length, page.pager)) return true;
    if (length !== answered.size || (page.pager.page ?? answered.page) !== answered.page) return false;
    fruitless = notes.seenCount === before ? fruitless + 1 : 0;
    window = windowAfter((answered.page - 1) * answered.size + length, size);
  }
  return false;
}

/** The first page. A service that finds our page too large is asked for its own size, and `size` is then undefined. */
async function askFirst<T>(notes: PagingState<T>, size: number): Promise<{ readonly page: Page<T>; readonly size: number | undefined }> {
  try {
    return { page: required(await notes.ask(1, size)), size };
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code !== 'service_validation') throw error;
    return { page: required(await notes.ask(1)), size: undefined };
  }
}

function required<T>(page: T | undefined): T {
  if (page === undefined) throw new VideoHostingError('internal', 'The first page of a list was taken for one past its end.');
  return page;
}

/** Reads plain pages from the first to the last. Returns whether the list stood still, was all there, and held nothing new. */
async function* readPass<T>(notes: PagingState<T>, asked: number): AsyncGenerator<T, boolean> {
  const before = notes.seenCount;
  const inPass = new Set<string>();
  const totals = new Set<number | undefined>();
  let length = 0;
  const { page: first, size } = await askFirst(notes, asked);
  for (let page: Page<T> | undefined = first, number = 1; page !== undefined; number += 1) {
    totals.add(page.pager.totalResults);
    const had = inPass.size;
    for (const identity of page.identities) inPass.add(identity);
    // A page that brings nothing which this pass lacks is the end, or comes from a service that does not count pages.
    if (inPass.size === had) break;
    length += page.identities.length;
    yield* notes.take(page);
    const isLast: boolean = number >= (page.pager.totalPages ?? Number.POSITIVE_INFINITY) || notes.isExhausted;
    page = isLast ? undefined : await notes.ask(number + 1, size);
  }
  const [total] = totals;
  return notes.seenCount === before && totals.size <= 1 && length >= (total ?? 0);
}
