import { definedFields } from '../platform/defined-fields.ts';
import { isObject } from '../platform/is-object.ts';
import { inQuotes, joined, type Sentence, sentence } from '../text/sentence.ts';
import { indexOfColumn, isCalled } from './columns.ts';
import { type CellsRow, readTable, TableProblem } from './read-table.ts';

export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** Receives the videos of a catalogue, and what is wrong with it. */
export interface EntrySink {
  add(entry: CatalogueEntry, where: Sentence): void;
  problem(field: Sentence, words: Sentence): void;
}

const MAX_RECORD = 4 * 1_048_576;

/** Reads a table with a header line, or JSON with an object for each video. Throws `TableProblem`. */
export async function readEntries(chunks: AsyncIterable<Buffer>, sink: EntrySink): Promise<void> {
  const { unit, pieces } = await readTable(chunks, { maxRecord: MAX_RECORD, isStrict: true, isValue: () => false });
  let header: { readonly width: number; readonly columns: Columns } | undefined;
  for await (const piece of pieces)
    for (const row of piece) {
      if (!('cells' in row)) addFields(row.entry, sentence`${unit} ${row.position}`, sink);
      else if (row.cells.length === 1 && row.cells[0]?.trim() === '') continue;
      else if (header === undefined) header = headerIn(row);
      else if (row.cells.length === header.width) sink.add(entryOf(row.cells, header.columns), sentence`${unit} ${row.position}`);
      else sink.problem(sentence`${unit} ${row.position}`, sentence`has ${row.cells.length} columns; the header has ${header.width}.`);
    }
}

type Columns = Readonly<Record<keyof CatalogueEntry, number>>;

const columnsIn = (names: readonly string[]): Columns => ({
  id: indexOfColumn(names, 'id'),
  key: indexOfColumn(names, 'key'),
  title: indexOfColumn(names, 'title'),
});

function headerIn({ cells, position }: CellsRow) {
  const twice = namedTwice(cells);
  if (twice !== undefined) throw new TableProblem(twice, position);
  const columns = columnsIn(cells);
  if (columns.id >= 0 || columns.key >= 0) return { width: cells.length, columns };
  throw new TableProblem(sentence`is the header, and names no column id or key; id, key and title were expected, in any order.`, position);
}

/** Why it can't be told which column or field holds ids, or keys: the first is not guessed. */
function namedTwice(names: readonly string[]): Sentence | undefined {
  for (const column of ['id', 'key'] as const) {
    const same = names.filter((name) => isCalled(name, column));
    if (same.length > 1)
      return sentence`has ${joined(
        same.map((name) => inQuotes(name, 60)),
        ' and ',
      )}: rename the one that is no ${column} of the video.`;
  }
  return undefined;
}

function addFields(entry: unknown, where: Sentence, sink: EntrySink): void {
  if (!isObject(entry)) {
    sink.problem(where, sentence`must be an object with id, key or title.`);
    return;
  }
  const [names, values] = [Object.keys(entry), Object.values(entry)];
  const columns = columnsIn(names);
  const twice = namedTwice(names);
  if (twice !== undefined) sink.problem(where, twice);
  for (const column of ['id', 'key'] as const) {
    const number: unknown = values[columns[column]];
    // The parser has rounded it to another video's number.
    if (typeof number === 'number' && !Number.isSafeInteger(number))
      sink.problem(where, sentence`has a number as its ${column} that can’t be read exactly; put it in quotes.`);
  }
  sink.add(entryOf(values, columns), where);
}

const entryOf = (values: readonly unknown[], { id, key, title }: Columns): CatalogueEntry =>
  definedFields({ id: textIn(values[id]), key: textIn(values[key]), title: textIn(values[title]) });

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
