import { definedFields } from '../../platform/defined-fields.ts';
import { withTimeLimit } from '../../platform/limited-signal.ts';
import type { ChangePlan, ChangePlanner, PlanReading, Progress, ShownPlan } from '../plan/plan.ts';
import type { ConfirmRequest } from '../proposals/decision.ts';

/** A tool's request for a change. */
export interface ChangeRequest extends ConfirmRequest {
  readonly planner: ChangePlanner;
  readonly progress: Progress;
  /** Aborted when the server begins to end: no call waits any more. */
  readonly ending?: AbortSignal;
  /** Reads the account with a signal that is aborted at a time: milliseconds since the epoch. */
  readonly readWithin: <T>(read: (signal: AbortSignal) => Promise<T>, until: number) => Promise<T>;
}

/** All that is needed of a request to begin its change: a call that waits for it, and its time, are no part of that. */
export type ProposedChange = Pick<ChangeRequest, 'tool' | 'args' | 'planner'>;

/** Plans within the time of the call that asks, with what a person took of it added. */
export function planInCall(
  { planner, readWithin, progress, answerBy, ending, waitMs = Number.POSITIVE_INFINITY }: ChangeRequest,
  { personMs = 0, ...asked }: Pick<PlanReading, 'assertCanBegin'> & { readonly personMs?: number } = {},
): Promise<ChangePlan> {
  const until = answerBy + personMs;
  const waitUntil = Math.min(until, Date.now() + waitMs);
  return readWithin((signal) => planner({ signal, progress, waitUntil, ...definedFields({ ending }), ...asked }), until);
}

/** For so long may be planned where no call waits. */
export const PLAN_MS = 60_000;

/** Plans with a time limit of its own. */
export const planAlone = ({ planner }: ProposedChange, signal: AbortSignal): Promise<ChangePlan> =>
  withTimeLimit(PLAN_MS, signal, (limited) => planner({ signal: limited, progress: () => undefined }));

export const isNothing = (plan: ChangePlan | ShownPlan): boolean => ('ids' in plan ? plan.ids : plan.items).length === 0;
