import type { ChangeRecord, ItemState } from '../changes/journal/change-record.ts';
import type { Journal } from '../changes/journal/journal.ts';
import type { PlannedItem } from '../changes/plan.ts';
import { stableJson } from '../changes/stable-json.ts';
import { token } from './answer/render-answer.ts';
import { bulkResult, damageOf } from './bulk-result.ts';
import { agreedOut, sidesOut } from './change-fields.ts';

type Values = Readonly<Record<string, unknown>>;

/** Entries of `failed` and `unknown` in an answer; the change's resource has all of them. */
const MAX_OUTCOMES = 100;
/** Keys in all lists of an answer. If there are more, a list longer than `LONG_LIST` is answered by its length. */
const MAX_KEYS = 60;
const LONG_LIST = 8;
/** Names of channels in a change’s title. */
const MAX_LABELS = 3;

interface Titled {
  readonly summary: string;
  readonly items: readonly Pick<PlannedItem, 'label' | 'seen'>[];
}

/** The title of a change in a list: its summary and its channels, since most summaries are alike. */
export function titleOf({ summary, items }: Titled): string {
  const labels = items.filter(({ seen }) => seen !== null).map(({ label }) => label);
  if (labels.length === 0) return summary;
  const more = labels.length > MAX_LABELS ? ` and ${labels.length - MAX_LABELS} more` : '';
  return `${summary.replace(/\.$/, '')}: ${labels.slice(0, MAX_LABELS).join(', ')}${more}.`;
}

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
  const lists = sides.flatMap(({ before, after }) => [...Object.values(before), ...Object.values(after)]).filter(Array.isArray);
  const isLong = lists.reduce((sum, list) => sum + list.length, 0) > maxKeys;
  const shorten = (fields: Values) => (isLong ? withoutLongLists(fields) : fields);
  return {
    status: record.status,
    changeId: intent.changeId,
    message: sentenceOf(record),
    ...agreedOut(intent),
    ...sidesOut(
      sides.flatMap(({ item, before }) => (Object.keys(before).length === 0 ? [] : [{ id: item.id, ...shorten(before) }])),
      sides.map(({ item, after }) => ({ id: item.id, ...shorten(after), ...item.result })),
    ),
    ...outcomeList('failed', items, 'failed'),
    ...outcomeList('unknown', items, 'unknown'),
    ...outcomeList('notDone', items, 'not_done'),
    ...remarks(items),
    ...(ended?.message === undefined ? {} : { note: ended.message }),
    undo: changed.length === 0 ? { possible: 'no', how: 'Nothing was changed.' } : intent.undo,
  };
}

function outcomeList(field: string, items: readonly ItemState[], wanted: ItemState['outcome']): Values {
  const found = items.filter(({ outcome }) => outcome === wanted).slice(0, MAX_OUTCOMES);
  return found.length === 0 ? {} : { [field]: found.map(({ id, label, reason = 'Not sent.' }) => ({ id, label, reason })) };
}

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

function sentenceOf({ intent, items, status, damagedLines }: ChangeRecord): string {
  const count = (outcome: ItemState['outcome']) => items.filter((item) => item.outcome === outcome).length;
  const part = (outcome: ItemState['outcome'], words: string) => (count(outcome) > 0 ? [`${count(outcome)} ${words}`] : []);
  const parts = [
    count('done') === items.length ? 'All done' : `${count('done')} of ${items.length} done`,
    ...part('failed', 'failed'),
    ...part('unknown', 'not known'),
    ...part('not_done', 'not done'),
    ...part('pending', 'to go'),
  ];
  // Of several, `after` tells which id is whose.
  const created = (items.length > 1 ? [] : items).flatMap(({ result: { id, key } = {} }) => {
    const named = key === undefined ? '' : `, its key ${token(String(key))}`;
    return id === undefined ? [] : [`Its id is ${token(String(id))}${named}.`];
  });
  return [
    `${intent.summary} ${parts.join(', ')}.`,
    ...created,
    ...(damagedLines > 0 ? [damageOf(damagedLines)] : []),
    ...(status === 'running' ? [`Wait for it with get_change ${intent.changeId}.`] : []),
  ].join(' ');
}
