import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { videosText } from '../listed.ts';
import type { BulkPlan } from '../plan.ts';
import { undoneBy } from '../undone-by.ts';
import { findOverlap, readApprovedIds } from './earlier-changes.ts';
import { digestOfIds } from './id-lines.ts';
import { buildMovePlan } from './plan-move.ts';

/**
 * Plans to undo a move: a new change that moves back what is known to have been moved. Throws `not_undoable` where nothing is,
 * or the source project is not known, and `not_resumable` where the ids are lost.
 */
export async function planUndoMove(record: ChangeRecord, { client, journal }: { client: Client; journal: Journal }): Promise<BulkPlan> {
  const { intent, bulk } = record;
  const { changeId, facts, undo } = intent;
  const refused = (message: string) => new VideoHostingError('not_undoable', message, { facts: { outcome: 'nothing-sent' } });
  if (bulk === undefined || typeof facts.from !== 'string') throw refused(`${changeId} can’t be undone. ${undo.how}`);
  const all = await readApprovedIds(journal, record);
  const ids = all.filter((_, index) => bulk.statusAt(index) === 'done');
  if (ids.length === 0) throw refused(`${changeId} moved nothing that is known, so there is nothing to undo.`);
  const unknown = bulk.count('unknown');
  const earlier = await undoneBy(changeId, journal);
  const label = String(facts.fromLabel);
  return buildMovePlan(client, {
    kind: 'undo_change',
    ids,
    target: { id: facts.from, label },
    summary: `Undo ${changeId}: move ${videosText(ids.length)} back into ${label}.`,
    warnings: [
      ...(earlier === undefined
        ? await movedSince(changeId, ids, journal)
        : [`It was undone before, by ${earlier.by}: they are moved once more, wherever they went since.`]),
      'Where each of them was before can’t be checked; it goes by what was said when they were moved.',
      ...(unknown > 0
        ? [
            `The outcome of ${videosText(unknown)} is not known; ${unknown === 1 ? 'it is left where it is' : 'they are left where they are'}.`,
          ]
        : []),
    ],
    undo: { possible: 'yes', how: `undo_change moves them to ${String(facts.targetLabel)} again.` },
    facts: {
      undoes: changeId,
      digest: digestOfIds(ids),
      count: ids.length,
      target: facts.from,
      targetLabel: label,
      from: facts.target,
      fromLabel: facts.targetLabel,
    },
  });
}

/** Warns of those that this server has moved again since. */
async function movedSince(changeId: string, ids: readonly string[], journal: Journal): Promise<string[]> {
  const overlap = await findOverlap(journal.each(['move_videos', 'undo_change'], changeId), ids, journal);
  if (overlap === undefined) return [];
  const { which, count, last } = overlap;
  const [were, they, them] = count === 1 ? ['was', 'it is', 'it'] : ['were', 'they are', 'them'];
  return [`${which} ${were} moved again since, or may have been, last by ${last}: ${they} taken from where that put ${them}.`];
}
