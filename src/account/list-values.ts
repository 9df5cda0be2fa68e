import { unescapeFormulas } from '../text/spreadsheet-cell.ts';
import type { Catalogue } from './catalogue.ts';
import {
  assertOnlyColumn,
  assertTranslatable,
  brokenList,
  type ContextColumn,
  contextColumns,
  indexOfVideos,
  isCalled,
  type ListFormat,
  shownColumn,
} from './columns.ts';
import { fileRefused } from './named-files.ts';
import type { Table, TableRow } from './read-table.ts';
import { findVideoColumn, type VideoColumn } from './video-column.ts';

/** What a list is, and what helps to read it. */
export interface ListSource {
  readonly name: string;
  readonly catalogue: Catalogue | undefined;
  readonly format: ListFormat;
}

/** Where a value stands, and what stands beside it. */
export interface ValueContext extends Partial<Record<ContextColumn, string | undefined>> {
  /** The line, or the entry of a JSON array, counted from 1. */
  readonly position: number;
  /** Whether the value is blank, and other cells or fields are not. */
  readonly isIncomplete?: boolean;
}

/** Receives the values of a list in its order. A channel may come without a value. */
export type AddValue = (value: string | undefined, context: ValueContext) => void;

const SAMPLED_ROWS = 200;

/**
 * Hands on the values of a table's column of videos, which its first rows tell, or of a JSON entry's field. Returns how it was
 * read, in words, and the index of the column. Throws `file_refused` where it can't be told.
 */
export async function readValues(
  {
    format,
    unit,
    pieces,
  }: Pick<Table, 'format' | 'unit'> & { readonly pieces: AsyncIterable<readonly TableRow[]> | Iterable<readonly TableRow[]> },
  source: ListSource,
  add: AddValue,
): Promise<{ readonly read: string; readonly column?: number }> {
  const cells = createCellsReader(source, add);
  for await (const piece of pieces)
    for (const row of piece) {
      if ('cells' in row) cells.add(row.cells, row.position);
      else addEntry(row.entry, source, { position: row.position, where: `${unit} ${row.position}` }, add);
    }
  if (format === 'a JSON array' || format === 'JSON Lines') return { read: format };
  const column = cells.end();
  return { read: format === 'text' ? textRead(column) : csvRead(column), column: column.index };
}

const textRead = ({ header }: VideoColumn): string =>
  header === undefined ? 'one a line' : `one a line, below the header ${shownColumn(header)}`;

function csvRead({ index, header, columns, context }: VideoColumn): string {
  if (context.channel !== undefined) return `column ${shownColumn(header ?? '')}, by channel`;
  if (columns === 1) return header === undefined ? 'its only column' : `its only column, ${shownColumn(header)}`;
  return header === undefined ? `column ${index + 1}, by the video catalogue` : `column ${shownColumn(header)}`;
}

function createCellsReader({ name, catalogue, format }: ListSource, add: AddValue) {
  let sample: { readonly cells: readonly string[]; readonly position: number }[] = [];
  let found: (VideoColumn & { readonly width: number }) | undefined;

  function addFrom({ index, width, context }: VideoColumn & { readonly width: number }, cells: readonly string[], position: number): void {
    if (cells.length > width && isFilled(cells.slice(width)))
      throw fileRefused(
        name,
        `Line ${position} has ${cells.findLastIndex(isFilledCell) + 1} cells, and the first line has ${width}.`,
        'Put a cell that holds the separator into quotes, or remove the other columns.',
      );
    const cell = (at: number | undefined) => (at === undefined ? undefined : unescapeFormulas(cells[at] ?? ''));
    const { channel, fromProject, outcome } = context;
    const isBlank = !isFilledCell(cells[index] ?? '');
    const isIncomplete = isBlank && cells.some((other, at) => isFilledCell(other) && ![channel, fromProject, outcome].includes(at));
    add(cell(index), { position, channel: cell(channel), fromProject: cell(fromProject), outcome: cell(outcome), isIncomplete });
  }
  function decide() {
    const rows = sample;
    sample = [];
    const filled = rows.map(({ cells }) => cells).filter(isFilled);
    const column = findVideoColumn(filled, name, catalogue, format);
    // A spreadsheet gives the first line an empty cell for each that a longer line has more.
    const named = (filled[0] ?? []).findLastIndex(isFilledCell) + 1;
    found = { ...column, width: column.header === undefined ? column.columns : Math.max(named, column.index + 1) };
    const from = column.header === undefined ? 0 : rows.findIndex(({ cells }) => isFilled(cells)) + 1;
    for (const { cells, position } of rows.slice(from)) addFrom(found, cells, position);
    return found;
  }
  return {
    add(cells: readonly string[], position: number): void {
      if (found !== undefined) addFrom(found, cells, position);
      else if (sample.push({ cells, position }) >= SAMPLED_ROWS) decide();
    },
    end: (): VideoColumn => found ?? decide(),
  };
}

const isFilledCell = (cell: string): boolean => cell.trim() !== '';
const isFilled = (cells: readonly string[]): boolean => cells.some(isFilledCell);

/** Adds the id of one JSON value: a text, a number, or an object with a field of ids or keys, which may be a list where it names a channel. */
function addEntry(
  entry: unknown,
  { name, format, catalogue }: ListSource,
  { position, where }: { readonly position: number; readonly where: string },
  add: AddValue,
): void {
  const own = textOf(entry);
  if (own !== undefined) {
    add(own, { position });
    return;
  }
  const fields = typeof entry === 'object' && entry !== null ? Object.entries(entry) : [];
  const names = fields.map(([field]) => field);
  const [field = '', found] = fields[indexOfVideos(names, format)] ?? [];
  assertOnlyColumn(names, field, name, format);
  const context: Partial<Record<ContextColumn, string>> = {};
  for (const column of contextColumns(format)) {
    const [other, value] = fields.find(([field]) => isCalled(field, column)) ?? [];
    if (other === undefined) continue;
    const text = textOf(value ?? '');
    if (text === undefined) throw brokenList(name, `${where} has a field ${JSON.stringify(other)} that is no text.`);
    context[column] = text;
  }
  const isList = Array.isArray(found) && (context.channel ?? context.fromProject) !== undefined;
  const ids: readonly unknown[] = isList ? found : [found];
  const texts = ids.map(textOf);
  if (texts.includes(undefined)) throw brokenList(name, `${where} is neither an id nor an object with an id.`);
  assertTranslatable(field, format.wanted, name, catalogue !== undefined);
  if (isList && context.channel !== undefined) add(undefined, { position, ...context });
  for (const text of texts) add(text, { position, ...context, isIncomplete: !isList && text?.trim() === '' });
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined;
