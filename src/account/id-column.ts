import type { VideoHostingError } from '../errors.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { unescapeFormulas } from '../text/spreadsheet-cell.ts';
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
  /** The index of the column that groups the rows. */
  readonly group?: number;
  /** The index of the column `fromProject`. */
  readonly fromProject?: number;
  /** The index of the column `outcome`. */
  readonly outcome?: number;
}

/** What a file's values are for, and by which column its rows belong together. */
export interface ListFormat {
  /** The column that is preferred where a file has both. */
  readonly wanted: 'id' | 'key';
  /** The names of the column that groups the rows: the channel of each video. */
  readonly group?: RegExp;
  /** Whether a column `fromProject` tells the project of each video. */
  readonly hasProjects?: boolean;
  /** Rows with this text in a column `outcome` are left out: that column is in our own files of outcomes. */
  readonly leftOut?: string;
  /** The column or field of the values, where the caller names it. */
  readonly column?: string | undefined;
  /** The argument in which the caller can name it. */
  readonly columnArgument?: string;
}

/** What stands beside a value. */
export interface Beside {
  /** The line of a file, or the entry of a JSON array, counted from 1. */
  readonly place: number;
  readonly group?: string | undefined;
  readonly fromProject?: string | undefined;
  readonly outcome?: string | undefined;
  /** Whether the value is blank, and other cells or fields are not. */
  readonly isIncomplete?: boolean;
}

/** Receives the values of a file in its order. A group may come without a value. */
export type AddValue = (value: string | undefined, beside: Beside) => void;

/** The names of the columns and JSON fields that a format knows besides the values. */
export function besideNames({ group, hasProjects, leftOut }: ListFormat) {
  return {
    group,
    fromProject: hasProjects === true ? FROM_PROJECT : undefined,
    outcome: leftOut === undefined ? undefined : OUTCOME,
  };
}

const FROM_PROJECT = /^from[\s_-]*project([\s_-]*(id|key|name))?$/i;
const OUTCOME = /^outcome$/i;

const NAMES = { id: /^(video[\s_-]*)?ids?$/i, key: /^(video[\s_-]*)?keys?$/i } as const;
const SAMPLED_ROWS = 200;
const MAX_SHOWN_COLUMNS = 20;

/** The index of the column or field that the caller names, else the one named after what is wanted, else after the other of ids and keys, else -1. */
export function indexOfIdName(names: readonly string[], { wanted, column }: Pick<ListFormat, 'wanted' | 'column'>): number {
  if (column !== undefined) return names.findIndex((name) => normalise(name) === normalise(column));
  const indexOf = (kind: 'id' | 'key') => names.findIndex((name) => NAMES[kind].test(name.trim()));
  const found = indexOf(wanted);
  return found >= 0 ? found : indexOf(wanted === 'id' ? 'key' : 'id');
}

/** Throws `file_refused` where several columns or fields may be the one that `indexOfIdName` found: the first is not guessed. */
export function assertOnlyIdName(names: readonly string[], found: string, fileName: string, format: ListFormat): void {
  const kind = format.column === undefined ? Object.values(NAMES).find((name) => name.test(found.trim())) : undefined;
  const same = names.filter((name) => (kind === undefined ? normalise(name) === normalise(found) : kind.test(name.trim())));
  if (same.length < 2) return;
  throw fileRefused(
    fileName,
    `${same.length} of its columns may name the videos: ${same.map(shownName).join(', ')}.`,
    `Ask the user which of them does, and rename or remove the other${format.columnArgument === undefined ? '' : `, or give its name as ${format.columnArgument}`}.`,
  );
}

const normalise = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Throws `file_refused` for a column of ids where keys are wanted, and no catalogue can translate them. */
export function assertTranslatable(name: string, wanted: 'id' | 'key', fileName: string, catalogue: Catalogue | undefined): void {
  if (wanted === 'id' || catalogue !== undefined || !NAMES.id.test(name.trim())) return;
  throw fileRefused(
    fileName,
    `It names ids (${shownName(name)}), and a channel holds keys. Only a video catalogue could translate them.`,
    'Use a file with a column "key", or set VIDEO_HOSTING_VIDEO_CATALOGUE.',
  );
}

export const shownName = (name: string): string => JSON.stringify(cleanText(name, 60));

/** Hands on the values of a table's column of ids, which its first rows tell. Throws `file_refused` where they don't. */
export function createColumnReader(fileName: string, add: AddValue, catalogue: Catalogue | undefined, format: ListFormat) {
  let sample: Row[] = [];
  let places: number[] = [];
  let column: Found | undefined;
  const addFrom = ({ index, width, group, fromProject, outcome }: Found, row: Row, place: number): void => {
    if (row.length > width && isFilled(row.slice(width))) throw tooManyCells(fileName, place, row.findLastIndex(isFilledCell) + 1, width);
    const cell = (at: number | undefined) => (at === undefined ? undefined : unescapeFormulas(row[at] ?? ''));
    const isBlank = !isFilledCell(row[index] ?? '');
    const isIncomplete = isBlank && row.some((other, at) => isFilledCell(other) && ![group, fromProject, outcome].includes(at));
    add(cell(index), { place, group: cell(group), fromProject: cell(fromProject), outcome: cell(outcome), isIncomplete });
  };
  const decide = (): Found => {
    const [rows, lines] = [sample, places];
    [sample, places] = [[], []];
    const filled = rows.filter(isFilled);
    const read = columnOf(filled, fileName, catalogue, format);
    // A spreadsheet gives the first line an empty cell for each that a longer line has more.
    const named = (filled[0] ?? []).findLastIndex(isFilledCell) + 1;
    const width = read.header === undefined ? read.columns : Math.max(named, read.index + 1);
    const found = { ...read, width };
    column = found;
    const from = found.header === undefined ? 0 : rows.findIndex(isFilled) + 1;
    for (const [index, row] of rows.entries()) if (index >= from) addFrom(found, row, lines[index] ?? 0);
    return found;
  };
  return {
    /** `place` is the line of the row. */
    add(row: Row, place: number): void {
      if (column !== undefined) {
        addFrom(column, row, place);
        return;
      }
      places.push(place);
      if (sample.push(row) >= SAMPLED_ROWS) decide();
    },
    end: (): Column => column ?? decide(),
  };
}

interface Found extends Column {
  /** How many cells a line may have that are not blank. */
  readonly width: number;
}

const isFilledCell = (cell: string): boolean => cell.trim() !== '';
const isFilled = (row: Row): boolean => row.some(isFilledCell);

/** The indexes of the columns besides the values. */
function besideIndexes(head: Row, format: ListFormat): Partial<Record<'group' | 'fromProject' | 'outcome', number>> {
  const found = Object.entries(besideNames(format)).map(
    ([what, name]) => [what, head.findIndex((cell) => name?.test(cell.trim()))] as const,
  );
  return Object.fromEntries(found.filter(([, index]) => index >= 0));
}

/** The column that is named after ids or keys, else the only one, else the one whose values the catalogue has. */
function columnOf(rows: readonly Row[], fileName: string, catalogue: Catalogue | undefined, format: ListFormat): Column {
  const [head = []] = rows;
  const columns = head.length;
  const others = besideIndexes(head, format);
  const grouping = others.group ?? -1;
  const named = indexOfIdName(head, format);
  if (named >= 0) {
    const header = head[named] ?? '';
    assertOnlyIdName(head, header, fileName, format);
    assertTranslatable(header, format.wanted, fileName, catalogue);
    return { index: named, header, columns, ...others };
  }
  if (format.column !== undefined) throw noIdColumn(fileName, head, format);
  const isKnown = (row: Row | undefined, index: number) => isInCatalogue(unescapeFormulas(row?.[index]?.trim() ?? ''), catalogue);
  const known = head.map((_, index) => (index === grouping ? 0 : rows.filter((row) => isKnown(row, index)).length));
  const most = Math.max(0, ...known);
  const isEnough = most > 0 && most * 2 >= rows.length - 1;
  if ((columns > 1 || grouping >= 0) && !isEnough) throw noIdColumn(fileName, head, format);
  const index = columns > 1 ? known.indexOf(most) : 0;
  const rival = known.findIndex(
    (count, other) => other !== index && count > 0 && count * 2 >= rows.length - 1 && areOthers(rows, index, other, catalogue),
  );
  if (columns > 1 && rival >= 0) throw severalColumns(fileName, [index, rival], format);
  const [first = '', ...below] = rows.map((row) => unescapeFormulas(row[index]?.trim() ?? ''));
  const values = below.filter((value) => value !== '');
  const isTitled = values.some((value) => (catalogue?.byTitle(value).length ?? 0) > 0);
  const isUnknown = isEnough && !looksLikeReference(first, catalogue);
  const isHeader =
    Object.keys(others).length > 0 ||
    // A title that is mistyped is in no catalogue either.
    (!isKnown(head, index) &&
      values.length > 0 &&
      (HEADER.test(first) || (columns > 1 && isUnknown && (!isTitled || isAboveNumbers(rows, index)))));
  if (!isHeader && !isKnown(head, index) && values.length > 0 && (isUnknown || isUnlike(first, values)))
    throw undecided(fileName, first, format);
  return { index, header: isHeader ? head[index] : undefined, columns, ...others };
}

/** The first line of a list of videos where it is no video. Ids and keys have names of their own. */
const HEADER = /^(video[\s_-]*)?(titles?|names?)$|^videos?$/i;

/** A list that lacks its first video would take it out of a channel, so the first line is never guessed to be a header. */
function undecided(fileName: string, first: string, { wanted, columnArgument }: ListFormat): VideoHostingError {
  const named = columnArgument === undefined ? '' : `, or give it as ${columnArgument}`;
  return fileRefused(
    fileName,
    `Its first line, ${shownName(first)}, is unlike the lines below it: it may be a video, or the name of the column.`,
    `Ask the user which it is. If it is a video, put a line "${wanted}" above it and correct it where it is mistyped; if it is the name, change it to "${wanted}"${named}.`,
  );
}

function tooManyCells(fileName: string, place: number, cells: number, columns: number): VideoHostingError {
  return fileRefused(
    fileName,
    `Line ${place} has ${cells} cells, and the first line has ${columns}.`,
    'Put a cell that holds the separator into quotes, or remove the other columns.',
  );
}

function noIdColumn(fileName: string, head: Row, { column, columnArgument }: ListFormat): VideoHostingError {
  const names = head.slice(0, MAX_SHOWN_COLUMNS).map(shownName).join(', ');
  const more = head.length > MAX_SHOWN_COLUMNS ? ` and ${head.length - MAX_SHOWN_COLUMNS} more` : '';
  const none = column === undefined ? 'none is known to hold ids, keys or titles' : `none is called ${shownName(column)}`;
  return fileRefused(
    fileName,
    `It has ${head.length} column${head.length === 1 ? '' : 's'}, of which ${none}: ${names}${more}.`,
    columnArgument === undefined
      ? 'Name the column of ids "id" (or that of keys "key") in the first line, or remove the other columns.'
      : `Ask the user which of them names the videos, and give its name as ${columnArgument}.`,
  );
}

function severalColumns(fileName: string, indexes: readonly number[], { columnArgument }: ListFormat): VideoHostingError {
  const [one = 0, other = 0] = indexes.toSorted((a, b) => a - b);
  return fileRefused(
    fileName,
    `Its columns ${one + 1} and ${other + 1} both name videos, and not the same ones.`,
    `Write one video a line, or ask the user which column is meant and name it "id" or "key"${columnArgument === undefined ? '' : `, or give its name as ${columnArgument}`}.`,
  );
}

/** Whether two columns name different videos of the catalogue in a row. */
function areOthers(rows: readonly Row[], index: number, other: number, catalogue: Catalogue | undefined): boolean {
  const videosAt = (row: Row, at: number) => {
    const text = unescapeFormulas(row[at]?.trim() ?? '');
    return [catalogue?.byId(text), catalogue?.byKey(text), ...(catalogue?.byTitle(text) ?? [])].filter((video) => video !== undefined);
  };
  return rows.some((row) => {
    const [videos, others] = [videosAt(row, index), videosAt(row, other)];
    return videos.length > 0 && others.length > 0 && !others.some((video) => videos.includes(video));
  });
}

const isInCatalogue = (text: string, catalogue: Catalogue | undefined): boolean =>
  catalogue !== undefined &&
  (catalogue.byId(text) !== undefined || catalogue.byKey(text) !== undefined || catalogue.byTitle(text).length > 0);

/** Whether it may be an id or a key that the catalogue does not have yet. */
function looksLikeReference(text: string, catalogue: Catalogue | undefined): boolean {
  return (['id', 'key'] as const).some((wanted) => createFormatCheck(catalogue?.entries() ?? [], wanted)?.(text) === true);
}

/** Whether the first row has a word above numbers or dates, in a column beside the values. */
function isAboveNumbers([head = [], ...below]: readonly Row[], index: number): boolean {
  return head.some((cell, other) => other !== index && /^\D+$/.test(cell) && below.every((row) => /\d/.test(row[other] ?? '')));
}

/** Whether a first line is unlike all that is below it: with spaces above values without, or a word whose length none of them has. */
function isUnlike(first: string, values: readonly string[]): boolean {
  if (/\s/.test(first)) return !values.some((value) => /\s/.test(value));
  const lengths = values.map((value) => value.length);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)];
  if (/\d/.test(first) || (first.length >= shortest && first.length <= longest)) return false;
  return values.every((value) => /\d/.test(value)) || (values.length > 1 && shortest === longest);
}
