import { cancelledError, type FieldProblem, VideoHostingError } from '../errors.ts';
import { isId, type ListQuery, type Page } from './list.ts';

export interface ReadOptions<Q extends ListQuery> {
  /** Filters, and a sort other than by creation. `page` and `size` are ours. */
  readonly query?: Omit<Q, 'page' | 'size'>;
  readonly signal?: AbortSignal | undefined;
  /** Told after each answer; `totalPages` is what the service says, when it does. */
  readonly onPage?: (page: number, totalPages: number | undefined) => void;
}

/** The result of reading a whole list. */
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

/** A list that is read in pages, and how many records to ask for at once. */
export interface ListReader<T, Q extends ListQuery> {
  readonly list: (query: Q, signal?: AbortSignal) => Promise<Page<T>>;
  readonly size: number;
}

/** Requests the pages of a list, and keeps what was seen of it. */
export interface PagingState<T> {
  /** Records seen, usable or not. */
  readonly seenCount: number;
  /** Whether the limit of requests is reached. */
  readonly isExhausted: boolean;
  /** Requests a page, by default with the service's own size. Undefined where there is no such page. */
  ask(page: number, size?: number): Promise<Page<T> | undefined>;
  /** Whether a page shares a record with what was seen before. */
  overlaps(page: Page<T>): boolean;
  /** Yields the new records of a page. */
  take(page: Page<T>): Generator<T>;
  /** Whether at least as many records were seen as the service counts. */
  isEnough(): boolean;
  result(complete: boolean): ReadResult;
}

/** Oldest first: records that are created while we read come last, where they are still read. */
const STABLE_SORT = 'Created:1';
/** Requests in all, in case a list never ends. */
const MAX_REQUESTS = 20_000;
const MAX_PROBLEMS = 10;

export function createPagingState<T extends { readonly id: string }, Q extends ListQuery>(
  reader: ListReader<T, Q>,
  options: ReadOptions<Q>,
): PagingState<T> {
  const yielded = new Set<string>();
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
        if (yielded.has(item.id)) continue;
        yielded.add(item.id);
        yield item;
      }
    },
    isEnough: () => totalResults === undefined || seen.size >= totalResults,
    result: (complete) => ({ complete, skipped: seen.size - yielded.size, problems, totalResults }),
  };
}

/** Past the end of a list that became shorter, a service may refuse the page. */
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
