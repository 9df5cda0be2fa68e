import type { ChangeRecord, ItemState } from '../../journal/change-record.ts';
import { CONFIRMED_BY } from '../../plan/confirmed-by.ts';

/** Whether a person or a standing approval approved a change, and each time that it was carried on. */
export const isApproved = ({ agreed }: ChangeRecord): boolean => agreed.every(({ decided }) => CONFIRMED_BY[decided.how].isApproval);

/** The same change; the lists that it stated itself are not approved unless it was. An undo goes back to them. */
export const withUnapproved = (record: ChangeRecord): readonly ItemState[] =>
  isApproved(record)
    ? record.items
    : record.items.map((item) => ({ ...item, unapproved: [...new Set([...(item.unapproved ?? []), ...(item.states ?? [])])] }));
