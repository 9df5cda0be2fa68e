import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { cleanText } from '../service/foreign-text.ts';
import { isWorkbook, WORKBOOK } from './workbook.ts';

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
    if (known?.stamp !== stamp) known = { stamp, catalogue: parseCatalogue(file, textOf(file, await readFile(file))) };
    return known.catalogue;
  };
}

function textOf(file: string, bytes: Buffer): string {
  if (isWorkbook(bytes)) throw unusable(file, [{ field: 'file', problem: WORKBOOK }]);
  return bytes.toString('utf8');
}

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
  const { rows, problems } = /^\s*\[/.test(body) ? jsonRows(body) : csvRows(body);
  if (problems.length > 0) throw unusable(file, problems.slice(0, MAX_PROBLEMS));
  return index(file, rows);
}

interface Row {
  /** Of the file, from 1; of a JSON array, the place in it. */
  readonly where: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface Rows {
  readonly rows: readonly Row[];
  readonly problems: readonly FieldProblem[];
}

function jsonRows(text: string): Rows {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    // Where it breaks off no position is told: that is its last line.
    const line = (at === undefined ? text.trimEnd() : text.slice(0, Number(at))).split('\n').length;
    return { rows: [], problems: [{ field: `line ${line}`, problem: 'is not well-formed JSON.' }] };
  }
  const list: unknown[] = Array.isArray(values) ? values : [];
  const rows = list.map((value, at) => ({
    where: `entry ${at + 1}`,
    fields: typeof value === 'object' && value !== null ? { ...value } : { '': value },
  }));
  const wrong = list.flatMap((value, at) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? []
      : [{ field: `entry ${at + 1}`, problem: 'must be an object with id, key or title.' }],
  );
  return { rows, problems: wrong };
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function csvRows(text: string): Rows {
  let records: readonly CsvRecord[];
  try {
    // With `info` each record comes with its line; the library's own types leave that out.
    records = parse(text, {
      info: true,
      skip_empty_lines: true,
      trim: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    const line = /line (\d+)/.exec(String(error))?.[1];
    return { rows: [], problems: [{ field: line === undefined ? 'file' : `line ${line}`, problem: 'is not well-formed CSV.' }] };
  }
  const header = records[0]?.record ?? [];
  if (records.length > 0 && !header.some((name) => NAMES.id.test(name) || NAMES.key.test(name)))
    return { rows: [], problems: [{ field: `line ${records[0]?.info.lines}`, problem: NO_HEADER }] };
  const wrong = records.slice(1).filter(({ record }) => record.length !== header.length);
  const problems = wrong.map(({ record, info }) => ({
    field: `line ${info.lines}`,
    problem: `has ${record.length} columns; the header has ${header.length}.`,
  }));
  const rows = records.slice(1).map(({ record, info }) => ({
    where: `line ${info.lines}`,
    fields: Object.fromEntries(header.map((name, at) => [name, record[at]])),
  }));
  return { rows, problems };
}

const NO_HEADER = 'is the header, and names no column id or key; id, key and title were expected, in any order.';

/** Whichever of the usual separators the first line has most of. */
export function delimiterOf(text: string): string {
  const first = text.slice(0, text.indexOf('\n') < 0 ? undefined : text.indexOf('\n'));
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: first.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** The names under which exports call each of the three. */
const NAMES = {
  id: /^(video[\s_-]*)?id$/i,
  key: /^(video[\s_-]*)?key$/i,
  title: /^(video[\s_-]*)?(title|name)$/i,
} as const;

function entryOf(fields: Readonly<Record<string, unknown>>): CatalogueEntry {
  const pick = (pattern: RegExp): string | undefined => {
    const value = Object.entries(fields).find(([name]) => pattern.test(name.trim()))?.[1];
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
  };
  const entry = { id: pick(NAMES.id), key: pick(NAMES.key), title: pick(NAMES.title) };
  // Only what is there is kept.
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

function index(file: string, rows: readonly Row[]): Catalogue {
  const ids = new Map<string, CatalogueEntry>();
  const keys = new Map<string, CatalogueEntry>();
  const titles = new Map<string, CatalogueEntry[]>();
  const problems: FieldProblem[] = [];
  for (const { where, fields } of rows) {
    const entry = entryOf(fields);
    if (entry.id === undefined && entry.key === undefined) problems.push({ field: where, problem: 'has neither an id nor a key.' });
    if (entry.id !== undefined && ids.has(entry.id))
      problems.push({ field: where, problem: `names the id ${JSON.stringify(cleanText(entry.id, 80))} again.` });
    if (entry.key !== undefined && keys.has(entry.key))
      problems.push({ field: where, problem: `names the key ${JSON.stringify(cleanText(entry.key, 80))} again.` });
    if (problems.length >= MAX_PROBLEMS) break;
    if (entry.id !== undefined) ids.set(entry.id, entry);
    if (entry.key !== undefined) keys.set(entry.key, entry);
    if (entry.title !== undefined) titles.set(entry.title.normalize('NFC'), [...(titles.get(entry.title.normalize('NFC')) ?? []), entry]);
  }
  if (rows.length === 0)
    problems.push({
      field: 'file',
      problem: 'holds no videos; a header line with id, key and title, or a JSON array of objects, was expected.',
    });
  if (problems.length > 0) throw unusable(file, problems);
  return {
    size: rows.length,
    byId: (id) => ids.get(id),
    byKey: (key) => keys.get(key),
    byTitle: (title) => titles.get(title.normalize('NFC')) ?? [],
    entries: () => new Set([...ids.values(), ...keys.values()]),
  };
}
