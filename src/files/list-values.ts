import type { VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { isObject } from '../platform/is-object.ts';
import { inQuotes, joined, type Sentence, sentence } from '../text/sentence.ts';
import {
  assertNamedColumns,
  assertOnlyColumn,
  brokenList,
  type ContextColumn,
  contextIndexes,
  indexOfVideos,
  type ListColumns,
  shownColumn,
} from './columns.ts';
import { isKnownVideo, type KnownVideos, usable } from './known-videos.ts';
import { fileRefused } from './named-files.ts';
import type { RowReader } from './read-list.ts';
import { type CellsRow, isSameRow, type Table, type TableOptions } from './read-table.ts';
import { unescapeFormulas, unguarded } from './spreadsheet-cell.ts';
import { assertTranslatable, findVideoColumn, type VideoColumn } from './video-column.ts';

/** What a list is, and what helps to read it. */
interface ValuesSource {
  readonly name: string;
  readonly videos: KnownVideos | undefined;
  readonly asked: ListColumns;
}

/** Where a value stands, and what stands beside it. */
export interface ValueContext extends Partial<Record<ContextColumn, string | undefined>> {
  /** That of the line, or of the entry of a JSON array, from 1. */
  readonly position: number;
  /** Whether the value is blank, and other cells or fields are not. */
  readonly isIncomplete?: boolean;
  /** The whole row below a header, or the fields of an entry. */
  readonly row?: { readonly names: readonly string[]; readonly cells: readonly string[] } | undefined;
}

/** Receives the values of a list in its order. A channel may come without a value. */
export type AddValue = (value: string | undefined, context: ValueContext) => void;

const SAMPLED_ROWS = 200;
/** Of a line or record, in UTF-16 units. */
const MAX_RECORD = 1_048_576;

/** Which lines of a list of videos are one value each. */
export const videoLines = (videos: KnownVideos | undefined): TableOptions => ({
  maxRecord: MAX_RECORD,
  isValue: usable(videos) && ((line) => isKnownVideo(line, videos)),
});

/** How the values of a list were read. */
export interface ValuesRead {
  /** In words. */
  readonly read: Sentence;
  /** Files that were put together have more than one. */
  readonly headers: number;
  /** The index of the column of values, and its name. */
  readonly column?: number;
  readonly header?: string;
}

/**
 * Hands on the values of a list's column of videos, which its first rows tell, or of a JSON entry's field. Throws `file_refused`
 * where it can't be told.
 */
export function createValuesReader({ format }: Pick<Table, 'format'>, source: ValuesSource, add: AddValue): RowReader<ValuesRead> {
  const cells = createCellsReader(source, add);
  const entries = createEntriesReader(source, add);
  return {
    cells: cells.add,
    entry: ({ entry, position }, where) => entries.add(entry, { position, where }),
    end() {
      if (format === 'a JSON array' || format === 'JSON Lines') {
        entries.end();
        return { read: sentence`${format}`, headers: 0 };
      }
      const { column, headers } = cells.end();
      return {
        read: format === 'text' ? textRead(column) : csvRead(column),
        headers,
        column: column.index,
        ...definedFields({ header: column.header }),
      };
    },
  };
}

const textRead = ({ header }: VideoColumn): Sentence =>
  header === undefined ? sentence`one a line` : sentence`one a line, below the header ${shownColumn(header)}`;

function csvRead({ index, header, columns, context }: VideoColumn): Sentence {
  if (context.channel !== undefined) return sentence`column ${shownColumn(header ?? '')}, by channel`;
  if (columns === 1) return header === undefined ? sentence`its only column` : sentence`its only column, ${shownColumn(header)}`;
  return header === undefined ? sentence`column ${index + 1}, by the video catalogue` : sentence`column ${shownColumn(header)}`;
}

interface FoundColumn extends VideoColumn {
  readonly width: number;
  /** The header. */
  readonly names: readonly string[] | undefined;
}

function createCellsReader({ name, videos, asked }: ValuesSource, add: AddValue) {
  let sample: CellsRow[] = [];
  let found: FoundColumn | undefined;
  let headers = 0;

  function addFrom({ index, width, context, names }: FoundColumn, { cells, position }: CellsRow): void {
    if (cells.length > width && isFilled(cells.slice(width)))
      throw fileRefused(
        name,
        sentence`Line ${position} has ${cells.findLastIndex(isFilledCell) + 1} cells, and the first line has ${width}.`,
        sentence`Put a cell that holds the separator into quotes, or remove the other columns.`,
      );
    const cell = (at: number | undefined) => (at === undefined ? undefined : unescapeFormulas(cells[at] ?? ''));
    const { channel, fromProject, outcome } = context;
    const isBlank = !isFilledCell(cells[index] ?? '');
    const isIncomplete = isBlank && cells.some((other, at) => isFilledCell(other) && ![channel, fromProject, outcome].includes(at));
    const row = names && { names, cells };
    const value = cell(index);
    add(value === undefined || isKnownVideo(value, videos) ? value : unguarded(value), {
      position,
      channel: cell(channel),
      fromProject: cell(fromProject),
      outcome: cell(outcome),
      isIncomplete,
      row,
    });
  }
  function addBelow(column: FoundColumn, row: CellsRow): void {
    if (column.names !== undefined && isSameRow(row.cells, column.names)) headers += 1;
    else addFrom(column, row);
  }
  function decide() {
    const rows = sample;
    sample = [];
    const filled = rows.map(({ cells }) => cells).filter(isFilled);
    const column = findVideoColumn(filled, name, videos, asked);
    // A spreadsheet gives the first line an empty cell for each that a longer line has more.
    const named = (filled[0] ?? []).findLastIndex(isFilledCell) + 1;
    const head = column.header === undefined ? -1 : rows.findIndex(({ cells }) => isFilled(cells));
    found = { ...column, width: head < 0 ? column.columns : Math.max(named, column.index + 1), names: rows[head]?.cells };
    for (const row of rows.filter((_, index) => index !== head)) addBelow(found, row);
    return found;
  }
  return {
    add(row: CellsRow): void {
      if (found !== undefined) addBelow(found, row);
      else if (sample.push(row) >= SAMPLED_ROWS) decide();
    },
    end(): { readonly column: VideoColumn; readonly headers: number } {
      const column = found ?? decide();
      return { column, headers: headers + (column.header === undefined ? 0 : 1) };
    },
  };
}

const isFilledCell = (cell: string): boolean => cell.trim() !== '';
const isFilled = (cells: readonly string[]): boolean => cells.some(isFilledCell);

/** Adds the ids of JSON values: of a text, a number, or an object with a field of ids or keys, which may be a list where it names a channel or a project. */
function createEntriesReader({ name, asked, videos }: ValuesSource, add: AddValue) {
  /** The fields of entries that lack the one that the caller names for projects; undefined once an entry has it. */
  let others: Set<string> | undefined = new Set();

  function addObject(fields: readonly (readonly [string, unknown])[], { position, where }: EntryPlace): void {
    const names = fields.map(([field]) => field);
    const [field = '', found] = fields[indexOfVideos(names, asked)] ?? [];
    assertOnlyColumn(names, field, name, asked);
    const context: Partial<Record<ContextColumn, string>> = {};
    for (const [column, index] of Object.entries(contextIndexes(names, name, asked))) {
      const text = textOf(fields[index]?.[1] ?? '');
      if (text === undefined) throw brokenList(name, sentence`${where} has a field ${inQuotes(names[index] ?? '')} that is no text.`);
      context[column as ContextColumn] = text; // a key of it
    }
    if (context.fromProject !== undefined) others = undefined;
    else if (others !== undefined && others.size < MAX_FIELDS) for (const other of names) others.add(other);
    const isList = Array.isArray(found) && (context.channel ?? context.fromProject) !== undefined;
    // A field that is null is a blank cell of a table.
    const ids: readonly unknown[] = isList ? found : [found === null ? '' : found];
    const texts = ids.map(textOf);
    if (texts.includes(undefined)) throw notAnId(names, where);
    assertTranslatable(field, asked.wanted, name, videos);
    if (isList && context.channel !== undefined) add(undefined, { position, ...context });
    const row = { names, cells: fields.map(([, value]) => textOf(value) ?? '') };
    for (const text of texts) add(text, { position, ...context, isIncomplete: !isList && text?.trim() === '', row });
  }
  function notAnId(names: readonly string[], where: Sentence): VideoHostingError {
    const problem = sentence`${where} is neither an id nor an object with an id.`;
    const { columnArgument } = asked;
    if (names.length === 0 || columnArgument === undefined) return brokenList(name, problem);
    const fields = joined(names.slice(0, MAX_SHOWN_FIELDS).map(shownColumn), ', ');
    return fileRefused(
      name,
      sentence`${problem} Its fields: ${fields}.`,
      sentence`Ask the user which field names the videos, and give its name as ${columnArgument}.`,
    );
  }
  return {
    add(entry: unknown, place: EntryPlace): void {
      const own = textOf(entry);
      if (own !== undefined) add(own, { position: place.position });
      else addObject(isObject(entry) ? Object.entries(entry) : [], place);
    },
    /** Throws `file_refused` where no entry has the field of projects that the caller names. */
    end(): void {
      if (others !== undefined && asked.projectColumn !== undefined)
        assertNamedColumns([...others], name, { wanted: asked.wanted, projectColumn: asked.projectColumn }, 'field');
    },
  };
}

interface EntryPlace {
  readonly position: number;
  readonly where: Sentence;
}

const MAX_FIELDS = 100;
const MAX_SHOWN_FIELDS = 20;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : Number.isSafeInteger(value) ? String(value) : undefined;
