import type { FieldProblem } from '../errors.ts';
import { cancelledError } from './cancel.ts';
import type { ListQuery, Page } from './list.ts';
import { endsList, firstWindow, stepBack, type Window, windowAfter } from './windows.ts';

export interface ReadOptions<Q extends ListQuery> {
  /** Filters, and a sort other than by creation. `page` and `size` are ours. */
  readonly query?: Omit<Q, 'page' | 'size'>;
  readonly signal?: AbortSignal | undefined;
  /** Told after each answer; `totalPages` is what the service says, when it does. */
  readonly onPage?: (page: number, totalPages: number | undefined) => void;
}

/** How a reading of a whole list went. */
export interface Reading {
  /** False when the list never settled, or the service says that it holds more than it gave out. */
  readonly complete: boolean;
  /** Records that could not be used. */
  readonly skipped: number;
  readonly problems: readonly FieldProblem[];
  /** What the service last said. */
  readonly totalResults: number | undefined;
}

export interface Whole<T> extends Reading {
  readonly items: readonly T[];
}

/** A list that is read in pages, and how many records to ask for at once. */
export interface ListReader<T, Q extends ListQuery> {
  readonly list: (query: Q, signal?: AbortSignal) => Promise<Page<T>>;
  readonly size: number;
}

/** Oldest first: what is created while we read comes last, where we have yet to be. */
const STABLE_SORT = 'Created:1';
/** Readings from the beginning, once windows can't be trusted. */
const MAX_PASSES = 4;
/** Requests in all: a service that never ends a list is left. */
const MAX_REQUESTS = 20_000;
const MAX_STEPS_BACK = 200;
/** Windows in a row that bring nothing new: what was added before us may fill some. */
const MAX_FRUITLESS = 5;

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
): AsyncGenerator<T, Reading> {
  const reading = createReading(reader, options);
  const trusted = yield* readWindows(reading, reader.size);
  if (trusted && reading.enough()) return reading.result(true);
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const settled = yield* readPass(reading, reader.size);
    if (settled && reading.enough()) return reading.result(true);
  }
  return reading.result(false);
}

/** The whole of a list. */
export async function readAll<T>(records: AsyncGenerator<T, Reading>): Promise<Whole<T>> {
  const items: T[] = [];
  for (;;) {
    const next = await records.next();
    if (next.done) return { ...next.value, items };
    items.push(next.value);
  }
}

interface Taken<T> {
  readonly page: Page<T>;
  /** Records in the answer, usable or not. */
  readonly length: number;
  /** Whether one of them had been seen in an answer before. */
  readonly shared: boolean;
}

/** What is known so far, and the one place that asks for pages. */
function createReading<T extends { readonly id: string }, Q extends ListQuery>(reader: ListReader<T, Q>, options: ReadOptions<Q>) {
  const given = new Set<string>();
  const seen = new Set<string>();
  const problems: FieldProblem[] = [];
  let nameless = 0;
  let requests = 0;
  let totalResults: number | undefined;

  return {
    get seenCount() {
      return seen.size;
    },
    get exhausted() {
      return requests >= MAX_REQUESTS;
    },
    async ask({ page, size }: Window): Promise<Taken<T>> {
      if (options.signal?.aborted) throw cancelledError({ outcome: 'not-done' });
      requests += 1;
      // The query with our own page, size and sort is still a query of that list.
      const answer = await reader.list({ sort: STABLE_SORT, ...options.query, page, size } as unknown as Q, options.signal);
      totalResults = answer.pager.totalResults;
      options.onPage?.(page, answer.pager.totalPages);
      return { page: answer, length: answer.ids.length, shared: answer.ids.some((id) => id !== undefined && seen.has(id)) };
    },
    /** Gives out what is new on a page. */
    *take({ ids, items, problems: found }: Page<T>): Generator<T> {
      if (ids.some((id) => id === undefined || !seen.has(id))) problems.push(...found.slice(0, 10 - problems.length));
      for (const id of ids) if (id !== undefined) seen.add(id);
      nameless = Math.max(nameless, ids.filter((id) => id === undefined).length);
      for (const item of items) {
        if (given.has(item.id)) continue;
        given.add(item.id);
        yield item;
      }
    },
    /** Whether we hold as many records as the service says there are. */
    enough: () => totalResults === undefined || seen.size + nameless >= totalResults,
    result: (complete: boolean): Reading => ({ complete, skipped: seen.size - given.size + nameless, problems, totalResults }),
  };
}

type State<T> = {
  readonly seenCount: number;
  readonly exhausted: boolean;
  ask(window: Window): Promise<Taken<T>>;
  take(page: Page<T>): Generator<T>;
};

/** Reads by overlapping windows. Returns whether the end was reached without a gap; false when the service pages otherwise. */
async function* readWindows<T>(reading: State<T>, largest: number): AsyncGenerator<T, boolean> {
  let size = largest;
  let window = firstWindow(size);
  let stepsBack = 0;
  let fruitless = 0;
  while (!reading.exhausted) {
    const { page, length, shared } = await reading.ask(window);
    if (window.page > 1 && !shared) {
      stepsBack += 1;
      if (stepsBack > MAX_STEPS_BACK) return false;
      window = stepBack(window, size);
      continue;
    }
    const before = reading.seenCount;
    yield* reading.take(page);
    if (endsList(window, length, page.pager)) return true;
    // The service's own largest page may be smaller than what we asked for.
    const capped = window.page === 1 && length > 0 && length < window.size;
    if (capped) size = length;
    else if (length !== window.size) return false;
    fruitless = reading.seenCount === before ? fruitless + 1 : 0;
    if (fruitless > MAX_FRUITLESS) return false;
    window = windowAfter((window.page - 1) * window.size + length, size);
  }
  return false;
}

/** Reads plain pages from the first to the last. Returns whether the list stood still and nothing was new. */
async function* readPass<T>(reading: State<T>, size: number): AsyncGenerator<T, boolean> {
  const before = reading.seenCount;
  const inPass = new Set<string>();
  const totals = new Set<number | undefined>();
  for (let number = 1; !reading.exhausted; number += 1) {
    const { page, length } = await reading.ask({ page: number, size });
    const had = inPass.size;
    for (const id of page.ids) if (id !== undefined) inPass.add(id);
    totals.add(page.pager.totalResults);
    yield* reading.take(page);
    const last = number >= (page.pager.totalPages ?? Number.POSITIVE_INFINITY);
    // A page that brings nothing which this pass lacks is the end, or a service that does not count pages.
    if (last || length === 0 || inPass.size === had) break;
  }
  return reading.seenCount === before && totals.size === 1;
}
