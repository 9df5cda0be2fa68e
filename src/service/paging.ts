import type { z } from 'zod';
import { VideoHostingError } from '../errors.ts';
import type { Http } from './http.ts';
import { type ListQuery, type Page, type Pager, pageSchema } from './list.ts';
import { createPagingState, type ListReader, type PagingState, type ReadOptions, type ReadResult } from './paging-state.ts';
import type { ApiPath, Query } from './path.ts';

export interface Whole<T> extends ReadResult {
  readonly items: readonly T[];
}

/** Passes from the beginning, when windows can't be used. */
const MAX_PASSES = 4;
/** Steps back in a row, each twice as far as the one before. */
const MAX_STEPS_BACK = 12;
/** Windows in a row that bring nothing new; insertions before our place, or a step back, cause some. */
const MAX_FRUITLESS = 30;

/**
 * Every record of a list exactly once, while the list may change. Pages are counted from the list's start, so when a record is
 * removed, those behind it move onto a page already read. Each page is therefore requested with a size that makes it overlap the
 * pages read before: as long as they share a record, nothing between them was missed, provided that the records keep their order.
 * Where they share none, we step back until they do. If the service does not page as documented, the list is read from the
 * beginning until a pass brings nothing new.
 */
export async function* eachRecord<T extends { readonly id: string }, Q extends ListQuery>(
  reader: ListReader<T, Q>,
  options: ReadOptions<Q> = {},
): AsyncGenerator<T, ReadResult> {
  const state = createPagingState(reader, options);
  const reachedEnd = yield* readWindows(state, reader.size);
  if (reachedEnd && state.isEnough()) return state.result(true);
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const isStable = yield* readPass(state, reader.size);
    if (isStable) return state.result(true);
  }
  return state.result(false);
}

/** Collects all records of a list. */
export async function readAll<T>(records: AsyncGenerator<T, ReadResult>): Promise<Whole<T>> {
  const items: T[] = [];
  for (;;) {
    const next = await records.next();
    if (next.done) return { ...next.value, items };
    items.push(next.value);
  }
}

/** The methods of a list that has pages. `name` is the field of the response that holds the records. */
export function createListMethods<T extends { readonly id: string }, Q extends ListQuery>(
  http: Http,
  { path, name, schema, size }: { readonly path: ApiPath; readonly name: string; readonly schema: z.ZodType<T>; readonly size: number },
) {
  const expect = pageSchema(name, schema);
  const list = (query?: Q, signal?: AbortSignal): Promise<Page<T>> =>
    // Every field of a query is a text or a number, which its interface can't say without an index signature.
    http.send({ method: 'GET', path, query: { ...query } as unknown as Query, retry: 'idempotent', expect, signal });
  const each = (options?: ReadOptions<Q>): AsyncGenerator<T, ReadResult> => eachRecord({ list, size }, options);
  return {
    /** One page. */
    list,
    /** Every record, once, also while records come and go; the result says whether the reading was complete. */
    each,
    /** All records at once. */
    all: (options?: ReadOptions<Q>): Promise<Whole<T>> => readAll(each(options)),
  };
}

/** Reads by overlapping windows. Returns whether the end was reached without a gap; false where the service pages otherwise. */
async function* readWindows<T>(state: PagingState<T>, asked: number): AsyncGenerator<T, boolean> {
  const { page } = await askFirst(state, asked);
  yield* state.take(page);
  const count = page.identities.length;
  if (endsList(firstPageWindow(asked), count, page.pager)) return true;
  // The service's largest page may be smaller than the size that we asked for.
  if (count === 0 || count > asked) return false;
  return yield* readFrom(state, windowAfter(count, count), count);
}

async function* readFrom<T>(state: PagingState<T>, from: PageWindow, size: number): AsyncGenerator<T, boolean> {
  let window = from;
  let stepsBack = 0;
  let fruitless = 0;
  while (!state.isExhausted && stepsBack <= MAX_STEPS_BACK && fruitless <= MAX_FRUITLESS) {
    const page = await state.ask(window.page, window.size);
    if (page === undefined || (window.page > 1 && !state.overlaps(page))) {
      stepsBack += 1;
      window = stepBack(window, size, stepsBack);
      continue;
    }
    stepsBack = 0;
    const before = state.seenCount;
    yield* state.take(page);
    const answered = answeredPageWindow(window, page.pager);
    const length = page.identities.length;
    if (endsList(answered, length, page.pager)) return true;
    if (length !== answered.size || (page.pager.page ?? answered.page) !== answered.page) return false;
    fruitless = state.seenCount === before ? fruitless + 1 : 0;
    window = windowAfter((answered.page - 1) * answered.size + length, size);
  }
  return false;
}

/** The first page. If the service refuses our size, its default is used, and `size` is undefined. */
async function askFirst<T>(state: PagingState<T>, size: number): Promise<{ readonly page: Page<T>; readonly size: number | undefined }> {
  try {
    return { page: required(await state.ask(1, size)), size };
  } catch (error) {
    if (!(error instanceof VideoHostingError) || error.code !== 'service_validation') throw error;
    return { page: required(await state.ask(1)), size: undefined };
  }
}

function required<T>(page: T | undefined): T {
  if (page === undefined) throw new VideoHostingError('internal', 'The first page of a list was taken for one past its end.');
  return page;
}

/** Reads pages without overlap, first to last. Returns whether the list was complete and unchanged, and brought nothing new. */
async function* readPass<T>(state: PagingState<T>, asked: number): AsyncGenerator<T, boolean> {
  const before = state.seenCount;
  const inPass = new Set<string>();
  const totals = new Set<number | undefined>();
  let length = 0;
  const { page: first, size } = await askFirst(state, asked);
  for (let page: Page<T> | undefined = first, number = 1; page !== undefined; number += 1) {
    totals.add(page.pager.totalResults);
    const had = inPass.size;
    for (const identity of page.identities) inPass.add(identity);
    // A page without anything new for this pass is past the end, or the service ignores the page number.
    if (inPass.size === had) break;
    length += page.identities.length;
    yield* state.take(page);
    const isLast: boolean = number >= (page.pager.totalPages ?? Number.POSITIVE_INFINITY) || state.isExhausted;
    page = isLast ? undefined : await state.ask(number + 1, size);
  }
  const [total] = totals;
  return state.seenCount === before && totals.size <= 1 && length >= (total ?? 0);
}

/** A page of a chosen size: records `(page - 1) * size` to `page * size`. */
interface PageWindow {
  readonly page: number;
  readonly size: number;
}

function firstPageWindow(size: number): PageWindow {
  return { page: 1, size };
}

/** The window that holds the record before `offset` and reaches furthest beyond it. `largest` is the largest size allowed. */
function windowAfter(offset: number, largest: number): PageWindow {
  let best = firstPageWindow(largest);
  for (let size = largest; size > largest / 2; size -= 1) {
    const page = Math.floor(Math.max(0, offset - 1) / size) + 1;
    if (page * size > best.page * best.size) best = { page, size };
  }
  return best;
}

/** An earlier window, for one that shares no record with the pages read. `times` counts such steps in a row: each goes further. */
function stepBack(window: PageWindow, largest: number, times: number): PageWindow {
  const offset = (window.page - 1) * window.size - largest * 2 ** (times - 1) + 1;
  return offset <= 0 ? firstPageWindow(largest) : windowAfter(offset, largest);
}

/** The window that was answered: past the end, some services send their last page instead, and their pager says so. */
function answeredPageWindow(asked: PageWindow, pager: Pager): PageWindow {
  const { page, totalPages } = pager;
  const isLast = page !== undefined && page === totalPages && page >= 1 && page < asked.page;
  return isLast ? { ...asked, page } : asked;
}

/** Whether a window reaches the end of its list, by its pager. False where the totals contradict each other. */
function endsList(window: PageWindow, length: number, pager: Pager): boolean {
  const { totalPages, totalResults } = pager;
  if (totalPages === undefined && totalResults === undefined) return length === 0 || (window.page > 1 && length < window.size);
  const reached = (window.page - 1) * window.size + length;
  return window.page >= (totalPages ?? 0) && reached >= (totalResults ?? 0);
}
