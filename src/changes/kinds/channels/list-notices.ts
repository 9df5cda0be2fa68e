import { CONTENTS, type ContentLists, type ListName } from '../../../account/contents.ts';
import type { TitleOf } from '../../../account/video-references.ts';
import type { Sentence } from '../../../text/sentence.ts';
import type { NoticeOf } from '../../notices/notices.ts';
import { CHANNEL_FIELDS, rowOf } from '../../plan/channel-fields.ts';
import { listDifference } from '../../plan/list-difference.ts';
import { listText } from '../../plan/list-text.ts';

// What a person must know of single keys in the lists of a channel.

const MAX_REPEATED = 3;

/** How many keys of a list a notice is about, and the first of them. */
export const keyFacts = (list: ListName, keys: readonly string[], titleOf?: TitleOf, max?: number) => ({
  ...{ what: CHANNEL_FIELDS[list].word, count: keys.length },
  which: listText(keys, max, rowOf(list).hasTitles && titleOf),
});

/** What was given more than once in the lists for one channel. */
export const repeatedNotices = (label: Sentence, repeated: ContentLists, titleOf: TitleOf): NoticeOf<'repeated_keys'>[] =>
  CONTENTS.flatMap((list): NoticeOf<'repeated_keys'>[] => {
    const keys = repeated[list] ?? [];
    const facts = keyFacts(list, [...new Set(keys)], titleOf, MAX_REPEATED);
    return keys.length === 0 ? [] : [{ kind: 'repeated_keys', label, ...facts, count: keys.length }];
  });

/** What was to be removed from the lists of a channel that is changed otherwise, and is not in them. */
export const notHeldNotices = (label: Sentence, notHeld: ContentLists, titleOf: TitleOf): NoticeOf<'not_held'>[] =>
  CONTENTS.flatMap((list): NoticeOf<'not_held'>[] => {
    const keys = notHeld[list] ?? [];
    return keys.length === 0 ? [] : [{ kind: 'not_held', label, ...keyFacts(list, keys, titleOf) }];
  });

/** What was stated of a channel before (`former`) and is neither in what is stated now nor, of an update, in what is sent. */
export function restatedNotices(
  label: Sentence,
  former: ContentLists | undefined,
  now: ContentLists,
  titleOf: TitleOf,
  sent: ContentLists = {},
): NoticeOf<'restated'>[] {
  return CONTENTS.flatMap((list): NoticeOf<'restated'>[] => {
    const sentKeys = new Set(sent[list]);
    const left = listDifference(former?.[list] ?? [], now[list] ?? []).removed.filter((key) => !sentKeys.has(key));
    return left.length === 0 ? [] : [{ kind: 'restated', label, ...keyFacts(list, left, titleOf) }];
  });
}
