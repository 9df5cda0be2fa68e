import type { z } from 'zod';
import { cancelledError, type FieldProblem, VideoHostingError } from '../errors.ts';
import type { Http } from './http.ts';
import { type ListQuery, pageSchema, type RecordPage } from './list.ts';
import type { ApiPath, Query } from './path.ts';

export interface ReadOptions<Q extends ListQuery> {
  /** Filters, and a sort other than by creation. `page` and `size` are ours. */
  readonly query?: Omit<Q, 'page' | 'size'> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each response; `totalPages` is undefined where the service does not send it. */
  readonly onPage?: (page: number, totalPages: number | undefined) => void;
}

export interface ReadResult {
  /** False when the list kept changing, or the service counts more records than it sent. */
  readonly complete: boolean;
  /** Records that could not be used. */
  readonly skipped: number;
  /** Why, for the first few. */
  readonly problems: readonly FieldProblem[];
  /** The service's last count. */
  readonly totalResults: number | undefined;
}

export interface Whole<T> extends ReadResult {
  readonly items: readonly T[];
}

/** A list that is read in pages, and how many records to ask for at once. */
export interface ListReader<T, Q extends ListQuery> {
  readonly list: (query: Q, signal?: AbortSignal) => Promise<RecordPage<T>>;
  readonly size: number;
}

/** Oldest first: records that are created while we read come last, where they are still read. */
const STABLE_SORT = 'Created:1';
const MAX_PASSES = 4;
const MAX_PROBLEMS = 10;

/**
 * Every record of a list, each once. A record that is removed meanwhile moves those behind it onto a page already read, so the
 * list is read again from the beginning until its total did not change during a pass.
 */
export async function* eachRecord<T extends { readonly id: string }, Q extends ListQuery>(
  reader: ListReader<T, Q>,
  options: ReadOptions<Q> = {},
): AsyncGenerator<T, ReadResult> {
  const seen = new Set<string>();
  const yielded = new Set<string>();
  const problems: FieldProblem[] = [];
  let totalResults: number | undefined;

  function* take({ identities, items, problems: found }: RecordPage<T>): Generator<T> {
    if (identities.some((identity) => !seen.has(identity))) problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
    for (const identity of identities) seen.add(identity);
    for (const item of items) {
      if (yielded.has(item.id)) continue;
      yielded.add(item.id);
      yield item;
    }
  }

  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const before = seen.size;
    const inPass = new Set<string>();
    const totals = new Set<number>();
    for await (const page of eachPage(reader, options)) {
      totalResults = page.pager.totalResults ?? totalResults;
      if (page.pager.totalResults !== undefined) totals.add(page.pager.totalResults);
      const had = inPass.size;
      for (const identity of page.identities) inPass.add(identity);
      // A page without anything new is past the end, or the service ignores the page number.
      if (inPass.size === had) break;
      yield* take(page);
    }
    const [total] = totals;
    const isWhole = total === undefined ? seen.size === before : totals.size === 1 && inPass.size >= total;
    if (isWhole) return { complete: true, skipped: seen.size - yielded.size, problems, totalResults };
  }
  return { complete: false, skipped: seen.size - yielded.size, problems, totalResults };
}

/** The pages of a list, up to the last one that the service counts. If it refuses our size, its default is used. */
async function* eachPage<T, Q extends ListQuery>({ list, size }: ListReader<T, Q>, options: ReadOptions<Q>): AsyncGenerator<RecordPage<T>> {
  let asked: number | undefined = size;
  const ask = (page: number): Promise<RecordPage<T>> => {
    if (options.signal?.aborted) throw cancelledError({ outcome: 'not-done' });
    // A query of that list with our own page, size and sort is still one.
    return list({ sort: STABLE_SORT, ...options.query, page, size: asked } as unknown as Q, options.signal);
  };
  for (let number = 1, last = 1; number <= last; number += 1) {
    let page: RecordPage<T>;
    try {
      page = await ask(number);
    } catch (error) {
      const isRefused = error instanceof VideoHostingError && /^service_(not_found|validation)$/.test(error.code);
      // Past the end of a list that became shorter, a service may refuse the page.
      if (isRefused && number > 1) return;
      if (!isRefused || error.code !== 'service_validation') throw error;
      asked = undefined;
      page = await ask(number);
    }
    last = page.pager.totalPages ?? number + 1;
    options.onPage?.(number, page.pager.totalPages);
    yield page;
  }
}

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
  const list = (query?: Q, signal?: AbortSignal): Promise<RecordPage<T>> =>
    // Every field of a query is a text or a number, which its interface can't say without an index signature.
    http.send({ method: 'GET', path, query: { ...query } as unknown as Query, retry: 'idempotent', expect, signal });
  return {
    list,
    /** Every record, once, also while records come and go; the result says whether the reading was complete. */
    all: (options?: ReadOptions<Q>): Promise<Whole<T>> => readAll(eachRecord({ list, size }, options)),
  };
}
