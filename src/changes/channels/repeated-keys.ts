import type { TitleOf } from '../../account/video-references.ts';
import { listed } from '../listed.ts';
import type { NoticeOf } from '../notices/notices.ts';
import { CHANNEL_FIELDS, CONTENTS, type ContentLists } from './fields.ts';

const MAX_SHOWN = 3;

/** What was given more than once in the lists for one channel. */
export const repeatedNotices = (label: string, repeated: ContentLists, titleOf?: TitleOf): NoticeOf<'repeated_keys'>[] =>
  CONTENTS.flatMap((list): NoticeOf<'repeated_keys'>[] => {
    const keys = repeated[list] ?? [];
    const which = listed([...new Set(keys)], MAX_SHOWN, titleOf);
    return keys.length === 0 ? [] : [{ kind: 'repeated_keys', label, what: CHANNEL_FIELDS[list].word, count: keys.length, which }];
  });
