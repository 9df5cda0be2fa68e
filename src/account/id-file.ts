import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { cancelledError, VideoHostingError } from '../errors.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { eachElement } from '../service/json-array.ts';
import type { Catalogue } from './catalogue.ts';
import { delimiterOf, LINE_ENDS } from './catalogue-rows.ts';
import { type AddValue, createColumnReader, type ListFormat, shownName } from './id-column.ts';
import { isRounded } from './id-format.ts';
import { addJsonValue, brokenList } from './id-json.ts';
import { fileRefused } from './named-files.ts';
import { problemWithText } from './text-bytes.ts';

export interface IdFile {
  /** In the order of the file, repeats included. */
  readonly values: readonly string[];
  /** The values by group, where the file groups them; a group may be empty. */
  readonly groups?: ReadonlyMap<string, readonly string[]>;
  /** The line, or the entry of a JSON array, of each value. */
  readonly places: Uint32Array;
  readonly placeUnit: 'line' | 'entry';
  /** The projects that the file names beside its values; of each value the number of its project, from 1; nothing where it has none. */
  readonly projects?: { readonly names: readonly string[]; readonly of: readonly (number | undefined)[] };
  /** How many entries were blank. */
  readonly blanks: number;
  /** The places of the first blank entries that have other cells or fields. */
  readonly incomplete: readonly number[];
  /** How many were left out for their outcome. */
  readonly leftOut: number;
  /** How it was read, in words: `column "Video ID"`. */
  readonly read: string;
}

const MAX_VALUES = 1_000_000;
const MAX_PROJECTS = 1_000;
const MAX_INCOMPLETE = 5;
const ROUNDED_HINT = 'Ask the user to export the list again, and to import the column as text.';
const HEAD_BYTES = 65_536;
/** Longest line or record, in UTF-16 units; a CSV may have other columns. */
const MAX_LINE = 1_048_576;

/**
 * Reads the ids or keys in a file: text with one a line, CSV with a column that is named or known, a JSON array of texts or
 * objects, or JSON Lines. The file is streamed, as far as it reached at first, and stays open. Throws `file_refused` that names
 * the line or entry, and `cancelled` where `signal` aborts.
 */
export async function readIdFile(
  handle: FileHandle,
  name: string,
  catalogue: Catalogue | undefined,
  signal: AbortSignal,
  format: ListFormat = { wanted: 'id' },
): Promise<IdFile> {
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const source = { handle, name, size, signal, catalogue, format, head: headOf(buffer.subarray(0, bytesRead), name) };
    const reader = readerFor(source);
    const placeUnit = reader === readJsonArray ? 'entry' : 'line';
    const collected = createCollector(name, format, placeUnit);
    const read = await reader(source, collected.add);
    return { ...collected.end(), placeUnit, read };
  } catch (thrown) {
    throw signal.aborted && !(thrown instanceof VideoHostingError) ? cancelledError() : thrown;
  }
}

function createCollector(
  name: string,
  format: ListFormat,
  unit: IdFile['placeUnit'],
): { add: AddValue; end: () => Omit<IdFile, 'read' | 'placeUnit'> } {
  const values: string[] = [];
  // The system gives memory to the pages that are written to.
  const places = new Uint32Array(MAX_VALUES);
  const projects = new Map<string, number>();
  const projectOf: number[] = [];
  const groups = new Map<string, string[]>();
  const incomplete: number[] = [];
  let [blanks, entries, grouped, leftOut] = [0, 0, 0, 0];

  function projectNumber(project: string): number {
    if (project === '') return 0;
    const number = projects.get(project) ?? projects.size + 1;
    if (number > MAX_PROJECTS) throw brokenList(name, `Its column fromProject names more than ${MAX_PROJECTS} projects.`);
    projects.set(project, number);
    return number;
  }

  function addToGroup(group: string, text: string | undefined): void {
    grouped += 1;
    // A blank line of a spreadsheet belongs to nothing.
    if (group === '' && text !== '')
      throw brokenList(name, `Entry ${entries} names no channel${text === undefined ? '' : ` for ${shownName(text)}`}.`);
    const members = groups.get(group);
    if (text === undefined && members !== undefined)
      throw brokenList(name, `Entry ${entries} gives the list of ${shownName(group)} again.`);
    if (group === '') return;
    if (members === undefined) groups.set(group, text === undefined || text === '' ? [] : [text]);
    else if (text !== undefined && text !== '') members.push(text);
    if (text === undefined) opened.add(group);
  }

  /** Groups that were given as lists, so that an empty one is meant. */
  const opened = new Set<string>();
  return {
    add(value, { place, group, fromProject, outcome, isIncomplete = false }) {
      entries += 1;
      if (format.leftOut !== undefined && outcome?.trim() === format.leftOut) {
        leftOut += 1;
        return;
      }
      const text = value?.trim();
      // A video that is not told would leave the channel.
      if (isIncomplete && format.wanted === 'key') throw brokenList(name, `${unit} ${place} names no video, and is not blank.`);
      if (text !== undefined && isRounded(text))
        throw fileRefused(name, `${unit} ${place} is ${shownName(text)}, a number that a spreadsheet has rounded.`, ROUNDED_HINT);
      if (isIncomplete && incomplete.length < MAX_INCOMPLETE) incomplete.push(place);
      if (text === '') blanks += 1;
      else if (text !== undefined) {
        if (values.push(text) > MAX_VALUES) throw brokenList(name, `It holds more than ${MAX_VALUES} ids; split it.`);
        places[values.length - 1] = place;
        const project = fromProject === undefined ? 0 : projectNumber(fromProject.trim());
        // Most files name none.
        if (project > 0) projectOf[values.length - 1] = project;
      }
      if (group !== undefined) addToGroup(group.trim(), text);
    },
    end() {
      if (grouped > 0 && grouped < entries) throw brokenList(name, `Only ${grouped} of its ${entries} entries name a channel.`);
      const empty = [...groups].find(([group, members]) => members.length === 0 && !opened.has(group))?.[0];
      if (empty !== undefined)
        throw brokenList(name, `${shownName(empty)} stands beside blanks only. An empty list is given as an argument, or as [] in JSON.`);
      const found = projects.size === 0 ? {} : { projects: { names: [...projects.keys()], of: projectOf } };
      return {
        values,
        places: places.subarray(0, values.length),
        blanks,
        incomplete,
        leftOut,
        ...found,
        ...(grouped > 0 ? { groups } : {}),
      };
    },
  };
}

interface Source {
  readonly handle: FileHandle;
  readonly name: string;
  /** When it was opened: another program may append to it. */
  readonly size: number;
  readonly signal: AbortSignal;
  readonly catalogue: Catalogue | undefined;
  readonly format: ListFormat;
  /** Its beginning, from the first line that is not blank. */
  readonly head: string;
}

/** Adds every value, and returns how the file was read, in words. */
type Reader = (source: Source, add: AddValue) => Promise<string>;

function headOf(bytes: Buffer, name: string): string {
  const problem = problemWithText(bytes);
  if (problem !== undefined) throw brokenList(name, problem);
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
}

/** Of the cells of a line. White space around the line is none. */
const SEPARATORS = /[,;]|\S\t+\S/;

function readerFor({ head, name }: Source): Reader {
  const first = head.split(/\r?\n/, 1)[0] ?? '';
  if (head.startsWith('[')) return readJsonArray;
  if (first.startsWith('{')) {
    if (parseJsonOrUndefined(first) !== undefined) return readJsonLines;
    throw brokenList(name, 'It begins like JSON, and is neither an array nor JSON Lines, with one value a line.');
  }
  // In a CSV of one column the first cell may be without quotes. JSON Lines of texts are such a CSV too.
  return SEPARATORS.test(first) || /^"/m.test(head) ? readCsv : readText;
}

function stream({ handle, size, signal }: Source) {
  const read = handle.createReadStream({ start: 0, end: Math.max(0, size - 1), autoClose: false, signal });
  // Its reader throws the error. Node emits it once more after that, which would end the process.
  read.on('error', () => {});
  return read;
}

/** The lines of each piece of the file, together: with a step of the generator for each, a million would take a quarter longer. */
async function* eachLines(source: Source): AsyncGenerator<readonly string[]> {
  let count = 0;
  let rest = '';
  for await (const piece of stream(source).setEncoding('utf8')) {
    // With an encoding set, a stream gives text.
    const text = rest + (piece as string);
    const lines = (count === 0 ? text.replace(/^\uFEFF/, '') : text).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > MAX_LINE) throw brokenList(source.name, `line ${count + 1} is longer than ${MAX_LINE} characters.`);
    yield lines;
  }
  if (rest !== '') yield [rest];
}

async function readText(source: Source, add: AddValue): Promise<string> {
  const column = createColumnReader(source.name, add, source.catalogue, source.format);
  // Copied, since a line that was cut out of a text takes 32 bytes and keeps that text.
  let number = 0;
  for await (const lines of eachLines(source))
    for (const line of structuredClone(lines)) {
      number += 1;
      if (source.catalogue === undefined && SEPARATORS.test(line))
        throw brokenList(source.name, `line ${number} has several cells, and the first line has one.`);
      column.add([line], number);
    }
  const { header } = column.end();
  return header === undefined ? 'one a line' : `one a line, below the header ${shownName(header)}`;
}

async function readJsonArray(source: Source, add: AddValue): Promise<string> {
  let count = 0;
  try {
    for await (const value of eachElement(stream(source), source.name)) {
      count += 1;
      addJsonValue(value, source, { place: count, where: `entry ${count}` }, add);
    }
  } catch (error) {
    if (error instanceof VideoHostingError && error.code === 'unexpected_body')
      throw brokenList(source.name, `After entry ${count} it is not a well-formed JSON array.`);
    throw error;
  }
  return 'a JSON array';
}

async function readJsonLines(source: Source, add: AddValue): Promise<string> {
  let number = 0;
  for await (const lines of eachLines(source)) {
    for (const line of lines) {
      number += 1;
      if (line.trim() === '') continue;
      const value = parseJsonOrUndefined(line);
      if (value === undefined) throw brokenList(source.name, `line ${number} is not JSON.`);
      addJsonValue(value, source, { place: number, where: `line ${number}` }, add);
    }
  }
  return 'JSON Lines';
}

async function readCsv(source: Source, add: AddValue): Promise<string> {
  const options = { bom: true, relax_column_count: true, trim: true, max_record_size: MAX_LINE, record_delimiter: LINE_ENDS };
  const rows: AsyncIterable<string[]> = pipeline(stream(source), parse({ ...options, delimiter: delimiterOf(source.head) }), () => {});
  const column = createColumnReader(source.name, add, source.catalogue, source.format);
  try {
    // The parser's own count of lines would take it twice the time.
    let line = 1;
    for await (const row of rows) {
      if (row.length > 1 || row[0] !== '') column.add(row, line);
      line += 1 + row.reduce((sum, cell) => sum + lineBreaksIn(cell), 0);
    }
  } catch (error) {
    if (error instanceof VideoHostingError || source.signal.aborted) throw error;
    throw brokenList(source.name, `${/line \d+/.exec(String(error))?.[0] ?? 'It'} is not well-formed CSV.`);
  }
  const { index, header, columns, group } = column.end();
  if (group !== undefined) return `column ${shownName(header ?? '')}, by channel`;
  if (columns === 1) return header === undefined ? 'its only column' : `its only column, ${shownName(header)}`;
  return header === undefined ? `column ${index + 1}, by the video catalogue` : `column ${shownName(header)}`;
}

const lineBreaksIn = (cell: string): number => (/[\r\n]/.test(cell) ? cell.split(/\r\n|\r|\n/).length - 1 : 0);
