import type { ChangeRecord } from './journal/change-record.ts';
import type { Journal } from './journal/journal.ts';

/** What set a change back, or is about to. */
export interface UndoRecord {
  /** The id of that change. */
  readonly by: string;
  /** False where some of it was left as it was, or the undoing goes on. */
  readonly whole: boolean;
}

/** What was undone, each with its undo, of the changes from one on; an undo that was wholly undone in turn does not count. */
export async function undoneSince(oldest: string, journal: Journal): Promise<ReadonlyMap<string, UndoRecord>> {
  const undone = new Map<string, UndoRecord>();
  // An undo is newer than what it undoes; the newest come first, so that an undo that was undone is known as such.
  for await (const record of journal.each(['undo_change'], oldest)) {
    const { changeId: by, facts } = record.intent;
    if (typeof facts.undoes !== 'string' || undone.get(by)?.whole === true || !hasEffect(record)) continue;
    if (undone.get(facts.undoes)?.whole !== true) undone.set(facts.undoes, { by, whole: record.status === 'applied' });
  }
  return undone;
}

/** The change that set this one back, in whole or in part, or is about to; undefined where there is none. */
export const undoneBy = async (changeId: string, journal: Journal): Promise<UndoRecord | undefined> =>
  (await undoneSince(changeId, journal)).get(changeId);

function hasEffect({ status, items, bulk }: ChangeRecord): boolean {
  if (status === 'running') return true;
  if (bulk !== undefined) return bulk.count('done') + bulk.count('unknown') > 0;
  return items.some(({ outcome }) => outcome === 'done' || outcome === 'unknown');
}
