import { rowNamed } from '../channels/fields.ts';
import type { PlannedItem } from '../plan.ts';
import { changedIn } from '../records.ts';

/** Names of channels in a title. */
const MAX_LABELS = 3;

type Titled = Pick<PlannedItem, 'label' | 'seen' | 'before' | 'after'>;

/** The title of a change in a list: what is done, its channels and what of them changes, since most of what is done is alike. No full stop. */
export function titleOf(summary: string, items: readonly Titled[]): string {
  const labels = items.filter(({ seen }) => seen !== null).map((item) => [item.label, ...partsOf(item)].join(' '));
  if (labels.length === 0) return summary;
  const more = labels.length > MAX_LABELS ? ` and ${labels.length - MAX_LABELS} more` : '';
  return `${summary}: ${labels.slice(0, MAX_LABELS).join(', ')}${more}`;
}

function partsOf(item: Titled): string[] {
  const rows = changedIn(item).flatMap((field) => rowNamed(field) ?? []);
  const parts = rows.map(({ kind, word }) => (kind === 'list' ? `${word}s` : word));
  return parts.length === 0 ? [] : [`(${parts.join(', ')})`];
}
