/**
 * The ids of a move or a copy, out of what the caller gave. They stay in this order from here on: everything after, and
 * the journal, tells an id by its place in the list. `id-lines.ts` makes of the list what goes to disk.
 */
import type { Catalogue } from '../../account/catalogue.ts';
import { type IdFile, readIdFile } from '../../account/id-file.ts';
import { openInside } from '../../account/named-files.ts';
import { translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, invalidArguments } from '../../errors.ts';
import { listed } from '../listed.ts';
import { digestOfIds } from './id-lines.ts';

/** Where a bulk change's ids come from: a tool's two arguments. */
export interface IdSources {
  /** Names of the two arguments, for what is wrong with them. */
  readonly listField: string;
  readonly fileField: string;
  readonly list: readonly string[] | undefined;
  /** Its name, as the caller gave it. */
  readonly file: string | undefined;
  /** The folders that it may be in. */
  readonly filesDirs: readonly string[];
  /** By which keys and titles become ids; absent where none is set. */
  readonly catalogue: Catalogue | undefined;
  /** Ends the reading of a file. */
  readonly signal: AbortSignal;
}

export interface CollectedIds {
  /** Each once, in the order in which they were first named; at least one. */
  readonly ids: readonly string[];
  /** Sentences on what was dropped, translated or is not in the catalogue. */
  readonly notes: readonly string[];
  /** SHA-256 of the list, by which it is known again when a change is carried on or undone. */
  readonly digest: string;
}

/** In UTF-16 units. */
const MAX_ID_LENGTH = 200;

/**
 * The ids of a bulk change: from the call, a file or both; without blanks and repeats; keys and titles translated.
 * Throws `invalid_arguments`, naming the argument: neither is given, none is left, or some can't be ids.
 */
export async function collectIds(sources: IdSources): Promise<CollectedIds> {
  const { listField, fileField, list, file, filesDirs, catalogue, signal } = sources;
  if (list === undefined && file === undefined) throw invalidArguments([{ field: listField, problem: `or ${fileField} must be given.` }]);
  if (file === undefined) return collectedFrom(sources, undefined);
  const handle = await openInside(filesDirs, file);
  try {
    return collectedFrom(sources, await readIdFile(handle, file, catalogue, signal));
  } finally {
    await handle.close();
  }
}

function collectedFrom({ listField, fileField, list, file, catalogue }: IdSources, read: IdFile | undefined): CollectedIds {
  const named = (list ?? []).map((value) => value.trim());
  // Blanks count, to whoever looks one up in the list.
  const places = [...named.keys()].filter((at) => named[at] !== '');
  const fromList = named.filter((value) => value !== '');
  const placeOf = (at: number): string => (at < places.length ? `${listField}[${places[at]}]` : `${fileField}[${at - places.length}]`);
  const given = read === undefined ? fromList : fromList.concat(read.values);
  const { values, translated, unknown } = translateVideos(given, 'id', placeOf, catalogue);
  // A title may hold what no id does.
  const wrong = [...problemWith(values.slice(0, places.length), listField), ...problemWith(values.slice(places.length), fileField)];
  if (wrong.length > 0) throw invalidArguments(wrong);
  const distinct = new Set(values);
  const ids = distinct.size === values.length ? values : [...distinct];
  if (ids.length === 0) throw invalidArguments([{ field: file === undefined ? listField : fileField, problem: 'holds no ids.' }]);
  const blanks = named.length - fromList.length + (read?.blanks ?? 0);
  const repeats = values.length - ids.length;
  return { ids, notes: notesOn({ read: read?.read, blanks, repeats, translated, unknown }), digest: digestOfIds(ids) };
}

interface Dropped {
  /** What kind of file it was, in words; absent where there was none. */
  readonly read: string | undefined;
  readonly blanks: number;
  readonly repeats: number;
  /** Keys and titles that became ids. */
  readonly translated: number;
  /** Ids that the catalogue doesn't have. */
  readonly unknown: number;
}

function notesOn({ read, blanks, repeats, translated, unknown }: Dropped): string[] {
  const notInCatalogue =
    unknown === 1
      ? 'is not in the video catalogue; it is taken for an id as it stands'
      : 'are not in the video catalogue; they are taken for ids as they stand';
  return [
    ...(read === undefined ? [] : [`Read from the file: ${read}.`]),
    ...(blanks > 0 ? [`${blanks} blank${blanks === 1 ? '' : 's'} dropped.`] : []),
    ...(repeats > 0 ? [`${repeats} repeated id${repeats === 1 ? '' : 's'} dropped.`] : []),
    ...(translated > 0
      ? [`${translated} ${translated === 1 ? 'key or title' : 'keys or titles'} translated to ids by the video catalogue.`]
      : []),
    ...(unknown > 0 ? [`${unknown} of them ${notInCatalogue}.`] : []),
  ];
}

/** Controls, what is invisible or changes direction, and what stands where something could not be read as text. */
const NO_ID = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffd]/u;

/** Whether no video can have this as its id. */
export const isImpossible = (value: string): boolean => value.length > MAX_ID_LENGTH || NO_ID.test(value);

function problemWith(values: readonly string[], field: string): FieldProblem[] {
  const wrong = values.filter(isImpossible);
  if (wrong.length === 0) return [];
  const shown = listed(
    wrong.map((value) => value.slice(0, 40)),
    3,
  );
  return [
    {
      field,
      problem: `${wrong.length} of them can’t be ids: longer than ${MAX_ID_LENGTH} characters, or with characters that nobody sees or that are no UTF-8 (${shown}).`,
    },
  ];
}
