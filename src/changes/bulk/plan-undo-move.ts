import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { videosText } from '../listed.ts';
import type { BulkPlan, Fields } from '../plan.ts';
import { undoneBy } from '../undone-by.ts';
import { noticeText } from '../view/notices.ts';
import { isPossiblyApplied } from './bulk-state.ts';
import { readApprovedIds, readApprovedRows } from './earlier-changes.ts';
import { digestOfIds } from './id-lines.ts';
import { type IdRows, type ProjectShare, rowFacts, sharesIn } from './id-rows.ts';
import { findMovedOn, movedOnFacts, movedOnNotices } from './later-moves.ts';
import { undoAfterwards } from './move-undo.ts';
import { buildMovePlan } from './plan-move.ts';

/**
 * Plans to undo a move: a new change that moves back what was moved, or may have been, each video to where it was; what was moved
 * on since is left alone. Throws `not_undoable` where nothing is left, or no project of origin is known, and `not_resumable` where
 * the ids are lost.
 */
export async function planUndoMove(record: ChangeRecord, { client, journal }: { client: Client; journal: Journal }): Promise<BulkPlan> {
  const { intent, bulk } = record;
  const { changeId, facts } = intent;
  const refused = (message: string) => new VideoHostingError('not_undoable', message, { facts: { outcome: 'nothing-sent' } });
  const origins = originsIn(facts);
  if (bulk === undefined || origins === undefined) throw refused(`${changeId} can’t be undone. ${undoAfterwards(intent).how}`);
  const all = await readApprovedIds(journal, record);
  const rows = await readApprovedRows(journal, record);
  const wasMoved = (index: number) => bulk.statusAt(index) === 'done' || isPossiblyApplied(bulk.statusAt(index));
  const whole = wayBack(all.length, origins, rows, facts, wasMoved).indexes;
  if (whole.length === 0) throw refused(`${changeId} moved nothing that can be moved back, so there is nothing to undo.`);
  const concerned = new Set(whole);
  const movedOn = await findMovedOn(record, all, journal, (index) => concerned.has(index));
  const { indexes, targets } = wayBack(all.length, origins, rows, facts, (index) => wasMoved(index) && !movedOn.has(index));
  if (indexes.length === 0) {
    const undo = await undoneBy(changeId, journal);
    const earlier = undo === undefined ? '' : ` It was undone before, by ${undo.by}.`;
    throw refused(`Nothing of ${changeId} can be undone.${earlier} ${movedOnNotices(movedOn).map(noticeText).join(' ')}`);
  }
  const ids = indexes.map((index) => all[index] ?? '');
  const unknown = indexes.filter((index) => bulk.statusAt(index) !== 'done').length;
  const stay = bulk.count('done') + bulk.count('unknown') - whole.length;
  const now = placesNow(facts, indexes);
  const [only, ...others] = targets;
  const where = others.length === 0 ? String(only?.label) : `the ${targets.length} projects that they were in`;
  return buildMovePlan(client, {
    kind: 'undo_change',
    ids,
    ...(now.rows === undefined ? {} : { rows: now.rows }),
    targets,
    summary: `Undo ${changeId}: move ${videosText(ids.length)} back into ${where}`,
    title: `Undo: move ${videosText(ids.length)} back into ${where}`,
    details: others.length === 0 ? [] : targets.map(({ label, count }) => `${videosText(count)} into ${label}`),
    notices: [
      ...movedOnNotices(movedOn),
      { kind: 'origins_as_said' },
      ...(unknown === 0 ? [] : [{ kind: 'perhaps_moved', videos: unknown } as const]),
      ...(stay === 0 ? [] : [{ kind: 'stay_there', videos: stay } as const]),
    ],
    undo: { possible: 'yes', how: `An undo of this moves them to ${now.label} again.` },
    facts: {
      undoes: changeId,
      digest: digestOfIds(ids),
      count: ids.length,
      ...(others.length === 0 ? { target: only?.id, targetLabel: only?.label } : { targets }),
      ...now.facts,
      ...movedOnFacts(movedOn),
    },
  });
}

/** The projects that videos of a change were in, by their numbers in its rows; without rows, one for all of them. */
function originsIn(facts: Fields): readonly ProjectShare[] | undefined {
  if (typeof facts.from === 'string') return [{ id: facts.from, label: String(facts.fromLabel), count: 0 }];
  return sharesIn(facts, 'fromProjects');
}

/** The indexes of what is to be moved back, by project, and how many go into which. */
function wayBack(
  total: number,
  origins: readonly ProjectShare[],
  rows: IdRows | undefined,
  { fromProjects, target }: Fields,
  wasMoved: (index: number) => boolean,
) {
  const byOrigin = origins.map((): number[] => []);
  for (let index = 0; index < total; index += 1) {
    const number = fromProjects === undefined ? 1 : (rows?.projects[index] ?? 0);
    if (wasMoved(index)) byOrigin[number - 1]?.push(index);
  }
  const targets = origins.map(({ id, label }, index) => ({ id, label, count: byOrigin[index]?.length ?? 0 }));
  const isBack = (index: number) => targets[index]?.id !== target && targets[index]?.count !== 0;
  return { indexes: byOrigin.filter((_, index) => isBack(index)).flat(), targets: targets.filter((_, index) => isBack(index)) };
}

/** Where the videos at these indexes are now, for the undo of the undo. */
function placesNow(facts: Fields, indexes: readonly number[]) {
  const targets = sharesIn(facts, 'targets');
  if (targets === undefined)
    return { label: String(facts.targetLabel), facts: { from: facts.target, fromLabel: facts.targetLabel }, rows: undefined };
  const ends = targets.map((_, index) => targets.slice(0, index + 1).reduce((sum, { count }) => sum + count, 0));
  const numbers = Uint16Array.from(indexes, (index) => ends.findIndex((end) => index < end) + 1);
  const fromProjects = targets.map(({ id, label }, index) => ({
    id,
    label,
    count: numbers.filter((number) => number === index + 1).length,
  }));
  const rows: IdRows = { places: new Uint32Array(indexes.length), projects: numbers };
  return { label: `the ${targets.length} projects`, facts: { fromProjects, ...rowFacts(rows, undefined) }, rows };
}
