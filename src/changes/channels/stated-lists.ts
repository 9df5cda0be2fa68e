import type { TitleOf } from '../../account/video-references.ts';
import { isSameList } from '../list-difference.ts';
import { listed } from '../listed.ts';
import type { StatedContents } from '../view/preview.ts';
import type { ChannelItem } from './channel-change.ts';
import { CHANNEL_FIELDS, rowOf } from './fields.ts';

/** A list of up to so many is shown whole. */
const MAX_WHOLE = 30;

/** What the change of a channel states that it holds now; nothing where it states none. */
export function statedContents({ label, before, after, states = [] }: ChannelItem, titleOf: TitleOf): { readonly stated?: StatedContents } {
  if (states.length === 0) return {};
  const lists = states.map((list) => {
    const keys = before[list] ?? [];
    return { what: CHANNEL_FIELDS[list].word, count: keys.length, which: listed(keys, MAX_WHOLE, rowOf(list).hasTitles && titleOf) };
  });
  const isChanged = states.some((list) => !isSameList(before[list] ?? [], after[list] ?? before[list] ?? []));
  return { stated: { label, lists, isChanged } };
}
