import { isUtf8 } from 'node:buffer';
import { open, readFile, stat } from 'node:fs/promises';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { asItLooks } from '../text/sanitize-text.ts';
import { inQuotes, type Sentence, sentence, word } from '../text/sentence.ts';
import type { CatalogueEntry } from './catalogue-rows.ts';
import { type EntrySink, readEntries } from './catalogue-rows.ts';
import { isRounded } from './id-format.ts';
import { chunksOf } from './named-files.ts';
import { TableProblem } from './read-table.ts';
import { problemWithBytes } from './text-bytes.ts';

/** The user's export of videos, which the API can't list. */
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

/** Reads the catalogue at the first call, and again when the file has changed. */
export function createCatalogueReader(file: string | undefined): () => Promise<Catalogue | undefined> {
  let known: { readonly stamp: string; readonly catalogue: Promise<Catalogue> } | undefined;
  return async () => {
    if (file === undefined) return undefined;
    const info = await stat(file).catch(() => undefined);
    if (info === undefined || !info.isFile())
      throw unusable(file, [{ field: sentence`file`, problem: sentence`is not there, or is no file.` }]);
    if (info.size > MAX_BYTES) throw unusable(file, [{ field: sentence`file`, problem: sentence`is larger than ${MAX_BYTES} bytes.` }]);
    const stamp = `${info.mtimeMs}-${info.size}`;
    if (known?.stamp === stamp) return known.catalogue;
    // Calls at the same time share one reading; one that failed is not kept.
    const reading = { stamp, catalogue: parseCatalogue(file) };
    known = reading;
    reading.catalogue.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.catalogue;
  };
}

function unusable(file: string, fields: readonly FieldProblem[]): VideoHostingError {
  const name = inQuotes(file, 200);
  const words =
    fields.length === 1 && fields[0] !== undefined
      ? sentence`${fields[0].field}: ${fields[0].problem}`
      : sentence`${fields.length} problems.`;
  return new VideoHostingError('catalogue_unusable', sentence`The video catalogue ${name} can’t be used. ${words}`, {
    facts: { outcome: 'nothing-sent', ...(fields.length > 1 ? { fields } : {}) },
  });
}

/** Reads a CSV or JSON with `id`, `key` and `title` in any order and any subset. Throws `catalogue_unusable` with the first problems. */
export async function parseCatalogue(file: string): Promise<Catalogue> {
  const index = createIndex(file);
  const handle = await open(file);
  try {
    await readEntries(await chunksOf(handle), index);
  } catch (error) {
    if (!(error instanceof TableProblem)) throw error;
    const { line, problem } = error;
    throw unusable(file, [line === undefined ? await problemWithText(file, problem) : { field: sentence`line ${line}`, problem }]);
  } finally {
    await handle.close();
  }
  return index.end();
}

/** With the line, which takes the whole text to tell. */
async function problemWithText(file: string, problem: Sentence): Promise<FieldProblem> {
  const bytes = await readFile(file);
  if (problemWithBytes(bytes) !== undefined) return { field: sentence`file`, problem };
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return problemWithJson(text) ?? { field: sentence`file`, problem };
  return {
    field: sentence`line ${linesIn(text.slice(0, text.indexOf('\ufffd')))}`,
    problem: sentence`is not UTF-8; save the file as UTF-8.`,
  };
}

function problemWithJson(text: string): FieldProblem | undefined {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return undefined;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    // At an unexpected end the parser names no position: that is the last line.
    const line = linesIn(position === undefined ? text.trimEnd() : text.slice(0, Number(position)));
    return { field: sentence`line ${line}`, problem: sentence`is not well-formed JSON.` };
  }
}

const linesIn = (text: string): number => text.split('\n').length;

/** `add` and `problem` throw `catalogue_unusable` at the last problem that is named. */
function createIndex(file: string): EntrySink & { end(): Catalogue } {
  const ids = new Map<string, CatalogueEntry>();
  const keys = new Map<string, CatalogueEntry>();
  const titles = new Map<string, CatalogueEntry[]>();
  const problems: FieldProblem[] = [];
  let size = 0;

  function problem(field: Sentence, words: Sentence): void {
    problems.push({ field, problem: words });
    if (problems.length >= MAX_PROBLEMS) throw unusable(file, problems);
  }

  return {
    problem,
    add(entry: CatalogueEntry, where: Sentence): void {
      const { id, key, title } = entry;
      size += 1;
      if (id === undefined && key === undefined) problem(where, sentence`has neither an id nor a key.`);
      for (const text of [id, key])
        if (text !== undefined && isRounded(text))
          problem(where, sentence`has ${word(text)}, which a spreadsheet has rounded; import the column as text.`);
      if (id !== undefined && ids.has(id)) problem(where, sentence`names the id ${inQuotes(id, 80)} again.`);
      if (key !== undefined && keys.has(key)) problem(where, sentence`names the key ${inQuotes(key, 80)} again.`);
      if (id !== undefined) ids.set(id, entry);
      if (key !== undefined) keys.set(key, entry);
      if (title === undefined) return;
      const looks = asItLooks(title);
      const same = titles.get(looks);
      // In place, since a hundred thousand videos may have the same title.
      if (same === undefined) titles.set(looks, [entry]);
      else same.push(entry);
    },
    end(): Catalogue {
      if (size === 0 && problems.length === 0)
        problem(sentence`file`, sentence`holds no videos; a header line with id, key and title, or a JSON array of objects, was expected.`);
      if (problems.length > 0) throw unusable(file, problems);
      return {
        size,
        byId: (id) => ids.get(id),
        byKey: (key) => keys.get(key),
        byTitle: (title) => titles.get(asItLooks(title)) ?? [],
        entries: () => new Set([...ids.values(), ...keys.values()]),
      };
    },
  };
}
