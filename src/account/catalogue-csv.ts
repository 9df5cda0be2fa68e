import { parse } from 'csv-parse/sync';
import { type CatalogueEntry, type Column, entryOf, NAMES, TextProblem } from './catalogue-entry.ts';

/** Receives the videos of a catalogue, and what is wrong with it. */
export interface EntrySink {
  add(entry: CatalogueEntry, where: () => string): void;
  problem(field: string, words: string): void;
}

/** Longest record, in UTF-16 units. */
const MAX_RECORD = 4 * 1_048_576;

/** Reads a CSV catalogue chunk by chunk, as many whole records at a time as there are. */
export async function readCsv(chunks: AsyncIterable<Buffer>, sink: EntrySink): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let reader: ReturnType<typeof createCsvReader> | undefined;
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoded(decoder, chunk);
    const end = endOfRecords(rest);
    if (end === 0 && rest.length > MAX_RECORD)
      throw new TextProblem({ field: 'file', problem: 'holds a record that does not end; is a quote left open?' });
    if (end === 0) continue;
    reader ??= createCsvReader(rest, sink);
    reader.add(rest.slice(0, end));
    rest = rest.slice(end);
  }
  rest += decoded(decoder);
  reader ??= createCsvReader(rest, sink);
  reader.add(rest);
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new TextProblem();
  }
}

/** The end of the last whole record: after a line break outside quotes, and not a CR at the end, which may be half of one. */
function endOfRecords(text: string): number {
  let isQuoted = false;
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(/"|\r\n|\n|\r(?!$)/g)) {
    if (mark === '"') isQuoted = !isQuoted;
    else if (!isQuoted) end = index + mark.length;
  }
  return end;
}

function createCsvReader(beginning: string, sink: EntrySink) {
  const options = csvOptions(beginning);
  let columns: Readonly<Record<Column, number>> | undefined;
  let width = 0;
  let linesBefore = 0;

  function readHeader(header: readonly string[], where: string): void {
    const columnOf = (column: Column): number => header.findIndex((name) => NAMES[column].test(name));
    columns = { id: columnOf('id'), key: columnOf('key'), title: columnOf('title') };
    width = header.length;
    if (columns.id < 0 && columns.key < 0) throw new TextProblem({ field: where, problem: NO_HEADER });
  }

  return {
    add(text: string): void {
      const lineOf = createLineOf(text, options, linesBefore);
      for (const [index, row] of recordsIn(text, options, linesBefore).entries()) {
        if (columns === undefined) readHeader(row, lineOf(index));
        else {
          const { id, key, title } = columns;
          if (row.length !== width) sink.problem(lineOf(index), `has ${row.length} columns; the header has ${width}.`);
          else
            sink.add(
              entryOf((column) => row[{ id, key, title }[column]]),
              () => lineOf(index),
            );
        }
      }
      linesBefore += text.split('\n').length - 1;
    },
  };
}

const csvOptions = (text: string) =>
  ({ bom: true, skip_empty_lines: true, trim: true, delimiter: delimiterOf(text), relax_column_count: true }) as const;
type CsvOptions = ReturnType<typeof csvOptions>;

function recordsIn(text: string, options: CsvOptions, linesBefore: number): string[][] {
  try {
    return parse(text, options);
  } catch (error) {
    const line = /line (\d+)/.exec(String(error))?.[1];
    const field = line === undefined ? 'file' : `line ${linesBefore + Number(line)}`;
    throw new TextProblem({ field, problem: 'is not well-formed CSV.' });
  }
}

/** The line on which a record ends. With `info` the parser takes three times as long, so the text is parsed again where a line is asked for. */
function createLineOf(text: string, options: CsvOptions, linesBefore: number): (record: number) => string {
  let lines: readonly number[] | undefined;
  return (record) => {
    // The library's own types leave out what `info` adds.
    lines ??= (parse(text, { ...options, info: true }) as unknown as { readonly info: { readonly lines: number } }[]).map(
      ({ info }) => info.lines,
    );
    return `line ${linesBefore + (lines[record] ?? 0)}`;
  };
}

const NO_HEADER = 'is the header, and names no column id or key; id, key and title were expected, in any order.';

/** The separator that the first line that is not blank has most of. */
export function delimiterOf(text: string): string {
  const first = /\S.*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}
