import type { ChangeRecord, ItemState } from '../changes/change-record.ts';
import type { Journal } from '../changes/journal.ts';
import { stableJson } from '../changes/stable-json.ts';
import { bulkResult, damageOf } from './bulk-result.ts';
import { token } from './present/table.ts';

type Values = Readonly<Record<string, unknown>>;

/** Entries of `failed` and `unknown` in an answer; all of them are in the change's resource. */
const MOST_FATES = 100;
/** Longer lists of keys are told by their length; all of them are in the change's resource. */
const MOST_KEYS = 8;

/** One change as its journal tells it, for an answer. */
export async function changeResult(
  record: ChangeRecord,
  journal: Journal,
  mostFates = MOST_FATES,
): Promise<Values & { readonly status: string }> {
  const { intent, items, ended, bulk } = record;
  if (bulk !== undefined) return bulkResult(record, bulk, journal, mostFates);
  const touched = items.filter(({ outcome }) => outcome === 'done' || outcome === 'unknown');
  return {
    status: record.status,
    changeId: intent.changeId,
    message: sentenceOf(record),
    before: touched.map((item) => ({ id: item.id, ...side(item, item.before) })),
    after: touched.map((item) => ({ id: item.id, ...side(item, item.after), ...item.result })),
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
  const shown = found.slice(0, MOST_FATES).map(({ id, label, reason }) => ({ id, label, reason: reason ?? 'Not sent.' }));
  return { [field]: shown };
}

/** What is to be known of what was done: that it is not quite as was asked, or what it may have cost. */
function remarks(items: readonly ItemState[]): Values {
  const found = items.flatMap(({ id, label, outcome, reason, note }) =>
    outcome === 'done' ? [reason, note].flatMap((text) => (text === undefined ? [] : [{ id, label, reason: text }])) : [],
  );
  return found.length === 0 ? {} : { remarks: found.slice(0, MOST_FATES) };
}

/** The fields of one side that the change is about: those that differ. */
function side({ before, after }: ItemState, fields: Values): Values {
  const changed = Object.entries(fields).filter(([name]) => stableJson(before[name]) !== stableJson(after[name]) && name in after);
  return Object.fromEntries(changed.map(([name, value]) => [name, brief(value)]));
}

function brief(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= MOST_KEYS) return value;
  return { count: value.length };
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
