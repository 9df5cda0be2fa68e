import type { TitleOf } from '../../account/video-references.ts';
import { listed } from '../listed.ts';
import type { StatedContents } from '../view/preview.ts';
import { type ChannelItem, isSameList } from './channel-change.ts';

/** A list of up to so many is shown whole. */
const MAX_WHOLE = 30;

/** What the change of a channel states that it holds now; nothing where it states none. */
export function statedContents({ label, before, after, states = [] }: ChannelItem, titleOf: TitleOf): { readonly stated?: StatedContents } {
  if (states.length === 0) return {};
  const lists = states.map((list) => {
    const [keys = [], isVideos] = [before[list], list === 'videoKeys'];
    return {
      what: isVideos ? ('video' as const) : ('project' as const),
      count: keys.length,
      which: listed(keys, MAX_WHOLE, isVideos ? titleOf : undefined),
    };
  });
  const isChanged = states.some((list) => !isSameList(before[list] ?? [], after[list] ?? before[list] ?? []));
  return { stated: { label, lists, isChanged } };
}
