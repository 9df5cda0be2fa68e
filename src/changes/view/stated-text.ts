import { counted } from '../../text/counted.ts';
import type { StatedContents } from './preview.ts';

/** `1 video ("key") and no projects`, or without the keys. */
export const holdingsText = ({ lists }: Pick<StatedContents, 'lists'>, hasKeys: boolean): string =>
  lists
    .map(({ what, count, which }) => (count === 0 ? `no ${what}s` : `${counted(count, what)}${hasKeys ? ` (${which})` : ''}`))
    .join(' and ');

/** What becomes of what a channel really holds. */
export const replacedText = (isChanged: boolean): string => `that${isChanged ? ', as changed,' : ''} replaces what is there`;

/** What is held as the assistant states it, and what becomes of what is really there. Shared with the approval page’s browser code. */
export const byStatement = (by: 'by' | 'By', holding: string, isChanged: boolean): string =>
  `${by} what the assistant states, ${holding}; ${replacedText(isChanged)}`;

/** The part of a channel's line that tells what is stated of it. */
export const statedText = (stated: StatedContents): string => byStatement('by', `it holds ${holdingsText(stated, true)}`, stated.isChanged);
