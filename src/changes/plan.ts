import type { Approval } from '../service/approval.ts';
import type { BulkState, Outcome } from './bulk/bulk-state.ts';

export const CHANGE_KINDS = [
  'create_channel',
  'update_channels',
  'create_project',
  'undo_change',
  'move_videos',
  'copy_cta',
  // These change nothing in the account, and are confirmed and kept in the journal all the same.
  'export_emails',
  'show_emails',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The fields of a record that a change reads or writes; a field that is absent is not part of the change. */
export type Fields = Readonly<Record<string, unknown>>;

/** One thing that a change does, as it is written to the journal before anything is sent. */
export interface PlannedItem {
  /** Unique in its change: the id of the record, or a name for one that does not exist yet. */
  readonly id: string;
  /** How a person knows it; cleaned and bounded. */
  readonly label: string;
  /** What it was seen as; the guard compares it before anything is sent. `null` where there is nothing to see. */
  readonly seen: Seen | null;
  /** What is known of it now: only what the change touches, and what undoing it needs. */
  readonly before: Fields;
  /** What is sent. */
  readonly after: Fields;
}

/** What tells that a record is still the one that was planned on. */
export interface Seen {
  readonly version: number | null;
  readonly updated: string | null;
}

/** What a person is shown before they agree. */
export interface Preview {
  /** One sentence. */
  readonly summary: string;
  /** What is lost, or can't be known; the worst first. */
  readonly warnings: readonly string[];
  /** A line for each thing that changes: old → new. */
  readonly lines: readonly string[];
  /** What happens with the rest when one fails; empty where there is no rest. */
  readonly onFailure: string;
  /** Whether and how it can be undone. */
  readonly undo: Undo;
}

export interface Undo {
  readonly possible: 'yes' | 'partly' | 'no';
  readonly how: string;
}

interface PlanBase {
  readonly kind: ChangeKind;
  readonly preview: Preview;
  /** Facts of the whole change that the journal keeps with it. */
  readonly facts?: Fields;
}

/** A change of some records, each with its before and after. */
export interface ItemPlan extends PlanBase {
  readonly items: readonly PlannedItem[];
  /** Carries it out. Called once, with the intent on disk. */
  readonly apply: (run: Run) => Promise<void>;
}

/** A change of any number of ids, all in the same way. */
export interface BulkPlan extends PlanBase {
  readonly ids: readonly string[];
  /** The earlier change that this one carries on, in that one's own file. */
  readonly resumes?: string;
  /** Carries it out. Called once, with the intent and the ids on disk. */
  readonly apply: (run: BulkRun) => Promise<void>;
}

/** A change that was worked out and checked, and not sent. */
export type Plan = ItemPlan | BulkPlan;

/** A plan as a person is shown it, kept until they answer: only the first ids of a bulk change, since planning again reads them all. */
export type ShownPlan = Omit<ItemPlan, 'apply'> | (Omit<BulkPlan, 'apply'> & { readonly total: number });

const MAX_SHOWN_IDS = 20_000;

export function shownPlan(plan: Plan): ShownPlan {
  const { apply: _, ...shown } = plan;
  if (!('ids' in shown)) return shown;
  return { ...shown, ids: shown.ids.slice(0, MAX_SHOWN_IDS), total: shown.ids.length };
}

/** Works out a plan, anew each time it is asked: once to show it, once more just before it is carried out. */
export type ChangePlanner = (read: { signal: AbortSignal; progress: Progress }) => Promise<Plan>;

export type Progress = (done: number, total?: number, message?: string) => void;

/** What became of one item. */
export interface ItemOutcome {
  readonly outcome: Outcome;
  /** Why, unless it is done as asked. */
  readonly reason?: string;
  /** What a person should know of it though it is done as asked. */
  readonly note?: string;
  /** What it was seen as after the change, where the service showed it. */
  readonly seen?: Seen | null;
  /** What was read back, where it differs from what was sent, or was made by the service (a new id). */
  readonly result?: Fields;
}

/** What carrying out a change is given. */
export interface Run {
  readonly approval: Approval;
  /** Aborted when the change is to stop: nothing more is sent, what is under way is waited for. */
  readonly stop: AbortSignal;
  /** Must be awaited before the request for the item is sent: it puts on disk that it is about to be. */
  readonly sending: (id: string) => Promise<void>;
  readonly record: (id: string, outcome: ItemOutcome) => Promise<void>;
  /** Runs what works on one record after whatever else works on it, in this process and in others with this journal. */
  readonly exclusive: <T>(key: string, act: () => Promise<T>) => Promise<T>;
  readonly progress: Progress;
}

/** What carrying out a bulk change is given: its ids are told by their place in the list. */
export interface BulkRun extends Pick<Run, 'approval' | 'stop' | 'progress'> {
  readonly state: BulkState;
  /** The ids from one place up to another. */
  readonly ids: (from: number, to: number) => readonly string[];
  /** As in a run; `durable` where being sent twice would do harm. */
  readonly sending: (from: number, to: number, durable: boolean) => Promise<void>;
  readonly record: (from: number, to: number, outcome: Outcome, reason?: string) => Promise<void>;
  /** Puts on record that parts of what was sent are to be sent again. */
  readonly retrying: (from: number, to: number, reason: string) => Promise<void>;
  /** How many requests went out so far, each attempt counted. */
  readonly requests: () => number;
}
