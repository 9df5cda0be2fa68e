import { cleanText } from '../../service/sanitize-text.ts';

export type Columns<T> = Readonly<Record<string, (row: T) => Cell>>;

/** A header line, then one line for each row. */
function table<T>(rows: readonly T[], columns: Columns<T>): string {
  const names = Object.keys(columns);
  const lines = rows.map((row) => names.map((name) => cell(columns[name]?.(row))).join(' | '));
  return [names.join(' | '), ...lines].join('\n');
}

/** `quoted`: text that a stranger may have written. */
type Cell = string | number | boolean | undefined | null | { readonly quoted: string | undefined };

function cell(value: Cell): string {
  if (value === undefined || value === null || value === '') return '-';
  if (typeof value === 'object') return value.quoted === undefined ? '-' : JSON.stringify(value.quoted);
  return String(value);
}

/** A stranger's text in a table's cell. In a sentence it is `JSON.stringify(text)`. */
export const quoted = (text: string | undefined): { readonly quoted: string | undefined } => ({ quoted: text });

/** The same, cut: a table repeats it in every row. */
export const brief = (text: string | undefined): { readonly quoted: string | undefined } =>
  quoted(text === '' ? undefined : text && cleanText(text, MAX_BRIEF));
const MAX_BRIEF = 60;

/** An id, key, code or time of the service. It is quoted if it does not look like one. */
export function token(text: string | undefined): string | undefined {
  return text === undefined || /^[\w.:+-]{0,100}$/.test(text) ? text : JSON.stringify(text);
}

interface ListNotes {
  readonly pager?: Partial<Record<'page' | 'totalPages' | 'totalResults', number | undefined>>;
  readonly skipped?: unknown;
  readonly omitted?: unknown;
  readonly nearest?: unknown;
  readonly sorted?: unknown;
}

/** The text of a list: the total, a table, and the notes. */
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
