import { titlesIfAny } from '../../../account/video-references.ts';
import { refusal } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import { inFull } from '../../../text/counted.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import { isPossiblyApplied } from '../../journal/bulk-state.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import { noticeText } from '../../notices/notices.ts';
import { type MoveFacts, moveIn } from '../../plan/facts.ts';
import { digestOfIds, digestOfRows, type IdRows, originNumber } from '../../plan/id-files.ts';
import { videosText } from '../../plan/list-text.ts';
import type { BulkPlan } from '../../plan/plan.ts';
import type { FileDeps } from '../../plan/plan-deps.ts';
import { undoneBeforeText } from '../earlier/undone-by.ts';
import type { UndoWay, VideosToUndo } from '../kind.ts';
import { readApprovedIds, readApprovedRows } from './approved-ids.ts';
import { findMovedOn, movedOnBasis, movedOnNotices, targetNumbers } from './later-moves.ts';
import { buildMovePlan } from './plan-move.ts';
import { lacksOrigin, undoOfMoves } from './undo-promise.ts';
import { expiredJwt } from './untried-credential.ts';
import { indexesNamed, videosNamed } from './videos-to-undo.ts';

/** The undo of what moved videos. */
export const UNDO_OF_MOVES: UndoWay = {
  promise: undoOfMoves,
  lacks: lacksOrigin,
  assertNamed: ([move], request, deps, { signal }) => assertNamed(move, request, deps, signal),
  plan: ([move], request, deps, { signal }) => planUndoMove(move, request, deps, signal),
  did: sentence`moved videos`,
  takesSeveral: false,
  chosenBy: ['videoIds', 'videoIdsFile'],
};

/** What it was not about is known by its ids, however far it is; and so is what was in its target before. */
async function assertNamed(record: ChangeRecord, request: VideosToUndo, deps: FileDeps, signal: AbortSignal): Promise<void> {
  const named = await videosNamed(request, deps, signal);
  const move = moveIn(record.intent.facts);
  if (named === undefined || move === undefined) return;
  const ids = await readApprovedIds(deps.journal, record);
  const back = new Set(byOrigin(ids.length, move, await readApprovedRows(deps.journal, record), () => true).indexes);
  indexesNamed(named.ids, { changeId: record.intent.changeId, ids, canGoBack: (index) => back.has(index) }, request);
}

/**
 * Plans to undo a move: a new change that moves back what was moved, or may have been, each video to where it was; what was moved
 * on since is left alone, and so is what the caller does not name, if they name some. Throws `not_undoable` where nothing is left, or
 * no project of origin is known, `not_resumable` where the ids are lost, and `invalid_arguments`.
 */
async function planUndoMove(record: ChangeRecord, request: VideosToUndo, deps: FileDeps, signal: AbortSignal): Promise<BulkPlan> {
  const { journal } = deps;
  const { intent, bulk } = record;
  const { changeId } = intent;
  const refused = (message: Sentence) => refusal('not_undoable', message);
  const move = moveIn(intent.facts);
  if (bulk === undefined || move === undefined) throw refused(sentence`${word(changeId)} moved no videos.`);
  const all = await readApprovedIds(journal, record);
  const rows = await readApprovedRows(journal, record);
  const wasMoved = (index: number) => bulk.statusAt(index) === 'done' || isPossiblyApplied(bulk.statusAt(index));
  const step = () => longPiece(all.length, signal);
  await step();
  const whole = byOrigin(all.length, move, rows, wasMoved).indexes;
  if (whole.length === 0) throw refused(sentence`${word(changeId)} moved nothing that can be moved back, so there is nothing to undo.`);
  const concerned = new Set(whole);
  const named = await videosNamed(request, deps, signal);
  const canGoBack = (index: number) => concerned.has(index);
  await step();
  const wanted = named === undefined ? concerned : indexesNamed(named.ids, { changeId, ids: all, canGoBack }, request);
  const movedOnOfAll = await findMovedOn(record, all, journal, canGoBack);
  const movedOn = wanted === concerned ? movedOnOfAll : await findMovedOn(record, all, journal, (index) => wanted.has(index));
  await step();
  const { indexes, targets } = byOrigin(all.length, move, rows, (index) => wasMoved(index) && wanted.has(index) && !movedOn.has(index));
  if (indexes.length === 0) {
    const earlier = await undoneBeforeText([changeId], journal);
    throw refused(sentence`Nothing of ${word(changeId)} can be undone.${earlier} ${joined(movedOnNotices(movedOn).map(noticeText))}`);
  }
  const ids = indexes.map((index) => all[index] ?? '');
  const unknown = indexes.filter((index) => bulk.statusAt(index) !== 'done').length;
  const stay = wanted === concerned ? bulk.count('done') + bulk.count('unknown') - whole.length : 0;
  const notNamed = whole.filter((index) => !wanted.has(index) && !movedOnOfAll.has(index)).length;
  const now = originsNow(move, indexes);
  await step();
  const [only, ...others] = targets;
  const where = others.length === 0 ? (only?.label ?? sentence``) : sentence`the ${targets.length} projects that they were in`;
  const undoing = {
    digest: digestOfIds(ids),
    ...definedFields({ rows: now.rows && digestOfRows(now.rows), fileRead: named?.fileRead }),
    targetProjects: targets,
    fromProjects: now.fromProjects,
    movedOn: { count: movedOnOfAll.ids.length, undone: movedOnOfAll.undone },
    ...(notNamed === 0 ? {} : { notNamed }),
  };
  const what = wanted === concerned ? videosText(ids.length) : sentence`${inFull(ids.length)} of ${videosText(whole.length)}`;
  return buildMovePlan(deps, undoing, {
    kind: 'undo_change',
    facts: { undoes: [changeId], move: undoing },
    basis: movedOnBasis(movedOn),
    ids,
    ...definedFields({ rows: now.rows }),
    ...(await titlesIfAny(ids, deps.catalogue)),
    summary: sentence`Undo ${word(changeId)}: move ${what} back into ${where}`,
    title: sentence`Undo: move ${what} back into ${where}`,
    notices: [
      ...(await expiredJwt(deps, signal)),
      ...movedOnNotices(movedOn),
      { kind: 'origins_as_said' },
      ...(unknown === 0 ? [] : [{ kind: 'perhaps_moved', videos: unknown } as const]),
      ...(stay === 0 ? [] : [{ kind: 'stay_there', videos: stay } as const]),
      ...(named?.notices ?? []),
    ],
  });
}

/** The indexes of what is to be moved back, by project, and how many go into which. */
function byOrigin(total: number, move: MoveFacts, rows: IdRows | undefined, wasMoved: (index: number) => boolean) {
  const { fromProjects, targetProjects } = move;
  const indexes = fromProjects.map((): number[] => []);
  for (let index = 0; index < total; index += 1) if (wasMoved(index)) indexes[originNumber(move, rows, index) - 1]?.push(index);
  const targets = fromProjects.map(({ id, label }, index) => ({ id, label, count: indexes[index]?.length ?? 0 }));
  const [target, ...others] = targetProjects;
  const isBack = (index: number) => (others.length > 0 || targets[index]?.id !== target?.id) && targets[index]?.count !== 0;
  return { indexes: indexes.filter((_, index) => isBack(index)).flat(), targets: targets.filter((_, index) => isBack(index)) };
}

/** Where the videos at these indexes are now, for the undo of the undo. */
function originsNow({ targetProjects }: MoveFacts, indexes: readonly number[]) {
  const [only, ...others] = targetProjects;
  if (only !== undefined && others.length === 0) return { fromProjects: [{ ...only, count: indexes.length }], rows: undefined };
  const numbers = Uint16Array.from(indexes, targetNumbers(targetProjects));
  const fromProjects = targetProjects.map((project, index) => ({
    ...project,
    count: numbers.filter((number) => number === index + 1).length,
  }));
  const rows: IdRows = { positions: new Uint32Array(indexes.length), projects: numbers };
  return { fromProjects, rows };
}
