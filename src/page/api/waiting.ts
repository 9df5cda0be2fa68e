import { itemsOf } from '../../changes/plan/plan.ts';
import { isOfShown, type ProposalPreview, shownDigest } from '../../changes/proposals/decisions.ts';
import { proposalEnded } from '../../changes/proposals/ended-text.ts';
import { type Proposal, shownStatus } from '../../changes/proposals/proposal.ts';
import { decidedBefore, noteText } from '../../changes/tell/not-begun.ts';
import { UNFIT, unfitOf } from '../../changes/tell/unfit.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import { entriesIn, longPiece } from '../../platform/long-work.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { Viewer } from '../api-messages.ts';
import type { ChangeSummary, ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { retryAtOf } from '../page-problem.ts';
import type { ChangeViews } from './change-views.ts';
import type { Fits } from './fits.ts';

/** Of one that waits no more: its own words tell that it expired, or that it was withdrawn. */
const whyOver = (change: Proposal | undefined): 'decided-before' | 'changed' =>
  change?.status === 'started' || change?.status === 'declined' ? 'decided-before' : 'changed';

const isAsker = ({ asked }: Pick<Proposal, 'asked'>, viewer: Viewer | undefined): boolean =>
  viewer !== undefined && asked.by?.id === viewer.id;

/** For a plan of many requests to a slow service. */
const LOOK_MS = 60_000;
const SHARED_MS = 2_000;

/** The changes that wait for a person, of all agents: a decision here is carried out in this process. */
export function createWaiting({ decisions }: Pick<PageDeps, 'decisions'>, views: ChangeViews, fits: Pick<Fits, 'note' | 'unfitIn'>) {
  async function viewOf(preview: ProposalPreview, viewer?: Viewer): Promise<ChangeView> {
    const { change, plan, conflicts, problem: unplannable, isNeedless, cause } = preview;
    const { why } = change;
    if (change.status === 'waiting') fits.note(preview);
    const unfit = cause && unfitOf(cause, plan);
    // What somebody may not press isn’t offered to them.
    const needsOther = whyNotBy({ change, plan }, viewer);
    const ofPlan = unfit?.reason ?? unplannable;
    const problem = ofPlan ?? needsOther;
    const isMine = isAsker(change, viewer);
    const isBystander = viewer !== undefined && !viewer.roles.includes('approve') && !isMine;
    // Others have not asked for it on the page, nor cancelled it.
    const isByOther = change.decided?.by !== undefined && change.decided.by.id !== viewer?.id;
    const isOwn = change.isOwn && (viewer === undefined || isMine) && !isByOther;
    await longPiece(entriesIn(itemsOf(plan)));
    const view: ChangeView = {
      ...(await views.ofProposal({ ...change, isOwn, plan, conflicts, digest: shownDigest(change, plan) })),
      ...(isMine && { isMine: true }),
      ...(isBystander && change.status === 'waiting' && { mayDecide: false }),
      ...(ofPlan === undefined && needsOther !== undefined && { needsOther, ...approversOf({ change, plan }, viewer) }),
      ...(change.status === 'waiting' && fits.unfitIn(change)),
    };
    if (change.isAskedHere) return { ...view, ...definedFields({ problem }) };
    const notes = [...decidedBefore(change), ...view.notes];
    // What covers it now is told in its place.
    const then = view.standing === undefined ? { why } : {};
    const retryAt = retryAtOf(unfit?.retryAfterMs);
    const told = { problem, problemSteps: unfit?.steps, setup: unfit?.setup, isNeedless, isPassing: unfit?.isPassing, retryAt };
    return { ...view, notes, ...definedFields(told), kept: definedFields(then) };
  }

  /** Of one that waits: by their roles, or since it takes a second person. */
  const whyNotBy = ({ change, plan }: Pick<ProposalPreview, 'change' | 'plan'>, viewer: Viewer | undefined): Sentence | undefined =>
    viewer && change.status === 'waiting' ? decisions.whyNotBy({ change, plan }, 'page', viewer) : undefined;

  /** Who may apply it, where it is known who there is. */
  function approversOf(of: Pick<ProposalPreview, 'change' | 'plan'>, viewer: Viewer | undefined): Pick<ChangeView, 'approvers'> {
    const able = viewer?.everybody?.().filter((person) => decisions.whyNotBy(of, 'page', person) === undefined);
    return definedFields({ approvers: able?.map(({ name }) => name) });
  }

  const looks = new Map<string, Promise<ProposalPreview>>();
  /** Whoever looks at the same change within a moment shares one plan: it may take many requests to the service. A decision plans anew. */
  function look(change: Proposal): Promise<ProposalPreview> {
    const { changeId, digest } = change;
    const key = `${changeId} ${digest}`;
    const shared = looks.get(key);
    if (shared !== undefined) return shared;
    const mine = withTimeLimit(LOOK_MS, new AbortController().signal, (limited) => decisions.preview(change, limited));
    looks.set(key, mine);
    const end = (): void => void looks.delete(key);
    mine.then(() => setTimeout(end, SHARED_MS).unref(), end);
    return mine;
  }

  return {
    /** Whose one that waits is, for whoever is signed in. */
    forViewer: (change: Proposal, viewer: Viewer | undefined): Pick<ChangeSummary, 'isMine' | 'needsOther'> => ({
      ...(isAsker(change, viewer) && { isMine: true }),
      ...definedFields({ needsOther: whyNotBy({ change, plan: change.plan }, viewer) }),
    }),
    async view(change: Proposal, signal: AbortSignal, viewer?: Viewer): Promise<ChangeView> {
      // One person, who looks at what a call asks about now, is shown what holds now.
      if (change.status === 'waiting')
        return viewOf(await (viewer === undefined ? decisions.preview(change, signal) : look(change)), viewer);
      const view = await viewOf(decisions.asAskedFor(change), viewer);
      // By what it was answered, where that is known.
      if (change.isAskedHere) return change.by === undefined ? view : { ...view, outcome: proposalEnded(change, 'person') };
      return { ...view, status: shownStatus(change), outcome: proposalEnded(change, 'person'), notes: noteText(change.note) };
    },
    /** Decides here. `changed`: it is not what was shown, whose digest comes with an approval. */
    async decide(
      change: Proposal,
      { decision, planDigest: digest }: Pick<DecisionRequest, 'decision' | 'planDigest'>,
      note: string,
      signal: AbortSignal,
      viewer?: Viewer,
    ): Promise<'decided' | 'decided-before' | 'changed'> {
      const { changeId } = change;
      if (change.status !== 'waiting') return whyOver(change);
      try {
        if (decision === 'decline') {
          if (!isOfShown(digest, change) || decisions.isChecked(changeId)) return 'changed';
          await decisions.decline(changeId, note, change, 'page', viewer, fits.unfitIn(change).unfit === UNFIT.needless);
          return 'decided';
        }
        const preview = await decisions.preview(change, signal);
        if (preview.problem !== undefined || shownDigest(change, preview.plan) !== digest) return 'changed';
        // It is carried out, whether or not the browser waits for the answer.
        const begun = await decisions.approve(preview, 'page', new AbortController().signal, note, viewer);
        return begun === 'started' ? 'decided' : 'changed';
      } catch (error) {
        // The first who decides counts.
        const now = await decisions.get(changeId);
        if (now?.status !== 'waiting') return whyOver(now);
        throw error;
      }
    },
  };
}
