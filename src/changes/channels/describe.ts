import { labelOf, type Referable, shownName } from '../../account/references.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../service/resources/channels.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { isSameList, listDifference } from '../list-difference.ts';
import { listed } from '../listed.ts';
import { isGravest, type Notice } from '../notices/notices.ts';
import type { Called } from '../plan.ts';
import type { Preview, StatedContents } from '../view/preview.ts';
import type { ChannelItem } from './channel-change.ts';
import { fieldChanges } from './field-changes.ts';
import { CHANNEL_FIELDS, LISTS, type ListField, rowOf, type TextField, wordsFor } from './fields.ts';
import { cautionsOf, lossesOf, lossOf, unknownNotices } from './losses.ts';
import { undoOf } from './restorable.ts';
import { totalsOf } from './totals.ts';

/** All of a name or description, in UTF-16 units. */
const MAX_TEXT = 2 * MAX_CHANNEL_DESCRIPTION_LENGTH;
/** A list of up to so many is shown whole. */
const MAX_WHOLE = 30;
/** Of more channels than this, the resulting order is shown only where the caller stated it. */
const MAX_ORDERS = 10;

/** The names of what items hold by key. */
export interface ItemNames {
  readonly titleOf: TitleOf;
  /** A template's name and key. */
  readonly templateOf: (key: string) => string;
}

/** What happens with the other channels when one fails. */
const ON_FAILURE =
  'If the service refuses one of the channels, the others are changed all the same. If it fails or can’t be reached, those not yet sent stay as they are, and can be sent later.';

const looksOf = (channel: Referable): string => shownName(channel).normalize('NFC');

/** What channels of an account are called: by the name alone where it is unique, since ids make every answer longer. */
export function shortLabels(channels: readonly Referable[]): (channel: Referable) => Called {
  const counts = new Map<string, number>();
  for (const channel of channels) counts.set(looksOf(channel), (counts.get(looksOf(channel)) ?? 0) + 1);
  return (channel) => {
    const name = shownName(channel);
    return name !== '' && counts.get(looksOf(channel)) === 1 ? { label: JSON.stringify(name), name } : { label: labelOf(channel) };
  };
}

/** The preview of a change to channels: the lines in their order, the notices and losses with those first that lose most. */
export function describeItems(summary: string, items: readonly ChannelItem[], notices: readonly Notice[], names: ItemNames): Preview {
  const ordered = [...items].sort((a, b) => lossOf(b) - lossOf(a));
  return {
    summary,
    notices: [
      ...notices.filter(isGravest),
      ...unknownNotices(ordered),
      ...ordered.flatMap((item) => lossesOf(item, names.titleOf)),
      ...ordered.flatMap(cautionsOf),
      ...notices.filter((one) => !isGravest(one)),
    ],
    lines: items.map((item) => ({
      label: item.label,
      changes: changesOf(item, names, items.length <= MAX_ORDERS),
      ...statedContents(item, names.titleOf),
    })),
    totals: totalsOf(ordered),
    onFailure: items.length > 1 ? ON_FAILURE : '',
    undo: undoOf(items),
  };
}

function changesOf(item: ChannelItem, { titleOf, templateOf }: ItemNames, isFew: boolean): string[] {
  const { before, after, replaces = false } = item;
  const show = (field: TextField, text: string): string =>
    rowOf(field).isReference ? templateOf(text) : JSON.stringify(cleanText(text, MAX_TEXT));
  const lists = LISTS.flatMap((list) =>
    listChange(list, before[list], after[list], { showsOrder: isFew || replaces, titleOf: rowOf(list).hasTitles && titleOf }),
  );
  return [...fieldChanges(item, show), ...lists];
}

/** `5 videos: removed: "A"; added: "B"; moved to the front: "C"; resulting order: …` */
function listChange(
  list: ListField,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  { showsOrder, titleOf }: { readonly showsOrder: boolean; readonly titleOf: TitleOf | undefined },
): string[] {
  if (after === undefined) return [];
  const what = wordsFor([list]);
  const some = (keys: readonly string[], max?: number) => listed(keys, max, titleOf);
  const whole = after.length === 0 ? 'none' : some(after, MAX_WHOLE);
  if (before === undefined) return [`${what} not known → ${after.length}${after.length > 0 ? ` (${whole})` : ''}`];
  if (isSameList(before, after)) return [];
  const { removed, added, moved, isToFront } = listDifference(before, after);
  const isShownWhole = showsOrder && after.length > 1 && after.length <= MAX_WHOLE;
  const parts = [
    ...(removed.length > 0 ? [`removed: ${some(removed, removed.length)}`] : []),
    ...(added.length > 0 ? [`added: ${some(added, added.length)}`] : []),
    ...(moved.length > 0 ? [`moved${isToFront ? ' to the front' : ''}: ${some(moved)}`] : []),
    ...(isShownWhole ? [`resulting order: ${whole}`] : moved.length > 0 && !isToFront ? [`the order now begins: ${some(after, 3)}`] : []),
  ];
  const count = before.length === after.length ? `${after.length} ${what}` : `${what} ${before.length} → ${after.length}`;
  return [`${count}: ${parts.join('; ')}`];
}

/** What the change of a channel states that it holds now; nothing where it states none. */
function statedContents({ label, before, after, states = [] }: ChannelItem, titleOf: TitleOf): { readonly stated?: StatedContents } {
  if (states.length === 0) return {};
  const lists = states.map((list) => {
    const keys = before[list] ?? [];
    return { what: CHANNEL_FIELDS[list].word, count: keys.length, which: listed(keys, MAX_WHOLE, rowOf(list).hasTitles && titleOf) };
  });
  const isChanged = states.some((list) => !isSameList(before[list] ?? [], after[list] ?? before[list] ?? []));
  return { stated: { label, lists, isChanged } };
}
