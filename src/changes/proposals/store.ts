import type { Sentence } from '../../text/sentence.ts';
import type { ChangePlan } from '../plan/plan.ts';
import { isWaiting, type Proposal } from './proposal.ts';

export interface ProposalList {
  /** The newest first: those that wait, and the last that ended. */
  readonly proposals: readonly Proposal[];
  /** Those that are there and can’t be relied on: nothing is carried out by them. */
  readonly damaged: readonly { readonly changeId: string; readonly problem: Sentence }[];
}

/** Where proposals are found, whichever store has them. */
export interface ProposalLookup {
  /** What waits under an id, or waited last. Throws `not_found` where it is there and can’t be relied on. */
  get(changeId: string): Promise<Proposal | undefined>;
  list(): Promise<ProposalList>;
}

/** A request that was begun or refused in another way: what else waits for it counts no more, nor what would carry on the same change. */
export interface EndedRequest {
  readonly requestDigest: string;
  /** The changes that are carried on or undone by it. */
  readonly resumed?: readonly string[];
  /** The change that began it, and its plan. */
  readonly begun?: string;
  readonly plan?: ChangePlan;
}

/** What all stores of proposals offer. */
export interface ProposalStore extends ProposalLookup {
  /** Whoever asked for it gives it up. Throws `not_approved` unless it waits. */
  withdraw(changeId: string): Promise<void>;
}

type Each<T> = { readonly [Name in Proposal['store']]: T };

/** Whether one on disk is the copy of one in memory, which tells more of it while its process runs. */
const isCopyOf = (onDisk: Proposal, own: Proposal): boolean => onDisk.changeId === own.changeId && onDisk.route === own.route;

/** Whether another process decided on it, which its copy tells. */
const isDecided = (copy: Proposal, own: Proposal): boolean => own.isAnswered && !isWaiting(copy);

/** What either store has, once. */
export function joinLookups(stores: Each<ProposalLookup>): ProposalLookup {
  return {
    async get(changeId) {
      const own = await stores.memory.get(changeId);
      if (own?.status === 'waiting') return own;
      const onDisk = await stores.disk.get(changeId);
      if (own === undefined || onDisk === undefined) return own ?? onDisk;
      if (isCopyOf(onDisk, own)) return isDecided(onDisk, own) ? onDisk : own;
      return onDisk.status === 'waiting' || onDisk.at > own.at ? onDisk : own;
    },
    async list() {
      const [own, onDisk] = [await stores.memory.list(), await stores.disk.list()];
      const copies = onDisk.proposals.filter((copy) => own.proposals.some((one) => isCopyOf(copy, one)));
      const others = onDisk.proposals.filter((one) => !copies.includes(one));
      const toldOf = (one: Proposal) => copies.find((copy) => isCopyOf(copy, one) && isDecided(copy, one)) ?? one;
      return { proposals: [...own.proposals.map(toldOf), ...others], damaged: [...own.damaged, ...onDisk.damaged] };
    },
  };
}

/** The stores as one: a proposal says in which it is. */
export const joinStores = (stores: Each<ProposalStore>) => ({
  ...joinLookups(stores),
  withdraw: ({ changeId, store }: Proposal): Promise<void> => stores[store].withdraw(changeId),
});
