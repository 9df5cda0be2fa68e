import type { Catalogue } from '../../account/catalogue.ts';
import { createTranslator } from '../../account/video-references.ts';
import { VideoHostingError } from '../../errors.ts';
import { indexOfColumn, indexOfVideos, isVideoColumn } from '../../files/columns.ts';
import { problemWithNumber } from '../../files/id-format.ts';
import { usable } from '../../files/known-videos.ts';
import { createValuesReader, type ValueContext, videoLines } from '../../files/list-values.ts';
import { fileRefused } from '../../files/named-files.ts';
import { giveRows, type ListFormat, readList } from '../../files/read-list.ts';
import { type Table, TableProblem, type TableRow } from '../../files/read-table.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { isObject } from '../../platform/is-object.ts';
import { entriesOfText, longPiece } from '../../platform/long-work.ts';
import { inFull } from '../../text/counted.ts';
import { hiddenInId } from '../../text/hidden-text.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { sentence } from '../../text/sentence.ts';
import type { ListRequest, ReadList, VideoSet } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { PageProblem } from '../page-problem.ts';
import { listInPaste } from './list-in-paste.ts';

export const MAX_KEYS = 100_000;
const MAX_FOUND = 200;
const MAX_PROBLEMS = 20;
const MAX_SHOWN = 80;
const HOW = 'In a table, call the column of videos key, id or title; in a list whose first line is unclear, write key in a line above it.';

/** Reads lists of videos for the page, and finds videos of the catalogue. Nothing is sent anywhere or kept. */
export function createVideoLists({ catalogue }: Pick<PageDeps, 'catalogue'>) {
  return {
    async read(body: { readonly [Field in keyof ListRequest]?: unknown }): Promise<ReadList> {
      const { text, fileName = 'The list', column } = body;
      if (typeof text !== 'string' || typeof fileName !== 'string')
        throw new PageProblem(400, sentence`text must be a text. Nothing was read.`);
      const chosen = Number.isSafeInteger(column) ? Number(column) : undefined;
      return readPaste(text, fileName, chosen, usable(await catalogue()));
    },
    /** The first videos of the catalogue with a text in their key or title. */
    async find(search: string): Promise<VideoSet> {
      const wanted = search.trim().toLocaleLowerCase();
      const known = usable(await catalogue());
      const keys: string[] = [];
      for (const { key, title = '' } of known?.entries() ?? []) {
        if (keys.length >= MAX_FOUND) break;
        if (key !== undefined && [key, title].some((text) => text.toLocaleLowerCase().includes(wanted))) keys.push(key);
      }
      return videoSet(keys, known);
    },
  };
}

/** Videos with what the catalogue knows of them. */
export function videoSet(keys: readonly string[], catalogue: Catalogue | undefined): VideoSet {
  const entries = keys.map((key) => [key, catalogue?.byKey(key)] as const);
  const titles = entries.flatMap(([key, video]) => (video?.title === undefined ? [] : [[key, video.title] as const]));
  const unknown = catalogue === undefined ? [] : entries.flatMap(([key, video]) => (video === undefined ? [key] : []));
  return { keys, titles: Object.fromEntries(titles), unknown };
}

const NOTHING = { entries: 0, repeated: 0, blanks: 0, read: '', problems: [], problemCount: 0, keys: [], titles: {}, unknown: [] };

/** All that is in a list: which column its videos are in is told by all of it. */
interface Read {
  readonly rows: readonly TableRow[];
  readonly table: Omit<Table, 'pieces'>;
}

const ROWS_AT_ONCE = 20_000;

async function readPaste(text: string, name: string, chosen: number | undefined, catalogue: Catalogue | undefined): Promise<ReadList> {
  let columns: readonly string[] = [];
  const format: ListFormat<Read> = {
    ...videoLines(catalogue),
    rows(table) {
      const rows: TableRow[] = [];
      const keep = (row: TableRow) => void rows.push(row);
      return { cells: keep, entry: keep, end: () => ({ rows, table }) };
    },
  };
  async function keysIn({ rows, table }: Read): Promise<ReadList> {
    await longPiece(rows.length);
    const head = columnsIn(rows);
    columns = head.names;
    const index = chosen ?? titleColumn(head);
    const asked = { wanted: 'key', hasChannels: true, column: head.areFields && index !== undefined ? columns[index] : index } as const;
    const collected = createCollector(name, table.unit, catalogue);
    const reader = createValuesReader(table, { name, videos: catalogue, asked }, collected.add);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      await longPiece(Math.min(rows.length, ROWS_AT_ONCE));
      giveRows(rows.slice(from, from + ROWS_AT_ONCE), table.unit, reader);
    }
    await longPiece(rows.length);
    const { read, column = index ?? indexOfVideos(columns, asked) } = reader.end();
    return { ...collected.end(), read, columns, ...definedFields({ column: column < 0 ? undefined : column }) };
  }
  try {
    await longPiece(entriesOfText(text.length));
    return await keysIn(await readList({ name, from: { text: listInPaste(text, catalogue) } }, format));
  } catch (error) {
    const isRefused = error instanceof TableProblem || (error instanceof VideoHostingError && error.code === 'file_refused');
    if (!isRefused) throw error;
    return { ...NOTHING, columns, problem: `Nothing was read: ${error.message} ${HOW}`, ...definedFields({ column: chosen }) };
  }
}

/** Collects the keys, and of each entry that can't be added why. */
function createCollector(name: string, unit: Table['unit'], catalogue: Catalogue | undefined) {
  const keyIfPlain = (text: string) =>
    /\s/.test(text) ? { problem: `${shown(text)} has spaces, so it is no key; titles need a video catalogue.` } : { value: text };
  const translate = catalogue === undefined ? keyIfPlain : createTranslator('key', catalogue);
  const keys = new Set<string>();
  const channels = new Set<string>();
  const problems: string[] = [];
  let [entries, repeated, blanks, problemCount] = [0, 0, 0, 0];

  /** The key, or what is wrong with the value. */
  function keyOf(text: string, isIncomplete: boolean): { readonly value: string } | { readonly problem: string } {
    if (isIncomplete) return { problem: 'names no video.' };
    const number = problemWithNumber(text);
    if (number !== undefined) return { problem: `${shown(text)} is ${number}: import the column as text.` };
    const found = translate(text);
    const hidden = 'value' in found ? hiddenInId(found.value) : undefined;
    return hidden === undefined ? found : { problem: `${shown(text)} holds the character ${hidden}, which no key has.` };
  }

  return {
    add(value: string | undefined, { position, channel = '', isIncomplete = false }: ValueContext): void {
      if (channel.trim() !== '' && channels.add(channel.trim()).size > 1)
        throw fileRefused(name, sentence`It has the lists of several channels.`);
      const text = value?.trim() ?? '';
      if (text === '' && !isIncomplete) {
        if (value !== undefined) blanks += 1;
        return;
      }
      entries += 1;
      if (entries > MAX_KEYS) throw fileRefused(name, sentence`It holds more than ${inFull(MAX_KEYS)} videos.`);
      const found = keyOf(text, isIncomplete);
      if ('problem' in found) {
        problemCount += 1;
        if (problems.length < MAX_PROBLEMS) problems.push(`${unit} ${position}: ${found.problem}`);
      } else if (keys.has(found.value)) repeated += 1;
      else keys.add(found.value);
    },
    end: () => ({ entries, repeated, blanks, problems, problemCount, ...videoSet([...keys], catalogue) }),
  };
}

const shown = (text: string): string => JSON.stringify(cleanText(text, MAX_SHOWN));

interface Columns {
  readonly names: readonly string[];
  /** Of JSON objects. */
  readonly areFields: boolean;
}

/** The columns as a person chooses from them. */
function columnsIn(rows: readonly TableRow[]): Columns {
  const first = rows.find((row) => !('cells' in row) || row.cells.some((cell) => cell !== ''));
  if (first !== undefined && 'cells' in first) {
    const hasNames = first.cells.some(isVideoColumn);
    return { names: first.cells.map((cell, index) => (hasNames ? cell : `${index + 1}: ${cell}`)), areFields: false };
  }
  const entries = rows.map((row) => ('entry' in row ? row.entry : undefined));
  const fields = entries.flatMap((entry) => (isObject(entry) ? Object.keys(entry) : []));
  return { names: [...new Set(fields)], areFields: true };
}

/** The column of titles where none is called after keys or ids. The only column of a text may begin with a video that is called "Title". */
function titleColumn({ names, areFields }: Columns): number | undefined {
  const isNamed = indexOfColumn(names, 'key') >= 0 || indexOfColumn(names, 'id') >= 0;
  const index = indexOfColumn(names, 'title');
  return isNamed || index < 0 || (names.length === 1 && !areFields) ? undefined : index;
}
