import { planDigest } from '../../changes/confirm/plan-conflicts.ts';
import { KINDS } from '../../changes/kinds.ts';
import { keptEnded, keptStatus, noteText } from '../../changes/view/kept-answer.ts';
import { sizeOf } from '../../changes/view/preview-text.ts';
import type { KeptChange } from '../../changes/waiting/kept-change.ts';
import { type KeptPreview, NOTHING_LEFT } from '../../changes/waiting/kept-decisions.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import type { ChangeViews } from './change-views.ts';

const READ_ONLY = 'This server is read-only (VIDEO_HOSTING_READ_ONLY).';

/** The changes that wait on disk for a person, of all agents: a decision here is carried out in this process. */
export function createKept({ decisions, readOnly }: Pick<PageDeps, 'decisions' | 'readOnly'>, views: ChangeViews) {
  async function viewOf({ change, plan, conflicts }: KeptPreview, problem?: string): Promise<ChangeView> {
    const { why, overtakes } = change;
    const view = await views.ofWaiting({ ...change, plan, conflicts, planDigest: planDigest(plan), isOwn: false });
    return { ...view, ...definedFields({ problem }), kept: { overtakes, ...definedFields({ why }) } };
  }

  const asAskedFor = (change: KeptChange): KeptPreview => ({ change, plan: change.plan, conflicts: [] });

  /** Why it can’t be planned, in a sentence, where it can’t. */
  const planNow = (change: KeptChange, signal: AbortSignal): Promise<KeptPreview | string> =>
    decisions.preview(change, signal).catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      return error.reason;
    });

  return {
    /** Of one that waits as it would be carried out now; as it was asked for where it can’t be planned, or waits no more. */
    async view(change: KeptChange, signal: AbortSignal): Promise<ChangeView> {
      if (change.status !== 'waiting') {
        return {
          ...(await viewOf(asAskedFor(change))),
          ...{ status: keptStatus(change), outcome: keptEnded(change, 'person'), notes: noteText(change.note) },
        };
      }
      const preview = await planNow(change, signal);
      if (typeof preview === 'string') return viewOf(asAskedFor(change), preview);
      return viewOf(
        preview,
        sizeOf(preview.plan) === 0 ? NOTHING_LEFT : readOnly && !KINDS[preview.plan.kind].isLocal ? READ_ONLY : undefined,
      );
    },
    /** Decides here. `changed`: it is not what was shown, whose digest comes with an approval. */
    async decide(
      change: KeptChange,
      { decision, planDigest: digest }: Pick<DecisionRequest, 'decision' | 'planDigest'>,
      note: string,
      signal: AbortSignal,
    ): Promise<'decided' | 'decided before' | 'changed'> {
      const { changeId } = change;
      if (change.status !== 'waiting') return 'decided before';
      try {
        if (decision === 'apply') {
          const preview = await planNow(change, signal);
          if (typeof preview === 'string' || planDigest(preview.plan) !== digest) return 'changed';
          // It is carried out, whether or not the browser waits for the answer.
          return (await decisions.approve(preview, 'page', new AbortController().signal, note)) === 'started' ? 'decided' : 'changed';
        }
        await decisions.decline(changeId, note);
        return 'decided';
      } catch (error) {
        // The first who decides counts.
        if ((await decisions.get(changeId))?.status !== 'waiting') return 'decided before';
        throw error;
      }
    },
  };
}
