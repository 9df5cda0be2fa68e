import type { VideoHostingError } from '../errors.ts';
import { counted } from '../text/counted.ts';
import { nearest } from '../text/nearest.ts';
import { inQuotes, joined, type Sentence, sentence } from '../text/sentence.ts';
import { fileRefused } from './named-files.ts';

/** The names of columns and JSON fields in lists of videos. */
export const LIST_COLUMNS = {
  id: /^(video[\s_-]*)?ids?$/i,
  key: /^(video[\s_-]*)?keys?$/i,
  title: /^(video[\s_-]*)?(titles?|names?)$/i,
  /** What a list of one column may be called too. */
  video: /^videos?$/i,
  channel: /^channel([\s_-]*(id|key|name))?$/i,
  fromProject: /^from[\s_-]*project([\s_-]*(id|key|name))?$/i,
  /** Of our own files of outcomes. */
  outcome: /^outcome$/i,
} as const;

export type ColumnName = keyof typeof LIST_COLUMNS;

export const isCalled = (name: string, column: ColumnName): boolean => LIST_COLUMNS[column].test(name.trim());
export const indexOfColumn = (names: readonly string[], column: ColumnName): number => names.findIndex((name) => isCalled(name, column));

/** Whether a column or field is called after what may name a video. */
export const isVideoColumn = (name: string): boolean => (['key', 'id', 'title'] as const).some((column) => isCalled(name, column));

/** What the values of a list are for, and what else it may tell. */
export interface ListColumns {
  /** The column that is preferred where a list has both. */
  readonly wanted: 'id' | 'key';
  /** Whether a column tells the channel of each video. */
  readonly hasChannels?: boolean;
  /** Whether a column `fromProject`, or the one that the caller names, tells the project of each video. */
  readonly hasProjects?: boolean;
  readonly projectColumn?: string | undefined;
  /** Rows with this text in a column `outcome` are left out. */
  readonly leftOut?: Sentence;
  /** The column or field of the values where the caller names it, or the index of the column. */
  readonly column?: string | number | undefined;
  /** The argument in which the caller can name it. */
  readonly columnArgument?: Sentence;
}

/** The columns that are read beside the values. */
export function contextColumns({ hasChannels = false, hasProjects = false, leftOut }: ListColumns) {
  const wanted = { channel: hasChannels, fromProject: hasProjects, outcome: leftOut !== undefined };
  return (['channel', 'fromProject', 'outcome'] as const).filter((column) => wanted[column]);
}

export type ContextColumn = ReturnType<typeof contextColumns>[number];

/** The indexes of the columns or fields beside the values that are asked for. Throws `file_refused` where two have the name that the caller gives. */
export function contextIndexes(names: readonly string[], fileName: string, asked: ListColumns): Partial<Record<ContextColumn, number>> {
  const { projectColumn } = asked;
  const found = contextColumns(asked).map((column) => {
    if (column !== 'fromProject' || projectColumn === undefined) return [column, indexOfColumn(names, column)] as const;
    const same = [...names.keys()].filter((index) => isSameName(names[index] ?? '', projectColumn));
    if (same.length > 1)
      throw fileRefused(
        fileName,
        sentence`${same.length} of its columns are called ${shownColumn(projectColumn)}.`,
        sentence`Ask the user which of them is meant, and rename the other.`,
      );
    return [column, same[0] ?? -1] as const;
  });
  return Object.fromEntries(found.filter(([, index]) => index >= 0));
}

/** The index of the column or field that the caller names, else the one named after what is wanted, else after the other of ids and keys, else -1. */
export function indexOfVideos(names: readonly string[], { wanted, column }: ListColumns): number {
  if (typeof column === 'number') return column;
  if (column !== undefined) return names.findIndex((name) => isSameName(name, column));
  const found = indexOfColumn(names, wanted);
  return found >= 0 ? found : indexOfColumn(names, wanted === 'id' ? 'key' : 'id');
}

/** Throws `file_refused` where several columns or fields may be the one that `indexOfVideos` found: the first is not guessed. */
export function assertOnlyColumn(names: readonly string[], found: string, fileName: string, { column, columnArgument }: ListColumns): void {
  if (typeof column === 'number') return;
  const kind = column === undefined ? (['id', 'key'] as const).find((name) => isCalled(found, name)) : undefined;
  const same = names.filter((name) => (kind === undefined ? isSameName(name, found) : isCalled(name, kind)));
  if (same.length < 2) return;
  throw fileRefused(
    fileName,
    sentence`${same.length} of its columns may name the videos: ${joined(same.map(shownColumn), ', ')}.`,
    sentence`Ask the user which of them does, and rename or remove the other${columnArgument === undefined ? '' : sentence`, or give its name as ${columnArgument}`}.`,
  );
}

const isSameName = (name: string, other: string): boolean => normalise(name) === normalise(other);
const normalise = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Throws `file_refused` where no column or field has a name that the caller gives. */
export function assertNamedColumns(
  names: readonly string[],
  fileName: string,
  asked: ListColumns,
  what: 'column' | 'field' = 'column',
): void {
  const { column, columnArgument, projectColumn } = asked;
  const wanted = [
    { name: typeof column === 'string' ? column : undefined, argument: columnArgument, holds: 'names the videos' } as const,
    { name: projectColumn, argument: 'fromProjectColumn', holds: 'tells the project that each is in now' } as const,
  ];
  const missing = wanted.filter(({ name }) => name !== undefined && !names.some((other) => isSameName(other, name)));
  if (missing.length === 0) return;
  const called = missing.map(({ name = '' }) => sentence`none is called ${shownColumn(name)}`);
  const near = missing.flatMap(({ name = '' }) => nearest(name, names).map(shownColumn));
  const questions = missing.map(
    ({ argument, holds }) => sentence`which of them ${holds}${argument === undefined ? '' : sentence`, and give its name as ${argument}`}`,
  );
  const unread = names.some((name) => name.includes('\uFFFD'))
    ? sentence` The file is not UTF-8, so some of its letters are lost: save it as UTF-8.`
    : '';
  const nearer = near.length === 0 ? '' : sentence` The nearest: ${joined([...new Set(near)], ', ')}.`;
  const problem = sentence`${columnsText(names, joined(called, ', and '), what)}${nearer}${unread}`;
  throw fileRefused(fileName, problem, sentence`Ask the user ${joined(questions, '; and ')}.${what === 'column' ? IN_FIRST_LINE : ''}`);
}

export const IN_FIRST_LINE = ' The names of columns are read from the first line that is not blank.';

/** `It has 3 columns, of which none is called "Asset": "Ref", "Note", "Cut".` */
export function columnsText(names: readonly string[], none: Sentence, what: 'column' | 'field' = 'column'): Sentence {
  if (names.length === 0) return sentence`It has no ${what}s, so ${none}.`;
  const shown = joined(names.slice(0, MAX_SHOWN_COLUMNS).map(shownColumn), ', ');
  const more = names.length > MAX_SHOWN_COLUMNS ? sentence` and ${names.length - MAX_SHOWN_COLUMNS} more` : sentence``;
  return sentence`It has ${counted(names.length, what)}, of which ${none}: ${shown}${more}.`;
}

const MAX_SHOWN_COLUMNS = 20;

export const shownColumn = (name: string): Sentence => inQuotes(name, 60);

export function brokenList(name: string, problem: Sentence): VideoHostingError {
  return fileRefused(name, problem, sentence`Correct the file: one id a line, a CSV with a header line, a JSON array or JSON Lines.`);
}
