import { isObject, type Values } from '../../platform/is-object.ts';
import type { Sentence } from '../../text/sentence.ts';
import { rowNamed } from '../plan/channel-fields.ts';
import type { ListPart, ListPhrase, RecordPhrases } from './phrases.ts';

// What a change did to its records as the data of an answer: each as it was in `before` and as it is now in `after`. `answer-lines.ts`
// has the same as text.

/** Keys of a list in an answer, which are those that left, came or moved. */
const MAX_KEYS_EACH = 20;
/** Keys in one answer. If there are more, lists are told in numbers alone. */
const MAX_KEYS = 60;

/** Those of the keys that are shown. It is asked for each list of a record in turn. */
export type Take = (keys: readonly string[]) => readonly string[];

/** What an answer shows of the keys of these records: the first of each list, or none where that are too many. Whoever called gave those of a new list. */
export function takeFew(records: readonly RecordPhrases[]): (record: RecordPhrases) => Take {
  const parts = records.filter(isTold).flatMap(({ lists }) => lists.flatMap((list) => list.parts));
  const shown = parts.reduce((sum, { keys }) => sum + Math.min(keys.length, MAX_KEYS_EACH), 0);
  const each = shown <= MAX_KEYS ? MAX_KEYS_EACH : 0;
  return (record) => (keys) => keys.slice(0, isTold(record) ? each : 0);
}

const isTold = ({ lists }: RecordPhrases): boolean => lists.every(({ was }) => was !== 'new');

/** A record on one side of its change. */
type Side = Values & { readonly template?: Sentence | null };

// What is given by its key was named, in a sentence, where the difference was made.
const sideOf = (values: readonly (readonly [string, unknown])[]) => Object.fromEntries(values) as Side;

/** A record as it was, as far as it is changed; undefined of one that is new. */
export function sideBefore({ is, fields, lists }: RecordPhrases): Side | undefined {
  if (is === 'creation') return undefined;
  const isUpdate = is === 'update';
  const values = [
    ...fields.map(({ field, before = null }) => [shownAs(field), before] as const),
    ...lists.flatMap(({ field, before }) => (before === null && !isUpdate ? [] : [[field, before?.length ?? null] as const])),
  ];
  return values.length === 0 ? undefined : sideOf(values);
}

/** A record as it is now. A list that is as it was, or that is new and not shown, is a number. */
export function sideAfter({ fields, lists, unchanged }: RecordPhrases, take: Take): Side {
  return sideOf([
    ...fields.map(({ field, after }) => [shownAs(field), after] as const),
    ...lists.map((list) => [list.field, listNow(list, take)] as const),
    ...unchanged.map(({ field, count, isStated }) => [field, isStated ? { count, stated: true } : count] as const),
  ]);
}

/** A changed list: its number, which keys came, went or moved, and with `more` how many of those are left out. */
function listNow({ was, after, parts }: ListPhrase, take: Take): Values | number {
  const { length: count } = after;
  const taken = parts.map((part) => ({ name: nameOf(part), keys: take(part.keys), all: part.keys.length }));
  if (was === 'new' && taken.every(({ keys }) => keys.length === 0)) return count;
  const shown = taken.flatMap(({ name, keys }) => (keys.length === 0 ? [] : [[name, keys] as const]));
  const more = taken.flatMap(({ name, keys, all }) => (keys.length === all ? [] : [[name, all - keys.length] as const]));
  return { count, ...Object.fromEntries(shown), ...(more.length === 0 ? {} : { more: Object.fromEntries(more) }) };
}

const nameOf = ({ verb, to }: ListPart) => (verb === 'moved' && to === 'front' ? 'movedToFront' : verb);

/** What is given by its key is told by its name as well, and called as its argument is. */
const shownAs = (field: string): string => {
  const row = rowNamed(field);
  return row?.isReference ? row.argument : field;
};

/** Whether a record as it is now lacks some keys. */
export const isCut = (after: Values): boolean => Object.values(after).some((value) => isObject(value) && value.more !== undefined);
