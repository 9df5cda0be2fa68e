import { definedFields } from '../platform/defined-fields.ts';
import { type Sentence, sentence } from '../text/sentence.ts';
import { brokenList, type ListColumns, shownColumn } from './columns.ts';
import { problemWithNumber } from './id-format.ts';
import type { KnownVideos } from './known-videos.ts';
import { type AddValue, createValuesReader, type ValueContext, videoLines } from './list-values.ts';
import { fileRefused } from './named-files.ts';
import { createNumberedColumns, MAX_NUMBERED, type NumberedColumn } from './numbered-column.ts';
import type { ListFormat } from './read-list.ts';
import type { TableProblem } from './read-table.ts';

export interface IdList {
  /** In the order of the file, repeats included. */
  readonly values: readonly string[];
  /** The values by channel, where the file tells it; one may have none. */
  readonly groups?: ReadonlyMap<string, readonly string[]>;
  /** The line, or the entry of a JSON array, of each value. */
  readonly positions: Uint32Array;
  readonly positionUnit: 'line' | 'entry';
  /** The projects that the file names beside its values. */
  readonly projects?: NumberedColumn;
  /** Where the format has projects and the file names none in their column: its columns or fields of few values. */
  readonly others: readonly NumberedColumn[];
  /** Rows below the header, or entries of JSON. */
  readonly rows: number;
  /** Files that were put together have more than one. */
  readonly headers: number;
  /** Whether each row is a line of its own. */
  readonly areLines: boolean;
  readonly blanks: number;
  /** The positions of the first blank entries that have other cells or fields. */
  readonly incomplete: readonly number[];
  /** How many were left out for their outcome. */
  readonly leftOut: number;
  /** How it was read, in words: `column "Video ID"`. */
  readonly read: Sentence;
  /** What its column of values is called. */
  readonly header?: string;
}

const MAX_VALUES = 1_000_000;
const MAX_INCOMPLETE = 5;
const NUMBER_HINT = sentence`Ask the user to export the list again, and to import the column as text.`;

/**
 * The ids or keys of a list: text with one a line, CSV with a column that is named or known, a JSON array of texts or objects, or
 * JSON Lines. Refused with the line or entry.
 */
export const idList = (videos: KnownVideos | undefined, asked: ListColumns): ListFormat<IdList> => ({
  ...videoLines(videos),
  refusal,
  rows(table, name) {
    const collected = createCollector(name, asked, table.unit);
    const reader = createValuesReader(table, { name, videos, asked }, collected.add);
    return {
      ...reader,
      end() {
        const { read, headers, header } = reader.end();
        return { ...collected.end(headers), positionUnit: table.unit, headers, read, ...definedFields({ header }) };
      },
    };
  },
});

/** The ids of a list that `idList` reads, handed on and not kept. How many there are, repeats included. */
export const eachId = (add: (id: string) => void): ListFormat<number> => ({
  ...videoLines(undefined),
  refusal,
  rows(table, name) {
    let count = 0;
    const reader = createValuesReader(table, { name, videos: undefined, asked: { wanted: 'id' } }, (value, { position }) => {
      const text = value?.trim() ?? '';
      if (text === '') return;
      assertExact(text, name, table.unit, position);
      count += 1;
      if (count > MAX_VALUES) throw tooMany(name);
      add(text);
    });
    return {
      ...reader,
      end() {
        reader.end();
        return count;
      },
    };
  },
});

const refusal = ({ message }: TableProblem, name: string) => brokenList(name, message);

function assertExact(text: string, name: string, unit: IdList['positionUnit'], position: number): void {
  const problem = problemWithNumber(text);
  if (problem !== undefined) throw fileRefused(name, sentence`${unit} ${position} is ${shownColumn(text)}, ${problem}.`, NUMBER_HINT);
}

const tooMany = (name: string) => brokenList(name, sentence`It holds more than ${MAX_VALUES} ids; split it.`);

function createCollector(
  name: string,
  asked: ListColumns,
  unit: IdList['positionUnit'],
): { add: AddValue; end: (headers: number) => Omit<IdList, 'read' | 'positionUnit' | 'headers' | 'header'> } {
  const values: string[] = [];
  // The system gives memory to the pages that are written to.
  const positions = new Uint32Array(MAX_VALUES);
  const projects = createNumberedColumns(MAX_VALUES);
  const others = createNumberedColumns(MAX_VALUES);
  let hasProjects = false;
  const groups = new Map<string, string[]>();
  const incomplete: number[] = [];
  let [blanks, entries, grouped, leftOut, rows, last] = [0, 0, 0, 0, 0, 0];

  /** What stands beside the value at an index. */
  function addBeside(index: number, project: string | undefined, row: ValueContext['row']): void {
    const { projectColumn = 'fromProject' } = asked;
    if (project !== undefined && !projects.set(projectColumn, index, project.trim()))
      throw brokenList(name, sentence`Its column ${shownColumn(projectColumn)} names more than ${MAX_NUMBERED} projects.`);
    hasProjects ||= project !== undefined && project.trim() !== '';
    if (asked.hasProjects !== true || hasProjects || row === undefined) return;
    const { names, cells } = row;
    for (let at = 0; at < names.length; at += 1) others.set(names[at] ?? '', index, cells[at]?.trim() ?? '');
  }

  function addToGroup(group: string, text: string | undefined): void {
    grouped += 1;
    // A blank line of a spreadsheet belongs to nothing.
    if (group === '' && text !== '')
      throw brokenList(name, sentence`Entry ${entries} names no channel${text === undefined ? '' : sentence` for ${shownColumn(text)}`}.`);
    const members = groups.get(group);
    if (text === undefined && members !== undefined)
      throw brokenList(name, sentence`Entry ${entries} gives the list of ${shownColumn(group)} again.`);
    if (group === '') return;
    if (members === undefined) groups.set(group, text === undefined || text === '' ? [] : [text]);
    else if (text !== undefined && text !== '') members.push(text);
    if (text === undefined) opened.add(group);
  }

  /** Groups that were given as lists, so that an empty one is meant. */
  const opened = new Set<string>();
  return {
    add(value, { position, channel, fromProject, outcome, isIncomplete = false, row }) {
      entries += 1;
      if (position !== last) rows += 1;
      last = position;
      if (asked.leftOut !== undefined && outcome?.trim() === asked.leftOut) {
        leftOut += 1;
        return;
      }
      const text = value?.trim();
      // A video that is not told would leave the channel.
      if (isIncomplete && asked.wanted === 'key') throw brokenList(name, sentence`${unit} ${position} names no video, and is not blank.`);
      if (text !== undefined) assertExact(text, name, unit, position);
      if (isIncomplete && incomplete.length < MAX_INCOMPLETE) incomplete.push(position);
      if (text === '') blanks += 1;
      else if (text !== undefined) {
        if (values.push(text) > MAX_VALUES) throw tooMany(name);
        positions[values.length - 1] = position;
        addBeside(values.length - 1, fromProject, row);
      }
      if (channel !== undefined) addToGroup(channel.trim(), text);
    },
    end(headers) {
      if (grouped > 0 && grouped < entries) throw brokenList(name, sentence`Only ${grouped} of its ${entries} entries name a channel.`);
      const empty = [...groups].find(([group, members]) => members.length === 0 && !opened.has(group))?.[0];
      if (empty !== undefined)
        throw brokenList(
          name,
          sentence`${shownColumn(empty)} stands beside blanks only. An empty list is given as an argument, or as [] in JSON.`,
        );
      const [found] = projects.end(values.length);
      return {
        values,
        positions: positions.subarray(0, values.length),
        blanks,
        incomplete,
        leftOut,
        rows,
        areLines: unit === 'line' && last === rows + headers,
        others: hasProjects ? [] : others.end(values.length),
        ...definedFields({ projects: hasProjects ? found : undefined }),
        ...(grouped > 0 ? { groups } : {}),
      };
    },
  };
}
