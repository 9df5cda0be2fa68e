import type { Catalogue } from '../../../account/catalogue.ts';
import { type Translated, translateVideos } from '../../../account/video-references.ts';
import { invalidArguments, throwProblems } from '../../../errors/field-problems.ts';
import { type FieldProblem, undefinedIfRefused } from '../../../errors.ts';
import type { ListColumns } from '../../../files/columns.ts';
import { type IdList, idList } from '../../../files/id-list.ts';
import { areFilesTaken, type NamedFiles } from '../../../files/named-files.ts';
import { readList } from '../../../files/read-list.ts';
import { type FoundRow, rowsAt } from '../../../files/rows-beside.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { hiddenInId } from '../../../text/hidden-text.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { setAsideText } from '../../notices/bulk-notices.ts';
import { catalogueNotices } from '../../notices/catalogue-notices.ts';
import type { Notice } from '../../notices/notices.ts';
import { digestOfIds, digestOfRows, type IdRows } from '../../plan/id-files.ts';
import { listText } from '../../plan/list-text.ts';
import type { Beside, ReadBeside } from '../../plan/plan.ts';
import { columnsAt, distinctIds, type FileColumns } from './distinct-ids.ts';
import { fileReadText, namesOf } from './file-read-text.ts';
import { setAsideUnlike } from './set-aside.ts';

/** A tool's two arguments for ids. */
export interface IdSources {
  readonly listField: Sentence;
  readonly fileField: Sentence;
  readonly list: readonly string[] | undefined;
  readonly file: string | undefined;
  readonly filesDirs: NamedFiles;
  /** Translates keys and titles to ids. */
  readonly catalogue: Catalogue | undefined;
  readonly signal: AbortSignal;
  /** What the file may hold besides ids. */
  readonly format?: Pick<ListColumns, 'hasProjects' | 'projectColumn' | 'leftOut' | 'column' | 'columnArgument'>;
}

export interface CollectedIds {
  /** Distinct, in the order given, at least one. The journal refers to an id by its index. */
  readonly ids: readonly string[];
  /** What was dropped, translated or is not in the catalogue. */
  readonly notices: readonly Notice[];
  /** A sentence on what the file held, in numbers. */
  readonly fileRead?: Sentence;
  /** SHA-256 of the list, checked when the plan is made again, and when the change is resumed or undone. */
  readonly digest: string;
  readonly columns?: FileColumns;
  /** What the file's column of ids is called. */
  readonly column?: string;
  /** Of a file. */
  readonly readBeside?: ReadBeside;
}

const MISSING = sentence`must be given.`;
const MAX_ID_LENGTH = 200;
const MAX_SHOWN = 3;

/**
 * The ids of a bulk change: from the call, a file or both; without blanks and repeats; keys and titles translated.
 * Throws `invalid_arguments`, naming the argument: neither is given, none is left, or some can't be ids.
 */
export async function collectIds(sources: IdSources): Promise<CollectedIds> {
  const { listField, fileField, list, file, filesDirs, catalogue, signal, format } = sources;
  if (list === undefined && file === undefined)
    throw invalidArguments([{ field: listField, problem: areFilesTaken(filesDirs) ? sentence`or ${fileField} must be given.` : MISSING }]);
  if (file === undefined) {
    const columns = { idColumn: format?.column, fromProjectColumn: format?.projectColumn };
    const named = Object.entries(columns).flatMap(([field, column]) => (column === undefined ? [] : [word(field)]));
    throwProblems(named.map((field) => ({ field, problem: sentence`names a column of ${fileField}, which is not given.` })));
    return collectedFrom(sources, undefined);
  }
  const source = { name: file, from: { folders: filesDirs } };
  const asked = { wanted: 'id', ...format } as const;
  const collected = await collectedFrom(sources, await readList({ ...source, signal }, idList(catalogue, asked)));
  const readBeside: ReadBeside = async (wanted) => {
    const rows = await readList(source, rowsAt(catalogue, asked, new Set(wanted.keys()))).catch(undefinedIfRefused);
    return new Map([...wanted].flatMap(([position, id]) => besideOf(id, rows?.get(position), catalogue)));
  };
  return { ...collected, readBeside };
}

/** The other columns of a row, unless the file was changed since and another id stands there. */
function besideOf(id: string, row: FoundRow | undefined, catalogue: Catalogue | undefined): [string, Beside][] {
  const { key, title } = catalogue?.byId(id) ?? {};
  if (row === undefined || ![id, key, title].includes(row.value)) return [];
  const cells = row.names.flatMap((name, at) => {
    const cell = row.cells[at]?.trim() ?? '';
    return name.trim() === '' || cell === '' || cell === row.value ? [] : [[name.trim(), cell] as const];
  });
  return [[id, Object.fromEntries(cells)]];
}

/** Each step looks at all of them, of which there may be very many. */
async function collectedFrom(
  { listField, fileField, list = [], file, catalogue, format, signal }: IdSources,
  whole: IdList | undefined,
): Promise<CollectedIds> {
  const step = () => longPiece(list.length + (whole?.values.length ?? 0), signal);
  await step();
  const named = list.map((value) => value.trim());
  // A caller counts blanks too.
  const indexes = [...named.keys()].filter((index) => named[index] !== '');
  const fromList = named.filter((value) => value !== '');
  const { read, setAside } = whole === undefined ? {} : setAsideUnlike(whole, new Set(fromList), catalogue);
  const fieldOf = (index: number): Sentence =>
    index < indexes.length
      ? sentence`${listField}[${indexes[index] ?? 0}]`
      : sentence`${fileField}, ${positionText(read, index - indexes.length)}`;
  // A million ids are not held twice.
  const given = fromList.length === 0 && read !== undefined ? read.values : fromList.concat(read?.values ?? []);
  await step();
  const translated = translateVideos(given, 'id', fieldOf, catalogue);
  const { values } = translated;
  await step();
  // After translation, since a title may hold characters that no id has.
  const wrong = [...problemWith(values.slice(0, indexes.length), listField), ...problemWith(values.slice(indexes.length), fileField)];
  if (wrong.length > 0) throw invalidArguments(wrong);
  await step();
  const { ids, columns, repeatedAt } = distinctIds(values, fromList.length, read);
  const listRepeats = read === undefined ? values.length - ids.length : fromList.length - new Set(values.slice(0, fromList.length)).size;
  if (ids.length === 0) throw invalidArguments([{ field: file === undefined ? listField : fileField, problem: emptyText(read, format) }]);
  const countsOf = (file: IdList, entries: Sentence) =>
    fileReadText(
      file,
      { count: values.length - ids.length - listRepeats, at: repeatedAt },
      setAside,
      entries,
      namesOf(file, ids, translated),
    );
  const fileRead = read && countsOf(read, setAside === undefined ? sentence`` : sentence` (${setAsideText(setAside)})`);
  await step();
  return {
    ids,
    digest: digestOfIds(ids),
    notices: [
      ...(setAside === undefined ? [] : [{ kind: 'set_aside', field: listField, ...setAside } as const]),
      ...(read === undefined
        ? []
        : [{ kind: 'file_read', file: inQuotes(file ?? ''), how: read.read, counts: countsOf(read, sentence``) } as const]),
      ...noticesOn(named.length - fromList.length, listRepeats, translated),
      ...catalogueNotices(catalogue),
    ],
    ...definedFields({ fileRead, columns, column: read?.header }),
  };
}

/** The list without some of its ids. */
export function withoutIds(collected: CollectedIds, left: { has(id: string): boolean }): CollectedIds {
  const { columns } = collected;
  const indexes = [...collected.ids.keys()].filter((index) => !left.has(collected.ids[index] ?? ''));
  const ids = indexes.map((index) => collected.ids[index] ?? '');
  return { ...collected, ids, digest: digestOfIds(ids), ...definedFields({ columns: columns && columnsAt(columns, indexes) }) };
}

export const idListFacts = ({ digest, fileRead, columns }: CollectedIds, rows: IdRows | undefined) => ({
  digest,
  ...definedFields({ rows: rows && digestOfRows(rows), positionUnit: rows && columns?.positionUnit, fileRead }),
});

const positionText = (read: IdList | undefined, index: number): Sentence =>
  sentence`${read?.positionUnit ?? 'line'} ${read?.positions[index] ?? '?'}`;

function emptyText(read: IdList | undefined, format: IdSources['format']): Sentence {
  if (read === undefined || read.leftOut === 0) return sentence`holds no ids.`;
  return sentence`holds no ids but ${read.leftOut} whose outcome is ${format?.leftOut ?? 'left out'}, which are not sent again. Once the user has looked at them, name those that lack it in a list.`;
}

function noticesOn(blanks: number, repeats: number, { translated, unknown }: Translated): Notice[] {
  const counts = [
    { kind: 'blanks_dropped', count: blanks },
    { kind: 'repeats_dropped', count: repeats },
    { kind: 'ids_translated', count: translated },
    { kind: 'ids_not_in_catalogue', count: unknown },
  ] as const;
  return counts.filter(({ count }) => count > 0);
}

/** Why a text can’t be an id: the text in quotes, with the character that keeps it from being one; undefined where it may be one. */
export function problemWithId(value: string): Sentence | undefined {
  const character = hiddenInId(value);
  if (value.length <= MAX_ID_LENGTH && character === undefined) return undefined;
  return sentence`${listText([value.slice(0, 40)])}${character === undefined ? '' : sentence` with ${word(character)}`}`;
}

/** Of what nearly all ids are made. */
const isUsual = (value: string): boolean => value.length <= MAX_ID_LENGTH && /^[\w-]+$/.test(value);

function problemWith(values: readonly string[], field: Sentence): FieldProblem[] {
  const wrong = values.flatMap((value) => (isUsual(value) ? [] : (problemWithId(value) ?? [])));
  if (wrong.length === 0) return [];
  const shown = joined(wrong.slice(0, MAX_SHOWN), ', ');
  const more = wrong.length > MAX_SHOWN ? sentence` and ${wrong.length - MAX_SHOWN} more` : sentence``;
  return [
    {
      field,
      problem: sentence`${wrong.length === 1 ? '1 of them can’t be an id' : sentence`${wrong.length} of them can’t be ids`}: longer than ${MAX_ID_LENGTH} characters, or with characters that nobody sees or that are no UTF-8 (${shown}${more}).`,
    },
  ];
}
