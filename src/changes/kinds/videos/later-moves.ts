import type { Values } from '../../../platform/is-object.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { isNotSent, isPossiblyApplied } from '../../journal/bulk-state.ts';
import { type BegunAt, isBegunAfter } from '../../journal/change-order.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Notice } from '../../notices/notices.ts';
import { type Facts, type MoveFacts, moveIn, type ProjectShare, undoneIn } from '../../plan/facts.ts';
import { digestOfIds } from '../../plan/id-files.ts';
import { listText } from '../../plan/list-text.ts';
import { MOVES } from '../../plan/traits/index.ts';

/** The videos of a move that this server moved elsewhere since, or may have. */
export interface MovedOn {
  has(index: number): boolean;
  readonly ids: readonly string[];
  /** How many of them an undo of the move moved. */
  readonly undone: number;
  /** The newest change that did; undefined where none did. */
  readonly last: string | undefined;
  /** Later changes whose lists can’t be read. */
  readonly unread: readonly string[];
}

/**
 * Which ids of a move, of those that `isConcerned`, may be in another project than the move put them in, by what was moved since.
 * A video that a later move put back is where it was.
 */
export async function findMovedOn(
  { intent }: ChangeRecord,
  ids: readonly string[],
  journal: Journal,
  isConcerned: (index: number) => boolean,
): Promise<MovedOn> {
  const targetAt = targetsIn(intent.facts);
  /** By the index of an id: by when the last move elsewhere had it and the number of that change, and when the last move back was begun. */
  const [away, awayBy, back] = [new Float64Array(ids.length), new Uint32Array(ids.length), new Float64Array(ids.length)];
  const changes: string[] = [];
  const undone = new Set<number>();
  const unread: string[] = [];
  let indexes: ReadonlyMap<string, number> | undefined;
  for await (const later of journal.eachSince(MOVES, intent)) {
    if (later.bulk === undefined) continue;
    const { changeId, facts } = later.intent;
    const movedIds = await journal.readIds(changeId).catch(() => []);
    await longPiece(ids.length + movedIds.length);
    if (movedIds.length !== later.intent.ids) unread.push(changeId);
    indexes ??= new Map(ids.flatMap((id, index): [string, number][] => (isConcerned(index) ? [[id, index]] : [])));
    const thenAt = targetsIn(facts);
    const movedBy = movesOf(later, intent);
    changes.push(changeId);
    for (const [position, id] of movedIds.entries()) {
      const index = indexes.get(id);
      const ms = index === undefined ? undefined : movedBy(position);
      if (index === undefined || ms === undefined) continue;
      if (thenAt(position)?.id === targetAt(index)?.id) {
        if (later.bulk.statusAt(position) === 'done') back[index] = Math.max(back[index] ?? 0, begunMs(later, ms));
      } else if (ms > (away[index] ?? 0)) {
        away[index] = ms;
        awayBy[index] = changes.length - 1;
        if (undoneIn(facts).includes(intent.changeId) && later.bulk.statusAt(position) === 'done') undone.add(index);
        else undone.delete(index);
      }
    }
  }
  unread.push(...(await journal.unreadableBulk(intent)));
  await longPiece(ids.length);
  const found = ids.flatMap((_, index) => ((away[index] ?? 0) > (back[index] ?? 0) ? [index] : []));
  const elsewhere = new Set(found);
  const latest = found.reduce((max, index) => ((away[index] ?? 0) > (away[max] ?? 0) ? index : max), found[0] ?? 0);
  return {
    has: (index) => elsewhere.has(index),
    ids: found.map((index) => ids[index] ?? ''),
    undone: found.filter((index) => undone.has(index)).length,
    last: found.length === 0 ? undefined : changes[awayBy[latest] ?? 0],
    unread,
  };
}

/** As `findMovedOn`, of all ids of a move that is over. */
export async function findAllMovedOn(record: ChangeRecord, journal: Journal): Promise<MovedOn> {
  for await (const { bulk } of journal.eachSince(MOVES, record.intent)) {
    if (bulk === undefined) continue;
    return findMovedOn(record, await journal.readIds(record.intent.changeId).catch(() => []), journal, () => true);
  }
  return NOTHING_MOVED_ON;
}

export const NOTHING_MOVED_ON: MovedOn = { has: () => false, ids: [], undone: 0, last: undefined, unread: [] };

/** By when a change had moved an id, if it did so or may have after `begun`; infinite where that is not known, or still to come. */
export function movesOf({ intent, bulk, status, sentBy }: ChangeRecord, begun: BegunAt): (index: number) => number | undefined {
  const isNewer = isBegunAfter(intent, begun);
  const begunMs = Date.parse(begun.at);
  return (index) => {
    const id = bulk?.statusAt(index) ?? 'none';
    const isToBeSent = status === 'running' && isNotSent(id);
    if (!isToBeSent && id !== 'done' && !isPossiblyApplied(id)) return undefined;
    const ms = isToBeSent ? 0 : (sentBy?.(index) ?? 0);
    if (ms > 0) return isNewer || ms > begunMs ? ms : undefined;
    return isNewer || isToBeSent ? Number.POSITIVE_INFINITY : undefined;
  };
}

/** When the run of a change began in which it had an id by `ms`. */
function begunMs({ intent, resumed }: ChangeRecord, ms: number): number {
  const resumedMs = resumed === undefined ? Number.POSITIVE_INFINITY : Date.parse(resumed.at);
  return ms >= resumedMs ? resumedMs : Date.parse(intent.at);
}

/** The project that a change moves the id at an index into. */
export function targetsIn(facts: Facts): (index: number) => ProjectShare | undefined {
  const { targetProjects = [] } = moveIn(facts) ?? {};
  const numberAt = targetNumbers(targetProjects);
  return (index) => targetProjects[numberAt(index) - 1];
}

/** The number of the project, from 1, that the id at an index goes into. */
export function targetNumbers(targets: MoveFacts['targetProjects']): (index: number) => number {
  const ends = targets.map((_, number) => targets.slice(0, number + 1).reduce((sum, { count }) => sum + count, 0));
  return (index) => ends.findIndex((end) => index < end) + 1;
}

export function movedOnNotices({ ids, last, unread }: MovedOn): Notice[] {
  return [
    ...(last === undefined ? [] : [{ kind: 'moved_on', count: ids.length, which: listText(ids, 3), last } as const]),
    ...(unread.length === 0 ? [] : [{ kind: 'moves_unread', which: listText(unread) } as const]),
  ];
}

/** By which a plan differs once others were moved on. */
export const movedOnBasis = ({ ids, unread }: MovedOn): Values => ({ movedOn: digestOfIds(ids), unread });
