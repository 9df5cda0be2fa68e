import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { ConfirmedBy } from '../journal/format.ts';

/** Whether a person saw the change, or allowed it in advance. An assistant can send a token back itself. */
const IS_APPROVAL: Readonly<Record<ConfirmedBy, boolean>> = {
  form: true,
  page: true,
  terminal: true,
  standing: true,
  token: false,
  never: false,
};

/** Whether a person or a standing approval approved a change, and each time that it was carried on. */
export const isApproved = ({ confirmations }: ChangeRecord): boolean => [...confirmations].every((by) => IS_APPROVAL[by]);

/** The same change; the lists that it stated itself are not approved unless it was. An undo goes back to them. */
export const withUnapproved = (record: ChangeRecord): readonly ItemState[] =>
  isApproved(record)
    ? record.items
    : record.items.map((item) => ({ ...item, unapproved: [...new Set([...(item.unapproved ?? []), ...(item.states ?? [])])] }));
