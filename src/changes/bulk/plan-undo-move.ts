/**
 * `undo_change` of a move: from its journal to the plan of a move back, of what is known to have been moved and nothing else.
 * It is a change of its own, with a file of its own. What is not a move is undone by `changes/undo.ts`, which calls this.
 */
import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { videosText } from '../listed.ts';
import type { BulkPlan } from '../plan.ts';
import { undoneBy } from '../undone-by.ts';
import { readApprovedIds } from './approved-ids.ts';
import { digestOfIds } from './id-lines.ts';
import { metBy } from './other-changes.ts';
import { buildMovePlan } from './plan-move.ts';

/** Throws `not_undoable` where it isn't known from where they came, or that any was moved; `not_resumable` where the ids are lost. */
export async function planUndoMove(record: ChangeRecord, { client, journal }: { client: Client; journal: Journal }): Promise<BulkPlan> {
  const { intent, bulk } = record;
  const { changeId, facts, undo } = intent;
  const refused = (message: string) => new VideoHostingError('not_undoable', message, { facts: { outcome: 'nothing-sent' } });
  if (bulk === undefined || typeof facts.from !== 'string') throw refused(`${changeId} can’t be undone. ${undo.how}`);
  const all = await readApprovedIds(journal, record);
  const ids = all.filter((_, at) => bulk.fateAt(at) === 'done');
  if (ids.length === 0) throw refused(`${changeId} moved nothing that is known, so there is nothing to undo.`);
  const unknown = bulk.count('unknown');
  const before = await undoneBy(changeId, journal);
  const back = String(facts.fromLabel);
  return buildMovePlan(client, {
    kind: 'undo_change',
    ids,
    target: { id: facts.from, label: back },
    summary: `Undo ${changeId}: move ${videosText(ids.length)} back into ${back}.`,
    warnings: [
      ...(before === undefined
        ? await movedSince(changeId, ids, journal)
        : [`It was undone before, by ${before.by}: they are moved once more, wherever they went since.`]),
      'Where each of them was before can’t be checked; it goes by what was said when they were moved.',
      ...(unknown > 0
        ? [`The fate of ${videosText(unknown)} is not known; ${unknown === 1 ? 'it is left where it is' : 'they are left where they are'}.`]
        : []),
    ],
    undo: { possible: 'yes', how: `undo_change moves them to ${String(facts.targetLabel)} again.` },
    facts: {
      undoes: changeId,
      digest: digestOfIds(ids),
      count: ids.length,
      target: facts.from,
      targetLabel: back,
      from: facts.target,
      fromLabel: facts.targetLabel,
    },
  });
}

/** Which of them this server has moved again since: they would be taken from where that put them. */
async function movedSince(changeId: string, ids: readonly string[], journal: Journal): Promise<string[]> {
  const met = await metBy(journal.each(['move_videos', 'undo_change'], changeId), ids, journal);
  if (met === undefined) return [];
  const [were, they] = met.count === 1 ? ['was', 'it is'] : ['were', 'they are'];
  return [
    `${met.which} ${were} moved again since, or may have been, last by ${met.last}: ${they} taken from where that put ${met.count === 1 ? 'it' : 'them'}.`,
  ];
}
