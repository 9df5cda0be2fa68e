import { isObject, type Values } from '../../platform/is-object.ts';
import type { Sentence } from '../../text/sentence.ts';
import { rowNamed } from '../plan/channel-fields.ts';
import { differenceOf, type ListChange, type RecordDifference } from '../plan/record-difference.ts';

// What a change did to its records, as an answer has it: each as it was in `before` and as it is now in `after`.

/** Keys of a list in an answer, which are those that left, came or moved. */
const MAX_KEYS_EACH = 20;
/** Keys in one answer. If there are more, lists are told in numbers alone. */
const MAX_KEYS = 60;

/** In the order in which they are told. */
export const LIST_VERBS = ['movedToFront', 'moved', 'added', 'removed'] as const;
type ListVerb = (typeof LIST_VERBS)[number];

/** The keys that left, came or moved; of what nobody knew, nothing tells. */
export function differencesIn(is: RecordDifference['is'], list: ListChange): Readonly<Record<ListVerb, readonly string[]>> {
  if (is === 'update' && list.before === null) return { movedToFront: [], moved: [], added: [], removed: [] };
  const { removed, added, moved, isToFront } = differenceOf(list);
  return { movedToFront: isToFront ? moved : [], moved: isToFront ? [] : moved, added, removed };
}

/** How many keys left, came or moved in a record. */
export const keysChanged = ({ is, lists }: RecordDifference): number => sum(lists.flatMap((list) => lengthsIn(is, list)));

const lengthsIn = (is: RecordDifference['is'], list: ListChange): number[] =>
  Object.values(differencesIn(is, list)).map(({ length }) => length);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Those of the keys that are shown. It is asked for each list of a record in turn. */
export type Take = (keys: readonly string[]) => readonly string[];

/** What an answer shows of the keys of these records: the first of each list, or none where that are too many. Whoever called gave those of a new list. */
export function takeFew(records: readonly RecordDifference[]): (record: RecordDifference) => Take {
  const lengths = records.filter(isTold).flatMap(({ is, lists }) => lists.flatMap((list) => lengthsIn(is, list)));
  const each = sum(lengths.map((length) => Math.min(length, MAX_KEYS_EACH))) <= MAX_KEYS ? MAX_KEYS_EACH : 0;
  return (record) => (keys) => keys.slice(0, isTold(record) ? each : 0);
}

const isTold = ({ is, lists }: RecordDifference): boolean => is === 'update' || lists.every(({ before }) => (before ?? []).length > 0);

/** A record on one side of its change. */
type Side = Values & { readonly template?: Sentence | null };

// What is given by its key was named, in a sentence, where the difference was made.
const sideOf = (values: readonly (readonly [string, unknown])[]) => Object.fromEntries(values) as Side;

/** A record as it was, as far as it is changed; undefined of one that is new. */
export function sideBefore({ is, fields, lists }: RecordDifference): Side | undefined {
  if (is === 'creation') return undefined;
  const isUpdate = is === 'update';
  const values = [
    ...fields.map(({ field, before = null }) => [shownAs(field), before] as const),
    ...lists.flatMap(({ field, before }) => (before === null && !isUpdate ? [] : [[field, before?.length ?? null] as const])),
  ];
  return values.length === 0 ? undefined : sideOf(values);
}

/** A record as it is now. A list that is as it was, or that is new and not shown, is a number. */
export function sideAfter({ is, fields, lists, unchanged }: RecordDifference, take: Take): Side {
  return sideOf([
    ...fields.map(({ field, after }) => [shownAs(field), after] as const),
    ...lists.map((list) => [list.field, listNow(is, list, take)] as const),
    ...unchanged.map(({ field, count, isStated }) => [field, isStated ? { count, stated: true } : count] as const),
  ]);
}

/** A changed list: its number, which keys came, went or moved, and with `more` how many of those are left out. */
function listNow(is: RecordDifference['is'], list: ListChange, take: Take): Values | number {
  const { length: count } = list.after;
  const differences = Object.entries(differencesIn(is, list)).filter(([, keys]) => keys.length > 0);
  const taken = differences.map(([verb, keys]) => ({ verb, keys: take(keys), all: keys.length }));
  if (is !== 'update' && !list.before?.length && taken.every(({ keys }) => keys.length === 0)) return count;
  const shown = taken.flatMap(({ verb, keys }) => (keys.length === 0 ? [] : [[verb, keys] as const]));
  const more = taken.flatMap(({ verb, keys, all }) => (keys.length === all ? [] : [[verb, all - keys.length] as const]));
  return { count, ...Object.fromEntries(shown), ...(more.length === 0 ? {} : { more: Object.fromEntries(more) }) };
}

/** What is given by its key is told by its name as well, and called as its argument is. */
const shownAs = (field: string): string => {
  const row = rowNamed(field);
  return row?.isReference ? row.argument : field;
};

/** Whether a record as it is now lacks some keys. */
export const isCut = (after: Values): boolean => Object.values(after).some((value) => isObject(value) && value.more !== undefined);
