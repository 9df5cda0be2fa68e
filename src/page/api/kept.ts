import { planDigest } from '../../changes/confirm/plan-conflicts.ts';
import { KINDS } from '../../changes/kinds.ts';
import { declinedText, keptEnded, noteText } from '../../changes/view/kept-answer.ts';
import { isBeginning, type KeptChange } from '../../changes/waiting/kept-change.ts';
import type { KeptPreview } from '../../changes/waiting/kept-decisions.ts';
import { VideoHostingError } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ChangeView, DecisionRequest } from '../contract.ts';
import type { PageDeps } from '../deps.ts';
import { type ChangeViews, statusOf } from './change-views.ts';

/** So many plans are kept as they were shown. */
const MAX_SHOWN = 20;

const READ_ONLY = 'This server is read-only (VIDEO_HOSTING_READ_ONLY).';
const DECIDED_BEFORE = 'Somebody decided on it before you, so your press did nothing.';

/** The changes that wait on disk for a person, of all agents: a decision here is carried out in this process. */
export function createKept({ decisions, journal, readOnly }: Pick<PageDeps, 'decisions' | 'journal' | 'readOnly'>, views: ChangeViews) {
  /** By id, as they were shown last: a decision is about that. */
  const shown = new Map<string, KeptPreview>();

  async function viewOf({ change, plan, conflicts }: Omit<KeptPreview, 'isNothing'>, problem?: string): Promise<ChangeView> {
    const { why, overtakes } = change;
    const view = await views.ofWaiting({ ...change, plan, conflicts, planDigest: planDigest(plan), isOwn: false });
    return {
      ...{ ...view, notes: [...declinedText(change), ...view.notes] },
      ...definedFields({ problem }),
      kept: { overtakes, ...definedFields({ why }) },
    };
  }

  async function show(preview: KeptPreview): Promise<ChangeView> {
    const { changeId } = preview.change;
    shown.delete(changeId);
    shown.set(changeId, preview);
    for (const oldest of shown.keys()) if (shown.size > MAX_SHOWN) shown.delete(oldest);
    const view = await viewOf(preview, readOnly && !KINDS[preview.plan.kind].isLocal ? READ_ONLY : undefined);
    return preview.isNothing ? { ...view, actionLabel: 'Nothing is left to be done: end it' } : view;
  }

  /** As it would be carried out now; as it was asked for where it can’t be planned. */
  async function ofWaiting(change: KeptChange, signal: AbortSignal): Promise<ChangeView> {
    const preview = await decisions.preview(change, signal).catch((error: unknown) => {
      if (!(error instanceof VideoHostingError) || error.code === 'cancelled') throw error;
      return error.reason;
    });
    return typeof preview === 'string' ? viewOf({ change, plan: change.plan, conflicts: [] }, preview) : show(preview);
  }

  /** Of one that waits no more, and that the journal does not have. */
  async function ofEnded(change: KeptChange): Promise<ChangeView> {
    const view = await viewOf({ change, plan: change.plan, conflicts: [] });
    // What was approved and is in no journal was never begun.
    const status = change.status === 'started' && !isBeginning(change) ? 'failed' : statusOf(change);
    return { ...view, status, outcome: await keptEnded(change, journal, 'person'), notes: noteText(change.note) };
  }

  async function approve(preview: KeptPreview, note: string): Promise<KeptPreview | undefined> {
    // It is carried out, whether or not the browser waits for the answer.
    const result = await decisions.approve(preview, 'page', new AbortController().signal, note);
    return result === 'started' || 'needless' in result ? undefined : { ...preview, ...result };
  }

  return {
    ofWaiting,
    ofEnded,
    /** Decides here. Returns the change as it waits now, where it is not what was shown; a sentence where somebody was quicker. */
    async decide(
      change: KeptChange,
      { decision, planDigest: digest }: Pick<DecisionRequest, 'decision' | 'planDigest'>,
      note: string,
      signal: AbortSignal,
    ): Promise<'decided' | 'decided before' | ChangeView> {
      const { changeId } = change;
      try {
        if (decision === 'decline') await decisions.decline(changeId, note);
        else {
          const preview = shown.get(changeId);
          if (preview === undefined || planDigest(preview.plan) !== digest) return await ofWaiting(change, signal);
          const moved = await approve(preview, note);
          if (moved !== undefined) return await show(moved);
        }
        shown.delete(changeId);
        return 'decided';
      } catch (error) {
        // The first who decides counts.
        if ((await decisions.get(changeId))?.status !== 'waiting') return 'decided before';
        throw error;
      }
    },
    decidedBefore: (view: ChangeView): ChangeView => ({ ...view, notes: [DECIDED_BEFORE, ...view.notes] }),
  };
}
