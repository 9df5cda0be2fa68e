import type { Intent } from '../journal/format.ts';
import { videosText } from '../listed.ts';
import type { Undo } from '../view/preview.ts';

/** Why a move without a project of origin can't be undone, before it and after it. */
export const NOT_UNDOABLE = {
  before: 'It can’t be undone, since no fromProject was named: where the videos are now is not known.',
  after: 'It can’t be undone, since no fromProject was named: where the videos were before is not known.',
} as const;

/**
 * Whether and how a bulk change that was begun can be undone; `applied`: how many ids were, or may have been, changed once it is over,
 * and not moved on since, `last` by another change.
 */
export function undoAfterwards({ undo, facts }: Intent, applied?: number, last?: string): Undo {
  if (applied === 0 && last !== undefined)
    return { possible: 'no', how: `All that it moved was moved again since, or may have been, last by ${last}.` };
  if (undo.how === NOT_UNDOABLE.before) return { ...undo, how: NOT_UNDOABLE.after };
  // Of several projects, those that were in the target before stay there.
  const isOfAll = undo.possible === 'yes' && facts.fromProjects === undefined;
  return applied === undefined || !isOfAll ? undo : { ...undo, how: `${undo.how} As it is, that is ${videosText(applied)}.` };
}
