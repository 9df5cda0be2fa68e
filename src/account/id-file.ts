import type { FileHandle } from 'node:fs/promises';
import { cancelledError, VideoHostingError } from '../errors.ts';
import type { Catalogue } from './catalogue.ts';
import { brokenList, type ListFormat, shownColumn } from './columns.ts';
import { isRounded } from './id-format.ts';
import { type AddValue, readValues } from './list-values.ts';
import { chunksOf, fileRefused } from './named-files.ts';
import { readTable, TableProblem } from './read-table.ts';
import { isInCatalogue } from './video-column.ts';

export interface IdFile {
  /** In the order of the file, repeats included. */
  readonly values: readonly string[];
  /** The values by channel, where the file tells it; one may have none. */
  readonly groups?: ReadonlyMap<string, readonly string[]>;
  /** The line, or the entry of a JSON array, of each value. */
  readonly positions: Uint32Array;
  readonly positionUnit: 'line' | 'entry';
  /** The projects that the file names beside its values; of each value the number of its project, from 1; nothing where it has none. */
  readonly projects?: { readonly names: readonly string[]; readonly of: readonly (number | undefined)[] };
  /** How many entries were blank. */
  readonly blanks: number;
  /** The positions of the first blank entries that have other cells or fields. */
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
const MAX_RECORD = 1_048_576;

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
    const isValue = catalogue && ((line: string) => isInCatalogue(line, catalogue));
    const table = await readTable(await chunksOf(handle, signal), { maxRecord: MAX_RECORD, isValue });
    const collected = createCollector(name, format, table.unit);
    const { read } = await readValues(table, { name, catalogue, format }, collected.add);
    return { ...collected.end(), positionUnit: table.unit, read };
  } catch (error) {
    if (error instanceof TableProblem) throw brokenList(name, error.message);
    throw signal.aborted && !(error instanceof VideoHostingError) ? cancelledError() : error;
  }
}

function createCollector(
  name: string,
  format: ListFormat,
  unit: IdFile['positionUnit'],
): { add: AddValue; end: () => Omit<IdFile, 'read' | 'positionUnit'> } {
  const values: string[] = [];
  // The system gives memory to the pages that are written to.
  const positions = new Uint32Array(MAX_VALUES);
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
      throw brokenList(name, `Entry ${entries} names no channel${text === undefined ? '' : ` for ${shownColumn(text)}`}.`);
    const members = groups.get(group);
    if (text === undefined && members !== undefined)
      throw brokenList(name, `Entry ${entries} gives the list of ${shownColumn(group)} again.`);
    if (group === '') return;
    if (members === undefined) groups.set(group, text === undefined || text === '' ? [] : [text]);
    else if (text !== undefined && text !== '') members.push(text);
    if (text === undefined) opened.add(group);
  }

  /** Groups that were given as lists, so that an empty one is meant. */
  const opened = new Set<string>();
  return {
    add(value, { position, channel, fromProject, outcome, isIncomplete = false }) {
      entries += 1;
      if (format.leftOut !== undefined && outcome?.trim() === format.leftOut) {
        leftOut += 1;
        return;
      }
      const text = value?.trim();
      // A video that is not told would leave the channel.
      if (isIncomplete && format.wanted === 'key') throw brokenList(name, `${unit} ${position} names no video, and is not blank.`);
      if (text !== undefined && isRounded(text))
        throw fileRefused(name, `${unit} ${position} is ${shownColumn(text)}, a number that a spreadsheet has rounded.`, ROUNDED_HINT);
      if (isIncomplete && incomplete.length < MAX_INCOMPLETE) incomplete.push(position);
      if (text === '') blanks += 1;
      else if (text !== undefined) {
        if (values.push(text) > MAX_VALUES) throw brokenList(name, `It holds more than ${MAX_VALUES} ids; split it.`);
        positions[values.length - 1] = position;
        const project = fromProject === undefined ? 0 : projectNumber(fromProject.trim());
        // Most files name none.
        if (project > 0) projectOf[values.length - 1] = project;
      }
      if (channel !== undefined) addToGroup(channel.trim(), text);
    },
    end() {
      if (grouped > 0 && grouped < entries) throw brokenList(name, `Only ${grouped} of its ${entries} entries name a channel.`);
      const empty = [...groups].find(([group, members]) => members.length === 0 && !opened.has(group))?.[0];
      if (empty !== undefined)
        throw brokenList(name, `${shownColumn(empty)} stands beside blanks only. An empty list is given as an argument, or as [] in JSON.`);
      const found = projects.size === 0 ? {} : { projects: { names: [...projects.keys()], of: projectOf } };
      return {
        values,
        positions: positions.subarray(0, values.length),
        blanks,
        incomplete,
        leftOut,
        ...found,
        ...(grouped > 0 ? { groups } : {}),
      };
    },
  };
}
