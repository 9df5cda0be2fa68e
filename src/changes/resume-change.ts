import { refusal } from '../errors.ts';
import { sentence, word } from '../text/sentence.ts';
import type { Outcome } from './journal/bulk-state.ts';
import type { ChangeRecord } from './journal/change-record.ts';
import { undoneIn } from './journal/facts.ts';
import { type Journal, noSuchChange } from './journal/journal.ts';
import { planRestOfCreation } from './kinds/channels/resume-creation.ts';
import { planRestOfUpdate } from './kinds/channels/resume-updates.ts';
import { planRestOfBulk, type ResumeRequest } from './kinds/videos/plan-resume.ts';
import { KINDS, type KindRow } from './kinds.ts';
import { lookAgain } from './look-again.ts';
import type { ChangePlanner, ItemPlan } from './plan.ts';
import type { PlanDeps } from './plan-deps.ts';
import { undoneBy } from './undone-by.ts';

type PlanRest = (record: ChangeRecord, deps: PlanDeps, signal: AbortSignal, retryFailed: boolean) => Promise<ItemPlan>;

/** `sendsUnknown`: also what may have been sent, where it is still as it was. */
const REST: Readonly<Record<Exclude<KindRow['resume'], 'ids' | 'no'>, { readonly plan: PlanRest; readonly sendsUnknown: boolean }>> = {
  channels: { plan: planRestOfUpdate, sendsUnknown: true },
  creation: { plan: planRestOfCreation, sendsUnknown: false },
};

/**
 * Plans to carry on a change that stopped, in its own file of the journal. Of a change of channels, what is not known is looked
 * at first. The planner throws `not_found`, `running_elsewhere` or `not_resumable`.
 */
export function planResumption(request: ResumeRequest, deps: PlanDeps): ChangePlanner {
  const { changeId, retryFailed = false } = request;
  return async (read) => {
    const { journal } = deps;
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
    const { resume, retry } = KINDS[kind];
    if (retryFailed && retry !== 'possible')
      throw refusal(
        'not_resumable',
        sentence`retryFailed does not count for ${word(changeId)}, which is of the kind ${kind}. ${retry.no}`,
        retry.hint,
      );
    if (record.bulk !== undefined) return planRestOfBulk(record, record.bulk, request, deps);
    if (resume === 'ids' || resume === 'no')
      throw refusal(
        'not_resumable',
        sentence`Nothing of ${word(changeId)} can be carried on, since it is done at once or not at all.`,
        'See get_change for what of it was done, and call the same tool anew for the rest.',
      );
    return REST[resume].plan(await lookAgain(record, deps, read.signal), deps, read.signal, retryFailed);
  };
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
export function hasRest({ intent: { kind }, status, items, bulk }: ChangeRecord): boolean {
  const { resume } = KINDS[kind];
  if (status === 'running') return false;
  if (bulk !== undefined) return bulk.count('not_done') > 0 || (bulk.does.isRepeatable && bulk.count('unknown') > 0);
  if (resume === 'ids' || resume === 'no') return false;
  const has = (wanted: Outcome) => items.some(({ outcome }) => outcome === wanted);
  return has('not_done') || (REST[resume].sendsUnknown && has('unknown'));
}
