import type { VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { Catalogue } from './catalogue.ts';
import { createFormatCheck } from './id-format.ts';
import { fileRefused } from './named-files.ts';

export type Row = readonly string[];

export interface Column {
  readonly index: number;
  /** Undefined where the first row holds an id. */
  readonly header: string | undefined;
  /** How many columns the file has. */
  readonly columns: number;
}

const ID_NAME = /^(video[\s_-]*)?ids?$/i;
const KEY_NAME = /^(video[\s_-]*)?keys?$/i;
const SAMPLED_ROWS = 200;
const MAX_SHOWN_COLUMNS = 20;

/** The index of the column or field that is named after ids, else after keys, else -1. */
export function indexOfIdName(names: readonly string[]): number {
  const ids = names.findIndex((name) => ID_NAME.test(name.trim()));
  return ids >= 0 ? ids : names.findIndex((name) => KEY_NAME.test(name.trim()));
}

export const shownName = (name: string): string => JSON.stringify(cleanText(name, 60));

/** Hands on the values of a table's column of ids, which its first rows tell. Throws `file_refused` where they don't. */
export function createColumnReader(fileName: string, add: (value: string) => void, catalogue: Catalogue | undefined) {
  let sample: Row[] = [];
  let column: Column | undefined;
  const decide = (): Column => {
    const rows = sample;
    sample = [];
    const found = columnOf(rows.filter(isFilled), fileName, catalogue);
    column = found;
    const from = found.header === undefined ? 0 : rows.findIndex(isFilled) + 1;
    for (const row of rows.slice(from)) add(unescaped(row[found.index] ?? ''));
    return found;
  };
  return {
    add(row: Row): void {
      if (column !== undefined) add(unescaped(row[column.index] ?? ''));
      else if (sample.push(row) >= SAMPLED_ROWS) decide();
    },
    end: (): Column => column ?? decide(),
  };
}

const isFilled = (row: Row): boolean => row.some((cell) => cell.trim() !== '');

/** Without the quote that escapes a formula, as in our own files of outcomes. */
const unescaped = (cell: string): string => cell.replace(/^'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/, '');

/** The column that is named after ids, else the only one, else the one whose values the catalogue has. */
function columnOf(rows: readonly Row[], fileName: string, catalogue: Catalogue | undefined): Column {
  const [head = []] = rows;
  const columns = head.length;
  const named = indexOfIdName(head);
  if (named >= 0) return { index: named, header: head[named], columns };
  const isKnown = (row: Row | undefined, index: number) => isInCatalogue(unescaped(row?.[index]?.trim() ?? ''), catalogue);
  const known = head.map((_, index) => rows.filter((row) => isKnown(row, index)).length);
  const most = Math.max(0, ...known);
  const isEnough = most > 0 && most * 2 >= rows.length - 1;
  if (columns > 1 && !isEnough) throw noIdColumn(fileName, head);
  const index = columns > 1 ? known.indexOf(most) : 0;
  const values = rows.map((row) => row[index]?.trim() ?? '');
  const isHeader = !isKnown(head, index) && (looksLikeHeader(values) || (isEnough && !looksLikeReference(values[0] ?? '', catalogue)));
  return { index, header: isHeader ? head[index] : undefined, columns };
}

function noIdColumn(fileName: string, head: Row): VideoHostingError {
  const names = head.slice(0, MAX_SHOWN_COLUMNS).map(shownName).join(', ');
  const more = head.length > MAX_SHOWN_COLUMNS ? ` and ${head.length - MAX_SHOWN_COLUMNS} more` : '';
  return fileRefused(
    fileName,
    `It has ${head.length} columns, of which none is known to hold ids: ${names}${more}.`,
    'Name the column of ids "id" (or that of keys "key") in the first line, or leave that column alone in the file.',
  );
}

const isInCatalogue = (text: string, catalogue: Catalogue | undefined): boolean =>
  catalogue !== undefined &&
  (catalogue.byId(text) !== undefined || catalogue.byKey(text) !== undefined || catalogue.byTitle(text).length > 0);

/** Whether it may be an id or a key that the catalogue does not have yet. */
function looksLikeReference(text: string, catalogue: Catalogue | undefined): boolean {
  return (['id', 'key'] as const).some((wanted) => createFormatCheck(catalogue?.entries() ?? [], wanted)?.(text) === true);
}

/** Whether the first value is a word without a digit, above values that all have digits or are all of another length. */
function looksLikeHeader([first = '', ...others]: readonly string[]): boolean {
  if (others.length === 0 || !/^[\p{L}\s_.-]+$/u.test(first)) return false;
  if (others.every((value) => /\d/.test(value))) return true;
  const [length] = others.map((value) => value.length);
  return others.length > 1 && first.length !== length && others.every((value) => value.length === length);
}
