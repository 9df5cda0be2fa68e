import type { ChangeRecord } from './change-record.ts';
import type { Journal } from './journal.ts';

/** Changes among which others that have to do with one are looked for. */
export const MOST_LOOKED_AT = 200;

/** The change that set this one back, in whole or in part, or is about to; undefined where there is none, or where that was undone in turn. */
export async function undoneBy(changeId: string, journal: Journal): Promise<string | undefined> {
  const undone = new Map<string, string>();
  // The newest come first, so that an undo that was undone is known as such.
  for (const record of await journal.list(MOST_LOOKED_AT)) {
    const { changeId: by, facts } = record.intent;
    if (typeof facts.undoes === 'string' && !undone.has(by) && hasEffect(record)) undone.set(facts.undoes, by);
  }
  return undone.get(changeId);
}

function hasEffect({ status, items, bulk }: ChangeRecord): boolean {
  if (status === 'running') return true;
  if (bulk !== undefined) return bulk.count('done') + bulk.count('unknown') > 0;
  return items.some(({ outcome }) => outcome === 'done' || outcome === 'unknown');
}
