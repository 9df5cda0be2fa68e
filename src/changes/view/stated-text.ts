import { counted } from '../../text/counted.ts';
import type { StatedContents } from './preview.ts';

/** `1 video ("key") and no projects`, or without the keys. */
export function holdingsText({ lists }: Pick<StatedContents, 'lists'>, hasKeys: boolean): string {
  const amount = ({ what, count, which }: StatedContents['lists'][number]): string => {
    if (count === 0) return `no ${what}s`;
    return `${counted(count, what)}${hasKeys ? ` (${which})` : ''}`;
  };
  return lists.map(amount).join(' and ');
}

/** What becomes of what a channel really holds. */
export const replacedText = (isChanged: boolean): string => `that${isChanged ? ', as changed,' : ''} replaces what is there`;

/** The part of a channel's line that tells what is stated of it. */
export const statedText = (stated: StatedContents): string =>
  `by what the assistant states, it holds ${holdingsText(stated, true)}; ${replacedText(stated.isChanged)}`;
