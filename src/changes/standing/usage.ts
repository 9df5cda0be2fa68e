import type { ChangeRecord } from '../journal/change-record.ts';
import type { RuleUse } from './receipt.ts';

/**
 * How much of a rule's use counts. A number counts from its intent on, also where the change was interrupted or its outcome is not
 * known. What the ended change surely did not do is given back.
 */
export function countedUse({ status, items, bulk }: ChangeRecord, use: RuleUse, isOnly: boolean): number {
  if (status === 'running' || status === 'interrupted') return use.number;
  if (bulk !== undefined) {
    // Which ids fell under which of several rules is not kept.
    const notDone = isOnly ? bulk.count('failed') + bulk.count('not_done') + bulk.count('none') : 0;
    return Math.max(0, use.number - notDone);
  }
  const notDone = new Set(items.flatMap(({ id, outcome }) => (outcome === 'failed' || outcome === 'not_done' ? [id] : [])));
  if (use.items === undefined) return use.number;
  return Object.entries(use.items).reduce((sum, [id, number]) => sum + (notDone.has(id) ? 0 : number), 0);
}
