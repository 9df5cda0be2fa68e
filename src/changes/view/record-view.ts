import { nameOf, PROJECT_PLAN_TYPES } from '../../account/plan-types.ts';
import { CHANNEL_FIELDS, FIELDS, LISTS, type ListWord, rowOf } from '../channels/fields.ts';
import { templateText } from '../channels/outcome-lines.ts';
import type { ItemState } from '../journal/change-record.ts';
import type { AnswerFacts } from '../journal/facts.ts';
import { listDifference } from '../list-difference.ts';
import type { PlannedItem } from '../plan.ts';
import { stableJson } from '../stable-json.ts';

type Item = PlannedItem & Partial<Pick<ItemState, 'outcome' | 'reason' | 'note' | 'states'>>;

/** One record of a change. */
export interface RecordView {
  readonly id: string;
  readonly name: string;
  /** Of plain fields, in words. */
  readonly fields: readonly { readonly name: string; readonly before?: string; readonly after: string }[];
  readonly lists: readonly ListChange[];
  /** What the change states that the record holds: sent, whatever it really holds. Absent where it states nothing. */
  readonly stated?: readonly StatedList[];
  readonly outcome?: ItemState['outcome'];
  readonly reason?: string;
}

export interface StatedList {
  readonly what: ListWord;
  readonly keys: readonly string[];
  /** Whether the change makes another list of it, which is in `lists`. */
  readonly isChanged: boolean;
}

export interface ListChange {
  readonly what: ListWord;
  /** `null` where nobody knows what the record holds. */
  readonly before: readonly string[] | null;
  readonly after: readonly string[];
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FIELDS.flatMap((field) => (rowOf(field).heading === undefined ? [] : [[field, rowOf(field).heading]]))),
  region: 'Region',
  planType: 'Plan type',
  options: 'Encoding',
  videoOptions: 'Player',
  filter: 'Which',
  records: 'How many',
};

/** The records of a change, those that lose most first; its facts have the names of templates. */
export function recordViews(items: readonly Item[], facts: AnswerFacts = {}): RecordView[] {
  const views = items.map((item) => ({ view: recordView(item, facts), loss: lossOf(item) }));
  return views.sort((a, b) => b.loss - a.loss).map(({ view }) => view);
}

function recordView(item: Item, facts: AnswerFacts): RecordView {
  const { id, label, name = label, before, after, outcome } = item;
  const stated = statedLists(item);
  const changed = Object.keys(after).filter((field) => !isList(field) && stableJson(before[field]) !== stableJson(after[field]));
  const reason = [item.reason, item.note].filter((text) => text !== undefined).join(' ');
  return {
    id,
    name,
    fields: changed.map((field) => ({
      name: FIELD_NAMES[field] ?? field,
      ...(before[field] === undefined ? {} : { before: fieldText(field, before[field], facts) }),
      after: fieldText(field, after[field], facts),
    })),
    lists: listChanges(item),
    ...(stated.length === 0 ? {} : { stated }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === '' ? {} : { reason }),
  };
}

const statedLists = ({ before, after, states = [] }: Item): StatedList[] =>
  states.map((list) => ({
    what: CHANNEL_FIELDS[list].word,
    keys: keysIn(before[list]) ?? [],
    isChanged: after[list] !== undefined && stableJson(before[list]) !== stableJson(after[list]),
  }));

function listChanges({ seen, before, after }: Item): ListChange[] {
  return LISTS.flatMap((list): ListChange[] => {
    const now = keysIn(after[list]);
    if (now === undefined) return [];
    // What does not exist yet holds nothing.
    const was = keysIn(before[list]) ?? (seen === null ? [] : null);
    if (was !== null && stableJson(was) === stableJson(now)) return [];
    return [{ what: CHANNEL_FIELDS[list].word, before: was, after: now }];
  });
}

/** How many keys leave a record; one whose contents are not known may lose more than any other. */
function lossOf(item: Item): number {
  const losses = listChanges(item).map(({ before, after }) =>
    before === null ? Number.MAX_SAFE_INTEGER : listDifference(before, after).removed.length,
  );
  return Math.max(0, ...losses);
}

const isList = (name: string): boolean => LISTS.some((list) => list === name);

const keysIn = (value: unknown): readonly string[] | undefined => (Array.isArray(value) ? value.map(String) : undefined);

/** With the name of what is given by a key or a number. */
function fieldText(name: string, value: unknown, facts: AnswerFacts): string {
  if (name === 'templateKey') return templateText(value, facts);
  return name === 'planType' && typeof value === 'number' ? String(nameOf(PROJECT_PLAN_TYPES, value)) : valueText(value);
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${valueText(inner)}`)
      .join(', ');
  return String(value ?? '');
}
