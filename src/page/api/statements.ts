import type { ChangeRecord } from '../../changes/journal/change-record.ts';
import type { PlannedItem } from '../../changes/journal/format.ts';
import type { Journal } from '../../changes/journal/journal.ts';
import { CHANNEL_FIELDS } from '../../changes/plan/channel-fields.ts';
import { TRAITS } from '../../changes/plan/traits/index.ts';
import type { ChangeView } from '../contract.ts';

type Told = NonNullable<ChangeView['agreed']>;

/** On which earlier statement the lists rest that a change sends, and whose that is: the last one, where there are several. Nothing of what it states itself. */
export async function statedEarlier(
  items: readonly PlannedItem[],
  { journal, told }: { readonly journal: Journal; readonly told: (record: ChangeRecord) => Told },
): Promise<Pick<ChangeView, 'statedEarlier'>> {
  const resting = items.flatMap(({ id, stated = [], states = [], after }) => {
    const lists = stated.filter((list) => !states.includes(list) && after[list] !== undefined);
    return lists.length === 0 ? [] : [{ id, lists }];
  });
  if (resting.length === 0) return {};
  const ids = new Set(resting.map(({ id }) => id));
  const what = [...new Set(resting.flatMap(({ lists }) => lists))].map((list) => CHANNEL_FIELDS[list].word);
  for await (const record of journal.snapshot().each(ids)) {
    const isOfThese = record.items.some(({ id, outcome }) => ids.has(id) && outcome === 'done');
    if (TRAITS[record.intent.kind].channels === 'statement' && isOfThese)
      return { statedEarlier: { what, records: ids.size, told: told(record) } };
  }
  return { statedEarlier: { what, records: ids.size, told: [] } };
}
