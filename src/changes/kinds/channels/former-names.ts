import type { FormerName, FormerNames, Named, Referable } from '../../../account/references.ts';
import { inQuotes } from '../../../text/sentence.ts';
import { timeText } from '../../../text/time-text.ts';
import type { PlannedItem } from '../../journal/format.ts';
import type { Journal } from '../../journal/journal.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import { kindsWith } from '../../plan/traits/index.ts';

const RENAMING = kindsWith(({ channels, isLocal }) => channels !== undefined && isLocal !== true);

/** Looks through the changes of all processes, which takes as long as there are many: for names that no channel has. */
export const createFormerNames =
  (journal: Pick<Journal, 'each'>): FormerNames =>
  async () => {
    const names: FormerName[] = [];
    for await (const { intent, items } of journal.each(RENAMING))
      for (const { id, before, after, outcome, at = intent.at } of items)
        if (outcome === 'done' && before.name !== undefined && after.name !== undefined && after.name !== before.name)
          names.push({ id, name: before.name, at });
    return names;
  };

/** What is told of channels of a plan that were named as they are not called any more, each name once. */
export function formerNameNotices(
  named: readonly (Named<Referable> | { readonly refusal: unknown })[],
  planned: readonly { readonly item: Pick<PlannedItem, 'id' | 'label'> }[],
): NoticeOf<'found_by_former_name'>[] {
  const labels = new Map(planned.map(({ item: { id, label } }) => [id, label]));
  const told = named.flatMap((found) => {
    const [label, former] = 'record' in found ? [labels.get(found.record.id), found.former] : [];
    if (label === undefined || former === undefined) return [];
    return [{ kind: 'found_by_former_name', label, former: inQuotes(former.name), on: timeText(Date.parse(former.at)) } as const];
  });
  return [...new Map(told.map((one) => [`${one.label} ${one.former}`, one])).values()];
}
