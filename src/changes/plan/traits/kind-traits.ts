import type * as z from 'zod';
import type { Sentence } from '../../../text/sentence.ts';

/**
 * What a kind of change is, as data: all that the journal, the guard and whoever tells of a change must know of it. It needs no
 * planner, so that planners can read the journal. What the kind does is its `Kind`.
 */
export type KindTraits = Traits & OfChannels;

interface Traits {
  /** One of its records. */
  readonly record: 'channel' | 'project' | 'video' | 'list of emails';
  readonly words: KindWords;
  /** What the journal keeps of it besides its records. */
  readonly facts: z.ZodObject;
  /** What it does to channels that exist. */
  readonly channels?: 'update' | 'statement';
  /** What it makes is new: its records have no id before. */
  readonly isNew?: true;
  /** It changes nothing in the account. */
  readonly isLocal?: true;
  /** No two of the kind begin at once, since what both make would be there twice; each record that exists has a lock of its own. */
  readonly beginsAlone?: true;
  /** It waits for a person no longer than this, which words call an hour: milliseconds. */
  readonly waitsAtMostMs?: number;
  /** What it gives out goes into the answer of the call that asked, so it can’t wait for longer than that. */
  readonly isForItsCall?: true;
  /** What it does to each of many ids. */
  readonly ofMany?: OfMany;
}

interface KindWords {
  /** What a person does by agreeing; `records` is their number and name, `isOfMany` whether they are ids. */
  readonly action: (records: string, isOfMany: boolean) => string;
  /** What becomes of each record, in the past tense; without it, an answer has the summary. Of many ids, `ofMany` has it. */
  readonly done?: Sentence;
  /** The same of each of many ids, where that is not the word of `ofMany`. */
  readonly doneOfMany?: Sentence;
  /** What is said once all of it is done, where that is more than `done`; `label` is that of its first record. */
  readonly allDone?: (total: number, label: Sentence) => Sentence;
}

/** What is done to each of many ids. */
export interface OfMany {
  readonly done: 'moved' | 'copied';
  /** What may have been carried out is sent again, and so halved until the failing ids are found. */
  readonly isRepeatable: boolean;
  /** How a person finds out what became of a video that may have been sent, from it alone: that a request is done whole or not at all is not documented. */
  readonly howToSee: Sentence;
}

/** What does something to channels that exist says what, since by that it is seen that others wrote to them. */
type OfChannels =
  | { readonly record: 'channel'; readonly channels: 'update' | 'statement' }
  | { readonly record: 'channel'; readonly isNew: true }
  | { readonly record: Exclude<Traits['record'], 'channel'> };
