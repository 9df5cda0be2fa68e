import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { cancelledError, VideoHostingError } from '../errors.ts';
import { eachElement } from '../service/json-array.ts';
import { cleanText } from '../service/sanitize-text.ts';
import { type Catalogue, delimiterOf } from './catalogue.ts';
import { fileRefused } from './files.ts';
import { problemWithText } from './text-bytes.ts';

export interface IdFile {
  /** As they stand, repeats included. */
  readonly values: readonly string[];
  /** How many entries were blank. */
  readonly blanks: number;
  /** How it was read, in words: `column "Video ID"`. */
  readonly read: string;
}

const MOST_VALUES = 1_000_000;
const SNIFFED_BYTES = 65_536;
const GUESSED_ROWS = 200;
/** Longest line or record; ids are short, but they may stand beside other columns. */
const MAX_LINE = 1_048_576;

/**
 * The ids in a file: text with one a line, CSV with a named or guessed column, a JSON array or JSON Lines of strings
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
  if (/^[{"]/.test(first) && isJson(first)) return jsonLines(source);
  if (first.startsWith('{')) throw broken(name, 'It begins like JSON, and is neither an array nor JSON Lines, with one value a line.');
  // Of a CSV with a single column its quotes tell; a header often goes without.
  return /[,;\t]/.test(first) || /^"/m.test(source.head) ? csvFile(source, catalogue) : textFile(source);
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
      else if (values.push(text) > MOST_VALUES) throw broken(name, `It holds more than ${MOST_VALUES} ids; split it.`);
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

async function textFile(source: Source): Promise<IdFile> {
  const list = createList(source.name);
  // A header is a line that names the column and nothing else does.
  let header = isHeading(firstLine(source.head));
  const read = header ? 'one a line, below a header' : 'one a line';
  for await (const [line] of eachLine(source)) {
    if (!header || line.trim() === '') list.add(plain(line));
    else header = false;
  }
  return list.as(read);
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

async function jsonLines(source: Source): Promise<IdFile> {
  const list = createList(source.name);
  let isFirst = true;
  for await (const [line, number] of eachLine(source)) {
    if (line.trim() === '') continue;
    if (!isJson(line)) throw broken(source.name, `line ${number} is not JSON.`);
    const value: unknown = JSON.parse(line);
    // A CSV of one column whose cells are all quoted looks the same, header and all.
    if (!(isFirst && typeof value === 'string' && isHeading(value))) list.add(idOf(value, source.name, `line ${number}`));
    isFirst = false;
  }
  return list.as('JSON Lines');
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

const isHeading = (text: string): boolean => ID_COLUMN.test(text.trim()) || KEY_COLUMN.test(text.trim());

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
  const begun: string[][] = [];
  let column: Column | undefined;
  const decide = (): Column => {
    column = columnOf(begun, catalogue);
    for (const row of begun.slice(column.header ? 1 : 0)) list.add(plain(row[column.at] ?? ''));
    return column;
  };
  try {
    for await (const row of rows) {
      if (column !== undefined) list.add(plain(row[column.at] ?? ''));
      else if (begun.push(row) >= GUESSED_ROWS) decide();
    }
  } catch (error) {
    if (error instanceof VideoHostingError || source.signal.aborted) throw error;
    throw broken(source.name, `${/line \d+/.exec(String(error))?.[0] ?? 'It'} is not well-formed CSV.`);
  }
  return list.as((column ?? decide()).read);
}

interface Column {
  readonly at: number;
  readonly header: boolean;
  readonly read: string;
}

/** The column that is named after ids, else that in which the catalogue knows most, else the first. */
function columnOf(rows: readonly (readonly string[])[], catalogue: Catalogue | undefined): Column {
  const [header = []] = rows;
  for (const pattern of [ID_COLUMN, KEY_COLUMN]) {
    const at = header.findIndex((name) => pattern.test(name));
    if (at >= 0) return { at, header: true, read: `column ${JSON.stringify(cleanText(header[at] ?? '', 60))}` };
  }
  const known = header.map((_, at) => rows.filter((row) => catalogue?.byId(row[at] ?? '') ?? catalogue?.byKey(row[at] ?? '')).length);
  const most = Math.max(0, ...known);
  const at = most > 0 ? known.indexOf(most) : 0;
  const isKnown = (text: string) => (catalogue?.byId(text) ?? catalogue?.byKey(text)) !== undefined;
  const named = most > 0 ? !isKnown(header[at] ?? '') : looksLikeHeader(header, rows[1]);
  return { at, header: named, read: `column ${at + 1}, a guess: none is named after ids` };
}

/** A first line without a digit above one that has some is taken for names. */
function looksLikeHeader(first: readonly string[], second: readonly string[] | undefined): boolean {
  return second !== undefined && !/\d/.test(first[0] ?? '') && /\d/.test(second[0] ?? '');
}
