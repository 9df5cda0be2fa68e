import { counted } from '../../text/counted.ts';
import { asSentence, joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { StatedContents } from './phrases.ts';

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
