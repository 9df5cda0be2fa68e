import type { ChangeRecord } from './journal/change-record.ts';
import type { Journal } from './journal/journal.ts';

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
    if (typeof facts.undoes !== 'string' || undone.get(by)?.whole === true || !hasEffect(record)) continue;
    if (undone.get(facts.undoes)?.whole !== true) undone.set(facts.undoes, { by, whole: record.status === 'applied' });
  }
  return undone;
}

export const undoneBy = async (changeId: string, journal: Journal): Promise<UndoRecord | undefined> =>
  (await undoneSince(changeId, journal)).get(changeId);

function hasEffect({ status, items, bulk }: ChangeRecord): boolean {
  if (status === 'running') return true;
  if (bulk !== undefined) return bulk.count('done') + bulk.count('unknown') > 0;
  return items.some(({ outcome }) => outcome === 'done' || outcome === 'unknown');
}
