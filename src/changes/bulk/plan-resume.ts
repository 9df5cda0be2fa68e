/**
 * `resume_change`: from the journal of a bulk change that stopped to the plan of its rest. The rest is written into the same
 * file, so that one change stays one file.
 */
import { VideoHostingError } from '../../errors.ts';
import type { Client } from '../../service/client.ts';
import type { ChangeRecord } from '../journal/change-record.ts';
import type { Journal } from '../journal/journal.ts';
import { noSuchChange } from '../journal/no-such-change.ts';
import { videosText } from '../listed.ts';
import type { ChangePlanner } from '../plan.ts';
import { undoneBy } from '../undone-by.ts';
import { readApprovedIds } from './approved-ids.ts';
import { type BulkState, isNotSent, isPossiblyApplied } from './bulk-state.ts';
import { buildCopyPlan, doublesWarning } from './plan-copy.ts';
import { buildMovePlan } from './plan-move.ts';

/**
 * Plans to send what of a bulk change isn't known to be done, save what could be harmed by being sent twice. The planner
 * throws `not_found`, `running_elsewhere` or `not_resumable`, and sends nothing.
 */
export function planResume(changeId: string, { client, journal }: { client: Client; journal: Journal }): ChangePlanner {
  return async () => {
    const record = await journal.read(changeId);
    if (record === undefined) throw noSuchChange(changeId, { outcome: 'nothing-sent' });
    const bulk = bulkOf(record);
    const { facts, kind, undo: wayBack } = record.intent;
    const repeatable = kind !== 'copy_cta';
    // A move may be sent again where its fate is not known; a copy may not.
    const left = bulk.ranges((fate) => isNotSent(fate) || (repeatable && isPossiblyApplied(fate)));
    if (left.length === 0)
      throw refusal(
        'not_resumable',
        `Nothing of ${changeId} is left to be sent. ${[summaryOf(record, bulk, 0), ...notes(bulk, repeatable)].join(' ')}`,
      );
    const undo = await undoneBy(changeId, journal);
    if (undo !== undefined)
      throw refusal(
        'not_resumable',
        `${changeId} was undone by ${undo.by}: to carry it on would leave there what was moved back, and call it moved.`,
        NEW_CHANGE,
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
      return buildMovePlan(client, { ...common, target: { id: String(facts.target), label: String(facts.targetLabel) }, undo: wayBack });
    const source = String(facts.source);
    // Somebody may have copied them onto the rest meanwhile.
    const doubles = await doublesWarning(source, open, journal);
    return buildCopyPlan(client, { ...common, source, warnings: [...doubles, ...common.warnings] });
  };
}

const NEW_CHANGE = 'Move the videos in a new change.';

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

/** What is known of it, if it is a bulk change that nobody carries out now. */
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
    ...(unknown > 0 ? [`The fate of ${videosText(unknown)} is not known; ${unknown === 1 ? 'it is' : 'they are'} ${again}.`] : []),
  ];
}
