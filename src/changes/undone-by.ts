import { leftByUndo } from './bulk/later-moves.ts';
import { newestFirst } from './journal/change-order.ts';
import type { ChangeRecord } from './journal/change-record.ts';
import type { Journal } from './journal/journal.ts';
import type { Fields } from './plan.ts';

/** The undo of a change. */
export interface UndoRecord {
  /** The id of the change that undid it. */
  readonly by: string;
  /** False where some of it was not undone, or the undo is running. */
  readonly whole: boolean;
}

/** The undone changes from `oldest` on, by id; an undo that was wholly undone itself does not count. */
export async function undoneSince(oldest: string, journal: Journal): Promise<ReadonlyMap<string, UndoRecord>> {
  const undone = new Map<string, UndoRecord>();
  // Newest first, so that the undo of an undo is read before it.
  for await (const record of journal.each(['undo_change'], oldest)) {
    const { changeId: by, facts } = record.intent;
    if (undone.get(by)?.whole === true || !hasEffect(record)) continue;
    const whole = record.status === 'applied' && facts.only === undefined && leftByUndo(facts) === 0;
    for (const changeId of undoneIn(facts)) if (undone.get(changeId)?.whole !== true) undone.set(changeId, { by, whole });
  }
  return undone;
}

/** The changes that an undo names: one or, in its journal, a list. */
export function undoneIn({ undoes }: Fields): readonly string[] {
  const named: readonly unknown[] = Array.isArray(undoes) ? undoes : [undoes];
  return named.filter((id) => typeof id === 'string');
}

export const undoneBy = async (changeId: string, journal: Journal): Promise<UndoRecord | undefined> =>
  (await undoneSince(changeId, journal)).get(changeId);

/**
 * Some changes, given newest first, and the undos of them alone, undos of those included: without these, what an undo of a part left
 * would look changed by another hand.
 */
export async function withUndos(records: readonly ChangeRecord[], journal: Journal): Promise<readonly ChangeRecord[]> {
  const all = new Map(records.map((record) => [record.intent.changeId, record]));
  const undos: ChangeRecord[] = [];
  for await (const record of journal.each(['undo_change'], records.at(-1)?.intent.changeId)) undos.push(record);
  for (const undo of undos.toReversed()) {
    const undone = undoneIn(undo.intent.facts);
    if (undone.length > 0 && undone.every((changeId) => all.has(changeId))) all.set(undo.intent.changeId, undo);
  }
  return [...all.values()].sort(newestFirst);
}

function hasEffect({ status, items, bulk }: ChangeRecord): boolean {
  if (status === 'running') return true;
  if (bulk !== undefined) return bulk.count('done') + bulk.count('unknown') > 0;
  return items.some(({ outcome }) => outcome === 'done' || outcome === 'unknown');
}
