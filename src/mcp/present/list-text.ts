import { type Columns, table } from './table.ts';

interface ListNotes {
  readonly pager?: {
    readonly page?: number | undefined;
    readonly totalPages?: number | undefined;
    readonly totalResults?: number | undefined;
  };
  readonly skipped?: unknown;
  readonly omitted?: unknown;
  readonly nearest?: unknown;
  readonly sorted?: unknown;
}

/** A list as a model reads it: how many there are, a line each, and what is not shown. */
export function listText<T>(
  what: string,
  { pager, skipped, omitted, nearest, sorted }: ListNotes,
  rows: readonly T[],
  columns: Columns<T>,
): string {
  const page = pager === undefined ? '' : `, page ${pager.page ?? '?'} of ${pager.totalPages ?? '?'}`;
  const total = pager === undefined ? rows.length : (pager.totalResults ?? `${rows.length} of an unknown number of`);
  const notes = [nearest, sorted, skipped, omitted].filter((note) => typeof note === 'string');
  const things = total === 1 ? what.replace(/s$/, '') : what;
  return [`${total} ${things}${page}.`, ...(rows.length === 0 ? [] : [table(rows, columns)]), ...notes].join('\n');
}
