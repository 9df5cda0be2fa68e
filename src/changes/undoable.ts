import type { MovedOn } from './bulk/later-moves.ts';
import type { ChangeRecord } from './journal/change-record.ts';
import { type MoveFacts, moveIn } from './journal/facts.ts';
import { type ChangeKind, KINDS } from './kinds.ts';
import { videosText } from './listed.ts';
import { possiblyChanged, type UndoRecord } from './undone-by.ts';
import type { Undo } from './view/preview.ts';

/** Of a change that was begun. */
export interface UndoNow extends Undo {
  /** Why undo_change refuses it now, whatever the account holds; without it, that depends on the account. */
  readonly never?: string;
}

/** What happened since, as far as the caller knows it. */
interface Since {
  /** What undid it. */
  readonly undone?: UndoRecord | undefined;
  /** Of a move. */
  readonly movedOn?: MovedOn | undefined;
}

/** Whether and how a change that was begun can be undone. */
export function undoOf(record: ChangeRecord, since: Since = {}): UndoNow {
  const { changeId } = record.intent;
  if (record.status === 'running') return undoOfRunning(record);
  const why = whyNever(record);
  return { ...undoOver(record, why, since), ...(why === undefined ? {} : { never: `${changeId} can’t be undone. ${why}` }) };
}

function undoOfRunning({ intent: { changeId, undo } }: ChangeRecord): UndoNow {
  if (undo.possible === 'no') return { ...undo, never: `${changeId} can’t be undone. ${undo.how}` };
  return {
    possible: undo.possible,
    how: `Only once it has ended. ${undo.how}`,
    never: `${changeId} is still running. It can be undone once it has ended.`,
  };
}

/** Why a change that is over can’t be undone, whatever came of it. */
function whyNever({ intent: { kind, facts } }: ChangeRecord): string | undefined {
  const { undo } = KINDS[kind];
  if (undo !== 'possible') return undo.no;
  return moveIn(facts)?.fromProjects.length === 0 ? NO_ORIGIN.after : undefined;
}

function undoOver(record: ChangeRecord, why: string | undefined, { undone, movedOn }: Since): Undo {
  const { undo, facts } = record.intent;
  if (undone?.whole === true) return { possible: 'no', how: `It was undone by ${undone.by}.` };
  if (possiblyChanged(record) === 0) return { possible: 'no', how: 'Nothing was changed.' };
  const stay = movedOn === undefined ? undefined : possiblyChanged(record, movedOn.has);
  if (stay === 0) return { possible: 'no', how: `All that it moved was moved again since, or may have been, last by ${movedOn?.last}.` };
  if (why !== undefined) return { possible: 'no', how: why };
  // Of several projects, those that were in the target before stay there.
  const isOfAll = undo.possible === 'yes' && moveIn(facts)?.fromProjects.length === 1;
  return stay === undefined || !isOfAll ? undo : { ...undo, how: `${undo.how} As it is, that is ${videosText(stay)}.` };
}

/** Of a kind that never can be. */
export function noUndo(kind: ChangeKind): Undo {
  const { undo } = KINDS[kind];
  return { possible: 'no', how: undo === 'possible' ? '' : undo.no };
}

const NO_ORIGIN = {
  before: 'It can’t be undone, since it was not said in which project the videos are now.',
  after: 'It can’t be undone, since it was not said in which project the videos were before.',
} as const;

/** Of a move of so many videos that is planned. */
export function undoOfMove({ fromProjects, targetProjects }: MoveFacts, videos: number): Undo {
  if (fromProjects.length === 0) return { possible: 'no', how: NO_ORIGIN.before };
  const unknown = videos - fromProjects.reduce((sum, { count }) => sum + count, 0);
  const [only, ...others] = fromProjects.filter(({ id, count }) => count > 0 && id !== targetProjects[0]?.id);
  if (only === undefined)
    return { possible: 'no', how: 'There is nothing that an undo could move back: no video is known to come from elsewhere.' };
  const where = others.length === 0 ? only.label : 'where the file says that each was';
  const rest = unknown === 0 ? '' : ` ${videosText(unknown)} stay, since where they come from is not known.`;
  const how = `An undo moves what was moved, or may have been, back to ${where}, and nothing else.${rest}`;
  return { possible: unknown === 0 ? 'yes' : 'partly', how };
}
