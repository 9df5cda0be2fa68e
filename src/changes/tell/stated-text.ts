import { counted } from '../../text/counted.ts';
import { asSentence, joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { ListWord } from '../plan/channel-fields.ts';

/** What a change states that one record holds now: it is sent, whatever the record really holds. */
export interface StatedContents {
  /** The record, as in `PlannedItem`. */
  readonly label: Sentence;
  /** `which`: the keys, and titles. */
  readonly lists: readonly { readonly what: ListWord; readonly count: number; readonly which: Sentence; readonly isChanged?: boolean }[];
  /** Whether the change makes another list of it. */
  readonly isChanged: boolean;
}

/** `1 video ("key") and no projects`, or without the keys. */
export const holdingsText = ({ lists }: Pick<StatedContents, 'lists'>, hasKeys: boolean): Sentence =>
  joined(
    lists.map(({ what, count, which }) =>
      count === 0 ? sentence`no ${what}s` : sentence`${counted(count, what)}${hasKeys ? sentence` (${which})` : ''}`,
    ),
    ' and ',
  );

/** What becomes of what a channel really holds. */
export const replacedText = (isChanged: boolean): Sentence => sentence`that${isChanged ? ', as changed,' : ''} replaces what is there`;

/** What is held as the assistant states it, and what becomes of what is really there. */
export const byStatement = (by: 'by' | 'By', holding: Sentence, isChanged: boolean): Sentence =>
  sentence`${by} what the assistant states, ${holding}; ${replacedText(isChanged)}`;

/** The same on the approval page, with the amounts as its reader writes numbers. Shared with its browser code. */
export const stateText = (amounts: readonly string[], isChanged: boolean): Sentence =>
  byStatement('By', sentence`it holds ${asSentence(amounts.join(' and '))}`, isChanged);

/** The part of a channel's line that tells what is stated of it. */
export const statedText = (stated: StatedContents): Sentence =>
  byStatement('by', sentence`it holds ${holdingsText(stated, true)}`, stated.isChanged);
