import { CONTENTS, type ListName } from '../../account/contents.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { stableJson } from '../../platform/stable-json.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { ItemState } from '../journal/change-record.ts';
import type { PlannedItem } from '../journal/format.ts';
import { CHANNEL_FIELDS, type ListWord, PLAIN_FIELDS, pickFields, rowNamed, rowOf } from './channel-fields.ts';
import type { Facts } from './facts.ts';
import { isSameList, listDifference } from './list-difference.ts';
import { changedIn, type Fields } from './records.ts';
import { remarksOf } from './remarks.ts';
import { templateText } from './template-names.ts';

/** One record of a change, made from what is planned or from the journal; all that is said of it is made from this. */
export interface RecordDifference {
  /** In the plan; a new record has another one once it is there. */
  readonly id: string;
  /** In a sentence: quoted. */
  readonly label: Sentence;
  readonly name: string;
  /** `statement`: what it holds is written down, and nothing is sent. */
  readonly is: 'update' | 'creation' | 'statement';
  /** What changes besides lists. */
  readonly fields: readonly FieldChange[];
  readonly lists: readonly ListChange[];
  /** The lists that are sent as they are known. */
  readonly unchanged: readonly UnchangedList[];
  /** What the change states that the record holds: sent, whatever it really holds. */
  readonly stated: readonly StatedList[];
  /** The caller gave the whole of a list that can be edited. */
  readonly replaces: boolean;
  readonly outcome?: ItemState['outcome'];
  readonly reason?: string;
}

export interface FieldChange {
  readonly field: keyof Fields;
  /** Absent where it is not known, and of a new record. What is given by its key is named. */
  readonly before?: unknown;
  readonly after: unknown;
}

export interface ListChange {
  readonly field: ListName;
  readonly what: ListWord;
  /** `null` where nobody knows what the record holds. */
  readonly before: readonly string[] | null;
  readonly after: readonly string[];
}

interface UnchangedList {
  readonly field: ListName;
  readonly count: number;
  /** It is known by a person's word alone. */
  readonly isStated: boolean;
}

export interface StatedList {
  readonly field: ListName;
  readonly what: ListWord;
  readonly keys: readonly string[];
  /** Whether the change makes another list of it, which is in `lists`. */
  readonly isChanged: boolean;
  /** The file that states it; absent where the assistant does. */
  readonly file?: string;
}

/** A record as it is planned, or as the journal has it. */
export type ComparedItem = PlannedItem & Partial<Pick<ItemState, 'outcome' | 'reason' | 'differs' | 'note' | 'result'>>;

/** The records of a plan, or of a change in the journal. */
export const recordDifferences = (items: readonly ComparedItem[], facts: Facts, is?: RecordDifference['is']): RecordDifference[] =>
  items.map((item) => recordDifference(item, facts, is));

/** `is`: by default an update, or of what is not there yet a creation. */
function recordDifference(item: ComparedItem, facts: Facts, is?: RecordDifference['is']): RecordDifference {
  const { id, label, name = label, seen, before, after, outcome, replaces = false, result = {} } = item;
  // What the service shows otherwise than it was sent is as it shows it.
  const now = { ...after, ...pickFields(result, PLAIN_FIELDS) };
  const reason = remarksOf(item).join(' ');
  const changed = changedIn(item).filter((field) => !isList(field));
  const named = (field: keyof Fields, value: unknown): unknown => (rowNamed(field)?.isReference ? templateText(value, facts) : value);
  return {
    id,
    label,
    name,
    is: is ?? (seen === null ? 'creation' : 'update'),
    fields: changed.map((field) => ({
      field,
      ...(before[field] === undefined ? {} : { before: named(field, before[field]) }),
      after: named(field, now[field]),
    })),
    ...listsOf(item),
    stated: statedLists(item),
    replaces,
    ...definedFields({ outcome, reason: reason === '' ? undefined : reason }),
  };
}

/** The lists that are sent as somebody stated them before: what is not in them is lost. */
export const statedBefore = ({ unchanged, stated }: Pick<RecordDifference, 'unchanged' | 'stated'>): readonly UnchangedList[] =>
  unchanged.filter(({ field, isStated }) => isStated && stated.every((list) => list.field !== field));

/** Those that lose most first: one whose contents are not known may lose more than any other. */
export const byLoss = (records: readonly RecordDifference[]): RecordDifference[] =>
  records
    .map((record) => ({ record, loss: lossOf(record) }))
    .sort((a, b) => b.loss - a.loss)
    .map(({ record }) => record);

const lossOf = ({ lists }: RecordDifference): number => keysLost(lists);

/** How many keys lists lose; of one that is not known, more than any other. */
export const keysLost = (lists: readonly Pick<ListChange, 'before' | 'after'>[]): number =>
  lists.reduce((sum, list) => sum + (list.before === null ? Number.MAX_SAFE_INTEGER : differenceOf(list).removed.length), 0);

export const differenceOf = ({ before, after }: Pick<ListChange, 'before' | 'after'>) => listDifference(before ?? [], after);

function listsOf({ seen, before, after, stated = [] }: ComparedItem): Pick<RecordDifference, 'lists' | 'unchanged'> {
  const sent = CONTENTS.flatMap((field) => {
    const now = after[field];
    // What does not exist yet holds nothing.
    const was = before[field] ?? (seen === null ? [] : null);
    return now === undefined ? [] : [{ field, what: CHANNEL_FIELDS[field].word, before: was, after: now }];
  });
  const isUnchanged = ({ before: was, after: now }: ListChange): boolean => seen !== null && was !== null && isSameList(was, now);
  return {
    lists: sent.filter((list) => !isUnchanged(list)),
    unchanged: sent
      .filter(isUnchanged)
      .map(({ field, after: keys }) => ({ field, count: keys.length, isStated: stated.some((list) => list === field) })),
  };
}

const statedLists = ({ before, after, states = [], statesFrom = {} }: ComparedItem): StatedList[] =>
  states.map((list) => ({
    field: list,
    what: CHANNEL_FIELDS[list].word,
    keys: before[list] ?? [],
    isChanged: after[list] !== undefined && stableJson(before[list]) !== stableJson(after[list]),
    ...definedFields({ file: statesFrom[list] }),
  }));

const isList = (name: string): boolean => rowNamed(name)?.kind === 'list';

/** Of a list, so many are shown at most where all could be. */
export const MAX_WHOLE = 30;

/** The titles of the videos that the lines of records name. */
export function titlesFor(records: readonly RecordDifference[], titleOf: TitleOf): Readonly<Record<string, string>> {
  const keys = records.flatMap(({ lists, stated }) => [
    ...lists.flatMap((list) => {
      const { removed, added, moved } = differenceOf(list);
      return hasTitles(list.field) ? [...removed, ...added, ...moved, ...list.after.slice(0, MAX_WHOLE)] : [];
    }),
    ...stated.flatMap(({ field, keys: held }) => (hasTitles(field) ? held.slice(0, MAX_WHOLE) : [])),
  ]);
  const titles = [...new Set(keys)].map((key) => [key, titleOf(key)] as const);
  return Object.fromEntries(titles.flatMap(([key, title]) => (title === undefined ? [] : [[key, title]])));
}

export const hasTitles = (field: ListName): boolean => rowOf(field).hasTitles === true;
