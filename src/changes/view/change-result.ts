import type { Values } from '../../platform/is-object.ts';
import { CONTENTS } from '../channels/fields.ts';
import { outcomeLine } from '../channels/outcome-lines.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import { KINDS } from '../kinds.ts';
import { type LaterChange, laterChanges } from '../later-changes.ts';
import { stableJson } from '../stable-json.ts';
import { undoneBy } from '../undone-by.ts';
import { bulkResult } from './bulk-result.ts';
import { agreedOut, sidesOut, undoOut } from './change-fields.ts';
import { nextOf, sentenceOf } from './change-sentence.ts';

/** Entries of `failed` and `unknown` in an answer; the change's resource has all of them. */
const MAX_OUTCOMES = 100;
/** Keys in all lists of an answer. If there are more, a list longer than `LONG_LIST` is answered by its length. */
const MAX_KEYS = 60;
const LONG_LIST = 8;

/** The answer about a change, from its journal. */
export async function changeResult(
  record: ChangeRecord,
  journal: Journal,
  { maxOutcomes = MAX_OUTCOMES, maxKeys = MAX_KEYS }: { readonly maxOutcomes?: number; readonly maxKeys?: number } = {},
): Promise<Values & { readonly status: string }> {
  const { intent, items, ended, bulk } = record;
  if (bulk !== undefined) return bulkResult(record, bulk, journal, maxOutcomes);
  const changed = items.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown');
  const sides = changed.map((item) => ({ item, before: changedFields(item, item.before), after: changedFields(item, item.after) }));
  const lists = sides
    .flatMap(({ item, before, after }) => [...Object.values(before), ...Object.values({ ...after, ...sentLists(item) })])
    .filter(Array.isArray);
  const isLong = lists.reduce((sum, list) => sum + list.length, 0) > maxKeys;
  const shorten = (fields: Values) => (isLong ? withoutLongLists(fields) : fields);
  const later = await laterChanges(record, journal);
  const lines = items.flatMap((item) => (item.outcome === 'done' && record.status !== 'running' ? (outcomeLine(intent, item) ?? []) : []));
  return {
    status: record.status,
    changeId: intent.changeId,
    message: sentenceOf(record),
    ...agreedOut(intent, 'list_file'),
    ...(lines.length === 0 ? {} : { lines }),
    ...filesOut(intent.facts),
    ...sidesOut(
      sides.flatMap(({ item, before }) => (Object.keys(before).length === 0 ? [] : [{ id: item.id, ...shorten(before) }])),
      // Of what is not known, nothing says how it is now.
      sides.flatMap(({ item, after }) => {
        if (item.outcome === 'unknown') return [];
        const { id = item.id, key, ...shown } = item.result ?? {};
        return [{ id, ...(key === undefined ? {} : { key }), ...shorten(after), ...shown }];
      }),
    ),
    ...(isSent(record) ? { afterSource: afterSource(items) } : {}),
    ...outcomeList('failed', items, 'failed', later),
    ...outcomeList('unknown', items, 'unknown', later, (item) => shorten(sentLists(item))),
    ...outcomeList('notDone', items, 'not_done', later),
    ...remarks(items),
    ...(ended?.message === undefined ? {} : { note: ended.message }),
    undo: undoOut(record),
    next: nextOf(record, later),
  };
}

/** The answer about a change that others may have followed: with what undid it. */
export async function laterResult(...[record, journal, limits]: Parameters<typeof changeResult>): ReturnType<typeof changeResult> {
  return { ...(await changeResult(record, journal, limits)), ...(await undoneFacts(record, journal)) };
}

/** What was undone of it. A change that was undone as a whole cannot be undone again. */
async function undoneFacts(record: ChangeRecord, journal: Journal): Promise<Values> {
  const undone = await undoneBy(record.intent.changeId, journal);
  if (undone === undefined) return {};
  if (!undone.whole) return { partlyUndoneBy: undone.by, next: undefined };
  return { undoneBy: undone.by, next: undefined, undo: undoOut(record, { undone }) };
}

/** Whether something was sent to the account and answered. */
const isSent = ({ intent, items }: ChangeRecord): boolean =>
  !KINDS[intent.kind].isLocal && items.some(({ outcome, after }) => outcome === 'done' && Object.keys(after).length > 0);

const afterSource = (items: readonly ItemState[]): string =>
  items.some(({ outcome, reason }) => outcome === 'done' && reason !== undefined)
    ? 'As sent; what the service showed otherwise is in remarks.'
    : 'As sent; not all of it can be read back.';

function outcomeList(
  field: string,
  items: readonly ItemState[],
  wanted: ItemState['outcome'],
  later: ReadonlyMap<string, LaterChange>,
  sentOf: (item: ItemState) => Values = () => ({}),
): Values {
  const found = items.filter(({ outcome }) => outcome === wanted).slice(0, MAX_OUTCOMES);
  if (found.length === 0) return {};
  const entry = (item: ItemState) => {
    const { id, label, reason = 'Not sent.' } = item;
    const { by, how } = later.get(id) ?? {};
    if (how === 'settles') return { id, label, reason, settledBy: by };
    const sent = sentOf(item);
    return { id, label, reason, ...(Object.keys(sent).length === 0 ? {} : { sent }) };
  };
  return { [field]: found.map(entry) };
}

/** The lists that were sent to a channel. A later update that sends them again settles what of it is not known. */
const sentLists = ({ after, outcome, seen }: ItemState): Values =>
  outcome === 'unknown' && seen !== null
    ? Object.fromEntries(CONTENTS.flatMap((list) => (Array.isArray(after[list]) ? [[list, after[list]]] : [])))
    : {};

/** What the files held that lists came from. */
const filesOut = ({ files = [] }: AnswerFacts): Values => (files.length > 0 ? { files } : {});

/** Reservations about items that are done. */
function remarks(items: readonly ItemState[]): Values {
  const found = items
    .filter(({ outcome }) => outcome === 'done')
    .flatMap(({ id, label, reason, note }) => [reason, note].flatMap((text) => (text === undefined ? [] : { id, label, reason: text })));
  return found.length === 0 ? {} : { remarks: found.slice(0, MAX_OUTCOMES) };
}

function changedFields({ before, after }: ItemState, fields: Values): Values {
  const changed = Object.entries(fields).filter(([name]) => stableJson(before[name]) !== stableJson(after[name]) && name in after);
  return Object.fromEntries(changed);
}

function withoutLongLists(fields: Values): Values {
  const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONG_LIST;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isLong(value) ? { count: value.length } : value]));
}
