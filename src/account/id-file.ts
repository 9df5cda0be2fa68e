import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { cancelledError, VideoHostingError } from '../errors.ts';
import { eachElement } from '../service/json-array.ts';
import { cleanText } from '../service/sanitize-text.ts';
import type { Catalogue } from './catalogue.ts';
import { delimiterOf } from './catalogue-csv.ts';
import { createFormatCheck, eachOf } from './id-likeness.ts';
import { fileRefused } from './named-files.ts';
import { problemWithText } from './text-bytes.ts';

export interface IdFile {
  /** As they stand, repeats included. */
  readonly values: readonly string[];
  /** How many entries were blank. */
  readonly blanks: number;
  /** How it was read, in words: `column "Video ID"`. */
  readonly read: string;
}

const MAX_VALUES = 1_000_000;
const SNIFFED_BYTES = 65_536;
const GUESSED_ROWS = 200;
/** Longest line or record; ids are short, but they may stand beside other columns. */
const MAX_LINE = 1_048_576;

/**
 * The ids in a file: text with one a line, CSV with a column that is named or known, a JSON array or JSON Lines of strings
 * or of objects. Streamed, as far as it reached when it was opened; the file stays open. Throws `file_refused` that names
 * the line or entry, and `cancelled` where `signal` aborts.
 */
export async function readIdFile(handle: FileHandle, name: string, catalogue: Catalogue | undefined, signal: AbortSignal): Promise<IdFile> {
  try {
    return await readWhole(handle, name, catalogue, signal);
  } catch (thrown) {
    throw signal.aborted && !(thrown instanceof VideoHostingError) ? cancelledError() : thrown;
  }
}

async function readWhole(handle: FileHandle, name: string, catalogue: Catalogue | undefined, signal: AbortSignal): Promise<IdFile> {
  const { size } = await handle.stat();
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
  const source = { handle, name, size, signal, head: textOf(buffer.subarray(0, bytesRead), name) };
  const first = firstLine(source.head);
  if (source.head.startsWith('[')) return jsonArray(source);
  if (/^[{"]/.test(first) && isJson(first)) return jsonLines(source, catalogue);
  if (first.startsWith('{')) throw broken(name, 'It begins like JSON, and is neither an array nor JSON Lines, with one value a line.');
  // Of a CSV with a single column its quotes tell; a header often goes without.
  return /[,;\t]/.test(first) || /^"/m.test(source.head) ? csvFile(source, catalogue) : textFile(source, catalogue);
}

interface Source {
  readonly handle: FileHandle;
  readonly name: string;
  /** Somebody may go on writing. */
  readonly size: number;
  readonly signal: AbortSignal;
  /** Its beginning, from the first line that is not blank. */
  readonly head: string;
}

/** What a file begins with, if it is text as we read it. */
function textOf(bytes: Buffer, name: string): string {
  const problem = problemWithText(bytes);
  if (problem !== undefined) throw broken(name, problem);
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function broken(name: string, problem: string): VideoHostingError {
  return fileRefused(name, problem, 'Correct the file: one id a line, a CSV with a header line, a JSON array or JSON Lines.');
}

/** Gathers values up to the limit; blanks are only counted. */
function createList(name: string) {
  const values: string[] = [];
  let blanks = 0;
  return {
    add(value: string): void {
      const text = value.trim();
      if (text === '') blanks += 1;
      else if (values.push(text) > MAX_VALUES) throw broken(name, `It holds more than ${MAX_VALUES} ids; split it.`);
    },
    as: (read: string): IdFile => ({ values, blanks, read }),
  };
}

function stream({ handle, size, signal }: Source) {
  const read = handle.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false, signal });
  // Its reader throws what goes wrong. Node emits it once more when a read under way has ended and nobody listens any
  // longer, and that would end the process.
  read.on('error', () => {});
  return read;
}

/** Its lines with their numbers; a line without an end is not waited for. */
async function* eachLine(source: Source): AsyncGenerator<readonly [line: string, number: number]> {
  let number = 0;
  let rest = '';
  for await (const piece of stream(source).setEncoding('utf8')) {
    // With an encoding set, a stream gives text.
    const lines = (rest + (piece as string)).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw broken(source.name, `line ${number + lines.length + 1} is longer than ${MAX_LINE} characters.`);
    for (const line of lines) {
      number += 1;
      yield [number === 1 ? line.replace(/^\uFEFF/, '') : line, number];
    }
  }
  if (rest !== '') yield [number === 0 ? rest.replace(/^\uFEFF/, '') : rest, number + 1];
}

/** Without the mark that keeps a spreadsheet from taking an id for a formula, as our own files of what failed have it. */
const plain = (cell: string): string => cell.replace(/^'(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/, '');

async function textFile(source: Source, catalogue: Catalogue | undefined): Promise<IdFile> {
  const list = createList(source.name);
  const column = createColumnReader(source.name, list, catalogue);
  for await (const [line] of eachLine(source)) column.add([line]);
  const { header } = column.end();
  return list.as(header === undefined ? 'one a line' : `one a line, below the header ${shown(header)}`);
}

async function jsonArray(source: Source): Promise<IdFile> {
  const list = createList(source.name);
  let at = 0;
  try {
    for await (const value of eachElement(stream(source), source.name)) {
      at += 1;
      list.add(idOf(value, source.name, `entry ${at}`));
    }
  } catch (error) {
    if (error instanceof VideoHostingError && error.code === 'unexpected_body')
      throw broken(source.name, `After entry ${at} it is not a well-formed JSON array.`);
    throw error;
  }
  return list.as('a JSON array');
}

async function jsonLines(source: Source, catalogue: Catalogue | undefined): Promise<IdFile> {
  const list = createList(source.name);
  const column = createColumnReader(source.name, list, catalogue);
  for await (const [line, number] of eachLine(source)) {
    if (line.trim() === '') continue;
    if (!isJson(line)) throw broken(source.name, `line ${number} is not JSON.`);
    // A CSV of one column whose cells are all quoted looks the same, header and all.
    column.add([idOf(JSON.parse(line), source.name, `line ${number}`)]);
  }
  const { header } = column.end();
  return list.as(header === undefined ? 'JSON Lines' : `JSON Lines, below the header ${shown(header)}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The names under which a column or field of ids goes, the surest first. */
const ID_COLUMN = /^(video[\s_-]*)?ids?$/i;
const KEY_COLUMN = /^(video[\s_-]*)?keys?$/i;

function idOf(value: unknown, name: string, where: string): string {
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const found = fields.find(([field]) => ID_COLUMN.test(field)) ?? fields.find(([field]) => KEY_COLUMN.test(field));
    if (found !== undefined && (typeof found[1] === 'string' || Number.isSafeInteger(found[1]))) return String(found[1]);
  }
  throw broken(name, `${where} is neither an id nor an object with an id.`);
}

async function csvFile(source: Source, catalogue: Catalogue | undefined): Promise<IdFile> {
  const delimiter = delimiterOf(source.head);
  const rows: AsyncIterable<string[]> = pipeline(
    stream(source),
    parse({ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true, max_record_size: MAX_LINE }),
    () => {},
  );
  const list = createList(source.name);
  const column = createColumnReader(source.name, list, catalogue);
  try {
    for await (const row of rows) column.add(row);
  } catch (error) {
    if (error instanceof VideoHostingError || source.signal.aborted) throw error;
    throw broken(source.name, `${/line \d+/.exec(String(error))?.[0] ?? 'It'} is not well-formed CSV.`);
  }
  const { at, header, columns } = column.end();
  if (columns === 1) return list.as(header === undefined ? 'its only column' : `its only column, ${shown(header)}`);
  return list.as(header === undefined ? `column ${at + 1}, by the video catalogue` : `column ${shown(header)}`);
}

interface Column {
  readonly at: number;
  /** Undefined where the first row holds an id. */
  readonly header: string | undefined;
  readonly columns: number;
}

type Row = readonly string[];

const shown = (name: string): string => JSON.stringify(cleanText(name, 60));

/** Gathers the ids of a table's one column, which the first rows tell. Throws `file_refused` where they don't. */
function createColumnReader(name: string, list: ReturnType<typeof createList>, catalogue: Catalogue | undefined) {
  let first: Row[] = [];
  let column: Column | undefined;
  const decide = (): Column => {
    const rows = first;
    first = [];
    const found = columnOf(rows.filter(isFilled), name, catalogue);
    column = found;
    // Blank lines above a header are none of its values.
    const from = found.header === undefined ? 0 : rows.findIndex(isFilled) + 1;
    for (const row of rows.slice(from)) list.add(plain(row[found.at] ?? ''));
    return found;
  };
  return {
    add(row: Row): void {
      if (column !== undefined) list.add(plain(row[column.at] ?? ''));
      else if (first.push(row) >= GUESSED_ROWS) decide();
    },
    end: (): Column => column ?? decide(),
  };
}

const isFilled = (row: Row): boolean => row.some((cell) => cell.trim() !== '');

/** The column that is named after ids, else the only one, else that which the catalogue knows. */
function columnOf(rows: readonly Row[], name: string, catalogue: Catalogue | undefined): Column {
  const [head = []] = rows;
  const columns = head.length;
  for (const pattern of [ID_COLUMN, KEY_COLUMN]) {
    const at = head.findIndex((cell) => pattern.test(cell.trim()));
    if (at >= 0) return { at, header: head[at], columns };
  }
  const isKnown = (row: Row | undefined, at: number) => isInCatalogue(plain(row?.[at]?.trim() ?? ''), catalogue);
  const known = head.map((_, at) => rows.filter((row) => isKnown(row, at)).length);
  const most = Math.max(0, ...known);
  const isEnough = most > 0 && most * 2 >= rows.length - 1;
  if (columns > 1 && !isEnough) throw unnamedColumns(name, head);
  const at = columns > 1 ? known.indexOf(most) : 0;
  const values = rows.map((row) => row[at]?.trim() ?? '');
  const isHeader = !isKnown(head, at) && (isUnlike(values) || (isEnough && !looksLikeOne(values[0] ?? '', catalogue)));
  return { at, header: isHeader ? head[at] : undefined, columns };
}

function unnamedColumns(name: string, head: Row): VideoHostingError {
  const names = head.slice(0, MAX_NAMED_COLUMNS).map(shown).join(', ');
  const more = head.length > MAX_NAMED_COLUMNS ? ` and ${head.length - MAX_NAMED_COLUMNS} more` : '';
  const problem = `It has ${head.length} columns, of which none is known to hold ids: ${names}${more}.`;
  return fileRefused(
    name,
    problem,
    'Name the column of ids "id" (or that of keys "key") in the first line, or leave that column alone in the file.',
  );
}

const MAX_NAMED_COLUMNS = 20;

const isInCatalogue = (text: string, catalogue: Catalogue | undefined): boolean =>
  catalogue !== undefined &&
  (catalogue.byId(text) !== undefined || catalogue.byKey(text) !== undefined || catalogue.byTitle(text).length > 0);

/** Whether it may be an id or a key that the catalogue does not have yet. */
function looksLikeOne(text: string, catalogue: Catalogue | undefined): boolean {
  return (['id', 'key'] as const).some((wanted) => createFormatCheck(eachOf(catalogue?.entries() ?? [], wanted))?.(text) === true);
}

/** Whether the first value is a word without a digit, above values that all have digits or are all of another length. */
function isUnlike([first = '', ...others]: readonly string[]): boolean {
  if (others.length === 0 || !/^[\p{L}\s_.-]+$/u.test(first)) return false;
  if (others.every((value) => /\d/.test(value))) return true;
  const [length] = others.map((value) => value.length);
  return others.length > 1 && first.length !== length && others.every((value) => value.length === length);
}
