import type { FileHandle } from 'node:fs/promises';
import { cancelledError, VideoHostingError } from '../errors.ts';
import { entriesOfText, longPiece } from '../platform/long-work.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { chunksOf, type NamedFiles, openInside } from './named-files.ts';
import { type CellsRow, type EntryRow, readTable, type Table, type TableOptions, TableProblem, type TableRow } from './read-table.ts';

/** A list that a person hands over. */
export interface ListSource {
  /** As the person calls it. */
  readonly name: string;
  /** The folders in which the name has to be that of a file, an open file, or the text itself. */
  readonly from: { readonly folders: NamedFiles } | { readonly handle: FileHandle } | { readonly text: string };
  readonly signal?: AbortSignal | undefined;
}

/** What a list is read for: which rows it may have, and what is made of them. */
export interface ListFormat<Read> extends TableOptions {
  rows(table: Omit<Table, 'pieces'>, name: string): RowReader<Read>;
  /** The error of a text that is no table, where it is another than `TableProblem`. */
  refusal?(problem: TableProblem, name: string): VideoHostingError;
}

/** Takes the rows of a list in their order, as they are read. */
export interface RowReader<Read> {
  cells(row: CellsRow): void;
  /** `where` names the line or entry in a sentence. */
  entry(row: EntryRow, where: Sentence): void;
  end(): Read;
}

/**
 * Reads a list from a file or a text: one value a line, CSV, a JSON array or JSON Lines. A file is streamed, as far as it reached at
 * first; one that was open stays open. Throws `file_refused` for a file that can't be opened, the error of the format for what it
 * holds, and `cancelled` where `signal` aborts.
 */
export async function readList<Read>(source: ListSource, format: ListFormat<Read>): Promise<Read> {
  const { name, from, signal } = source;
  if ('text' in from) return readChunks(source, bytesOf(from.text, signal), format);
  if ('handle' in from) return readChunks(source, await chunksOf(from.handle, signal), format);
  const handle = await openInside(from.folders, name);
  try {
    return await readChunks(source, await chunksOf(handle, signal), format);
  } finally {
    await handle.close();
  }
}

async function readChunks<Read>({ name, signal }: ListSource, chunks: AsyncIterable<Buffer>, format: ListFormat<Read>): Promise<Read> {
  try {
    const { pieces, ...table } = await readTable(chunks, format);
    const reader = format.rows(table, name);
    for await (const piece of pieces) giveRows(piece, table.unit, reader);
    return reader.end();
  } catch (error) {
    if (error instanceof TableProblem) throw format.refusal?.(error, name) ?? error;
    throw signal?.aborted === true && !(error instanceof VideoHostingError) ? cancelledError() : error;
  }
}

/** Gives rows that were read to what takes them. */
export function giveRows(rows: readonly TableRow[], unit: Table['unit'], reader: Omit<RowReader<unknown>, 'end'>): void {
  for (const row of rows) {
    if ('cells' in row) reader.cells(row);
    else reader.entry(row, sentence`${unit} ${row.position}`);
  }
}

const PIECE_BYTES = 65_536;
/** Of so many at a time, others’ requests are answered in between. */
const PIECES_AT_ONCE = 8;

async function* bytesOf(text: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    if (from % (PIECES_AT_ONCE * PIECE_BYTES) === 0)
      await longPiece(entriesOfText(Math.min(bytes.length - from, PIECES_AT_ONCE * PIECE_BYTES)), signal);
    yield bytes.subarray(from, from + PIECE_BYTES);
  }
}
