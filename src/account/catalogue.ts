import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/sanitize-text.ts';
import { problemWithText } from './text-bytes.ts';

/** One video as the user's export tells it; any of the three may be missing. */
export interface CatalogueEntry {
  readonly id?: string;
  readonly key?: string;
  readonly title?: string;
}

/** What is known of videos, which can't be looked up in the service. */
export interface Catalogue {
  readonly size: number;
  byId(id: string): CatalogueEntry | undefined;
  byKey(key: string): CatalogueEntry | undefined;
  byTitle(title: string): readonly CatalogueEntry[];
  /** All of them, in no order. */
  entries(): Iterable<CatalogueEntry>;
}

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_PROBLEMS = 20;

/** Reads the catalogue when it is first wanted, and again when the file has changed. */
export function createCatalogueReader(file: string | undefined): () => Promise<Catalogue | undefined> {
  let known: { stamp: string; catalogue: Catalogue } | undefined;
  return async () => {
    if (file === undefined) return undefined;
    const info = await stat(file).catch(() => undefined);
    if (info === undefined || !info.isFile()) throw unusable(file, [{ field: 'file', problem: 'is not there, or is no file.' }]);
    if (info.size > MAX_BYTES) throw unusable(file, [{ field: 'file', problem: `is larger than ${MAX_BYTES} bytes.` }]);
    const stamp = `${info.mtimeMs}-${info.size}`;
    if (known?.stamp === stamp) return known.catalogue;
    const bytes = await readFile(file);
    known = { stamp, catalogue: parseCatalogue(file, textOf(file, bytes)) };
    return known.catalogue;
  };
}

function textOf(file: string, bytes: Buffer): string {
  const problem = problemWithText(bytes);
  if (problem !== undefined) throw unusable(file, [{ field: 'file', problem }]);
  const text = bytes.toString('utf8');
  // Titles would be found by nobody, and ids sent that are none.
  if (!isUtf8(bytes))
    throw unusable(file, [{ field: `line ${lineOfFirst('\ufffd', text)}`, problem: 'is not UTF-8; save the file as UTF-8.' }]);
  return text;
}

const lineOfFirst = (what: string, text: string): number => text.slice(0, text.indexOf(what)).split('\n').length;

function unusable(file: string, fields: readonly FieldProblem[]): VideoHostingError {
  const name = JSON.stringify(cleanText(file, 200));
  const words = fields.length === 1 && fields[0] !== undefined ? `${fields[0].field}: ${fields[0].problem}` : `${fields.length} problems.`;
  return new VideoHostingError('catalogue_unusable', `The video catalogue ${name} can’t be used. ${words}`, {
    facts: { outcome: 'nothing-sent', ...(fields.length > 1 ? { fields } : {}) },
  });
}

/** A CSV with a header line or a JSON array of objects, with `id`, `key` and `title` in any order and any subset. */
export function parseCatalogue(file: string, text: string): Catalogue {
  const body = text.replace(/^\uFEFF/, '');
  if (/^\s*\{/.test(body)) throw unusable(file, [{ field: 'line 1', problem: 'begins a JSON object; an array of objects was expected.' }]);
  const rows = /^\s*\[/.test(body) ? jsonRows(body) : csvRows(body);
  if (rows.problems.length > 0) throw unusable(file, rows.problems.slice(0, MAX_PROBLEMS));
  return index(file, rows);
}

/** The videos of a file, before they are compared with each other. */
interface Rows {
  readonly entries: readonly CatalogueEntry[];
  /** Where in the file one of them stands; asked of what is wrong alone. */
  readonly whereOf: (at: number) => string;
  readonly problems: readonly FieldProblem[];
}

const broken = (field: string, problem: string): Rows => ({ entries: [], whereOf: () => field, problems: [{ field, problem }] });

function jsonRows(text: string): Rows {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    // Where it breaks off no position is told: that is its last line.
    const line = (at === undefined ? text.trimEnd() : text.slice(0, Number(at))).split('\n').length;
    return broken(`line ${line}`, 'is not well-formed JSON.');
  }
  const list: unknown[] = Array.isArray(values) ? values : [];
  const whereOf = (at: number) => `entry ${at + 1}`;
  const problems: FieldProblem[] = [];
  const entries = list.map((value, at) => {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isRecord) problems.push({ field: whereOf(at), problem: 'must be an object with id, key or title.' });
    const fields = isRecord ? Object.entries(value) : [];
    const cellOf = (column: Column): unknown => fields.find(([name]) => NAMES[column].test(name.trim()))?.[1];
    for (const column of ['id', 'key'] as const) {
      const number = cellOf(column);
      // What it was in the file is lost by now, and the nearest number is another video's.
      if (typeof number === 'number' && !Number.isSafeInteger(number))
        problems.push({ field: whereOf(at), problem: `has a number as its ${column} that can’t be read exactly; put it in quotes.` });
    }
    return entryOf(cellOf);
  });
  return { entries, whereOf, problems };
}

const csvOptions = (text: string) => ({ skip_empty_lines: true, trim: true, delimiter: delimiterOf(text), relax_column_count: true });

function csvRows(text: string): Rows {
  let records: readonly (readonly string[])[];
  try {
    records = parse(text, csvOptions(text));
  } catch (error) {
    const line = /line (\d+)/.exec(String(error))?.[1];
    return broken(line === undefined ? 'file' : `line ${line}`, 'is not well-formed CSV.');
  }
  let lines: readonly number[] | undefined;
  const lineOf = (record: number): string => {
    lines ??= linesOf(text);
    return `line ${lines[record]}`;
  };
  const [header = [], ...rows] = records;
  const columnOf = (column: Column): number => header.findIndex((name) => NAMES[column].test(name));
  const columns: Readonly<Record<Column, number>> = { id: columnOf('id'), key: columnOf('key'), title: columnOf('title') };
  if (records.length > 0 && columns.id < 0 && columns.key < 0) return broken(lineOf(0), NO_HEADER);
  const whereOf = (at: number) => lineOf(at + 1);
  const problems: FieldProblem[] = [];
  for (const [at, { length }] of rows.entries())
    if (length !== header.length && problems.length < MAX_PROBLEMS)
      problems.push({ field: whereOf(at), problem: `has ${length} columns; the header has ${header.length}.` });
  return { entries: rows.map((row) => entryOf((column) => row[columns[column]])), whereOf, problems };
}

/** On which line each record ends. To have them told takes three times as long as the rest of the reading, so it is read for them once more. */
function linesOf(text: string): number[] {
  // The library's own types leave out what `info` adds.
  const records = parse(text, { ...csvOptions(text), info: true }) as unknown as { readonly info: { readonly lines: number } }[];
  return records.map(({ info }) => info.lines);
}

const NO_HEADER = 'is the header, and names no column id or key; id, key and title were expected, in any order.';

/** Whichever of the usual separators the first line that is not blank has most of. */
export function delimiterOf(text: string): string {
  const first = /\S.*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** The names under which exports call each of the three. */
const NAMES = {
  id: /^(video[\s_-]*)?id$/i,
  key: /^(video[\s_-]*)?key$/i,
  title: /^(video[\s_-]*)?(title|name)$/i,
} as const;

type Column = keyof typeof NAMES;

/** A video, of what stands in its columns: only what is there is kept. */
function entryOf(cellOf: (column: Column) => unknown): CatalogueEntry {
  const id = textIn(cellOf('id'));
  const key = textIn(cellOf('key'));
  const title = textIn(cellOf('title'));
  return { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }), ...(title === undefined ? {} : { title }) };
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function index(file: string, { entries, whereOf }: Rows): Catalogue {
  const ids = new Map<string, CatalogueEntry>();
  const keys = new Map<string, CatalogueEntry>();
  const titles = new Map<string, CatalogueEntry[]>();
  const problems: FieldProblem[] = [];
  for (const [at, entry] of entries.entries()) {
    const { id, key, title } = entry;
    if (id === undefined && key === undefined) problems.push({ field: whereOf(at), problem: 'has neither an id nor a key.' });
    if (id !== undefined && ids.has(id))
      problems.push({ field: whereOf(at), problem: `names the id ${JSON.stringify(cleanText(id, 80))} again.` });
    if (key !== undefined && keys.has(key))
      problems.push({ field: whereOf(at), problem: `names the key ${JSON.stringify(cleanText(key, 80))} again.` });
    if (problems.length >= MAX_PROBLEMS) break;
    if (id !== undefined) ids.set(id, entry);
    if (key !== undefined) keys.set(key, entry);
    if (title === undefined) continue;
    const same = titles.get(title.normalize('NFC'));
    // A title may be that of a hundred thousand videos that nobody gave one.
    if (same === undefined) titles.set(title.normalize('NFC'), [entry]);
    else same.push(entry);
  }
  if (entries.length === 0)
    problems.push({
      field: 'file',
      problem: 'holds no videos; a header line with id, key and title, or a JSON array of objects, was expected.',
    });
  if (problems.length > 0) throw unusable(file, problems);
  return {
    size: entries.length,
    byId: (id) => ids.get(id),
    byKey: (key) => keys.get(key),
    byTitle: (title) => titles.get(title.normalize('NFC')) ?? [],
    entries: () => new Set([...ids.values(), ...keys.values()]),
  };
}
