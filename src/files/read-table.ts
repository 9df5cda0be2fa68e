import { pipeline, type Transform } from 'node:stream';
import { parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { eachElement, NotAnArray } from '../platform/json-array.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { unformulated } from './spreadsheet-cell.ts';
import { problemWithBytes } from './text-bytes.ts';

/** A line of text or CSV with its cells. `position` is that of the line, from 1. */
export interface CellsRow {
  readonly position: number;
  readonly cells: readonly string[];
}

/** An entry of JSON with its position, from 1. */
export interface EntryRow {
  readonly position: number;
  readonly entry: unknown;
}

export type TableRow = CellsRow | EntryRow;

export interface Table {
  readonly format: 'text' | 'CSV' | 'a JSON array' | 'JSON Lines';
  readonly unit: 'line' | 'entry';
  /** Many rows at a time: a step of the generator for each would take a quarter longer. */
  readonly pieces: AsyncIterable<readonly TableRow[]>;
}

/** Where a text is no table. With a `line`, `problem` is the rest of a sentence about it; without one, it may take the whole text to tell. */
export class TableProblem extends Error {
  readonly problem: Sentence;
  readonly line: number | undefined;
  declare readonly message: Sentence;
  constructor(problem: Sentence, line?: number) {
    super(line === undefined ? problem : sentence`line ${line} ${problem}`);
    this.problem = problem;
    this.line = line;
  }
}

export interface TableOptions {
  /** Of the longest line or record, in UTF-16 units; a CSV may have other columns. */
  readonly maxRecord: number;
  /** Refuses what is not UTF-8, which is replaced otherwise. */
  readonly isStrict?: boolean;
  /** Whether a line is one value, such as a title with a comma in it. With it, a line of a list may have separators. */
  readonly isValue?: ((line: string) => boolean) | undefined;
}

type Chunks = AsyncIterable<Buffer>;

/** The cells of the first record of a CSV with commas. Throws where it is none. */
export const firstRecord = (csv: Buffer): readonly string[] => parseNow(csv, { bom: true, to: 1 })[0] ?? [];

const BATCH = 1_000;
const SAMPLED_LINES = 50;

/**
 * Reads text with one value a line, CSV with any of the usual separators, a JSON array or JSON Lines: the format is told from the
 * first piece. Throws `TableProblem`, also while the rows are read.
 */
export async function readTable(chunks: Chunks, options: TableOptions): Promise<Table> {
  const all = eachChunk(chunks);
  const { value: first = Buffer.alloc(0) } = await all.next();
  const head = first
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const rest = prepended(first, all);
  const format = formatOf(head, options);
  const pieces = {
    text: () => textRows(rest, options),
    CSV: () => csvRows(rest, delimiterOf(head), options),
    'a JSON array': () => arrayRows(rest),
    'JSON Lines': () => jsonLines(rest, options),
  }[format]();
  return { format, unit: format === 'a JSON array' ? 'entry' : 'line', pieces };
}

async function* eachChunk(chunks: Chunks): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    const problem = problemWithBytes(chunk);
    if (problem !== undefined) throw new TableProblem(problem);
    yield chunk;
  }
}

async function* prepended(first: Buffer, rest: Chunks): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Of the cells of a line. White space around the line is none. */
const SEPARATORS = /[,;]|\S\t+\S/;

function formatOf(head: string, { isValue }: TableOptions): Table['format'] {
  const first = head.split(/\r?\n/, 1)[0] ?? '';
  if (head.startsWith('[')) return 'a JSON array';
  if (first.startsWith('{')) {
    if (parseJsonOrUndefined(first) !== undefined) return 'JSON Lines';
    throw new TableProblem(sentence`begins like JSON, and is neither an array nor JSON Lines, with one value a line.`, 1);
  }
  // In a CSV of one column the first cell may be without quotes. JSON Lines of texts are such a CSV too.
  if (/^"/m.test(head)) return 'CSV';
  return SEPARATORS.test(first) && !areValues(head, isValue) ? 'CSV' : 'text';
}

/** Whether most of the first lines are one value each, whatever separators they have. */
function areValues(head: string, isValue: TableOptions['isValue']): boolean {
  if (isValue === undefined) return false;
  const lines = head.split(/\r\n|\r|\n/, SAMPLED_LINES).filter((line) => line.trim() !== '');
  return lines.filter((line) => isValue(line.trim())).length * 2 > lines.length;
}

const MARKS = [',', ';', '\t'] as const;

/** The mark that cuts all of the first rows into equally many cells; else the one that cuts the first row into most. */
function delimiterOf(head: string): string {
  const candidates = MARKS.map((mark) => {
    const widths = widthsOf(head, mark);
    const [width = 0] = widths;
    return { mark, width, isEven: width > 1 && widths.every((other) => other === width) };
  });
  const even = candidates.filter(({ isEven }) => isEven);
  return (even.length > 0 ? even : candidates).reduce((best, next) => (next.width > best.width ? next : best)).mark;
}

/** How many cells each of the first rows has, up to one that is not well-formed with this mark. */
function widthsOf(head: string, delimiter: string): readonly number[] {
  const widths: number[] = [];
  const onRecord = (cells: readonly string[]) => void widths.push(cells.length);
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    skip_empty_lines: true,
    record_delimiter: LINE_ENDS,
    to: SAMPLED_LINES,
  };
  // The last line may be cut off within a cell: what was read before it tells enough.
  const whole = head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf('\r')) + 1 || head.length);
  try {
    parseNow(whole, { ...options, on_record: onRecord });
  } catch (error) {
    if (!isCsvProblem(error)) throw error;
  }
  return widths;
}

async function* decoded(chunks: Chunks, { isStrict = false }: TableOptions): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: isStrict });
  try {
    // Files that were put together have one at the head of each.
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true }).replaceAll('\uFEFF', '');
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? new TableProblem(sentence`It is not UTF-8; save the file as UTF-8.`) : error;
  }
}

/** Whether two rows have the same cells: files that were put together have their header again. */
export const isSameRow = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((cell, index) => cell.trim() === other[index]?.trim());

/** The lines of each piece, and the number of the first of them. */
async function* eachLines(chunks: Chunks, options: TableOptions): AsyncGenerator<{ lines: readonly string[]; from: number }> {
  let from = 1;
  let rest = '';
  for await (const piece of decoded(chunks, options)) {
    const lines = (rest + piece).split(/\r?\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield { lines, from };
    from += lines.length;
    if (rest.length > options.maxRecord) throw new TableProblem(sentence`is longer than ${options.maxRecord} characters.`, from);
  }
  if (rest !== '') yield { lines: [rest], from };
}

async function* textRows(chunks: Chunks, options: TableOptions): AsyncGenerator<readonly TableRow[]> {
  // Copied, since a line that was cut out of a text takes 32 bytes and keeps that text.
  for await (const { lines, from } of eachLines(chunks, options))
    yield structuredClone(lines).map((line, index) => {
      const position = from + index;
      if (options.isValue === undefined && SEPARATORS.test(line))
        throw new TableProblem(sentence`has several cells, and the first line has one.`, position);
      return { position, cells: [unformulated(line)] };
    });
}

async function* jsonLines(chunks: Chunks, options: TableOptions): AsyncGenerator<readonly TableRow[]> {
  for await (const { lines, from } of eachLines(chunks, options))
    yield lines.flatMap((line, index) => {
      if (line.trim() === '') return [];
      const position = from + index;
      const entry = parseJsonOrUndefined(line);
      if (entry === undefined) throw new TableProblem(sentence`is not JSON.`, position);
      return [{ position, entry }];
    });
}

async function* arrayRows(chunks: Chunks): AsyncGenerator<readonly TableRow[]> {
  let position = 0;
  try {
    yield* inBatches(eachElement(chunks), (entry) => {
      position += 1;
      return { position, entry };
    });
  } catch (error) {
    throw error instanceof NotAnArray ? new TableProblem(sentence`After entry ${position} it is not a well-formed JSON array.`) : error;
  }
}

/** Any of them ends a line. By itself the parser takes the first line's for all, and joins the lines that end otherwise. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

/** Has the records of a parser come as `CellsRow`s, each with the line where it begins. Returns what tells that of the record that comes next. */
function numberRows(parser: Transform): () => number {
  let next = 1;
  const push = parser.push.bind(parser);
  // Where each comes out: `on_record` and the parser's own count, which counts CR LF in a cell twice, would take it twice the time.
  parser.push = (cells: readonly string[] | null) => {
    if (cells === null) return push(null);
    const position = next;
    next += 1;
    for (const cell of cells) if (LINE_BREAK.test(cell)) next += cell.split(/\r\n|\r|\n/).length - 1;
    return push({ position, cells } satisfies CellsRow);
  };
  return () => next;
}

async function* csvRows(chunks: Chunks, delimiter: string, options: TableOptions): AsyncGenerator<readonly TableRow[]> {
  // A quote within a cell is a part of it: some programs write ="0012" without more.
  const csv = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    max_record_size: options.maxRecord,
    record_delimiter: LINE_ENDS,
  };
  const parser = parse(csv);
  const nextLine = numberRows(parser);
  const rows: AsyncIterable<CellsRow> = pipeline(decoded(chunks, options), parser, () => {});
  try {
    yield* inBatches(rows, ({ position, cells }) => ({
      position,
      cells: position === 1 && isSeparatorLine(cells) ? [''] : cells.map(unformulated),
    }));
  } catch (error) {
    if (!isCsvProblem(error)) throw error;
    throw new TableProblem(sentence`is not well-formed CSV; is a quote left open?`, nextLine());
  }
}

/** What the parser throws of a text that is no CSV. By its code, since its class would load the parser. */
const isCsvProblem = (error: unknown): error is Error => error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_');

const LINE_BREAK = /[\r\n]/;

/** The line with which a spreadsheet tells itself the separator: `sep=;`. */
const isSeparatorLine = ([first = '', ...others]: readonly string[]): boolean =>
  /^sep=$/i.test(first) && others.every((cell) => cell === '');

/** The rows of some values, many at a time. */
async function* inBatches<T>(values: AsyncIterable<T>, rowOf: (value: T) => TableRow): AsyncGenerator<readonly TableRow[]> {
  let batch: TableRow[] = [];
  for await (const value of values) {
    batch.push(rowOf(value));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
