import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { type CatalogueEntry, type Column, entryOf, NAMES, TextProblem } from './catalogue-entry.ts';

/** Receives the videos of a catalogue, and what is wrong with it. */
export interface EntrySink {
  add(entry: CatalogueEntry, where: () => string): void;
  problem(field: string, words: string): void;
}

/** Longest record, in bytes. */
const MAX_RECORD = 4 * 1_048_576;

const NO_HEADER = 'is the header, and names no column id or key; id, key and title were expected, in any order.';

/** Thrown where a line number is wanted and was not counted. */
export class LineNeeded extends Error {}

/** Reads a CSV catalogue. With `hasLines` the parser takes a third longer; without, `LineNeeded` is thrown at the first problem. */
export async function readCsv(chunks: AsyncIterable<Buffer>, sink: EntrySink, head: string, hasLines: boolean): Promise<void> {
  const options = { bom: true, skip_empty_lines: true, trim: true, relax_column_count: true, max_record_size: MAX_RECORD } as const;
  const parser = parse({ ...options, delimiter: delimiterOf(head), info: hasLines });
  // The library's own types leave out what `info` makes of a row.
  const rows = pipeline(eachText(chunks), parser, () => {}) as AsyncIterable<string[] | LocatedRow>;
  let columns: Readonly<Record<Column, number>> | undefined;
  let width = 0;
  try {
    for await (const row of rows) {
      const cells = 'record' in row ? row.record : row;
      const where = (): string => {
        if ('info' in row) return `line ${row.info.lines}`;
        throw new LineNeeded();
      };
      if (columns === undefined) {
        columns = columnsIn(cells, where);
        width = cells.length;
      } else if (cells.length !== width) sink.problem(where(), `has ${cells.length} columns; the header has ${width}.`);
      else {
        const { id, key, title } = columns;
        sink.add(
          entryOf((column) => cells[{ id, key, title }[column]]),
          where,
        );
      }
    }
  } catch (error) {
    throw problemOf(error);
  }
}

interface LocatedRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

async function* eachText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function columnsIn(header: readonly string[], where: () => string): Readonly<Record<Column, number>> {
  const indexOf = (column: Column): number => header.findIndex((name) => NAMES[column].test(name));
  const columns = { id: indexOf('id'), key: indexOf('key'), title: indexOf('title') };
  if (columns.id < 0 && columns.key < 0) throw new TextProblem({ field: where(), problem: NO_HEADER });
  return columns;
}

function problemOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return new TextProblem();
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new TextProblem({ field: 'file', problem: 'holds a record that does not end; is a quote left open?' });
  if (!code.startsWith('CSV_')) return error;
  return new TextProblem({ field: /line \d+/.exec(String(error))?.[0] ?? 'file', problem: 'is not well-formed CSV.' });
}

/** The separator that the first line that is not blank has most of. */
export function delimiterOf(text: string): string {
  const first = /\S.*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}
