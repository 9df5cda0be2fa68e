import type { ListName } from '../../../account/contents.ts';
import { stableJson } from '../../../platform/stable-json.ts';
import { isBegunAfter } from '../../journal/change-order.ts';
import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import { listDifference } from '../../plan/list-difference.ts';
import { changedIn, type Fields } from '../../plan/records.ts';
import { type ChangeKind, kindsWith, TRAITS } from '../../plan/traits/index.ts';
import { isInferred } from '../channels/verify.ts';

/** A later change of the same record. */
export interface LaterChange {
  /** Its id. */
  readonly by: string;
  /**
   * `settles`: nothing is left to be looked after of the earlier one. `changes`: it changed the channel otherwise. `restates`: it has other contents by a
   * person's word, from which the earlier one did not start.
   */
  readonly how: 'settles' | 'changes' | 'restates';
}

/** What later changes did to the channels of which a change is not done; the newest, or one that settles it. */
export async function laterChanges(
  { intent, items, status, resumed }: ChangeRecord,
  journal: Journal,
): Promise<ReadonlyMap<string, LaterChange>> {
  const later = new Map<string, LaterChange>();
  // What a resumption leaves alone is noted then, and was tried before.
  const triedAt = ({ at = intent.at }: ItemState): string => (resumed !== undefined && at >= resumed.at ? intent.at : at);
  const kinds = kindsWith(({ record }) => record === TRAITS[intent.kind].record);
  const open = new Map(items.flatMap((item) => (item.outcome === 'done' || item.seen === null ? [] : [[item.id, item]])));
  if (status === 'running' || open.size === 0) return later;
  for await (const { intent: newer, items: others } of journal.eachSince(kinds, intent, new Set(open.keys()))) {
    const since = isBegunAfter(newer, intent) ? '' : intent.at;
    for (const other of others.filter(({ outcome, at = '' }) => outcome === 'pending' || at >= since)) {
      const item = open.get(other.id);
      const how = item && effectOf(newer.kind, other, item, newer.at >= triedAt(item));
      if (how !== undefined && (how === 'settles' || !later.has(other.id)) && later.get(other.id)?.how !== 'settles')
        later.set(other.id, { by: newer.changeId, how });
    }
  }
  return later;
}

function effectOf(kind: ChangeKind, newer: ItemState, item: ItemState, isAfter: boolean): LaterChange['how'] | undefined {
  const { outcome, stated = [] } = newer;
  if (TRAITS[kind].channels === 'statement') return outcome === 'done' && isRestated(newer.after, stated, item) ? 'restates' : undefined;
  if (outcome === 'done' || outcome === 'unknown' || outcome === 'pending') {
    const isSettled = (field: keyof Fields) => isAsWanted(field, newer, item) || isMadeAnew(field, newer, item, isAfter);
    return outcome === 'done' && !isInferred(newer) && changedIn(item).every(isSettled) ? 'settles' : 'changes';
  }
  return isRestated(newer.before, stated, item) ? 'restates' : undefined;
}

/** Whether a later change left a field as an earlier one was to leave it; of a list, with what that was to add and without what it was to remove. */
function isAsWanted(field: keyof Fields, newer: ItemState, { before, after }: ItemState): boolean {
  const left = newer.after[field] ?? newer.before[field];
  const [had, wanted] = [before[field], after[field]];
  if (stableJson(left) === stableJson(wanted)) return true;
  if (!(Array.isArray(left) && Array.isArray(had) && Array.isArray(wanted))) return false;
  const { added, removed } = listDifference(had, wanted);
  return added.length + removed.length > 0 && added.every((key) => left.includes(key)) && !removed.some((key) => left.includes(key));
}

/**
 * Whether a later change of a field leaves nothing to do of an earlier one, whatever it left: what is not known is known again; what was not done is
 * superseded by a text or a whole list that was asked for after that, and not by what somebody adds to the list, or did while it was tried.
 */
const isMadeAnew = (field: keyof Fields, newer: ItemState, { outcome }: ItemState, isAfter: boolean): boolean =>
  changedIn(newer).includes(field) &&
  (outcome === 'unknown' || (isAfter && (newer.replaces === true || !Array.isArray(newer.after[field]))));

const isRestated = (lists: Fields, stated: readonly ListName[], { before }: ItemState): boolean =>
  stated.some((list) => lists[list] !== undefined && stableJson(lists[list]) !== stableJson(before[list]));

/** The newest change that settles an earlier one, where others settle all of it that is not done. */
export async function settledBy(record: ChangeRecord, journal: Journal): Promise<string | undefined> {
  const open = record.items.filter(({ outcome, seen }) => outcome !== 'done' && seen !== null);
  const later = await laterChanges(record, journal);
  const by = open.map(({ id }) => later.get(id)).flatMap((change) => (change?.how === 'settles' ? change.by : []));
  return by.length === open.length ? by.toSorted().at(-1) : undefined;
}
