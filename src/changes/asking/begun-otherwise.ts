import { TRAITS } from '../plan/traits/index.ts';
import type { Decision } from '../proposals/decision.ts';
import type { Proposal } from '../proposals/proposal.ts';

/** The change of another call that began the same while this one waited for an answer: what comes of that is what its caller wants to know. */
export function begunOtherwise({ by, resumes, plan }: Proposal): Decision | undefined {
  // What is shown to an assistant is given out to the call that a person was asked about.
  const isSame = by !== undefined && (resumes === undefined || resumes === by) && TRAITS[plan.kind].isForItsCall !== true;
  return isSame ? { started: { changeId: by, note: '', isOther: true } } : undefined;
}
