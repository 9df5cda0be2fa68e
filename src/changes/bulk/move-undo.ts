import type { Intent } from '../journal/format.ts';
import type { Undo } from '../plan.ts';

/** Why a move without a project of origin can't be undone, before it and after it. */
export const NOT_UNDOABLE = {
  before: 'It can’t be undone, since no fromProject was named: where the videos are now is not known.',
  after: 'It can’t be undone, since no fromProject was named: where the videos were before is not known.',
} as const;

/** Whether and how a bulk change that was begun can be undone. */
export function undoAfterwards({ undo }: Intent): Undo {
  return undo.how === NOT_UNDOABLE.before ? { ...undo, how: NOT_UNDOABLE.after } : undo;
}
