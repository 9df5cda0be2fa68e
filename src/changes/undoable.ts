import { refusal } from '../errors.ts';
import { type Sentence, sentence, word } from '../text/sentence.ts';
import type { ChangeRecord } from './journal/change-record.ts';
import { type KindFacts, type MoveFacts, moveIn, type ProjectShare } from './journal/facts.ts';
import type { PlannedItem } from './journal/format.ts';
import { channelItemIn } from './kinds/channels/channel-change.ts';
import { undoOfChannels } from './kinds/channels/restorable.ts';
import type { MovedOn } from './kinds/videos/later-moves.ts';
import { KINDS, type UndoWay, undoWayOf } from './kinds.ts';
import { videosText } from './list-text.ts';
import type { Notice } from './notices/notices.ts';
import type { Undo } from './tell/preview.ts';
import { possiblyChanged, type UndoRecord } from './undone-by.ts';

/** Of a change that was begun. */
export interface UndoNow extends Undo {
  /** Why undo_change refuses it now, whatever the account holds; without it, that depends on the account. */
  readonly never?: Sentence;
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
  return { ...undoOver(record, why, since), ...(why === undefined ? {} : { never: sentence`${word(changeId)} can’t be undone. ${why}` }) };
}

function undoOfRunning({ intent }: ChangeRecord): UndoNow {
  const { possible, how } = plannedUndo(intent);
  if (possible === 'no') return { possible, how, never: sentence`${word(intent.changeId)} can’t be undone. ${how}` };
  return {
    possible,
    how: sentence`Only once it has ended. ${how}`,
    never: sentence`${word(intent.changeId)} is still running. It can be undone once it has ended.`,
  };
}

/** Why a change that is over can’t be undone, whatever came of it. */
function whyNever({ intent: { kind, facts } }: ChangeRecord): Sentence | undefined {
  const { undo } = KINDS[kind];
  if (typeof undo === 'object') return undo.no;
  return moveIn(facts)?.fromProjects.length === 0 ? NO_ORIGIN.after : undefined;
}

function undoOver(record: ChangeRecord, why: Sentence | undefined, { undone, movedOn }: Since): Undo {
  if (undone?.whole === true) return { possible: 'no', how: sentence`It was undone by ${word(undone.by)}.` };
  if (possiblyChanged(record) === 0) return { possible: 'no', how: sentence`Nothing was changed.` };
  const stay = movedOn === undefined ? undefined : possiblyChanged(record, movedOn.has);
  if (stay === 0)
    return {
      possible: 'no',
      how: sentence`All that it moved was moved again since, or may have been, last by ${word(movedOn?.last ?? '')}.`,
    };
  if (why !== undefined) return { possible: 'no', how: why };
  const { possible, how } = plannedUndo(record.intent);
  // Of several projects, those that were in the target before stay there.
  const isOfAll = possible === 'yes' && moveIn(record.intent.facts)?.fromProjects.length === 1;
  return { possible, how: stay === undefined || !isOfAll ? how : sentence`${how} As it is, that is ${videosText(stay)}.` };
}

/** Whether and how a change can be undone once it is done, by what is planned. `resumes`: it is the rest of an earlier one. */
export function plannedUndo(plan: UndoablePlan): Undo {
  const way = undoWayOf(plan.kind, moveIn(plan.facts) !== undefined);
  return typeof way === 'object' ? { possible: 'no', how: way.no } : PLANNED[way](plan);
}

type UndoablePlan = KindFacts & {
  readonly items?: readonly PlannedItem[];
  readonly resumes?: string;
  /** What is in doubt of it. */
  readonly notices?: readonly Notice[];
};

const PLANNED: Readonly<Record<UndoWay, (plan: UndoablePlan) => Undo>> = {
  channels: ({ items = [], notices = [] }) =>
    undoOfChannels(
      items.flatMap((item) => channelItemIn(item) ?? []),
      notices,
    ),
  moves({ facts, resumes }) {
    const move = moveIn(facts);
    if (move === undefined) return { possible: 'no', how: NO_ORIGIN.before };
    const { possible, how } = 'undoes' in facts ? undoOfUndo(move) : undoOfMove(move);
    return {
      possible,
      how: resumes === undefined || possible === 'no' ? how : sentence`${how} That goes for the whole change: what was moved before, too.`,
    };
  },
};

const NO_ORIGIN = {
  before: sentence`It can’t be undone, since it was not said in which project the videos are now.`,
  after: sentence`It can’t be undone, since it was not said in which project the videos were before.`,
} as const;

function undoOfMove({ fromProjects, targetProjects }: MoveFacts): Undo {
  if (fromProjects.length === 0) return { possible: 'no', how: NO_ORIGIN.before };
  const unknown = videosIn(targetProjects) - videosIn(fromProjects);
  const [only, ...others] = fromProjects.filter(({ id, count }) => count > 0 && id !== targetProjects[0]?.id);
  if (only === undefined)
    return { possible: 'no', how: sentence`There is nothing that an undo could move back: no video is known to come from elsewhere.` };
  const where = others.length === 0 ? only.label : 'where the file says that each was';
  const rest =
    unknown === 0
      ? ''
      : sentence` ${videosText(unknown)} ${unknown === 1 ? 'stays' : 'stay'}, since where ${unknown === 1 ? 'it comes' : 'they come'} from is not known.`;
  const how = sentence`An undo moves what was moved, or may have been, back to ${where}, and nothing else.${rest}`;
  return { possible: unknown === 0 ? 'yes' : 'partly', how };
}

const videosIn = (projects: readonly ProjectShare[]): number => projects.reduce((sum, { count }) => sum + count, 0);

function undoOfUndo({ fromProjects: [only, ...others] }: MoveFacts): Undo {
  const where = others.length === 0 ? (only?.label ?? sentence``) : sentence`the ${others.length + 1} projects`;
  return { possible: 'yes', how: sentence`An undo of this moves them to ${where} again.` };
}

const ONCE_ENDED = 'Wait for it with get_change, or end it with stop_change, then undo it.';

/** How a change that was begun is undone. Throws `not_undoable` where it can’t be now, whatever the account holds. */
export function assertUndoable(record: ChangeRecord): UndoWay {
  const { never, possible } = undoOf(record);
  const way = undoWayOf(record.intent.kind, record.bulk !== undefined);
  if (never === undefined && typeof way === 'string') return way;
  const hint = record.status === 'running' && possible !== 'no' ? ONCE_ENDED : undefined;
  throw refusal('not_undoable', never ?? (typeof way === 'string' ? '' : way.no), hint);
}
