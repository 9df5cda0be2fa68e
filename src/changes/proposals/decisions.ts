import type { SecondPersonRule } from '../../config/second-person.ts';
import { refusal, undefinedIfRefused, VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import { type Sentence, sentence, word } from '../../text/sentence.ts';
import { argumentsById, plannerOf } from '../kinds/planners.ts';
import type { ProposedChange } from '../life/change-request.ts';
import type { Guard } from '../life/guard.ts';
import { isSameParty, type Party } from '../plan/asked-and-decided.ts';
import type { ConfirmedBy } from '../plan/confirmed-by.ts';
import { itemsOf, type ShownPlan } from '../plan/plan.ts';
import type { ContentsDeps } from '../plan/plan-deps.ts';
import { TRAITS } from '../plan/traits/index.ts';
import type { AskedHere } from './asked-here.ts';
import { planConflicts, planDigest } from './plan-conflicts.ts';
import type { Decide, Proposal } from './proposal.ts';
import { type Decider, roleProblem, secondPersonProblem } from './second-person.ts';
import { sizeOf } from './size.ts';
import type { ProposalStore } from './store.ts';
import { CHANGES_OFF } from './waited-labels.ts';

export interface ProposalPreview {
  readonly change: Proposal;
  /** As it would be carried out now, which a person is shown and approves; as it was asked for where that can’t be. */
  readonly plan: ShownPlan;
  /** How that differs from what was planned when it was asked for, a sentence for each record. */
  readonly conflicts: readonly Sentence[];
  /** Why it can only be declined, in sentences; and whether that is because nothing is left to be done. */
  readonly problem?: Sentence;
  readonly isNeedless?: true;
  /** Why it could not be planned again. */
  readonly cause?: VideoHostingError;
}

const NOTHING_LEFT = sentence`Nothing is left to be done.`;

export type Decisions = ReturnType<typeof createDecisions>;

/** Of the change that waits under its id, and of its plan as it is shown: either may become another while somebody looks at it. */
export const shownDigest = ({ digest }: Proposal, plan: ShownPlan): string => `${digest}.${planDigest(plan)}`;

/** Whether somebody was shown the change that waits under its id now. What names none was not shown. */
export const isOfShown = (shown: string, { digest }: Proposal): boolean => shown.startsWith(`${digest}.`);

type Where = Extract<ConfirmedBy, 'terminal' | 'page'>;

/** Those of the lists of what channels hold: what is digested of them, and compared. */
const entriesOfPlan = (plan: ShownPlan): number => entriesIn(itemsOf(plan));

/** What a person does about changes that wait, on a page or at a terminal, in whichever process; no tool can reach it. */
export function createDecisions(
  { proposals, askedHere }: { readonly proposals: ProposalStore; readonly askedHere: AskedHere },
  guard: Pick<Guard, 'planLater' | 'beginLater'>,
  { readOnly, secondPerson, ...deps }: ContentsDeps & { readonly readOnly: boolean; readonly secondPerson: SecondPersonRule },
) {
  async function requestOf(change: Proposal): Promise<ProposedChange> {
    const { changeId, tool, plan } = change;
    const { args, files } = await proposals.callOf(change);
    const planner = plannerOf(tool, argumentsById(tool, args, plan), { ...deps, filesDirs: files });
    if (planner !== undefined) return { tool, args, planner };
    throw refusal('not_found', sentence`${word(changeId)} was kept by another version of this server, so it can’t be carried out here.`);
  }

  const asAskedFor = (change: Proposal, problem?: Sentence, conflicts: readonly Sentence[] = []): ProposalPreview => ({
    ...{ change, plan: change.plan, conflicts },
    ...definedFields({ problem }),
  });

  /** Plans it again, unless this process has it as it asks about it. */
  async function preview(change: Proposal, signal: AbortSignal): Promise<ProposalPreview> {
    if (askedHere.isHere(change)) return asAskedFor(change, undefined, change.conflicts);
    try {
      const plan = await guard.planLater(await requestOf(change), signal, change.asked.by);
      await longPiece(entriesOfPlan(plan), signal);
      const conflicts = planConflicts(change.plan, plan);
      await longPiece(entriesOfPlan(plan), signal);
      if (sizeOf(plan) === 0) return { ...asAskedFor(change, NOTHING_LEFT, conflicts), isNeedless: true };
      const problem = readOnly && !TRAITS[plan.kind].isLocal ? CHANGES_OFF : undefined;
      return { change, plan, conflicts, ...definedFields({ problem }) };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      return { ...asAskedFor(change, error.reason), cause: error };
    }
  }

  /** Why somebody may not apply it, in a sentence: by their roles, or since it needs somebody else than who asked. */
  const whyNotBy = ({ change, plan }: Pick<ProposalPreview, 'change' | 'plan'>, how: Where, by?: Decider): Sentence | undefined =>
    (by && roleProblem(by)) ?? secondPersonProblem(secondPerson, plan, { how, asked: change.asked, by });

  return {
    whyNotBy,
    ...{ list: proposals.list, get: proposals.get, isChecked: askedHere.isChecked },
    asAskedFor,
    preview,
    /**
     * Plans it once more and begins it here if that is what was shown; else returns it as it is now. Throws `not_approved` where
     * somebody decided before, or it can only be declined.
     */
    async approve(
      { change, plan, problem }: ProposalPreview,
      how: Where,
      signal: AbortSignal,
      note = '',
      decider?: Decider,
    ): Promise<'started' | ProposalPreview> {
      const { changeId } = change;
      const unfit = problem ?? whyNotBy({ change, plan }, how, decider);
      if (unfit !== undefined) throw refusal('not_approved', unfit);
      const by = partyOf(decider);
      if (askedHere.isHere(change)) {
        const shown = shownDigest(change, plan);
        const result = await askedHere.approve(changeId, (now) => shownDigest(now, now.plan) === shown, {
          how,
          note,
          ...definedFields({ by }),
        });
        return result === 'started' || result === 'needless' ? 'started' : asAskedFor((await proposals.get(changeId)) ?? change);
      }
      const decide: Decide = (begin) =>
        proposals.decide(changeId, { status: 'started', how, note, ...definedFields({ by }) }, change.digest, begin);
      const result = await guard.beginLater(await requestOf(change), { how })(
        { changeId, asked: change.asked, by, plan, note },
        signal,
        decide,
      );
      if (result === 'started') return result;
      return 'needless' in result ? asAskedFor(change, NOTHING_LEFT) : { change, ...result };
    },
    /** `shown`: what the person saw under this id. Throws `not_approved` unless it still waits, as that, and they may decide. Whoever asked may withdraw it. `isNeedless`: they saw that nothing was left to be done. */
    async decline(
      changeId: string,
      note: string,
      shown?: Proposal,
      how: Where = 'terminal',
      decider?: Decider,
      isNeedless = false,
    ): Promise<void> {
      const change = await proposals.get(changeId);
      const by = partyOf(decider);
      const unfit = decider && roleProblem(decider);
      const isAskers = by !== undefined && isSameParty(change?.asked.by, by);
      if (unfit !== undefined && !isAskers) throw refusal('not_approved', unfit);
      if (unfit !== undefined) return proposals.decide(changeId, { status: 'withdrawn', note }, shown?.digest);
      // That nothing was left of it is no refusal of what it would do.
      if (isNeedless) return proposals.decide(changeId, { status: 'needless', how, note, ...definedFields({ by }) }, shown?.digest);
      const ids = change && (await proposals.recordsOf(change).catch(undefinedIfRefused));
      // Who cancels what they asked for themselves says nothing of what an agent may do.
      const request = change?.isOwn === false && !isAskers ? { ...change, ids } : { requestDigest: change?.requestDigest ?? '' };
      await proposals.decline(changeId, { how, note, ...definedFields({ by }) }, request, shown?.digest);
    },
  };
}

const partyOf = (decider: Decider | undefined): Party | undefined => decider && { id: decider.id, name: decider.name };
