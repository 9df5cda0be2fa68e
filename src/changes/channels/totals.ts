import { type ChannelItem, isSameList, LISTS, type Lists, TEXTS } from './channel-change.ts';
import { movedKeys } from './moved-keys.ts';

const FIELDS = { name: 'names', description: 'descriptions', templateKey: 'templates' } as const;

/** What changes in channels, in numbers: `Changes the videos of 30 channels (12 removed, 3 added), the names of 2.` */
export function totalsOf(items: readonly ChannelItem[]): string {
  const texts = TEXTS.map((field) => ({
    what: FIELDS[field],
    count: items.filter(({ before, after }) => after[field] !== undefined && after[field] !== before[field]).length,
    sums: '',
  }));
  const links = { what: 'private links', count: items.filter(({ after }) => after.privateLinkEnabled !== undefined).length, sums: '' };
  const parts = [...LISTS.map((list) => listTotals(items, list)), ...texts, links]
    .filter(({ count }) => count > 0)
    .map(({ what, count, sums }, index) => `the ${what} of ${count}${index > 0 ? '' : count === 1 ? ' channel' : ' channels'}${sums}`);
  return parts.length === 0 ? '' : `Changes ${parts.join(', ')}.`;
}

function listTotals(items: readonly ChannelItem[], list: keyof Lists) {
  const changed = items.filter(({ before, after }) => after[list] !== undefined && !isSameList(before[list] ?? [], after[list]));
  const totals = { removed: 0, added: 0, moved: 0 };
  for (const { before, after } of changed) {
    const [was, will] = [before[list] ?? [], after[list] ?? []];
    const [had, has] = [new Set(was), new Set(will)];
    totals.removed += was.filter((key) => !has.has(key)).length;
    totals.added += will.filter((key) => !had.has(key)).length;
    totals.moved += movedKeys(was, will).length;
  }
  const shown = Object.entries(totals).flatMap(([verb, count]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${verb}`]));
  const sums = shown.length === 0 ? '' : ` (${shown.join(', ')})`;
  return { what: list === 'videoKeys' ? 'videos' : 'projects', count: changed.length, sums };
}
