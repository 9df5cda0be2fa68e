import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { noSuchChange } from '../journal/journal.ts';
import { videosText } from '../listed.ts';
import type { ChangePlanner } from '../plan.ts';
import { undoneBy } from '../undone-by.ts';
import { type BulkState, isNotSent, isPossiblyApplied } from './bulk-state.ts';
import { readApprovedIds } from './earlier-changes.ts';
import { buildCopyPlan, doublesWarning } from './plan-copy.ts';
import { buildMovePlan } from './plan-move.ts';

/**
 * Plans to send the rest of a bulk change that stopped, into the same file of the journal; what may have been copied is not
 * sent again. The planner throws `not_found`, `running_elsewhere` or `not_resumable`.
 */
export function planResume(changeId: string, { client, journal }: { client: Client; journal: Journal }): ChangePlanner {
  return async () => {
    const record = await journal.read(changeId);
    if (record === undefined) throw noSuchChange(changeId, { outcome: 'nothing-sent' });
    const bulk = bulkOf(record);
    const { facts, kind, undo } = record.intent;
    const repeatable = kind !== 'copy_cta';
    const left = bulk.ranges((status) => isNotSent(status) || (repeatable && isPossiblyApplied(status)));
    if (left.length === 0)
      throw refusal(
        'not_resumable',
        `Nothing of ${changeId} is left to be sent. ${[summaryOf(record, bulk, 0), ...notes(bulk, repeatable)].join(' ')}`,
      );
    const undone = await undoneBy(changeId, journal);
    if (undone !== undefined)
      throw refusal(
        'not_resumable',
        `${changeId} was undone by ${undone.by}: to carry it on would leave there what was moved back, and call it moved.`,
        'Move the videos in a new change.',
      );
    const ids = await readApprovedIds(journal, record);
    const open = left.flatMap(({ from, to }) => ids.slice(from, to));
    const common = {
      ids,
      open,
      facts: { ...facts, resumes: changeId, done: bulk.count('done') },
      resumes: changeId,
      summary: summaryOf(record, bulk, open.length),
      warnings: notes(bulk, repeatable),
    };
    if (repeatable)
      return buildMovePlan(client, { ...common, target: { id: String(facts.target), label: String(facts.targetLabel) }, undo });
    const source = String(facts.source);
    const doubles = await doublesWarning(source, open, journal);
    return buildCopyPlan(client, { ...common, source, warnings: [...doubles, ...common.warnings] });
  };
}

function refusal(
  code: 'running_elsewhere' | 'not_resumable',
  message: string,
  hint = 'See get_change for what became of each.',
): VideoHostingError {
  return new VideoHostingError(code, message, {
    facts: { outcome: 'nothing-sent' },
    ...(code === 'not_resumable' ? { hint } : {}),
  });
}

function bulkOf({ intent, status, bulk }: ChangeRecord): BulkState {
  if (status === 'running') throw refusal('running_elsewhere', `${intent.changeId} is being carried out now.`);
  if (bulk === undefined)
    throw refusal('not_resumable', `${intent.changeId} is not a bulk change: what get_change tells as not done can be asked for anew.`);
  return bulk;
}

function summaryOf({ intent }: ChangeRecord, bulk: BulkState, left: number): string {
  return `Carry on ${intent.changeId} (${intent.summary.replace(/\.$/, '')}): ${videosText(bulk.count('done'))} done, ${videosText(left)} to be sent.`;
}

function notes(bulk: BulkState, repeatable: boolean): string[] {
  const unknown = bulk.count('unknown');
  const failed = bulk.count('failed');
  const again = repeatable ? 'sent again, which is harmless' : 'not sent again, lest the CTAs come twice';
  return [
    ...(failed > 0 ? [`${videosText(failed)} failed before and ${failed === 1 ? 'is' : 'are'} not tried again.`] : []),
    ...(unknown > 0 ? [`The outcome of ${videosText(unknown)} is not known; ${unknown === 1 ? 'it is' : 'they are'} ${again}.`] : []),
  ];
}
