import { cancelledError, type FieldProblem, VideoHostingError } from '../errors.ts';
import { isId, type ListQuery, type Page } from './list.ts';

export interface ReadOptions<Q extends ListQuery> {
  /** Filters, and a sort other than by creation. `page` and `size` are ours. */
  readonly query?: Omit<Q, 'page' | 'size'>;
  readonly signal?: AbortSignal | undefined;
  /** Told after each answer; `totalPages` is what the service says, when it does. */
  readonly onPage?: (page: number, totalPages: number | undefined) => void;
}

/** How a reading of a whole list went. */
export interface ReadResult {
  /** False when the list never settled, or the service says that it holds more than it gave out. */
  readonly complete: boolean;
  /** Records that could not be used. */
  readonly skipped: number;
  /** Why, for the first few. */
  readonly problems: readonly FieldProblem[];
  /** What the service last said. */
  readonly totalResults: number | undefined;
}

/** A list that is read in pages, and how many records to ask for at once. */
export interface ListReader<T, Q extends ListQuery> {
  readonly list: (query: Q, signal?: AbortSignal) => Promise<Page<T>>;
  readonly size: number;
}

/** What is known of a list so far, and the one place that asks for its pages. */
export interface PagingState<T> {
  /** Records seen, usable or not. */
  readonly seenCount: number;
  /** Whether no more may be asked. */
  readonly isExhausted: boolean;
  /** Asks for a page; without a size the service's own is used. Undefined where it knows no such page. */
  ask(page: number, size?: number): Promise<Page<T> | undefined>;
  /** Whether a page shares a record with what was seen before. */
  overlaps(page: Page<T>): boolean;
  /** Gives out what is new on a page. */
  take(page: Page<T>): Generator<T>;
  /** Whether we hold as many records as the service says there are. */
  isEnough(): boolean;
  result(complete: boolean): ReadResult;
}

/** Oldest first: what is created while we read comes last, where we have yet to be. */
const STABLE_SORT = 'Created:1';
/** Requests in all: a service that never ends a list is left. */
const MAX_REQUESTS = 20_000;
const MAX_PROBLEMS = 10;

export function createPagingState<T extends { readonly id: string }, Q extends ListQuery>(
  reader: ListReader<T, Q>,
  options: ReadOptions<Q>,
): PagingState<T> {
  const given = new Set<string>();
  const seen = new Set<string>();
  const problems: FieldProblem[] = [];
  let requests = 0;
  let totalResults: number | undefined;

  return {
    get seenCount() {
      return seen.size;
    },
    get isExhausted() {
      return requests >= MAX_REQUESTS;
    },
    async ask(page, size) {
      if (options.signal?.aborted) throw cancelledError({ outcome: 'not-done' });
      requests += 1;
      // A query of that list with our own page, size and sort is still one.
      const query = { sort: STABLE_SORT, ...options.query, page, size } as unknown as Q;
      const answer = await orNoPage(page, reader.list(query, options.signal));
      totalResults = answer?.pager.totalResults ?? totalResults;
      options.onPage?.(page, answer?.pager.totalPages);
      return answer;
    },
    overlaps: ({ identities }) => identities.some((identity) => isId(identity) && seen.has(identity)),
    *take({ identities, items, problems: found }) {
      if (identities.some((identity) => !seen.has(identity))) problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
      for (const identity of identities) seen.add(identity);
      for (const item of items) {
        if (given.has(item.id)) continue;
        given.add(item.id);
        yield item;
      }
    },
    isEnough: () => totalResults === undefined || seen.size >= totalResults,
    result: (complete) => ({ complete, skipped: seen.size - given.size, problems, totalResults }),
  };
}

/** Past the end of a list that became shorter, a service may answer that there is no such page. */
async function orNoPage<T>(page: number, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isPastEnd =
      page > 1 && error instanceof VideoHostingError && (error.code === 'service_not_found' || error.code === 'service_validation');
    if (!isPastEnd) throw error;
    return undefined;
  }
}
