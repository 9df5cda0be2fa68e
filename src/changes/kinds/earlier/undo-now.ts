import { refusal } from '../../../errors.ts';
import { type Sentence, sentence, word, wordList } from '../../../text/sentence.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import { moveIn } from '../../plan/facts.ts';
import { videosText } from '../../plan/list-text.ts';
import { listed } from '../../plan/notice.ts';
import type { Undo } from '../../plan/preview.ts';
import type { ChangedChannel } from '../channels/changed-since.ts';
import type { KindUndo, UndoablePlan, UndoWay } from '../kind.ts';
import type { MovedOn } from '../videos/later-moves.ts';
import { possiblyChanged, type UndoRecord } from './undone-by.ts';

/** Of a change that was begun. */
export interface UndoNow extends Undo {
  /** Why undo_change refuses it now, whatever the account holds; without it, that depends on the account. */
  readonly never?: Sentence;
}

/** What happened since, as far as the caller knows it. */
export interface Since {
  /** What undid it. */
  readonly undone?: UndoRecord | undefined;
  /** Of a move. */
  readonly movedOn?: MovedOn | undefined;
  /** Its channels that were changed since. */
  readonly changed?: readonly ChangedChannel[] | undefined;
}

/** Whether and how a change that was begun can be undone in a way, or that it never can be. */
export function undoNow(record: ChangeRecord, undo: KindUndo, since: Since = {}): UndoNow {
  const { changeId } = record.intent;
  if (record.status === 'running') return undoOfRunning(record, undo);
  const why = 'never' in undo ? undo.never : undo.lacks?.(record.intent.facts);
  return {
    ...undoOver(record, undo, why, since),
    ...(why === undefined ? {} : { never: sentence`${word(changeId)} can’t be undone. ${why}` }),
  };
}

function undoOfRunning({ intent }: ChangeRecord, undo: KindUndo): UndoNow {
  const { possible, how } = promisedUndo(undo, intent);
  if (possible === 'no') return { possible, how, never: sentence`${word(intent.changeId)} can’t be undone. ${how}` };
  return {
    possible,
    how: sentence`It is stopped first. ${how}`,
    never: sentence`${word(intent.changeId)} is still running. It can be undone once it has ended.`,
  };
}

function undoOver(record: ChangeRecord, undo: KindUndo, why: Sentence | undefined, { undone, movedOn, changed = [] }: Since): Undo {
  if (undone?.whole === true) return { possible: 'no', how: sentence`It was undone by ${word(undone.by)}.` };
  if (possiblyChanged(record) === 0) return { possible: 'no', how: sentence`Nothing was changed.` };
  const stay = movedOn === undefined ? undefined : possiblyChanged(record, movedOn.has);
  if (stay === 0)
    return {
      possible: 'no',
      how: sentence`All that it moved was moved again since, or may have been, last by ${word(movedOn?.last ?? '')}.`,
    };
  if (why !== undefined) return { possible: 'no', how: why };
  const promised = promisedUndo(undo, record.intent);
  const open = stillOpen(record, undone);
  if (open === 0) return { possible: 'no', how: sentence`All that was changed is set back, last by ${word(undone?.by ?? '')}.` };
  const left = changed.filter(({ id }) => undone?.setBack.has(id) !== true);
  if (left.length > 0 && promised.possible !== 'no') return afterOthers(promised, left, open, 'takesSeveral' in undo && undo.takesSeveral);
  const { possible, how } = promised;
  // Of several projects, those that were in the target before stay there.
  const isOfAll = possible === 'yes' && moveIn(record.intent.facts)?.fromProjects.length === 1;
  return { possible, how: stay === undefined || !isOfAll ? how : sentence`${how} As it is, that is ${videosText(stay)}.` };
}

/** How many records or ids that it changed, or may have changed, no undo has set back. */
const stillOpen = (record: ChangeRecord, undone: UndoRecord | undefined): number =>
  possiblyChanged(record) - record.items.filter(({ id, outcome }) => outcome === 'done' && undone?.setBack.has(id)).length;

/** Of channels that were changed since, which an undo leaves alone. */
function afterOthers({ how }: Undo, changed: readonly ChangedChannel[], total: number, takesSeveral: boolean): Undo {
  const which = listed(
    changed.map(({ label }) => label),
    MAX_NAMED,
  );
  const own = [...new Set(changed.flatMap(({ by }) => by ?? []))];
  const [were, them] = changed.length === 1 ? (['was', 'it'] as const) : (['were', 'them'] as const);
  const by = own.length === 0 ? sentence`` : sentence` (by ${wordList(own)})`;
  const left = sentence`${which} ${were} changed since${by}, so an undo leaves ${them} alone.`;
  const together =
    own.length === 0 || !takesSeveral
      ? left
      : sentence`${left} Undone together with that, ${changed.length === 1 ? 'it is' : 'they are'} set back too.`;
  return changed.length < total ? { possible: 'partly', how: sentence`${how} ${together}` } : { possible: 'no', how: together };
}

const MAX_NAMED = 5;

/** Whether and how a change can be undone once it is done, by what is planned. */
export const promisedUndo = (undo: KindUndo, plan: UndoablePlan): Undo =>
  'never' in undo ? { possible: 'no', how: undo.never } : undo.promise(plan);

const ONCE_ENDED = 'Wait for it with get_change, or end it with stop_change, then undo it.';

/**
 * How a change that was begun is undone. Throws `not_undoable` where it can’t be now, whatever the account holds. `endsFirst`: one that is running
 * is stopped before.
 */
export function assertUndoableBy(record: ChangeRecord, undo: KindUndo, endsFirst = false): UndoWay {
  const { never, possible } = undoNow(record, undo);
  const isEndedFirst = endsFirst && record.status === 'running' && possible !== 'no';
  if ((never === undefined || isEndedFirst) && !('never' in undo)) return undo;
  const hint = record.status === 'running' && possible !== 'no' ? ONCE_ENDED : undefined;
  throw refusal('not_undoable', never ?? ('never' in undo ? undo.never : ''), hint);
}
