import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { eachElement } from '../service/json-array.ts';
import { cleanText } from '../text/sanitize-text.ts';
import { type CatalogueEntry, type Column, entryOf, NAMES } from './catalogue-entry.ts';
import { problemWithText } from './text-bytes.ts';

/** A catalogue that can't be parsed; without a `problem`, it takes the whole text to tell what is wrong. */
export class TextProblem extends Error {
  readonly problem: FieldProblem | undefined;
  constructor(problem?: FieldProblem) {
    super(problem?.problem ?? 'The text is broken.');
    this.problem = problem;
  }
}

/** Receives the videos of a catalogue, and what is wrong with it. */
export interface EntrySink {
  add(entry: CatalogueEntry, where: string): void;
  problem(field: string, words: string): void;
}

/** Any of them ends a line. By itself the parser takes the first line's for all, and joins the lines that end otherwise. */
export const LINE_ENDS = ['\r\n', '\n', '\r'];

/** In UTF-16 units. */
const MAX_RECORD = 4 * 1_048_576;

/**
 * Reads a CSV with a header line or a JSON array of objects. `withLines` tells the line of each record of a CSV, for which the
 * parser takes three times as long. Throws `TextProblem`.
 */
export async function readEntries(stream: AsyncIterable<Buffer>, sink: EntrySink, withLines: boolean): Promise<void> {
  const chunks = eachChunk(stream);
  const { value: first = Buffer.alloc(0) } = await chunks.next();
  const head = first
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head.startsWith('{')) throw new TextProblem({ field: 'line 1', problem: 'begins a JSON object; an array of objects was expected.' });
  const all = prepended(first, chunks);
  await (head.startsWith('[') ? readJson(all, sink) : readCsv(all, delimiterOf(head), sink, withLines));
}

async function* eachChunk(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (problemWithText(chunk) !== undefined) throw new TextProblem();
    yield chunk;
  }
}

async function* prepended(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? new TextProblem() : error;
  }
}

async function readCsv(chunks: AsyncIterable<Buffer>, delimiter: string, sink: EntrySink, withLines: boolean): Promise<void> {
  const options = {
    bom: true,
    skip_empty_lines: true,
    trim: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD,
    record_delimiter: LINE_ENDS,
  };
  // The library's own types leave out what `info` adds.
  const records: AsyncIterable<string[] | { readonly record: string[]; readonly info: { readonly lines: number } }> = pipeline(
    decoded(chunks),
    parse({ ...options, delimiter, info: withLines }),
    () => {},
  );
  let columns: Columns | undefined;
  try {
    for await (const one of records) {
      const [row, where] = Array.isArray(one) ? [one, ''] : [one.record, `line ${one.info.lines}`];
      if (columns === undefined) columns = columnsIn(row, where);
      else if (row.length !== columns.width) sink.problem(where, `has ${row.length} columns; the header has ${columns.width}.`);
      else sink.add(entryIn(row, columns), where);
    }
  } catch (error) {
    if (error instanceof TextProblem || error instanceof VideoHostingError) throw error;
    throw new TextProblem({
      field: /line \d+/.exec(String(error))?.[0] ?? 'file',
      problem: 'is not well-formed CSV; is a quote left open?',
    });
  }
}

type Columns = Readonly<Record<Column | 'width', number>>;

function columnsIn(header: readonly string[], where: string): Columns {
  const indexOf = (column: Column): number => header.findIndex((name) => NAMES[column].test(name));
  const twice = namedTwice(header);
  if (twice !== undefined) throw new TextProblem({ field: where, problem: twice });
  const columns = { id: indexOf('id'), key: indexOf('key'), title: indexOf('title'), width: header.length };
  if (columns.id >= 0 || columns.key >= 0) return columns;
  const problem = 'is the header, and names no column id or key; id, key and title were expected, in any order.';
  throw new TextProblem({ field: where, problem });
}

/** Why it can't be told which column or field holds ids, or keys: the first is not guessed. */
function namedTwice(names: readonly string[]): string | undefined {
  for (const column of ['id', 'key'] as const) {
    const same = names.filter((name) => NAMES[column].test(name.trim()));
    if (same.length > 1)
      return `has ${same.map((name) => JSON.stringify(cleanText(name, 60))).join(' and ')}: rename the one that is no ${column} of the video.`;
  }
  return undefined;
}

const entryIn = (row: readonly string[], columns: Columns): CatalogueEntry => entryOf((column) => row[columns[column]]);

async function readJson(chunks: AsyncIterable<Buffer>, sink: EntrySink): Promise<void> {
  let count = 0;
  try {
    for await (const value of eachElement(chunks, 'The catalogue')) {
      count += 1;
      addJson(value, `entry ${count}`, sink);
    }
  } catch (error) {
    throw error instanceof VideoHostingError && error.code === 'unexpected_body' ? new TextProblem() : error;
  }
}

function addJson(value: unknown, where: string, sink: EntrySink): void {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isRecord) sink.problem(where, 'must be an object with id, key or title.');
  const fields = isRecord ? Object.entries(value) : [];
  const twice = namedTwice(fields.map(([name]) => name));
  if (twice !== undefined) sink.problem(where, twice);
  const cellOf = (column: Column): unknown => fields.find(([name]) => NAMES[column].test(name.trim()))?.[1];
  for (const column of ['id', 'key'] as const) {
    const number = cellOf(column);
    // The parser has rounded it to another video's number.
    if (typeof number === 'number' && !Number.isSafeInteger(number))
      sink.problem(where, `has a number as its ${column} that can’t be read exactly; put it in quotes.`);
  }
  if (isRecord) sink.add(entryOf(cellOf), where);
}

/** The separator that the first line that is not blank has most of. */
export function delimiterOf(text: string): string {
  const first = /\S.*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}
