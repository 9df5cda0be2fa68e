import type { NotedFile } from '../../files/noted-files.ts';
import type { Values } from '../../platform/is-object.ts';
import type { Approval } from '../../service/approval.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { BulkState, Outcome } from '../journal/bulk-state.ts';
import type { ItemOutcome, PlannedItem } from '../journal/format.ts';
import type { KindFacts } from './facts.ts';
import { digestOfIds, type IdRows } from './id-files.ts';
import type { Preview } from './preview.ts';
import type { BulkKind, ChangeKind } from './traits/index.ts';

export type { ItemOutcome, PlannedItem, Seen } from '../journal/format.ts';
export type { Fields } from './records.ts';

/** What a record is called. */
export type Called = Pick<PlannedItem, 'label' | 'name'>;

type PlanBase<Kind extends ChangeKind = ChangeKind> = KindFacts<Kind> & {
  readonly preview: Preview;
  /** What it goes by besides its records and facts, so that a plan that is made again differs once that does. Kept nowhere. */
  readonly basis?: Values;
  /** The earlier change that is resumed, in its own file. */
  readonly resumes?: string;
  /** The files that its call names, as they were read. Absent from what is shown, which has what they held. */
  readonly files?: readonly NotedFile[];
};

/** A change of some records, each with its before and after. */
export type ItemPlan = PlanBase & {
  readonly items: readonly PlannedItem[];
  /** Of a change that is resumed: the epoch of its journal that the plan saw. */
  readonly epoch?: number;
  /** Carries it out. Called once, after the intent is on disk. */
  readonly apply: (run: ItemRun) => Promise<void>;
};

/** One and the same change of up to a million ids. */
export type BulkPlan = PlanBase<BulkKind> & {
  readonly ids: readonly string[];
  /** Those that are sent, where that are not all: of a change that is resumed. */
  readonly open?: readonly string[];
  /** Of the file that they came from, where there was one. */
  readonly rows?: IdRows;
  /** Reads what else their file says of some of them. */
  readonly readBeside?: ReadBeside;
  /** Of a move, where those that are sent come from or go to several projects. */
  readonly places?: Places;
  /** Carries it out. Called once, after the intent and the ids are on disk. */
  readonly apply: (run: BulkRun) => Promise<void>;
};

/** What stands beside an id in its file: the cells by the names of their columns. */
export type Beside = Readonly<Record<string, string>>;
/** Takes ids by their position in the file, and gives by id what stands beside them; of none where the file is gone or was changed. */
export type ReadBeside = (wanted: ReadonlyMap<number, string>) => Promise<ReadonlyMap<string, Beside>>;

/** The projects of the first videos that are sent: the number of each one's label, from 1, or 0 where it is not known. */
export interface Places {
  readonly preposition: 'from' | 'into';
  readonly labels: readonly Sentence[];
  readonly numbers: readonly number[];
}

/** A change that was checked, and not sent. */
export type ChangePlan = ItemPlan | BulkPlan;

/** A plan as a person is shown it, kept until they answer: only the first ids of those that a bulk change sends, since planning again reads them all. */
export type ShownPlan = PlanBase & (Pick<ItemPlan, 'items' | 'epoch'> | (Pick<BulkPlan, 'ids' | 'places'> & { readonly total: number }));

/** The records of a plan; none of a change of many ids. */
export const itemsOf = (plan: ChangePlan | ShownPlan): readonly PlannedItem[] => ('items' in plan ? plan.items : []);

/** The ids that a plan sends; none of a change of records. */
export function sentIdsOf(plan: ChangePlan | ShownPlan): readonly string[] {
  if (!('ids' in plan)) return [];
  return ('open' in plan ? plan.open : undefined) ?? plan.ids;
}

export const MAX_SHOWN_IDS = 20_000;

export function shownPlan(plan: ChangePlan): ShownPlan {
  const { apply: _, files: _files, ...shown } = plan;
  if (!('ids' in shown)) return shown;
  const { rows: _rows, readBeside: _beside, open, ...brief } = shown;
  const sent = open ?? shown.ids;
  // The facts have the digest of all ids, and not of those that are left to be sent.
  const basis = open && { basis: { ...shown.basis, sent: digestOfIds(open) } };
  return { ...brief, ...basis, ids: sent.slice(0, MAX_SHOWN_IDS), total: sent.length };
}

/** Makes a plan: once to show it, and again just before it is carried out. */
export type ChangePlanner = (read: PlanReading) => Promise<ChangePlan>;

export interface PlanReading {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** How long it may wait for a busy service, in milliseconds since the epoch; by default it does not. */
  readonly waitUntil?: number;
  /** Aborted when it may wait no more, since the server begins to end. */
  readonly ending?: AbortSignal;
  /** Asked before anything that runs is ended for it. Throws where what is planned could not be begun here, whatever it is. */
  readonly assertCanBegin?: () => Promise<void>;
}

export type Progress = (done: number, total?: number, message?: string) => void;

/** The means to carry out a change. */
export interface ItemRun {
  readonly approval: Approval;
  /** Aborted when the change is to stop: nothing more is sent, also of what waits to be, and requests in flight are waited for. */
  readonly stop: AbortSignal;
  /** Must be awaited before the request for the item is sent: it records durably that it is about to be. */
  readonly sending: (id: string) => Promise<void>;
  readonly record: (id: string, outcome: ItemOutcome) => Promise<void>;
  /** A mutex per record, for all processes with this journal. */
  readonly withRecordLock: <T>(key: string, act: () => Promise<T>) => Promise<T>;
  readonly progress: Progress;
}

/** Of an item that was left out because the change was stopped. */
export const STOPPED: ItemOutcome = { outcome: 'not_done', reason: sentence`Stopped before it was sent.` };

/** The means to carry out a bulk change, whose ids are referred to by their indexes in the list. */
export interface BulkRun extends Pick<ItemRun, 'approval' | 'stop' | 'progress'> {
  readonly state: BulkState;
  readonly ids: (from: number, to: number) => readonly string[];
  /** As in `ItemRun`; on disk before it resolves only where `durable`. */
  readonly sending: (from: number, to: number, durable: boolean) => Promise<void>;
  /** `retrying`: parts of what was sent are sent again. `isAsBefore`: it failed before, and was sent again without a word on it. */
  readonly record: (from: number, to: number, outcome: Outcome | 'retrying', reason?: Sentence, isAsBefore?: boolean) => Promise<void>;
}
