import { indexOfColumn, isCalled, shownColumn } from '../files/columns.ts';
import type { KnownVideo } from '../files/known-videos.ts';
import type { ListFormat } from '../files/read-list.ts';
import { type CellsRow, isSameRow, TableProblem } from '../files/read-table.ts';
import { unescapeFormulas, unguarded } from '../files/spreadsheet-cell.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { isObject } from '../platform/is-object.ts';
import { inQuotes, joined, type Sentence, sentence } from '../text/sentence.ts';

/** Receives the videos of a catalogue, and what is wrong with it. */
export interface EntrySink {
  add(entry: KnownVideo, where: Sentence): void;
  /** `texts`: those of the row among which its title may be. */
  problem(field: Sentence, words: Sentence, texts?: readonly unknown[]): void;
}

/** Names of columns or fields. */
const MAX_SHOWN = 20;
const MAX_RECORD = 4 * 1_048_576;

/** A table with a header line, or JSON with an object for each video. */
export const catalogueRows = (sink: EntrySink): ListFormat<void> => ({
  maxRecord: MAX_RECORD,
  isStrict: true,
  isValue: () => false,
  rows({ unit }) {
    let header: { readonly width: number; readonly cells: readonly string[]; readonly columns: Columns } | undefined;
    return {
      cells(row) {
        const { cells, position } = row;
        if (cells.every(isBlank)) return;
        if (header === undefined) header = headerIn(row);
        else if (isSameRow(cells, header.cells)) return;
        else if (cells.length >= header.width && cells.slice(header.width).every(isBlank))
          sink.add(entryIn(cells, header.columns), sentence`${unit} ${position}`);
        else sink.problem(sentence`${unit} ${position}`, sentence`has ${cells.length} columns; the header has ${header.width}.`, cells);
      },
      entry: ({ entry }, where) => addFields(entry, where, sink),
      end() {},
    };
  },
});

type Columns = Readonly<Record<keyof KnownVideo, number>>;

const columnsIn = (names: readonly string[]): Columns => ({
  id: indexOfColumn(names, 'id'),
  key: indexOfColumn(names, 'key'),
  title: indexOfColumn(names, 'title'),
});

function headerIn({ cells, position }: CellsRow) {
  const twice = namedTwice(cells);
  if (twice !== undefined) throw new TableProblem(twice, position);
  const columns = columnsIn(cells);
  if (columns.id >= 0 || columns.key >= 0) return { width: cells.length, cells, columns };
  throw new TableProblem(
    sentence`is the header (${joined(cells.slice(0, MAX_SHOWN).map(shownColumn), ', ')}), and names no column id or key; id, key and title were expected, in any order.`,
    position,
  );
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
  if (isBlank(entry) || (isObject(entry) && Object.values(entry).every(isBlank))) return;
  if (!isObject(entry)) {
    sink.problem(where, sentence`must be an object with id, key or title.`);
    return;
  }
  const [names, values] = [Object.keys(entry), Object.values(entry)];
  const columns = columnsIn(names);
  const twice = namedTwice(names);
  // The parser has rounded it to another video's number.
  const inexact = (['id', 'key'] as const).find((column) => isInexact(values[columns[column]]));
  if (twice !== undefined) sink.problem(where, twice, values);
  else if (inexact !== undefined)
    sink.problem(where, sentence`has a number as its ${inexact} that can’t be read exactly; put it in quotes.`, values);
  else if (columns.id < 0 && columns.key < 0)
    sink.problem(where, sentence`has neither an id nor a key, but ${joined(names.slice(0, MAX_SHOWN).map(shownColumn), ', ')}.`, values);
  else sink.add(entryOf(values, columns), where);
}

const isInexact = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value);
const isBlank = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

/** Of cells, as a spreadsheet guards them. */
const entryIn = (cells: readonly string[], columns: Columns): KnownVideo =>
  entryOf(
    cells.map((cell, index) => (index === columns.title ? unescapeFormulas(cell) : unguarded(unescapeFormulas(cell)))),
    columns,
  );

const entryOf = (values: readonly unknown[], { id, key, title }: Columns): KnownVideo =>
  definedFields({ id: textIn(values[id]), key: textIn(values[key]), title: textIn(values[title]) });

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
