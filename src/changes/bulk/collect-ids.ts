import type { Catalogue } from '../../account/catalogue.ts';
import { openInside } from '../../account/files.ts';
import { readIdFile } from '../../account/id-file.ts';
import { translateVideos } from '../../account/video-references.ts';
import { invalidArguments } from '../../errors.ts';
import { listed } from '../update-channels/edit-keys.ts';
import { digestOfIds } from './sound-ids.ts';

export interface IdSources {
  /** Names of the two arguments. */
  readonly listField: string;
  readonly fileField: string;
  readonly list: readonly string[] | undefined;
  readonly file: string | undefined;
  readonly filesDirs: readonly string[];
  readonly catalogue: Catalogue | undefined;
}

export interface CollectedIds {
  readonly ids: readonly string[];
  /** Sentences on what was dropped, translated or is not in the catalogue. */
  readonly notes: readonly string[];
  /** By which the same ids are known again. */
  readonly digest: string;
}

const MAX_ID_LENGTH = 200;

/** The ids of a bulk change: from the call, a file or both; without blanks and repeats; keys and titles translated. */
export async function collectIds(sources: IdSources): Promise<CollectedIds> {
  const { listField, fileField, list, file, filesDirs, catalogue } = sources;
  if (list === undefined && file === undefined) throw invalidArguments([{ field: listField, problem: `or ${fileField} must be given.` }]);
  const read = file === undefined ? undefined : await readIdFile(await openInside(filesDirs, file), file, catalogue);
  const named = (list ?? []).map((value) => value.trim());
  const fromList = named.filter((value) => value !== '');
  const filled = read === undefined ? fromList : fromList.concat(read.values);
  refuseImpossible(filled, file === undefined ? listField : fileField);
  const { values, translated, unknown } = translateVideos(filled, 'id', file === undefined ? listField : fileField, catalogue);
  const ids = [...new Set(values)];
  if (ids.length === 0) throw invalidArguments([{ field: file === undefined ? listField : fileField, problem: 'holds no ids.' }]);
  const blanks = named.length - fromList.length + (read?.blanks ?? 0);
  const repeats = values.length - ids.length;
  return {
    ids,
    notes: [
      ...(read === undefined ? [] : [`Read from the file: ${read.read}.`]),
      ...(blanks > 0 ? [`${blanks} blank${blanks === 1 ? '' : 's'} dropped.`] : []),
      ...(repeats > 0 ? [`${repeats} repeated id${repeats === 1 ? '' : 's'} dropped.`] : []),
      ...(translated > 0 ? [`${translated} keys or titles translated to ids by the video catalogue.`] : []),
      ...(unknown > 0 ? [`${unknown} of them are not in the video catalogue; they are taken for ids as they stand.`] : []),
    ],
    digest: digestOfIds(ids),
  };
}

function refuseImpossible(values: readonly string[], field: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const wrong = values.filter((value) => value.length > MAX_ID_LENGTH || /[\u0000-\u001f\u007f\u2028\u2029]/.test(value));
  if (wrong.length === 0) return;
  throw invalidArguments([
    {
      field,
      problem: `${wrong.length} of them can’t be ids: longer than ${MAX_ID_LENGTH} characters, or with control characters (${listed(
        wrong.map((value) => value.slice(0, 40)),
        3,
      )}).`,
    },
  ]);
}
