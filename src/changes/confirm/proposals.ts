import { randomBytes } from 'node:crypto';
import type { ShownPlan } from '../plan.ts';

/** A plan that a person was shown and hasn't agreed to yet. */
export interface Proposal {
  readonly changeId: string;
  readonly plan: ShownPlan;
  /** Account, tool and arguments that it was made for. */
  readonly requestDigest: string;
  readonly expiresAt: number;
  /** When it was given out, by a clock that nobody can set back. */
  readonly givenAt: number;
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
  }

  /** The oldest make way: an assistant may have long lists planned again and again, and mean none of it. */
  function makeRoom(): void {
    let held = [...waiting.values()].reduce((sum, { plan }) => sum + weightOf(plan), 0);
    for (const [secret, { plan }] of waiting) {
      if (waiting.size === 1 || (waiting.size <= MAX_WAITING && held <= MAX_HELD)) break;
      waiting.delete(secret);
      held -= weightOf(plan);
    }
  }

  return {
    /** Keeps a plan and returns the secret that stands for it. */
    add(changeId: string, plan: ShownPlan, requestDigest: string): string {
      dropExpired();
      const secret = newSecret();
      waiting.set(secret, { changeId, plan, requestDigest, expiresAt: clock() + PROPOSAL_TTL_MS, givenAt: performance.now() });
      makeRoom();
      return secret;
    },
    /** Takes the plan that a secret stands for. Whatever the outcome, the secret is spent. */
    redeem(secret: string, requestDigest: string): Redeemed {
      const proposal = waiting.get(secret);
      waiting.delete(secret);
      if (proposal === undefined) return { ok: false, why: 'unknown' };
      // A machine that slept counts by the one, a clock that was set back by the other.
      if (proposal.expiresAt < clock() || performance.now() - proposal.givenAt > PROPOSAL_TTL_MS) return { ok: false, why: 'expired' };
      return proposal.requestDigest === requestDigest ? { ok: true, proposal } : { ok: false, why: 'other-arguments' };
    },
    /** The plan of a change that waits for an answer, for reading only. */
    planOf(changeId: string): ShownPlan | undefined {
      return [...waiting.values()].find((proposal) => proposal.changeId === changeId)?.plan;
    },
  };
}

/** How many ids and keys a plan holds. */
function weightOf(plan: ShownPlan): number {
  if ('ids' in plan) return plan.ids.length;
  const lists = plan.items.flatMap(({ before, after }) => [...Object.values(before), ...Object.values(after)]);
  return lists.reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 0), plan.items.length);
}

/** A letter and eighteen digits: some sixty bits that only this process can give out, in a form that costs a model few tokens. */
const newSecret = (): string => `t${String(randomBytes(8).readBigUInt64BE() % 10n ** 18n).padStart(18, '0')}`;

export type Proposals = ReturnType<typeof createProposals>;

const PROPOSAL_TTL_MS = 10 * 60_000;
const MAX_WAITING = 200;
/** Ids and keys in all that wait: some 100 MB, where each is a text of its own. */
const MAX_HELD = 1_000_000;
