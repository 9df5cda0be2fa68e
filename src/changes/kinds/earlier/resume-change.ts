import { invalidArguments } from '../../../errors/field-problems.ts';
import { refusal } from '../../../errors.ts';
import { sentence, word } from '../../../text/sentence.ts';
import type { Outcome } from '../../journal/bulk-state.ts';
import type { ChangeRecord } from '../../journal/change-record.ts';
import { isLeftAlone } from '../../journal/change-status.ts';
import { type Journal, noSuchChange } from '../../journal/journal.ts';
import { undoneIn } from '../../plan/facts.ts';
import type { ChangePlanner } from '../../plan/plan.ts';
import type { PlanDeps } from '../../plan/plan-deps.ts';
import { kindOf } from '../index.ts';
import type { ResumeRequest } from '../kind.ts';
import { lookAgain } from './look-again.ts';
import { undoneBy } from './undone-by.ts';
import { waitOutBusy } from './wait-out-busy.ts';

/**
 * Plans to carry on a change that stopped, in its own file of the journal. Of a change of channels, what is not known is looked
 * at first, and a busy service is waited out. The planner throws `not_found`, `running_elsewhere` or `not_resumable`.
 */
export function planResumption(request: ResumeRequest, deps: PlanDeps): ChangePlanner {
  const { changeId, retryFailed = false } = request;
  return waitOutBusy(async (read) => {
    const { journal } = deps;
    if (changeId === undefined) throw invalidArguments([{ field: sentence`changeId`, problem: sentence`is missing.` }]);
    const record = await journal.read(changeId);
    if (record === undefined) throw noSuchChange(changeId, { outcome: 'nothing-sent' });
    const { kind } = record.intent;
    if (record.status === 'running') throw refusal('running_elsewhere', sentence`${word(changeId)} is being carried out now.`);
    const undone = await undoneBy(changeId, journal);
    if (undone !== undefined)
      throw refusal(
        'not_resumable',
        sentence`${word(changeId)} was undone ${undone.whole ? '' : 'in part '}by ${word(undone.by)}, so it is not carried on.`,
        'Ask for what is still wanted in a new change.',
      );
    const carriedOn = await carriedOnSince(record, journal);
    if (carriedOn !== undefined)
      throw refusal(
        'not_resumable',
        sentence`${word(carriedOn)} was carried on after ${word(changeId)}, its undo, was begun.`,
        sentence`Call undo_change for ${word(carriedOn)} anew, if all of it is to be undone.`,
      );
    const { retry, ...ofKind } = kindOf(kind);
    const rest = ofKind.rest(record.intent.facts);
    if (retryFailed && retry !== 'possible')
      throw refusal(
        'not_resumable',
        sentence`retryFailed does not count for ${word(changeId)}, which is of the kind ${kind}. ${retry.no}`,
        retry.hint,
      );
    if ('never' in rest)
      throw refusal(
        'not_resumable',
        sentence`Nothing of ${word(changeId)} can be carried on. ${rest.never}`,
        'See get_change for what of it was done, and call the same tool anew for the rest.',
      );
    return rest.plan(await lookAgain(record, deps, read.signal), request, deps, read);
  });
}

/** A change that an undo set out to undo, and that was carried on since: the undo knows nothing of what was done then. */
async function carriedOnSince({ intent }: ChangeRecord, journal: Journal): Promise<string | undefined> {
  for (const changeId of undoneIn(intent.facts)) {
    const { resumed } = (await journal.read(changeId)) ?? {};
    if (resumed !== undefined && resumed.at > intent.at) return changeId;
  }
  return undefined;
}

/** Whether something of a change that is over was not sent, or can be sent again since what became of it is not known. */
export function hasRest({ intent: { kind, facts }, status, items, bulk }: ChangeRecord): boolean {
  const rest = kindOf(kind).rest(facts);
  if (status === 'running' || 'never' in rest) return false;
  const sent = items.filter((item) => !isLeftAlone(kind, item));
  const has = (wanted: Outcome) => (bulk === undefined ? sent.some(({ outcome }) => outcome === wanted) : bulk.count(wanted) > 0);
  return has('not_done') || (rest.sendsUnknown && has('unknown'));
}
