import type { ProcessInfo } from '../../platform/process-liveness.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { Asked, Decided } from '../plan/asked-and-decided.ts';
import type { ShownPlan } from '../plan/plan.ts';
import type { PlanConflict } from './plan-conflicts.ts';
import type { AskingRoute } from './routes/index.ts';
import type { StoreName } from './routes/route.ts';

/**
 * What came of what was asked for. Nothing was sent unless it is `started`: then the journal has the rest. `withdrawn`: whoever asked gave
 * it up, or the same was answered in another way; `needless`: it was approved when nothing was left to be done.
 */
export type ProposalStatus = 'waiting' | 'started' | 'declined' | 'withdrawn' | 'expired' | 'needless';

/** A change that a person is asked about, or was: it waits for their decision, in this process or on disk. */
export interface Proposal {
  readonly changeId: string;
  /** The change that it would carry on, in the record of that: it has none of its own. */
  readonly resumes?: string | undefined;
  readonly store: StoreName;
  /** This process asks about it, or asked: it can show it, and carry it out, as it was planned. */
  readonly isAskedHere: boolean;
  /** Of one that a call asks about, on disk: the process of that call; and whether it is another one, which lives and asks still. */
  readonly process?: ProcessInfo | undefined;
  readonly isAskedElsewhere?: true | undefined;
  readonly route: AskingRoute;
  readonly tool: string;
  /** Of the account, the tool and the arguments. */
  readonly requestDigest: string;
  /** Of what it would do, where a person can decline it. */
  readonly action?: string | undefined;
  readonly asked: Asked;
  /** The person asked for it themselves, on the page. */
  readonly isOwn: boolean;
  /** As it was shown last here; elsewhere as it was planned when it was asked for. */
  readonly plan: ShownPlan;
  /** Tells it from another that was shown, or is to be shown, under its id. */
  readonly digest: string;
  /** How the plan differs from the one that was shown before; empty if it never did. */
  readonly conflicts: readonly Sentence[];
  readonly status: ProposalStatus;
  /** The person’s words with their decision; empty if there are none. */
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly expiresAt: number;
  /** Which person approved or declined it, how and when; absent where none did, and where that was not kept. */
  readonly decided?: Decided | undefined;
  /** When its wait was ended by somebody: ISO 8601. */
  readonly decidedAt?: string | undefined;
  /** Why it was `withdrawn`: the same was begun or refused in another way, where it is known by which change. */
  readonly isAnswered: boolean;
  readonly by?: string | undefined;
  /** Why no standing approval covered it, in a sentence, and by which argument of its call one would have. */
  readonly why?: Sentence | undefined;
  readonly lacks?: Sentence | undefined;
  /** Changes that waited for a person already, and are about the same records. */
  readonly overtakes: readonly string[];
  /** When a person approved it before, and the process ended before it was begun: ISO 8601. It waits again. */
  readonly leftAt?: string | undefined;
  /** It was approved, the journal does not have it, and the process that is to begin it lives, perhaps halted. */
  readonly isBeginning?: boolean | undefined;
  /** When a person declined the same before, the last time: ISO 8601. */
  readonly declinedAt?: string | undefined;
}

/** The id under which the journal has it, once it is begun. */
export const recordId = ({ changeId, resumes }: Pick<Proposal, 'changeId' | 'resumes'>): string => resumes ?? changeId;

export const isWaiting = ({ status }: Pick<Proposal, 'status'>): boolean => status === 'waiting';

/** As people are told it: where it was approved and the journal does not have it, its intent is being written, or never was. */
export type ShownStatus = Exclude<ProposalStatus, 'started'> | 'running' | 'failed';

/** How long the intent of what a person approved may take to be written. */
export const BEGINNING_MS = 60_000;

export function shownStatus({ status, decidedAt = '', isBeginning }: Pick<Proposal, 'status' | 'decidedAt' | 'isBeginning'>): ShownStatus {
  if (status !== 'started') return status;
  return isBeginning === true || Date.now() - Date.parse(decidedAt) < BEGINNING_MS ? 'running' : 'failed';
}

/** Plans again, compares with the plan that was approved, and begins the change; or returns how the plan differs, or that nothing is left to be done. */
export type BeginApproved = (
  approved: Pick<Proposal, 'changeId' | 'asked' | 'plan' | 'note'> & Pick<Decided, 'by'>,
  signal: AbortSignal,
  /** Decides on it, which only one can, and begins it. */
  decide: Decide,
) => Promise<'started' | PlanConflict | { readonly needless: ShownPlan }>;

export type Decide = <T>(begin: () => Promise<T>) => Promise<T>;

/** The call that a preview answered: its change is planned from it again once the token comes back. */
export interface PreviewedCall {
  readonly tool: string;
  readonly args: unknown;
  /** For how long it waits once the change is carried out, if shorter than others. */
  readonly waitMs?: number;
}
