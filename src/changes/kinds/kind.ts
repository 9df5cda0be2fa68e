import type { Sentence } from '../../text/sentence.ts';
import type { ChangeRecord, ItemState } from '../journal/change-record.ts';
import type { PlannedItem } from '../journal/format.ts';
import type { Notice } from '../notices/notices.ts';
import type { UndoPart } from '../plan/channel-fields.ts';
import type { Facts, KindFacts } from '../plan/facts.ts';
import type { ChangePlan, ChangePlanner, ItemOutcome, PlanReading, ShownPlan } from '../plan/plan.ts';
import type { ContentsDeps, FileDeps, PlanDeps } from '../plan/plan-deps.ts';
import type { Undo } from '../plan/preview.ts';
import type { ComparedItem, RecordDifference } from '../plan/record-difference.ts';
import type { Shares } from './shares.ts';

/**
 * What a kind of change does, beside its planner; `index.ts` lists all. Everything else asks this object, and nothing compares a
 * kind’s name. What it is, as data, are its traits (`kind-traits.ts`): the journal needs those, and planners need the journal, so
 * both can’t be one object without an import cycle.
 */
export interface Kind {
  /** How what one that stopped left is done, or why nothing of it can be left. */
  readonly rest: (facts: Facts) => Rest | { readonly never: Sentence };
  /** Whether `retryFailed` sends again what the service refused of it, or why not and what to do. */
  readonly retry: 'possible' | { readonly no: Sentence; readonly hint: Sentence };
  /** How it is undone, or why it never can be. An undo is undone by what it did itself. */
  readonly undo: (facts: Facts) => KindUndo;
  /** How what is not known of it is looked for in the account, or why that shows nothing. */
  readonly lookAgain: LookAgain | { readonly never: Sentence };
  /** What of it a standing approval can cover. `notOwn`: of an undo, why it is none of what the agent did itself. */
  readonly shares: (plan: ChangePlan, notOwn: Sentence | undefined) => Shares;
  /** What happens to each record, of a plan or of the journal. */
  readonly differences: (items: readonly ComparedItem[], facts: Facts) => RecordDifference[];
}

/** A kind whose tool has a planner that takes its arguments, so that another process can plan again what waits. */
export interface PlannedKind<Args> extends Kind {
  readonly plan: (args: Args, deps: ContentsDeps) => ChangePlanner;
  /** The arguments with ids in place of the names that its plan found: another record may have a name later. */
  readonly byId?: (args: Args, plan: ShownPlan) => Args;
}

export type KindUndo = UndoWay | { readonly never: Sentence };

interface Rest {
  readonly plan: (
    record: ChangeRecord,
    request: ResumeRequest,
    deps: PlanDeps,
    read: Pick<PlanReading, 'signal' | 'waitUntil'>,
  ) => Promise<ChangePlan>;
  /** Also what may have been sent. */
  readonly sendsUnknown: boolean;
}

/** The arguments of `resume_change`. */
export interface ResumeRequest {
  /** The tool completes it where a call names none. */
  readonly changeId?: string | undefined;
  /** Whether what failed is sent again, where the kind of change allows it. */
  readonly retryFailed?: boolean | undefined;
}

export interface LookAgain {
  readonly find: (
    unknown: readonly ItemState[],
    record: ChangeRecord,
    deps: LookDeps,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ItemOutcome>>;
  /** What can be done about so many, and these where they are few, of which nobody knows what became of them. */
  readonly next: (count: number, which?: Sentence) => Sentence;
}

export type LookDeps = Pick<PlanDeps, 'client' | 'account' | 'journal'>;

/** A way to undo changes. */
export interface UndoWay {
  /** Whether and how it can be undone once it is done, by what is planned. */
  readonly promise: (plan: UndoablePlan) => Undo;
  /** Why undo_change refuses it whatever came of it, for what was not said when it was begun. */
  readonly lacks?: (facts: Facts) => Sentence | undefined;
  /** Throws `invalid_arguments` where a request names what the changes are not about. Asked before one that runs is stopped. */
  readonly assertNamed: (...of: Parameters<UndoWay['plan']>) => Promise<unknown>;
  /** The newest first. */
  readonly plan: (
    records: readonly [ChangeRecord, ...ChangeRecord[]],
    request: UndoRequest,
    deps: FileDeps,
    read: PlanReading,
  ) => Promise<ChangePlan>;
  /** What such changes did. */
  readonly did: Sentence;
  /** Several of them are undone in one change. */
  readonly takesSeveral: boolean;
  /** The arguments that choose what of them is undone. */
  readonly chosenBy: readonly UndoChoice[];
}

/** `resumes`: it is the rest of an earlier one. */
export type UndoablePlan = KindFacts & {
  readonly items?: readonly PlannedItem[];
  readonly resumes?: string;
  /** What is in doubt of it. */
  readonly notices?: readonly Notice[];
};

/** The arguments of `undo_change`. */
export interface UndoRequest extends ChannelsToUndo, VideosToUndo {
  readonly changeId?: string | undefined;
  /** Several, in any order. */
  readonly changeIds?: readonly string[] | undefined;
}

export type UndoChoice = keyof ChannelsToUndo | keyof VideosToUndo;

/** Which channels are set back, and what of them. */
export interface ChannelsToUndo {
  /** The parts to set back; by default all. */
  readonly only?: readonly UndoPart[] | undefined;
  /** The channels to set back, each by its id, key or name; by default all. */
  readonly channels?: readonly string[] | undefined;
}

/** The arguments of `undo_change` that name videos of a move. */
export interface VideosToUndo {
  readonly videoIds?: readonly string[] | undefined;
  readonly videoIdsFile?: string | undefined;
}
