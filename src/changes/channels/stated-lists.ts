import type { TitleOf } from '../../account/video-references.ts';
import { isSameList } from '../list-difference.ts';
import { listed } from '../listed.ts';
import type { StatedContents } from '../plan.ts';
import type { ChannelItem } from './channel-change.ts';
import { CHANNEL_FIELDS, rowOf } from './fields.ts';

/** A list of up to so many is shown whole. */
const MAX_WHOLE = 30;

/** What the change of a channel states that it holds now; nothing where it states none. */
export function statedContents({ label, before, after, states = [] }: ChannelItem, titleOf: TitleOf): StatedContents[] {
  if (states.length === 0) return [];
  const lists = states.map((list) => {
    const keys = before[list] ?? [];
    return { what: CHANNEL_FIELDS[list].word, count: keys.length, which: listed(keys, MAX_WHOLE, rowOf(list).hasTitles && titleOf) };
  });
  return [{ label, lists, isChanged: states.some((list) => !isSameList(before[list] ?? [], after[list] ?? before[list] ?? [])) }];
}

/** `1 video ("key") and no projects`, or without the keys. */
export function holdingsText({ lists }: Pick<StatedContents, 'lists'>, hasKeys: boolean): string {
  const amount = ({ what, count, which }: StatedContents['lists'][number]): string => {
    if (count === 0) return `no ${what}s`;
    return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}${hasKeys ? ` (${which})` : ''}`;
  };
  return lists.map(amount).join(' and ');
}

/** What becomes of what a channel really holds. */
export const replacedText = (isChanged: boolean): string => `that${isChanged ? ', as changed,' : ''} replaces what is there`;

/** The part of a channel's line that tells what is stated of it. */
export const statedText = (stated: StatedContents): string =>
  `by what the assistant states, it holds ${holdingsText(stated, true)}; ${replacedText(stated.isChanged)}`;

/** All in numbers, for a preview that has no room for each line. */
export function statedNumbers(stated: readonly StatedContents[]): string {
  const each = stated.map((one) => `${one.label} holds ${holdingsText(one, false)}`);
  return `By what the assistant states, ${each.join(', ')}; ${replacedText(stated.some(({ isChanged }) => isChanged))}.`;
}
