import type { VideoHostingError } from '../../errors.ts';
import type { NamedFiles } from '../../files/named-files.ts';
import type { NotedFile } from '../../files/noted-files.ts';
import type { Values } from '../../platform/is-object.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { Ending } from './disk-file.ts';
import type { Proposal } from './proposal.ts';
import type { StoreName } from './routes/route.ts';

/** A proposal as it is added. */
export interface Added {
  /** As it waits, without its digest, which is of what is kept. */
  readonly proposal: Omit<Proposal, 'digest' | 'store'>;
  readonly args: Values;
  /** What its plan read. */
  readonly files: readonly NotedFile[];
}

/** A proposal as a back end has it. */
export interface StoredProposal {
  /** As it was added: it waits. */
  readonly proposal: Proposal;
  /** What ended its wait. */
  readonly ending: Ending | undefined;
  /** The copies of files that its call names are still there, which nobody needs once it is over. */
  readonly hasFileCopies: boolean;
  /** That it is about to expire was told. */
  readonly isTold: boolean;
}

/** One that is there and can’t be relied on, or that a newer version wrote. */
interface Unreliable {
  readonly changeId: string;
  readonly problem: Sentence;
  readonly isNewer: boolean;
}

export const unreliable = (changeId: string, { message, facts }: VideoHostingError): Unreliable => ({
  ...{ changeId, problem: message },
  isNewer: facts.isNewer === true,
});

export interface StoredProposals {
  /** The newest first. */
  readonly stored: readonly StoredProposal[];
  /** Those that are there and can’t be relied on: nothing is carried out by them. */
  readonly damaged: readonly Unreliable[];
}

/** Where proposals are kept. What one means, and when it ends, is not its to know. */
export interface BackEnd {
  readonly name: StoreName;
  /** Of those that ended alike: how many are kept, with how many ids and keys, and for how long after they would have expired. */
  readonly ended: { readonly max: number; readonly maxKeys: number; readonly keptMs: number };
  /** Runs what adds or removes some, while nobody else does, in any process. */
  exclusively<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T>;
  /** Keeps one as a whole, or not at all. */
  add(added: Added): Promise<void>;
  /** Throws `not_found` where it is there and can’t be relied on. */
  read(changeId: string): Promise<StoredProposal | undefined>;
  list(): Promise<StoredProposals>;
  /** Ends the wait of one. Resolves to false where somebody did so before: only one can. */
  settle(changeId: string, ending: Ending): Promise<boolean>;
  /** It waits again, unless something else ended its wait than what is given, which then stays. Resolves to whether it waits. */
  unsettle(changeId: string, ending: Ending): Promise<boolean>;
  /** Drops what nobody needs of one that is over. */
  release(changeId: string): Promise<void>;
  remove(changeId: string): Promise<void>;
  /** Removes what a process that was killed left. */
  tidy(): Promise<void>;
  /** The ids of its records, without those that were too many to be kept. Throws like `read`. */
  recordsOf(changeId: string): Promise<readonly string[]>;
  /** The call that asked for it: its arguments, and what the files held that it names. Throws like `read`. */
  callOf(changeId: string): Promise<{ readonly args: Values; readonly files: NamedFiles }>;
  /** Notes that its end was told. Resolves to false where it was before. */
  markTold(changeId: string): Promise<boolean>;
  /** Calls a listener with each that another process added, ended or removed. Returns how to end that. */
  watch(listener: (changeId: string) => void): () => void;
}
