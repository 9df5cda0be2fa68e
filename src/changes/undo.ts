import { invalidArguments, throwProblems } from '../errors.ts';
import { type Sentence, sentence, word, wordList } from '../text/sentence.ts';
import { newestFirst } from './journal/change-order.ts';
import type { ChangeRecord } from './journal/change-record.ts';
import { type Journal, noSuchChange } from './journal/journal.ts';
import { type ChannelsToUndo, planUndoChannels } from './kinds/channels/plan-undo-channels.ts';
import { planUndoMove } from './kinds/videos/plan-undo-move.ts';
import type { VideosToUndo } from './kinds/videos/videos-to-undo.ts';
import type { UndoWay } from './kinds.ts';
import type { ChangePlan, ChangePlanner, PlanReading } from './plan.ts';
import type { FileDeps } from './plan-deps.ts';
import { assertUndoable } from './undoable.ts';

/** The arguments of `undo_change`. */
export interface UndoRequest extends VideosToUndo, ChannelsToUndo {
  readonly changeId?: string | undefined;
  /** Several, in any order. */
  readonly changeIds?: readonly string[] | undefined;
}

type Records = readonly [ChangeRecord, ...ChangeRecord[]];

interface Way {
  readonly plan: (records: Records, request: UndoRequest, deps: FileDeps, read: PlanReading) => Promise<ChangePlan>;
  /** What such changes did. */
  readonly did: Sentence;
  /** Several of them are undone in one change. */
  readonly takesSeveral: boolean;
  /** The arguments that choose what of them is undone, and what these name. */
  readonly chosenBy: readonly { readonly field: keyof ChannelsToUndo | keyof VideosToUndo; readonly names: Sentence }[];
}

const WAYS: Readonly<Record<UndoWay, Way>> = {
  channels: {
    plan: planUndoChannels,
    did: sentence`changed channels`,
    takesSeveral: true,
    chosenBy: [
      { field: 'only', names: sentence`parts of a channel` },
      { field: 'channels', names: sentence`channels` },
    ],
  },
  moves: {
    plan: ([move], request, deps, { signal }) => planUndoMove(move, request, deps, signal),
    did: sentence`moved videos`,
    takesSeveral: false,
    chosenBy: [
      { field: 'videoIds', names: sentence`videos` },
      { field: 'videoIdsFile', names: sentence`videos` },
    ],
  },
};
const UNDO_WAYS = Object.keys(WAYS) as readonly UndoWay[]; // its keys

/** Plans to set back what changes did, each kind in its way. */
export function planUndo(request: UndoRequest, deps: FileDeps): ChangePlanner {
  return async (read) => {
    const chosen = withoutEmpty(request);
    const { records, way } = await recordsOf(chosen, deps.journal);
    return WAYS[way].plan(records, chosen, deps, read);
  };
}

const CHOICES = ['only', 'channels', 'videoIds'] as const;

/** A client that fills in what it does not use gives all of these lists without entries. One alone chooses nothing, which is never all. */
function withoutEmpty(request: UndoRequest): UndoRequest {
  const empty = CHOICES.filter((field) => request[field]?.length === 0);
  if (empty.length === CHOICES.length) return { ...request, only: undefined, channels: undefined, videoIds: undefined };
  throwProblems(
    empty.map((field) => ({
      field: sentence`${field}`,
      problem: sentence`names nothing, so nothing would be undone: leave it out to undo all of the change.`,
    })),
  );
  return request;
}

/** The changes to undo, newest first. Throws what keeps one of them from being undone. */
async function recordsOf(request: UndoRequest, journal: Journal): Promise<{ readonly records: Records; readonly way: UndoWay }> {
  const { changeId, changeIds = [] } = request;
  const ids = [...new Set(changeId === undefined ? changeIds : [changeId, ...changeIds])];
  const found: { readonly record: ChangeRecord; readonly way: UndoWay }[] = [];
  for (const id of ids) {
    const record = await journal.read(id);
    if (record === undefined) throw noSuchChange(id, { outcome: 'nothing-sent' });
    found.push({ record, way: assertUndoable(record) });
  }
  const [first, ...others] = found.toSorted((one, other) => newestFirst(one.record, other.record));
  if (first === undefined) throw invalidArguments([{ field: sentence`changeId`, problem: sentence`or changeIds must be given.` }]);
  const alone = others.length === 0 ? undefined : found.find(({ way }) => !WAYS[way].takesSeveral || way !== first.way);
  if (alone !== undefined)
    throw invalidArguments([
      {
        field: sentence`changeIds`,
        problem: sentence`${word(alone.record.intent.changeId)} ${WAYS[alone.way].did}, which is undone by itself: name it alone.`,
      },
    ]);
  const { way } = first;
  const named = wordList(ids);
  const unfit = UNDO_WAYS.filter((other) => other !== way).flatMap((other) => WAYS[other].chosenBy);
  throwProblems(
    unfit
      .filter(({ field }) => request[field] !== undefined)
      .map(({ field, names }) => ({
        field: sentence`${field}`,
        problem: sentence`names ${names}, and ${named} ${WAYS[way].did}: leave it out.`,
      })),
  );
  return { records: [first.record, ...others.map(({ record }) => record)], way };
}
