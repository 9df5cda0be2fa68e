import { joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { ItemState } from '../journal/change-record.ts';
import type { PlannedItem } from '../journal/format.ts';

type Told = Pick<PlannedItem, 'seen'> & Partial<Pick<ItemState, 'reason' | 'differs' | 'note'>>;

/** Why a record is not done, or not quite as asked; undefined where it is. */
export function reasonOf({ reason, differs, seen }: Told): Sentence | undefined {
  if (differs === undefined) return reason;
  const fields = differs.map((field) => word(field));
  if (seen === null)
    return sentence`The service answered success, but of the new record this is not what was sent: ${joined(fields, ', ')}.`;
  if (differs.includes('version'))
    return sentence`The service answered success, but still shows the version from before, so it may not have been done.`;
  return sentence`The service answered success, but its ${joined(fields, ' and ')} ${differs.length > 1 ? 'are' : 'is'} not what was sent.`;
}

/** The same, and what a person should know besides. */
export const remarksOf = (item: Told): readonly Sentence[] => [reasonOf(item), item.note].filter((text) => text !== undefined);
