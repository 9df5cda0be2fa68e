import { isUtf8 } from 'node:buffer';
import { open, readFile, stat } from 'node:fs/promises';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { problemWithNumber } from '../files/id-format.ts';
import type { KnownVideo, KnownVideos } from '../files/known-videos.ts';
import { readList } from '../files/read-list.ts';
import { TableProblem } from '../files/read-table.ts';
import { problemWithBytes } from '../files/text-bytes.ts';
import { codeOf } from '../platform/files.ts';
import { counted, inFull } from '../text/counted.ts';
import { asItLooks } from '../text/sanitize-text.ts';
import { asSentence, inQuotes, joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { catalogueRows, type EntrySink } from './catalogue-rows.ts';

/** The user's export of videos, which the API can't list. */
export interface Catalogue extends KnownVideos {
  readonly size: number;
  /** Whether the file was first used with another account, whose videos it then lists. */
  readonly isOfOther?: boolean;
  /** What it tells of no video, so that nothing is translated to it. */
  readonly lacks?: 'id' | 'key';
  /** The rows that can’t be used: each costs itself alone. */
  readonly setAside: SetAsideRows;
  /** Whether a row that can’t be used may have the title too, so that it tells no video from another. */
  isTitleSetAside(title: string): boolean;
}

export interface SetAsideRows {
  readonly count: number;
  /** What is wrong with the first of them. */
  readonly first: readonly FieldProblem[];
}

const NOT_THERE = sentence`Set VIDEO_HOSTING_VIDEO_CATALOGUE to the whole path of a file that is there, or unset it.`;
const UNREADABLE = sentence`Let this server’s user read it, or set VIDEO_HOSTING_VIDEO_CATALOGUE to another file, or unset it.`;

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_PROBLEMS = 20;

/** `2 rows can’t be used (line 3 has 3 columns; …).` Empty where all can. */
export function setAsideText({ setAside: { count, first } }: Pick<Catalogue, 'setAside'>, most = MAX_PROBLEMS): Sentence {
  if (count === 0) return sentence``;
  const shown = first.slice(0, most).map(({ field, problem }) => sentence`${field} ${asSentence(problem.replace(/\.$/, ''))}`);
  return sentence`${counted(count, 'row')} can’t be used (${joined(shown, '; ')}${count > shown.length ? sentence`; and ${inFull(count - shown.length)} more` : ''}).`;
}

/** What can’t be named by what a catalogue has, where all of it lacks the ids or the keys. */
const LACKING = {
  id: sentence`It tells no ids, so videos can’t be moved, or copied to, by key or title.`,
  key: sentence`It tells no keys, so channels, questions about views and collected emails can’t name videos by id or title.`,
} as const;
export const lackingText = (lacks: keyof typeof LACKING): Sentence => LACKING[lacks];

export const OF_OTHER = sentence`It was first used with another account, whose ids this one does not know.`;

/**
 * Reads the catalogue at the first call, and again when the file has changed. One that can’t be used is told by what asks for a
 * title, and by `check_setup`.
 */
export function createCatalogueReader(file: string | undefined): () => Promise<Catalogue | undefined> {
  let known: { readonly stamp: string; readonly catalogue: Promise<Catalogue> } | undefined;
  return async () => {
    if (file === undefined) return undefined;
    const info = await stat(file).catch(() => undefined);
    if (info === undefined || !info.isFile())
      return withoutVideos(
        unusable(file, [{ field: sentence`file`, problem: sentence`is not there, or is no file.` }], { hint: NOT_THERE }),
      );
    if (info.size > MAX_BYTES)
      return withoutVideos(unusable(file, [{ field: sentence`file`, problem: sentence`is larger than ${MAX_BYTES} bytes.` }]));
    const stamp = `${info.mtimeMs}-${info.size}`;
    if (known?.stamp === stamp) return known.catalogue;
    // Calls at the same time share one reading; one that failed is not kept, and what could not be opened may be by now.
    const reading = { stamp, catalogue: parseCatalogue(file).catch(unusableOrThrow) };
    known = reading;
    reading.catalogue
      .then(({ unusable: problem }) => {
        if (problem?.cause !== undefined) throw problem;
      })
      .catch(() => {
        if (known === reading) known = undefined;
      });
    return reading.catalogue;
  };
}

const withoutVideos = (problem: VideoHostingError): Catalogue => ({
  size: 0,
  setAside: { count: 0, first: [] },
  unusable: problem,
  byId: () => undefined,
  byKey: () => undefined,
  byTitle: () => [],
  isTitleSetAside: () => false,
  entries: () => [],
});

function unusableOrThrow(error: unknown): Catalogue {
  if (error instanceof VideoHostingError && error.code === 'catalogue_unusable') return withoutVideos(error);
  throw error;
}

function unusable(
  file: string,
  fields: readonly FieldProblem[],
  options: { readonly hint?: Sentence; readonly cause?: unknown } = {},
): VideoHostingError {
  const name = inQuotes(file, 200);
  const words =
    fields.length === 1 && fields[0] !== undefined
      ? sentence`${fields[0].field}: ${fields[0].problem}`
      : sentence`${fields.length} problems.`;
  return new VideoHostingError('catalogue_unusable', sentence`The video catalogue ${name} can’t be used. ${words}`, {
    facts: { outcome: 'nothing-sent', ...(fields.length > 1 ? { fields } : {}) },
    ...options,
  });
}

/**
 * Reads a CSV or JSON with `id`, `key` and `title` in any order and any subset. Blank rows and those that say nothing new cost
 * nothing, and a bad row costs that row. Throws `catalogue_unusable` where no video is left, or what the file holds can't be told.
 */
export async function parseCatalogue(file: string): Promise<Catalogue> {
  const index = createIndex(file);
  const handle = await open(file).catch((error: unknown) => {
    const problem = sentence`can’t be opened (${word(codeOf(error) ?? 'no code')}).`;
    throw unusable(file, [{ field: sentence`file`, problem }], { hint: UNREADABLE, cause: error });
  });
  try {
    await readList({ name: file, from: { handle } }, catalogueRows(index));
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
    const isCut = /end of JSON|Unterminated/.test(String(error));
    const problem = isCut ? sentence`ends in the middle of its JSON: export the file anew.` : sentence`is not well-formed JSON.`;
    return { field: sentence`line ${line}`, problem };
  }
}

const linesIn = (text: string): number => text.split('\n').length;

function createIndex(file: string): EntrySink & { end(): Catalogue } {
  const ids = new Map<string, KnownVideo>();
  const keys = new Map<string, KnownVideo>();
  const titles = new Map<string, KnownVideo[]>();
  /** Of rows that contradict each other. Which is right nobody knows, so none of them counts. */
  const doubtful = { ids: new Set<string>(), keys: new Set<string>() };
  /** Of rows that were set aside: another video may have the title too. */
  const asideTitles = new Set<string>();
  const first: FieldProblem[] = [];
  let [size, count] = [0, 0];

  function problem(field: Sentence, words: Sentence, texts: readonly unknown[] = []): void {
    count += 1;
    for (const text of texts) if (typeof text === 'string') asideTitles.add(asItLooks(text));
    if (first.length < MAX_PROBLEMS) first.push({ field, problem: words });
  }
  function index(entry: KnownVideo): void {
    const { id, key, title } = entry;
    size += 1;
    if (id !== undefined) ids.set(id, entry);
    if (key !== undefined) keys.set(key, entry);
    if (title === undefined) return;
    const looks = asItLooks(title);
    const same = titles.get(looks);
    // In place, since a hundred thousand videos may have the same title.
    if (same === undefined) titles.set(looks, [entry]);
    else same.push(entry);
  }
  function setDoubtful(entry: KnownVideo): void {
    const { id, key, title } = entry;
    if (title !== undefined) asideTitles.add(asItLooks(title));
    if (id !== undefined) doubtful.ids.add(id);
    if (key !== undefined) doubtful.keys.add(key);
    if (entry !== ids.get(id ?? '') && entry !== keys.get(key ?? '')) return;
    ids.delete(id ?? '');
    keys.delete(key ?? '');
    const same = titles.get(asItLooks(title ?? ''));
    same?.splice(same.indexOf(entry), 1);
    size -= 1;
    count += 1;
  }

  return {
    problem,
    add(entry: KnownVideo, where: Sentence): void {
      const { id, key } = entry;
      const number = [id, key].find((text) => text !== undefined && problemWithNumber(text) !== undefined);
      const name = id === undefined ? sentence`key ${inQuotes(key ?? '', 80)}` : sentence`id ${inQuotes(id, 80)}`;
      const known = [ids.get(id ?? ''), keys.get(key ?? '')].filter((other) => other !== undefined);
      const isDoubtful = doubtful.ids.has(id ?? '') || doubtful.keys.has(key ?? '');
      if (id === undefined && key === undefined) problem(where, sentence`has neither an id nor a key.`, [entry.title]);
      else if (number !== undefined)
        problem(where, sentence`has ${word(number)}, ${problemWithNumber(number) ?? ''}; import the column as text.`, [entry.title]);
      else if (isDoubtful || known.some((other) => contradict(other, entry))) {
        for (const other of [...known, entry]) setDoubtful(other);
        problem(where, sentence`pairs the ${name} otherwise than another row does, so neither counts.`);
      } else if (known.length === 0) index(entry);
      else if (!known.some((other) => saysAll(other, entry)))
        problem(where, sentence`names the ${name} again, and says something else of it.`, [entry.title]);
    },
    end(): Catalogue {
      if (size === 0) throw unusable(file, count > 0 ? first : [{ field: sentence`file`, problem: NO_VIDEOS }]);
      return {
        size,
        ...(ids.size === 0 ? { lacks: 'id' } : keys.size === 0 ? { lacks: 'key' } : {}),
        setAside: { count, first },
        byId: (id) => ids.get(id),
        byKey: (key) => keys.get(key),
        byTitle: (title) => titles.get(asItLooks(title)) ?? [],
        isTitleSetAside: (title) => asideTitles.has(asItLooks(title)),
        entries: () => new Set([...ids.values(), ...keys.values()]),
      };
    },
  };
}

const NO_VIDEOS = sentence`holds no videos; a header line with id, key and title, or a JSON array of objects, was expected.`;

/** Whether one gives an id another key, or a key another id. */
const contradict = (one: KnownVideo, other: KnownVideo): boolean => differ(one.id, other.id) || differ(one.key, other.key);
const differ = (one: string | undefined, other: string | undefined): boolean => one !== undefined && other !== undefined && one !== other;
/** Whether a row says all that another does. */
const saysAll = (one: KnownVideo, { id = one.id, key = one.key, title = one.title }: KnownVideo): boolean =>
  id === one.id && key === one.key && title === one.title;
