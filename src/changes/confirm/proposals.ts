import { randomBytes } from 'node:crypto';
import type { ShownPlan } from '../plan.ts';

/** A plan that waits for a person's answer. */
export interface Proposal {
  readonly changeId: string;
  readonly plan: ShownPlan;
  /** What was sent out with the secret, and is to come back with it. */
  readonly use: 'token' | 'form';
  /** Of the account, the tool and the arguments. */
  readonly requestDigest: string;
  /** `Date.now()` at its end. */
  readonly expiresAt: number;
  /** `performance.now()` at its start. */
  readonly issuedAt: number;
}

export type Redeemed =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly why: 'unknown' | 'expired' | 'other-arguments' };

const TTL_MS = 10 * 60_000;
const MAX_WAITING = 200;
/** Ids and keys of all waiting plans: some 100 MB. */
const MAX_KEYS = 1_000_000;

/** The plans that wait for an answer. The secret of each works once, for ten minutes, for the request that it was made for, in this process. */
export function createProposals() {
  const waiting = new Map<string, Proposal>();

  /** Removes the oldest: an assistant may plan for a million ids again and again. */
  function makeRoom(): void {
    let keys = [...waiting.values()].reduce((sum, { plan }) => sum + keysIn(plan), 0);
    for (const [secret, { plan, expiresAt }] of waiting) {
      // An expired plan is kept a while, so that a late answer learns why it does not count.
      const isOld = expiresAt + TTL_MS < Date.now();
      if (!isOld && (waiting.size === 1 || (waiting.size <= MAX_WAITING && keys <= MAX_KEYS))) break;
      waiting.delete(secret);
      keys -= keysIn(plan);
    }
  }

  return {
    /** Stores a plan and returns its secret. */
    add(changeId: string, plan: ShownPlan, requestDigest: string, use: Proposal['use'] = 'token'): string {
      const secret = newSecret();
      waiting.set(secret, { changeId, plan, use, requestDigest, expiresAt: Date.now() + TTL_MS, issuedAt: performance.now() });
      makeRoom();
      return secret;
    },
    /** Whether plans wait whose secret was given to the assistant. */
    hasTokens: (): boolean => [...waiting.values()].some((proposal) => proposal.use === 'token' && !isExpired(proposal)),
    /** The plan of a secret, which is spent whatever the result. A token of the assistant is no form state, and the other way round. */
    redeem(secret: string, requestDigest: string, use: Proposal['use'] = 'token'): Redeemed {
      const proposal = waiting.get(secret);
      waiting.delete(secret);
      if (proposal === undefined) return { ok: false, why: 'unknown' };
      if (isExpired(proposal)) return { ok: false, why: 'expired' };
      const isSame = proposal.requestDigest === requestDigest && proposal.use === use;
      return isSame ? { ok: true, proposal } : { ok: false, why: 'other-arguments' };
    },
    /** Removes what waits for this request, in whichever way. */
    withdraw(requestDigest: string): void {
      for (const [secret, proposal] of waiting) if (proposal.requestDigest === requestDigest) waiting.delete(secret);
    },
    /** Removes what was never answered in its time. Returns whether there was any. */
    dropAbandoned(use: Proposal['use']): boolean {
      const abandoned = [...waiting].filter(([, proposal]) => proposal.use === use && isExpired(proposal));
      for (const [secret] of abandoned) waiting.delete(secret);
      return abandoned.length > 0;
    },
    /** The plan of a change that waits for an answer. */
    planOf: (changeId: string): ShownPlan | undefined => [...waiting.values()].find((proposal) => proposal.changeId === changeId)?.plan,
  };
}

export type Proposals = ReturnType<typeof createProposals>;

/** The wall clock counts the sleep of the machine; the other clock can't be set back. */
const isExpired = ({ expiresAt, issuedAt }: Proposal): boolean => expiresAt < Date.now() || performance.now() - issuedAt > TTL_MS;

/** How many ids and keys a plan holds. */
export function keysIn(plan: ShownPlan): number {
  if ('ids' in plan) return plan.ids.length;
  const values = plan.items.flatMap(({ before, after }) => [...Object.values(before), ...Object.values(after)]);
  return values.reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), plan.items.length);
}

/** A letter and eighteen digits: some sixty random bits in a form that costs a model few tokens. */
const newSecret = (): string => `t${String(randomBytes(8).readBigUInt64BE() % 10n ** 18n).padStart(18, '0')}`;
