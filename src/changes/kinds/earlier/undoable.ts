import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Undo } from '../../plan/preview.ts';
import { kindOf } from '../index.ts';
import type { UndoablePlan, UndoWay } from '../kind.ts';
import { assertUndoableBy, promisedUndo, type Since, type UndoNow, undoNow } from './undo-now.ts';

/** Whether and how a change that was begun can be undone. */
export const undoOf = (record: ChangeRecord, since?: Since): UndoNow => undoNow(record, undoIn(record.intent), since);

/** Whether and how a change can be undone once it is done, by what is planned. */
export const plannedUndo = (plan: UndoablePlan): Undo => promisedUndo(undoIn(plan), plan);

/** How a change that was begun is undone. Throws `not_undoable` where it can’t be now, whatever the account holds; `endsFirst`: once it is stopped. */
export const assertUndoable = (record: ChangeRecord, endsFirst?: boolean): UndoWay =>
  assertUndoableBy(record, undoIn(record.intent), endsFirst);

const undoIn = ({ kind, facts }: UndoablePlan) => kindOf(kind).undo(facts);
