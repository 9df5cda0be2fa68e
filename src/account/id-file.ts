import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/foreign-text.ts';
import { eachElement } from '../service/json-array.ts';
import type { Catalogue } from './catalogue.ts';
import { delimiterOf } from './catalogue.ts';

export interface IdFile {
  /** As they stand, blanks and repeats included. */
  readonly values: readonly string[];
  /** How it was read, in words: `column "Video ID"`. */
  readonly read: string;
}

const MOST_VALUES = 1_000_000;
const SNIFFED_BYTES = 65_536;
const GUESSED_ROWS = 200;

/**
 * The ids in a file: text with one a line, CSV with a named or guessed column, a JSON array or JSON Lines of strings
 * or of objects. Streamed. Throws `file_refused` that names the line or entry.
 */
export async function readIdFile(handle: FileHandle, name: string, catalogue: Catalogue | undefined): Promise<IdFile> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    const head = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    const source = { handle, name, head };
    if (/^\s*\[/.test(head)) return await collect(name, jsonValues(source), 'a JSON array');
    if (/^\s*[{"]/.test(head) && isJson(firstLine(head))) return await collect(name, lineValues(source, 'json'), 'JSON Lines');
    if (/[,;\t]/.test(firstLine(head))) return await csvFile(source, catalogue);
    return await textFile(source);
  } finally {
    await handle.close();
  }
}

interface Source {
  readonly handle: FileHandle;
  readonly name: string;
  readonly head: string;
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? '';

function broken(name: string, problem: string): VideoHostingError {
  return new VideoHostingError('file_refused', `${JSON.stringify(cleanText(name, 200))}: ${problem}`, {
    facts: { outcome: 'nothing-sent' },
    hint: 'Correct the file: one id a line, a CSV with a header line, a JSON array or JSON Lines.',
  });
}

async function collect(name: string, values: AsyncIterable<string>, read: string): Promise<IdFile> {
  const all: string[] = [];
  for await (const value of values) {
    if (all.length >= MOST_VALUES) throw broken(name, `It holds more than ${MOST_VALUES} ids; split it.`);
    all.push(value);
  }
  return { values: all, read };
}

const stream = ({ handle }: Source) => handle.createReadStream({ start: 0, autoClose: false });

async function* lines(source: Source): AsyncGenerator<string> {
  const reader = createInterface({ input: stream(source).setEncoding('utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  let first = true;
  for await (const line of reader) {
    yield first ? line.replace(/^\uFEFF/, '') : line;
    first = false;
  }
}

async function textFile(source: Source): Promise<IdFile> {
  // A header is a line that names the column and nothing else does.
  const header = ID_COLUMN.test(firstLine(source.head).trim());
  const { values } = await collect(source.name, lines(source), '');
  return { values: header ? values.slice(1) : values, read: header ? 'one a line, below a header' : 'one a line' };
}

async function* jsonValues(source: Source): AsyncGenerator<string> {
  let at = 0;
  try {
    for await (const value of eachElement(stream(source), source.name)) {
      at += 1;
      yield idOf(value, source.name, `entry ${at}`);
    }
  } catch (error) {
    if (error instanceof VideoHostingError && error.code === 'unexpected_body')
      throw broken(source.name, `After entry ${at} it is not a well-formed JSON array.`);
    throw error;
  }
}

async function* lineValues(source: Source, _format: 'json'): AsyncGenerator<string> {
  let at = 0;
  for await (const line of lines(source)) {
    at += 1;
    if (line.trim() === '') continue;
    if (!isJson(line)) throw broken(source.name, `line ${at} is not JSON.`);
    yield idOf(JSON.parse(line), source.name, `line ${at}`);
  }
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
  const rows: AsyncIterable<string[]> = stream(source).pipe(
    parse({ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true }),
  );
  const begun: string[][] = [];
  const values: string[] = [];
  let column: { readonly at: number; readonly header: boolean; readonly read: string } | undefined;
  const take = (row: readonly string[], at: number) => {
    if (values.length >= MOST_VALUES) throw broken(source.name, `It holds more than ${MOST_VALUES} ids; split it.`);
    values.push(row[at] ?? '');
  };
  try {
    for await (const row of rows) {
      if (column !== undefined) take(row, column.at);
      else if (begun.push(row) >= GUESSED_ROWS) {
        column = columnOf(begun, catalogue);
        for (const earlier of begun.slice(column.header ? 1 : 0)) take(earlier, column.at);
      }
    }
  } catch (error) {
    if (error instanceof VideoHostingError) throw error;
    throw broken(source.name, `${/line \d+/.exec(String(error))?.[0] ?? 'It'} is not well-formed CSV.`);
  }
  if (column === undefined) {
    column = columnOf(begun, catalogue);
    for (const earlier of begun.slice(column.header ? 1 : 0)) take(earlier, column.at);
  }
  return { values, read: column.read };
}

/** The column that is named after ids, else that in which the catalogue knows most, else the first. */
function columnOf(rows: readonly (readonly string[])[], catalogue: Catalogue | undefined): { at: number; header: boolean; read: string } {
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
