import { type Begun, idAt } from '../journal/change-order.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { ProjectShare } from '../journal/facts.ts';
import type { Journal } from '../journal/journal.ts';
import { MOVES, movesOf, targetsIn } from './later-moves.ts';

/** What a move by this server did with each video of its list, by its position there. */
export interface EarlierMove extends Begun {
  readonly isRunning: boolean;
  readonly ids: readonly string[];
  readonly targetAt: (position: number) => ProjectShare | undefined;
  /** By when it had the video, in milliseconds since the epoch: infinite where that is not known or still to come, 0 where it did not move it. */
  readonly times: Float64Array;
  readonly isDone: (position: number) => boolean;
}

/** Ids of moves that are kept in memory, so that not each plan reads thousands of files. */
const MAX_KEPT_IDS = 200_000;

interface Kept {
  readonly moves: Map<string, EarlierMove>;
  ids: number;
}

const keptOf = new WeakMap<Journal, Kept>();
const BEGINNING: Begun = { changeId: '', at: new Date(0).toISOString() };

/**
 * Longer than a change waits for a person. Of what was moved before, the caller's word counts: others move videos too, and the
 * history of years would be read at each start.
 */
const LOOKED_BACK_MS = 8 * 86_400_000;

/** The moves in the journal of the last days, in no order. */
export async function* eachEarlierMove(journal: Journal): AsyncGenerator<EarlierMove> {
  const newerThan = idAt(Date.now() - LOOKED_BACK_MS);
  const kept = keptOf.get(journal) ?? { moves: new Map<string, EarlierMove>(), ids: 0 };
  keptOf.set(journal, kept);
  const known = [...kept.moves.values()].filter(({ changeId }) => changeId > newerThan);
  const isKnown = new Set(kept.moves.keys());
  for await (const record of journal.each(MOVES, newerThan, undefined, isKnown)) {
    const move = await readMove(record, journal);
    // Nothing is added to one of which all is done.
    if (record.status === 'applied' && kept.ids + move.ids.length <= MAX_KEPT_IDS && !kept.moves.has(move.changeId)) {
      kept.moves.set(move.changeId, move);
      kept.ids += move.ids.length;
    }
    yield move;
  }
  yield* known;
}

async function readMove(record: ChangeRecord, journal: Journal): Promise<EarlierMove> {
  const { intent, bulk, status } = record;
  // Of a list that can’t be read, what the caller says is taken as said, as ever.
  const ids: readonly string[] = await journal.readIds(intent.changeId).catch(() => []);
  const movedBy = movesOf(record, BEGINNING);
  return {
    changeId: intent.changeId,
    at: intent.at,
    isRunning: status === 'running',
    ids,
    targetAt: targetsIn(intent.facts),
    times: Float64Array.from(ids, (_, position) => movedBy(position) ?? 0),
    isDone: status === 'applied' ? () => true : (position) => bulk?.statusAt(position) === 'done',
  };
}
