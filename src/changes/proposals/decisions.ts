import { refusal, undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { argumentsById, plannerOf } from '../kinds/planners.ts';
import type { Guard, ProposedChange } from '../life/guard.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { ContentsDeps } from '../plan/plan-deps.ts';
import { TRAITS } from '../plan/traits/index.ts';
import type { DiskStore } from './disk.ts';
import type { MemoryStore } from './memory.ts';
import { planConflicts } from './plan-conflicts.ts';
import type { Proposal } from './proposal.ts';
import { sizeOf } from './proposal.ts';

export interface KeptPreview {
  readonly change: Proposal;
  /** As it would be carried out now, which a person is shown and approves; as it was asked for where that can’t be. */
  readonly plan: ShownPlan;
  /** How that differs from what was planned when it was asked for, a sentence for each record. */
  readonly conflicts: readonly Sentence[];
  /** Why it can only be declined, in sentences. */
  readonly problem?: Sentence;
}

const NOTHING_LEFT = sentence`Nothing is left to be done.`;
const READ_ONLY = sentence`This is read-only: VIDEO_HOSTING_READ_ONLY is set.`;

export type KeptDecisions = ReturnType<typeof createKeptDecisions>;

/** What a person does about changes that are kept, in a process of their own; no tool can reach it. */
export function createKeptDecisions(
  kept: DiskStore,
  guard: Pick<Guard, 'planLater' | 'beginLater'>,
  { readOnly, waiting, ...deps }: ContentsDeps & { readonly readOnly: boolean; readonly waiting: Pick<MemoryStore, 'declineRequest'> },
) {
  async function requestOf({ changeId, tool, plan }: Proposal): Promise<ProposedChange> {
    const args = await kept.argumentsOf(changeId);
    const planner = plannerOf(tool, argumentsById(tool, args, plan), { ...deps, filesDirs: await kept.filesOf(changeId) });
    if (planner !== undefined) return { tool, args, planner };
    throw refusal('not_found', sentence`${word(changeId)} was kept by another version of this server, so it can’t be carried out here.`);
  }

  const asAskedFor = (change: Proposal, problem?: Sentence, conflicts: readonly Sentence[] = []): KeptPreview => ({
    ...{ change, plan: change.plan, conflicts },
    ...definedFields({ problem }),
  });

  /** Plans it again. */
  async function preview(change: Proposal, signal: AbortSignal): Promise<KeptPreview> {
    try {
      const plan = await guard.planLater(await requestOf(change), signal, change.asked.by?.name);
      const conflicts = planConflicts(change.plan, plan);
      if (sizeOf(plan) === 0) return asAskedFor(change, NOTHING_LEFT, conflicts);
      const problem = readOnly && !TRAITS[plan.kind].isLocal ? READ_ONLY : undefined;
      return { change, plan, conflicts, ...definedFields({ problem }) };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      return asAskedFor(change, error.reason);
    }
  }

  return {
    ...{ list: kept.list, get: kept.get, stamp: kept.stamp },
    asAskedFor,
    preview,
    /**
     * Plans it once more and begins it here if that is what was shown; else returns it as it is now. Throws `not_approved` where
     * somebody decided before, or it can only be declined.
     */
    async approve({ change, plan, problem }: KeptPreview, how: 'terminal' | 'page', signal: AbortSignal, note = '') {
      const { changeId } = change;
      if (problem !== undefined) throw refusal('not_approved', problem);
      const decide = <T>(begin: () => Promise<T>): Promise<T> => kept.begin(changeId, note, begin, change);
      const result = await guard.beginLater(await requestOf(change), { how, decide })(
        { changeId, asked: change.asked, plan, note },
        signal,
      );
      if (result === 'started') return result;
      return 'needless' in result ? asAskedFor(change, NOTHING_LEFT) : { change, ...result };
    },
    /** `shown`: what the person saw under this id. */
    async decline(changeId: string, note: string, shown?: Proposal): Promise<void> {
      const change = await kept.get(changeId);
      await kept.decide(changeId, 'declined', note, shown);
      if (change === undefined) return;
      const ids = await kept.recordsIn(changeId).catch(undefinedIfRefused);
      // Who cancels what they asked for themselves says nothing of what an agent may do.
      await waiting.declineRequest(change.isOwn ? { requestDigest: change.requestDigest } : { ...change, ids }, note);
    },
  };
}
