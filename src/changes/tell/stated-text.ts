import { counted } from '../../text/counted.ts';
import { asSentence, inQuotes, joined, type Sentence, sentence } from '../../text/sentence.ts';
import type { ListWord } from '../plan/channel-fields.ts';

/** What a change states that one record holds now: it is sent, whatever the record really holds. */
export interface StatedContents {
  /** The record, as in `PlannedItem`. */
  readonly label: Sentence;
  /** `which`: the keys, and titles. */
  readonly lists: readonly {
    readonly what: ListWord;
    readonly count: number;
    readonly which: Sentence;
    readonly isChanged?: boolean;
    readonly file?: string;
  }[];
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

/** Who states lists: the assistant in its call, or files that it names. */
export function statedBy(lists: readonly { readonly file?: string | undefined }[]): Sentence {
  const files = [...new Set(lists.flatMap(({ file }) => file ?? []))].map((file) => inQuotes(file));
  const rest = files.length === 0 || lists.some(({ file }) => file === undefined) ? [sentence`what the assistant says`] : [];
  const named = files.length === 0 ? [] : [sentence`${files.length === 1 ? 'the file' : 'the files'} ${joined(files, ', ')}`];
  return joined([...named, ...rest], ' and ');
}

/** What is held by somebody’s word, and what becomes of what is really there. */
export const byStatement = (by: 'by' | 'By', holding: Sentence, isChanged: boolean, who = statedBy([])): Sentence =>
  sentence`${by} ${who}, ${holding}; ${replacedText(isChanged)}`;

/** The same on the approval page, with the amounts as its reader writes numbers. Shared with its browser code. */
export const stateText = (amounts: readonly string[], isChanged: boolean, who?: Sentence): Sentence =>
  byStatement('By', sentence`it holds ${asSentence(amounts.join(' and '))}`, isChanged, who);

/** That lists are sent as somebody gave them, in a row of a list of changes. Shared with the browser code of the page. */
export const UNCHECKED_LIST = sentence`sends a list that nobody checked`;

/** The part of a channel's line that tells what is stated of it. */
export const statedText = (stated: StatedContents): Sentence =>
  byStatement('by', sentence`it holds ${holdingsText(stated, true)}`, stated.isChanged, statedBy(stated.lists));
