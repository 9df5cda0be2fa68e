import type { TitleOf } from '../../account/video-references.ts';
import { listDifference } from '../list-difference.ts';
import { listed } from '../listed.ts';
import type { NoticeOf } from '../notices/notices.ts';
import { CHANNEL_FIELDS, CONTENTS, type ContentLists, rowOf } from './fields.ts';

/** What was stated of a channel before (`former`) and is neither in what is stated now nor, of an update, in what is sent. */
export function restatedNotices(
  label: string,
  former: ContentLists | undefined,
  now: ContentLists,
  titleOf: TitleOf,
  sent: ContentLists = {},
): NoticeOf<'restated'>[] {
  return CONTENTS.flatMap((list): NoticeOf<'restated'>[] => {
    const kept = new Set(sent[list]);
    const left = listDifference(former?.[list] ?? [], now[list] ?? []).removed.filter((key) => !kept.has(key));
    const which = listed(left, undefined, rowOf(list).hasTitles && titleOf);
    return left.length === 0 ? [] : [{ kind: 'restated', label, what: CHANNEL_FIELDS[list].word, count: left.length, which }];
  });
}
