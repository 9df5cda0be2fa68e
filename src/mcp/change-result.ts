import type { ChangeRecord, ItemState } from '../changes/journal/change-record.ts';
import type { Journal } from '../changes/journal/journal.ts';
import { stableJson } from '../changes/stable-json.ts';
import { token } from './answer/table.ts';
import { bulkResult, damageOf } from './bulk-result.ts';

type Values = Readonly<Record<string, unknown>>;

/** Entries of `failed` and `unknown` in an answer; all of them are in the change's resource. */
const MAX_FATES = 100;
/** Where the lists of keys have more in all, the longer ones are told by their length; `get_change` has room for more. */
const MAX_KEYS = 60;
const LONG_LIST = 8;

export interface Room {
  readonly mostFates?: number;
  readonly mostKeys?: number;
}

/** Names of channels in a change’s title. */
const MAX_LABELS = 3;

/** How a change is called in a list: by its channels too, since most changes of channels are summed up alike. */
export function titleOf({ summary, items }: ChangeRecord['intent']): string {
  const labels = items.filter(({ seen }) => seen !== null).map(({ label }) => label);
  if (labels.length === 0) return summary;
  const more = labels.length > MAX_LABELS ? ` and ${labels.length - MAX_LABELS} more` : '';
  return `${summary.replace(/\.$/, '')}: ${labels.slice(0, MAX_LABELS).join(', ')}${more}.`;
}

/** One change as its journal tells it, for an answer. */
export async function changeResult(
  record: ChangeRecord,
  journal: Journal,
  { mostFates = MAX_FATES, mostKeys = MAX_KEYS }: Room = {},
): Promise<Values & { readonly status: string }> {
  const { intent, items, ended, bulk } = record;
  if (bulk !== undefined) return bulkResult(record, bulk, journal, mostFates);
  const touched = items.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown');
  const sides = touched.map((item) => ({ item, before: side(item, item.before), after: side(item, item.after) }));
  const isLong = keysIn(sides.flatMap(({ before, after }) => [before, after])) > mostKeys;
  const told = (fields: Values) => (isLong ? briefly(fields) : fields);
  return {
    status: record.status,
    changeId: intent.changeId,
    message: sentenceOf(record),
    before: sides.map(({ item, before }) => ({ id: item.id, ...told(before) })),
    after: sides.map(({ item, after }) => ({ id: item.id, ...told(after), ...item.result })),
    ...fates('failed', items),
    ...fates('unknown', items),
    ...fates('notDone', items),
    ...remarks(items),
    undo: touched.length === 0 ? { possible: 'no', how: 'Nothing was changed.' } : intent.undo,
    ...(ended?.message === undefined ? {} : { note: ended.message }),
  };
}

const OUTCOME_OF = { failed: 'failed', unknown: 'unknown', notDone: 'not_done' } as const;

function fates(field: keyof typeof OUTCOME_OF, items: readonly ItemState[]): Values {
  const found = items.filter(({ outcome }) => outcome === OUTCOME_OF[field]);
  if (found.length === 0) return {};
  const shown = found.slice(0, MAX_FATES).map(({ id, label, reason }) => ({ id, label, reason: reason ?? 'Not sent.' }));
  return { [field]: shown };
}

/** What is to be known of what was done: that it is not quite as was asked, or what it may have cost. */
function remarks(items: readonly ItemState[]): Values {
  const found = items.flatMap(({ id, label, outcome, reason, note }) =>
    outcome === 'done' ? [reason, note].flatMap((text) => (text === undefined ? [] : [{ id, label, reason: text }])) : [],
  );
  return found.length === 0 ? {} : { remarks: found.slice(0, MAX_FATES) };
}

/** The fields of one side that the change is about: those that differ. */
function side({ before, after }: ItemState, fields: Values): Values {
  const changed = Object.entries(fields).filter(([name]) => stableJson(before[name]) !== stableJson(after[name]) && name in after);
  return Object.fromEntries(changed);
}

function keysIn(sides: readonly Values[]): number {
  return sides
    .flatMap((fields) => Object.values(fields))
    .reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);
}

function briefly(fields: Values): Values {
  const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > LONG_LIST;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, isLong(value) ? { count: value.length } : value]));
}

function sentenceOf({ intent, items, status, damagedLines }: ChangeRecord): string {
  const count = (outcome: ItemState['outcome']) => items.filter((item) => item.outcome === outcome).length;
  const parts = [
    count('done') === items.length ? 'All done' : `${count('done')} of ${items.length} done`,
    ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} not known`] : []),
    ...(count('not_done') > 0 ? [`${count('not_done')} not done`] : []),
    ...(count('pending') > 0 ? [`${count('pending')} to go`] : []),
  ];
  const created = items.flatMap(({ result }) => (result?.id === undefined ? [] : [createdSentence(result)]));
  const next = status === 'running' ? ` Wait for it with get_change ${intent.changeId}.` : '';
  const damage = damagedLines > 0 ? ` ${damageOf(damagedLines)}` : '';
  return `${intent.summary} ${parts.join(', ')}.${created.join('')}${damage}${next}`;
}

const createdSentence = ({ id, key }: Values): string =>
  ` Its id is ${token(String(id))}${key === undefined ? '' : `, its key ${token(String(key))}`}.`;

/** The same as a model reads it. */
export function changeText(result: Values): string {
  const { status, changeId, message, undo, note, fatesFile, leftOut, idsLost } = result;
  const how = typeof undo === 'object' && undo !== null && 'how' in undo ? String(undo.how) : '';
  return [
    `${String(status)} (${String(changeId)}): ${String(message)}`,
    ...fateLines(result.failed, 'failed'),
    ...fateLines(result.unknown, 'not known'),
    ...fateLines(result.notDone, 'not done'),
    ...fateLines(result.remarks, 'done, but'),
    ...(idsLost === undefined ? [] : [String(idsLost)]),
    ...(leftOut === undefined ? [] : [`${String(leftOut)} ${whereAll(fatesFile, changeId)}`.trim()]),
    ...(note === undefined ? [] : [String(note)]),
    ...filesIn(result.after).map((path) => `File: ${path}`),
    `Undo: ${how}`,
  ].join('\n');
}

/** What was before and what is after, of each thing in a line of its own. */
export function sideLines({ before, after }: { readonly before?: Sides | undefined; readonly after?: Sides | undefined }): string[] {
  const lines = (word: string, sides: Sides = []) =>
    sides.flatMap(({ id, label, ...fields }) => {
      const told = Object.entries(fields).map(([name, value]) => `${name} ${valueText(value)}`);
      return told.length === 0 ? [] : [`${word} ${token(id)}: ${told.join('; ')}`];
    });
  return [...lines('before', before), ...lines('after', after)];
}
type Sides = readonly (Values & { readonly id: string })[];

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((key) => token(String(key))).join(', ');
  return JSON.stringify(value);
}

/** Files that a release wrote. */
function filesIn(after: unknown): string[] {
  const entries: readonly unknown[] = Array.isArray(after) ? after : [];
  return entries.flatMap((entry) =>
    typeof entry === 'object' && entry !== null && 'path' in entry && 'records' in entry ? [String(entry.path)] : [],
  );
}

function whereAll(fatesFile: unknown, changeId: unknown): string {
  return fatesFile === undefined ? '' : `All of them: ${String(fatesFile)} and video-hosting://changes/${String(changeId)}`;
}

/** A line for each reason, with all that it holds for. */
function fateLines(list: unknown, word: string): string[] {
  // Made by `fates` above, or by the bulk result.
  const entries = Array.isArray(list) ? (list as { readonly id: string; readonly label?: string; readonly reason: string }[]) : [];
  const byReason = new Map<string, string[]>();
  for (const { id, label, reason } of entries) byReason.set(reason, [...(byReason.get(reason) ?? []), label ?? id]);
  return [...byReason].map(([reason, names]) => `- ${word}: ${names.join(', ')}. ${reason}`);
}
