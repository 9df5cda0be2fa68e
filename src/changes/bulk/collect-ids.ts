import type { Catalogue } from '../../account/catalogue.ts';
import { type IdFile, readIdFile } from '../../account/id-file.ts';
import { openInside } from '../../account/named-files.ts';
import { type Translated, translateVideos } from '../../account/video-references.ts';
import { type FieldProblem, invalidArguments } from '../../errors.ts';
import { listed } from '../listed.ts';
import { digestOfIds } from './id-lines.ts';

/** A tool's two arguments for ids. */
export interface IdSources {
  readonly listField: string;
  readonly fileField: string;
  readonly list: readonly string[] | undefined;
  readonly file: string | undefined;
  readonly filesDirs: readonly string[];
  /** Translates keys and titles to ids. */
  readonly catalogue: Catalogue | undefined;
  readonly signal: AbortSignal;
}

export interface CollectedIds {
  /** Distinct, in the order given, at least one. The journal refers to an id by its index. */
  readonly ids: readonly string[];
  /** Sentences on what was dropped, translated or is not in the catalogue. */
  readonly notes: readonly string[];
  /** SHA-256 of the list, checked when the plan is made again, and when the change is resumed or undone. */
  readonly digest: string;
}

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

function collectedFrom({ listField, fileField, list = [], file, catalogue }: IdSources, read: IdFile | undefined): CollectedIds {
  const named = list.map((value) => value.trim());
  // A caller counts blanks too.
  const indexes = [...named.keys()].filter((index) => named[index] !== '');
  const fromList = named.filter((value) => value !== '');
  const fieldOf = (index: number): string =>
    index < indexes.length ? `${listField}[${indexes[index]}]` : `${fileField}[${index - indexes.length}]`;
  // A million ids are not held twice.
  const given = fromList.length === 0 && read !== undefined ? read.values : fromList.concat(read?.values ?? []);
  const translated = translateVideos(given, 'id', fieldOf, catalogue);
  const { values } = translated;
  // After translation, since a title may hold characters that no id has.
  const wrong = [...problemWith(values.slice(0, indexes.length), listField), ...problemWith(values.slice(indexes.length), fileField)];
  if (wrong.length > 0) throw invalidArguments(wrong);
  const distinct = new Set(values);
  const ids = distinct.size === values.length ? values : [...distinct];
  if (ids.length === 0) throw invalidArguments([{ field: file === undefined ? listField : fileField, problem: 'holds no ids.' }]);
  const blanks = named.length - fromList.length + (read?.blanks ?? 0);
  return { ids, notes: notesOn(read, blanks, values.length - ids.length, translated), digest: digestOfIds(ids) };
}

function notesOn(read: IdFile | undefined, blanks: number, repeats: number, { translated, unknown }: Translated): string[] {
  const notInCatalogue =
    unknown === 1
      ? 'is not in the video catalogue; it is taken for an id as it stands'
      : 'are not in the video catalogue; they are taken for ids as they stand';
  return [
    ...(read === undefined ? [] : [`Read from the file: ${read.read}.`]),
    ...(blanks > 0 ? [`${blanks} blank${blanks === 1 ? '' : 's'} dropped.`] : []),
    ...(repeats > 0 ? [`${repeats} repeated id${repeats === 1 ? '' : 's'} dropped.`] : []),
    ...(translated > 0
      ? [`${translated} ${translated === 1 ? 'key or title' : 'keys or titles'} translated to ids by the video catalogue.`]
      : []),
    ...(unknown > 0 ? [`${unknown} of them ${notInCatalogue}.`] : []),
  ];
}

/** Control, invisible and direction characters, and the replacement character of text that could not be decoded. */
const NO_ID = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\ufffd]/u;

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
