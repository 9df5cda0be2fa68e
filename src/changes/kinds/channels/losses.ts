import { CONTENTS, type ListName } from '../../../account/contents.ts';
import type { TitleOf } from '../../../account/video-references.ts';
import { sentence } from '../../../text/sentence.ts';
import type { Notice } from '../../notices/notices.ts';
import { HIDDEN_FIELDS, rowOf } from '../../plan/channel-fields.ts';
import { listDifference } from '../../plan/list-difference.ts';
import type { ChannelItem } from './channel-change.ts';
import { keyFacts } from './list-notices.ts';
import { areContentsUnknown, isLeftOut } from './restorable.ts';

const isUnknown = ({ before }: ChannelItem): boolean => areContentsUnknown(before);

/** What is not known, told once for all channels that it holds for. */
export function unknownNotices(items: readonly ChannelItem[]): Notice[] {
  const labelsOf = (found: readonly ChannelItem[]) => found.map(({ label }) => label);
  const replaced = labelsOf(items.filter(isUnknown));
  return [
    ...(replaced.length === 0 ? [] : [{ kind: 'contents_unknown', labels: replaced } as const]),
    ...CONTENTS.map((list) => ({ kind: 'may_hold', list, labels: labelsOf(items.filter((item) => isUnsure(item, list))) }) as const).filter(
      ({ labels }) => labels.length > 0,
    ),
  ];
}

const isUnsure = (item: ChannelItem, list: ListName): boolean =>
  isUnknown(item) ? item.after[list] === undefined : item.unsure === list || isLeftOut(item, list);

export function lossesOf(item: ChannelItem, titleOf: TitleOf): Notice[] {
  const { label, before, after } = item;
  // Of one that is not known, all may be lost.
  if (isUnknown(item)) return [];
  return CONTENTS.flatMap((list): Notice[] => {
    const held = before[list] ?? [];
    const lost = after[list] === undefined ? [] : listDifference(held, after[list]).removed;
    return lost.length === 0 ? [] : [{ kind: 'loses', label, held: held.length, ...keyFacts(list, lost, titleOf) }];
  });
}

export function cautionsOf({ label, before, after }: ChannelItem): Notice[] {
  const isEmpty = CONTENTS.every((list) => (after[list] ?? []).length === 0);
  const wasEmpty = CONTENTS.every((list) => after[list] === undefined || before[list]?.length === 0);
  return [
    ...(isEmpty ? [{ kind: wasEmpty ? 'stays_empty' : 'ends_empty', label } as const] : []),
    ...HIDDEN_FIELDS.flatMap((field) =>
      after[field] === undefined ? [] : [{ kind: 'hidden_field', label, state: rowOf(field).state ?? sentence`` } as const],
    ),
    ...(after.templateKey === '' ? [{ kind: 'default_template', label } as const] : []),
  ];
}
