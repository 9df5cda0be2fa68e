import type { Sentence } from '../../text/sentence.ts';
import type { PlanConflict } from '../confirm/plan-conflicts.ts';
import type { ShownPlan } from '../plan.ts';
import type { AskingRoute } from './proposal-limits.ts';

/**
 * What came of a plan that waited. Nothing was sent unless it is `started`. `answered`: the same request was begun or refused in
 * another way. `needless`: it was approved when nothing was left to be done.
 */
export type WaitingStatus = 'waiting' | 'started' | 'declined' | 'withdrawn' | 'expired' | 'answered' | 'needless';

/** A plan that waits for a person’s answer, or waited. */
export interface WaitingChange {
  readonly changeId: string;
  readonly route: AskingRoute;
  /** Of the account, the tool and the arguments. */
  readonly requestDigest: string;
  /** Of what it would do, where a person can decline it. */
  readonly action?: string | undefined;
  /** As it was shown last. */
  readonly plan: ShownPlan;
  /** Of the plan: an answer on the page is about it. */
  readonly planDigest: string;
  /** How the plan differs from the one that was shown before; empty if it never did. */
  readonly conflicts: readonly Sentence[];
  /** The person asked for it on the page. */
  readonly isOwn: boolean;
  readonly status: WaitingStatus;
  /** The person’s words; empty if there are none. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly expiresAt: number;
}

/** Plans again, compares with the plan that was approved, and begins the change; or returns how the plan differs, or that nothing is left to be done. */
export type BeginApproved = (
  approved: Pick<WaitingChange, 'changeId' | 'plan' | 'note'>,
  signal: AbortSignal,
) => Promise<'started' | PlanConflict | { readonly needless: ShownPlan }>;

/** The call that a preview answered: its change is planned from it again once the token comes back. */
export interface PreviewedCall {
  readonly tool: string;
  readonly args: unknown;
  /** For how long it waits once the change is carried out, if shorter than others. */
  readonly waitMs?: number;
}
