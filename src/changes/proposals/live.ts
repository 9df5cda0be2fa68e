import type { ShownPlan } from '../plan/plan.ts';
import { isSameRequest } from './alike.ts';
import { type DecidedRequest, type DecidedRequests, resumptionDigest } from './decided-requests.ts';
import type { BeginApproved, PreviewedCall, Proposal } from './proposal.ts';
import { keysHeld, MAX_ENDED, MAX_ENDED_KEYS } from './proposal-limits.ts';

/** What only the process that asks has of a proposal. */
export interface NewLive {
  /** What was sent out with a form or a preview, and is to come back with the answer. */
  readonly secret?: string;
  /** Of a token. */
  readonly call?: PreviewedCall;
  /** On the page: what carries it out. */
  readonly begin?: BeginApproved;
}

export interface Live extends Omit<NewLive, 'secret' | 'begin'> {
  begin?: BeginApproved | undefined;
  /** As it was added. */
  readonly proposal: Proposal;
  /** As a person is shown it, in full. */
  shown: Pick<Proposal, 'plan' | 'conflicts'>;
  /** The person asked for it too. */
  isOwn: boolean;
  /** By the clock that nobody sets, which may not count the sleep of the machine. */
  readonly ageMs: () => number;
  /** The last decisions of other processes when it began to wait: on its request, and on carrying the same change on. */
  readonly decidedBefore: readonly (DecidedRequest | undefined)[];
  secret: string | undefined;
  /** Its secret came back: no decision of others counts any more. */
  isTaken: boolean;
  /** Aborted to end a check that is under way. */
  checking: AbortController | undefined;
  /** Calls that wait for the answer. */
  calls: number;
  isOver: boolean;
}

function sinceNow(): () => number {
  const startMs = performance.now();
  return () => performance.now() - startMs;
}

type LastOf = Pick<DecidedRequests, 'lastOf'> | undefined;

const lastOf = ({ requestDigest, resumes }: Proposal, decided: LastOf) =>
  [requestDigest, ...(resumes === undefined ? [] : [resumptionDigest(resumes)])].map((digest) => decided?.lastOf(digest));

export const createLive = (proposal: Proposal, plan: ShownPlan, { secret, ...parts }: NewLive, decided: LastOf): Live => ({
  ...parts,
  ...{ proposal, shown: { plan, conflicts: [] }, isOwn: proposal.isOwn, ageMs: sinceNow(), decidedBefore: lastOf(proposal, decided) },
  ...{ secret, isTaken: false, checking: undefined, calls: 0, isOver: false },
});

/** What another process decided on its request since. What a person asked for on the page is theirs to cancel there. */
export function decidedElsewhere({ proposal, isOwn, decidedBefore, isTaken, isOver }: Live, decided: LastOf): DecidedRequest | undefined {
  if (isTaken || isOver || !isSameRequest(proposal, proposal.requestDigest)) return undefined;
  return lastOf(proposal, decided).find((last, index) => {
    const isOther = last !== undefined && last.id !== decidedBefore[index]?.id;
    return isOther && !(isOwn && last.how === 'declined');
  });
}

/** It waits no more: nothing of it is carried out any more, unless that was decided. */
export function endLive(live: Live, status: Proposal['status']): void {
  live.isOver = true;
  if (status !== 'started') live.checking?.abort();
  // Its back end tells it in short.
  if (keysHeld(live.shown) > MAX_ENDED_KEYS / MAX_ENDED && live.proposal.store === 'disk')
    live.shown = { ...live.shown, plan: live.proposal.plan };
}
