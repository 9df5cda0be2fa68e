import { refusal } from '../../errors.ts';
import { sentence, word } from '../../text/sentence.ts';
import { type PlanConflict, planConflicts } from '../confirm/plan-conflicts.ts';
import { type Guard, isNothing, type ProposedChange } from '../guard.ts';
import type { ShownPlan } from '../plan.ts';
import type { ContentsDeps } from '../plan-deps.ts';
import type { KeptChange } from './kept-change.ts';
import type { KeptChanges } from './kept-changes.ts';
import { plannerOf } from './planners.ts';

export interface KeptPreview {
  readonly change: KeptChange;
  /** As it would be carried out now: what the person is shown, and approves. */
  readonly plan: ShownPlan;
  /** How that differs from what was planned when it was asked for, a sentence for each record. */
  readonly conflicts: readonly string[];
  readonly isNothing: boolean;
}

export type KeptDecisions = ReturnType<typeof createKeptDecisions>;

/** What a person does about changes that are kept, in a process of their own; no tool can reach it. */
export function createKeptDecisions(kept: KeptChanges, guard: Pick<Guard, 'planLater' | 'beginLater'>, deps: ContentsDeps) {
  async function requestOf({ changeId, tool }: Pick<KeptChange, 'changeId' | 'tool'>): Promise<ProposedChange> {
    const args = await kept.argumentsOf(changeId);
    const planner = plannerOf(tool, args, deps);
    if (planner !== undefined) return { tool, args, planner };
    throw refusal('not_found', sentence`${word(changeId)} was kept by another version of this server, so it can’t be carried out here.`);
  }

  return {
    ...{ list: kept.list, get: kept.get, stamp: kept.stamp },
    /** Plans it again. Throws where it can’t be planned any more; it then still waits. */
    async preview(change: KeptChange, signal: AbortSignal): Promise<KeptPreview> {
      const plan = await guard.planLater(await requestOf(change), signal);
      return { change, plan, conflicts: planConflicts(change.plan, plan), isNothing: isNothing(plan) };
    },
    /**
     * Plans it once more and begins it here if that is what was shown; else returns how it differs. What has nothing left to be done
     * only ends. Throws `not_approved` where somebody decided before.
     */
    async approve({ change, plan }: Pick<KeptPreview, 'change' | 'plan'>, by: 'terminal' | 'page', signal: AbortSignal, note = '') {
      const { changeId } = change;
      const decide = <T>(begin: () => Promise<T>): Promise<T> => kept.begin(changeId, note, begin);
      const begin = async () => guard.beginLater(await requestOf(change), { by, decide })({ changeId, plan, note }, signal);
      const result: 'started' | PlanConflict | { readonly needless: ShownPlan } = isNothing(plan) ? { needless: plan } : await begin();
      if (result !== 'started' && 'needless' in result) await kept.decide(changeId, 'needless', note);
      return result;
    },
    decline: (changeId: string, note: string): Promise<void> => kept.decide(changeId, 'declined', note),
  };
}
