import { randomBytes } from 'node:crypto';
import type { Plan } from './plan.ts';

/** A plan that a person was shown and hasn't agreed to yet. */
export interface Proposal {
  readonly changeId: string;
  readonly plan: Plan;
  /** Account, tool and arguments that it was made for. */
  readonly requestDigest: string;
  readonly expiresAt: number;
}

export type Redeemed =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly why: 'unknown' | 'expired' | 'other-arguments' };

/**
 * The plans that wait for an answer, each under a secret that only its receiver knows. A secret works once, for ten
 * minutes, for the very request it was made for, in this process: whatever else is presented is unknown here.
 */
export function createProposals(clock: () => number = Date.now) {
  const waiting = new Map<string, Proposal>();

  function dropExpired(): void {
    // Expired ones stay a while, so that a late answer is told why it counts for nothing.
    for (const [secret, proposal] of waiting) if (proposal.expiresAt + PROPOSAL_TTL_MS < clock()) waiting.delete(secret);
    while (waiting.size > MOST_WAITING) for (const secret of [...waiting.keys()].slice(0, 1)) waiting.delete(secret);
  }

  return {
    /** Keeps a plan and returns the secret that stands for it. */
    add(changeId: string, plan: Plan, requestDigest: string): string {
      dropExpired();
      const secret = newSecret();
      waiting.set(secret, { changeId, plan, requestDigest, expiresAt: clock() + PROPOSAL_TTL_MS });
      return secret;
    },
    /** Takes the plan that a secret stands for. Whatever the outcome, the secret is spent. */
    redeem(secret: string, requestDigest: string): Redeemed {
      const proposal = waiting.get(secret);
      waiting.delete(secret);
      if (proposal === undefined) return { ok: false, why: 'unknown' };
      if (proposal.expiresAt < clock()) return { ok: false, why: 'expired' };
      return proposal.requestDigest === requestDigest ? { ok: true, proposal } : { ok: false, why: 'other-arguments' };
    },
    /** The plan of a change that waits for an answer, for reading only. */
    planOf(changeId: string): Plan | undefined {
      return [...waiting.values()].find((proposal) => proposal.changeId === changeId)?.plan;
    },
  };
}

/** A letter and eighteen digits: some sixty bits that only this process can give out, in a form that costs a model few tokens. */
const newSecret = (): string => `t${String(randomBytes(8).readBigUInt64BE() % 10n ** 18n).padStart(18, '0')}`;

export type Proposals = ReturnType<typeof createProposals>;

const PROPOSAL_TTL_MS = 10 * 60_000;
const MOST_WAITING = 200;
