import { isSameList, listDifference } from '../list-difference.ts';
import type { ChannelItem } from './channel-change.ts';
import { FLAGS, LISTS, type ListField, TEXTS, wordsFor } from './fields.ts';

/** What changes in channels, in numbers: `Changes the videos of 30 channels (12 removed, 3 added), the names of 2.` */
export function totalsOf(items: readonly ChannelItem[]): string {
  const others = [...TEXTS, ...FLAGS].map((field) => ({
    what: wordsFor([field]),
    count: items.filter(({ before, after }) => after[field] !== undefined && after[field] !== before[field]).length,
    sums: '',
  }));
  const parts = [...LISTS.map((list) => listTotals(items, list)), ...others]
    .filter(({ count }) => count > 0)
    .map(({ what, count, sums }, index) => `the ${what} of ${count}${index > 0 ? '' : count === 1 ? ' channel' : ' channels'}${sums}`);
  return parts.length === 0 ? '' : `Changes ${parts.join(', ')}.`;
}

function listTotals(items: readonly ChannelItem[], list: ListField) {
  const totals = { removed: 0, added: 0, moved: 0 };
  let count = 0;
  for (const item of items) {
    const before = item.before[list] ?? [];
    const after = item.after[list] ?? before;
    if (isSameList(before, after)) continue;
    count += 1;
    const { removed, added, moved } = listDifference(before, after);
    totals.removed += removed.length;
    totals.added += added.length;
    totals.moved += moved.length;
  }
  const shown = Object.entries(totals).flatMap(([verb, sum]) => (sum === 0 ? [] : [`${sum.toLocaleString('en-US')} ${verb}`]));
  return { what: wordsFor([list]), count, sums: shown.length === 0 ? '' : ` (${shown.join(', ')})` };
}
