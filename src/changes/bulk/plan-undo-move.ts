import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../change-record.ts';
import type { Journal } from '../journal.ts';
import type { BulkPlan } from '../plan.ts';
import { digestOfPlanned } from './id-lines.ts';
import { count, movePlan } from './plan-move.ts';
import { readSoundIds } from './sound-ids.ts';

/** Plans to move back what a move is known to have moved, and nothing else. Throws `not_undoable`. */
export async function planUndoMove(record: ChangeRecord, { client, journal }: { client: Client; journal: Journal }): Promise<BulkPlan> {
  const { intent, bulk } = record;
  const { changeId, facts, undo } = intent;
  const refused = (message: string) => new VideoHostingError('not_undoable', message, { facts: { outcome: 'nothing-sent' } });
  if (bulk === undefined || typeof facts.from !== 'string') throw refused(`${changeId} can’t be undone. ${undo.how}`);
  const all = await readSoundIds(journal, record);
  const ids = all.filter((_, at) => bulk.outcomeAt(at) === 'done');
  if (ids.length === 0) throw refused(`${changeId} moved nothing that is known, so there is nothing to undo.`);
  const unknown = bulk.count('unknown');
  const back = String(facts.fromLabel);
  return movePlan(client, {
    kind: 'undo_change',
    ids,
    target: { id: facts.from, label: back },
    summary: `Undo ${changeId}: move ${count(ids.length)} back into ${back}.`,
    warnings: [
      'Where each of them was before can’t be checked; it goes by what was said when they were moved.',
      ...(unknown > 0 ? [`The fate of ${count(unknown)} is not known; they are left where they are.`] : []),
    ],
    undo: { possible: 'yes', how: `undo_change moves them to ${String(facts.targetLabel)} again.` },
    facts: {
      undoes: changeId,
      digest: digestOfPlanned(ids),
      count: ids.length,
      target: facts.from,
      targetLabel: back,
      from: facts.target,
      fromLabel: facts.targetLabel,
    },
  });
}
