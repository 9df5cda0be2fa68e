import { isBegunAfter } from '../journal/change-order.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { listed, videosText } from '../listed.ts';
import type { Fields } from '../plan.ts';
import { isPossiblyApplied } from './bulk-state.ts';
import { digestOfIds } from './id-lines.ts';
import { sharesIn } from './id-rows.ts';

/** The videos of a move that this server moved elsewhere since, or may have. */
export interface MovedOn {
  has(index: number): boolean;
  readonly ids: readonly string[];
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
  const elsewhere = new Set<number>();
  const settled = new Set<number>();
  const unread: string[] = [];
  let indexes: ReadonlyMap<string, number> | undefined;
  let last: string | undefined;
  for await (const later of journal.eachSince(['move_videos', 'undo_change'], intent)) {
    if (later.bulk === undefined) continue;
    const { changeId, facts } = later.intent;
    const moved = await journal.readIds(changeId).catch(() => []);
    if (moved.length !== later.intent.ids) unread.push(changeId);
    indexes ??= new Map(ids.flatMap((id, index): [string, number][] => (isConcerned(index) ? [[id, index]] : [])));
    const thenAt = targetsIn(facts);
    const isNewer = isBegunAfter(later.intent, intent);
    const mayHaveMoved = movesOf(later, isNewer);
    for (const [place, id] of moved.entries()) {
      const index = indexes.get(id);
      if (index === undefined || settled.has(index) || !mayHaveMoved(place)) continue;
      if (isNewer && later.bulk.statusAt(place) === 'done') settled.add(index);
      if (thenAt(place) === targetAt(index)) continue;
      elsewhere.add(index);
      last ??= changeId;
    }
  }
  const found = [...elsewhere].sort((one, other) => one - other);
  return { has: (index) => elsewhere.has(index), ids: found.map((index) => ids[index] ?? ''), last, unread };
}

/** Which ids a change moved, or may have moved or be about to; of an older one that was carried on since, those that it sent then. */
function movesOf({ bulk, status, resumed }: ChangeRecord, isNewer: boolean): (index: number) => boolean {
  return (index) => {
    const id = bulk?.statusAt(index) ?? 'none';
    if (!isNewer && resumed?.isSent(index) !== true) return false;
    return id === 'done' || isPossiblyApplied(id) || (status === 'running' && id !== 'failed');
  };
}

/** The project that a change moves the id at an index into. */
function targetsIn(facts: Fields): (index: number) => unknown {
  const targets = sharesIn(facts, 'targets');
  if (targets === undefined) return () => facts.target;
  const ends = targets.map((_, number) => targets.slice(0, number + 1).reduce((sum, { count }) => sum + count, 0));
  return (index) => targets[ends.findIndex((end) => index < end)]?.id;
}

export function movedOnWarnings({ ids, last, unread }: MovedOn): string[] {
  const [were, They] = ids.length === 1 ? ['was', 'It is'] : ['were', 'They are'];
  return [
    ...(last === undefined
      ? []
      : [
          `${videosText(ids.length)} (${listed(ids, 3)}) ${were} moved again since, or may have been, last by ${last}. ${They} left alone.`,
        ]),
    ...(unread.length === 0
      ? []
      : [
          `Which videos ${listed(unread)} moved since is not known any more: its list can’t be read. Those are taken from where it put them.`,
        ]),
  ];
}

/** By which a plan differs once others were moved on. */
export const movedOnFacts = ({ ids, unread }: MovedOn): Fields =>
  ids.length + unread.length === 0 ? {} : { movedOn: { count: ids.length, digest: digestOfIds(ids), unread } };
