import { labelOf, type Referable, shownName } from '../../account/references.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../service/resources/channels.ts';
import { cleanText } from '../../text/sanitize-text.ts';
import { listed } from '../listed.ts';
import type { Notice } from '../notices/notices.ts';
import type { Fields } from '../plan.ts';
import type { Preview, Undo } from '../view/preview.ts';
import { type ChannelItem, holdsMask, isSameList, LISTS, type Lists, TEXTS } from './channel-change.ts';
import { movedKeys } from './moved-keys.ts';
import { statedContents } from './stated-lists.ts';
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

/** Labels for channels of an account: the name alone where it is unique, since ids make every answer longer. */
export function shortLabels(channels: readonly Referable[]): (channel: Referable) => string {
  const counts = new Map<string, number>();
  for (const channel of channels) counts.set(looksOf(channel), (counts.get(looksOf(channel)) ?? 0) + 1);
  return (channel) => {
    const name = shownName(channel);
    return name !== '' && counts.get(looksOf(channel)) === 1 ? JSON.stringify(name) : labelOf(channel);
  };
}

/** The preview of a change to channels: the lines in their order, the notices and losses with those first that lose most. */
export function describeItems(summary: string, items: readonly ChannelItem[], notices: readonly Notice[], names: ItemNames): Preview {
  const ordered = [...items].sort((a, b) => lossOf(b) - lossOf(a));
  return {
    summary,
    notices: [
      ...unknownNotices(ordered),
      ...ordered.flatMap((item) => lossesOf(item, names.titleOf)),
      ...ordered.flatMap(cautionsOf),
      ...notices,
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

/** How many keys a channel loses; more than any number if its contents are not known. */
function lossOf(item: ChannelItem): number {
  if (isUnknown(item)) return Number.MAX_SAFE_INTEGER;
  return LISTS.reduce((sum, list) => sum + lostKeys(item, list).length, 0);
}

const isUnknown = ({ before }: Pick<Restorable, 'before'>): boolean => LISTS.every((list) => before[list] === undefined);

/** Whether a statement left a list out that nobody knows, so that the update may clear it. */
const isLeftOut = ({ before, after, stated = [] }: ChannelItem, list: keyof Lists): boolean =>
  stated.length > 0 && before[list] === undefined && after[list] === undefined;

function lostKeys({ before, after }: Pick<ChannelItem, 'before' | 'after'>, list: keyof Lists): readonly string[] {
  const kept = new Set(after[list] ?? before[list]);
  return (before[list] ?? []).filter((key) => !kept.has(key));
}

/** What is not known, told once for all channels that it holds for. */
function unknownNotices(items: readonly ChannelItem[]): Notice[] {
  const labelsOf = (found: readonly ChannelItem[]) => found.map(({ label }) => label);
  const replaced = labelsOf(items.filter(isUnknown));
  return [
    ...(replaced.length === 0 ? [] : [{ kind: 'contents_unknown', labels: replaced } as const]),
    ...LISTS.map((list) => ({ kind: 'may_hold', list, labels: labelsOf(items.filter((item) => isUnsure(item, list))) }) as const).filter(
      ({ labels }) => labels.length > 0,
    ),
  ];
}

const isUnsure = (item: ChannelItem, list: keyof Lists): boolean =>
  isUnknown(item) ? item.after[list] === undefined : item.unsure === list || isLeftOut(item, list);

function lossesOf(item: ChannelItem, titleOf: TitleOf): Notice[] {
  const { label, before } = item;
  // Of one that is not known, all may be lost.
  if (isUnknown(item)) return [];
  return LISTS.flatMap((list): Notice[] => {
    const lost = lostKeys(item, list);
    const [what, titles] = list === 'videoKeys' ? (['video', titleOf] as const) : (['project', undefined] as const);
    if (lost.length === 0) return [];
    return [{ kind: 'loses', label, what, count: lost.length, held: before[list]?.length ?? 0, which: listed(lost, undefined, titles) }];
  });
}

function cautionsOf({ label, after }: ChannelItem): Notice[] {
  return [
    ...(LISTS.every((list) => (after[list] ?? []).length === 0) ? [{ kind: 'ends_empty', label } as const] : []),
    ...(after.privateLinkEnabled === undefined ? [] : [{ kind: 'private_link', label } as const]),
    ...(after.templateKey === '' ? [{ kind: 'default_template', label } as const] : []),
  ];
}

function changesOf(item: ChannelItem, { titleOf, templateOf }: ItemNames, isFew: boolean): string[] {
  const { before, after, replaces = false } = item;
  const quoted = (text: string) => JSON.stringify(cleanText(text, MAX_TEXT));
  const changed = (what: string, from: string | undefined, to: string | undefined, show = quoted) =>
    to === undefined || to === from ? [] : [`${what} ${from === undefined ? 'not known' : show(from)} → ${show(to)}`];
  return [
    ...changed('name', before.name, after.name),
    ...changed('description', before.description, after.description),
    ...changed('template', before.templateKey, after.templateKey, templateOf),
    ...(after.privateLinkEnabled === undefined ? [] : [`private link → ${after.privateLinkEnabled ? 'on' : 'off'}`]),
    ...listChange('videos', before.videoKeys, after.videoKeys, { showsOrder: isFew || replaces, titleOf }),
    ...listChange('projects', before.projectKeys, after.projectKeys, { showsOrder: isFew || replaces }),
  ];
}

/** `5 videos: removed: "A"; added: "B"; moved to the front: "C"; resulting order: …` */
function listChange(
  what: string,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  { showsOrder, titleOf }: { readonly showsOrder: boolean; readonly titleOf?: TitleOf },
): string[] {
  if (after === undefined) return [];
  const some = (keys: readonly string[], max?: number) => listed(keys, max, titleOf);
  const whole = after.length === 0 ? 'none' : some(after, MAX_WHOLE);
  if (before === undefined) return [`${what} not known → ${after.length}${after.length > 0 ? ` (${whole})` : ''}`];
  if (isSameList(before, after)) return [];
  const [had, has] = [new Set(before), new Set(after)];
  const lost = before.filter((key) => !has.has(key));
  const added = after.filter((key) => !had.has(key));
  const moved = movedKeys(before, after);
  const isToFront = moved.every((key, index) => key === after[index]);
  const isShownWhole = showsOrder && after.length > 1 && after.length <= MAX_WHOLE;
  const parts = [
    ...(lost.length > 0 ? [`removed: ${some(lost, lost.length)}`] : []),
    ...(added.length > 0 ? [`added: ${some(added, added.length)}`] : []),
    ...(moved.length > 0 ? [`moved${isToFront ? ' to the front' : ''}: ${some(moved)}`] : []),
    ...(isShownWhole ? [`resulting order: ${whole}`] : moved.length > 0 && !isToFront ? [`the order now begins: ${some(after, 3)}`] : []),
  ];
  const count = before.length === after.length ? `${after.length} ${what}` : `${what} ${before.length} → ${after.length}`;
  return [`${count}: ${parts.join('; ')}`];
}

/** Whether a change to these channels can be undone. */
function undoOf(items: readonly ChannelItem[]): Undo {
  const reasons = items.map(whyNotUndoable);
  const undoable = reasons.filter((reason) => reason === undefined).length;
  const how = 'An undo works until others change it.';
  const leftOut = items.filter((item) => LISTS.some((list) => isLeftOut(item, list))).length;
  if (undoable === items.length && leftOut > 0) return { possible: 'partly', how: `${how} ${NOT_STATED}` };
  if (undoable === items.length) return { possible: 'yes', how: [how, ...undoOfStated(items)].join(' ') };
  const why = [NOT_KNOWN, NOT_READABLE, NO_VERSION].filter((reason) => reasons.includes(reason)).join(' and ');
  return undoable === 0
    ? { possible: 'no', how: `It can’t be set back: ${why}.` }
    : {
        possible: 'partly',
        how: `For ${undoable} of ${items.length} channels, an undo works until others change them. The others can’t be set back: ${why}.`,
      };
}

/** What an undo does to lists that were stated. */
function undoOfStated(items: readonly ChannelItem[]): string[] {
  const stated = items.filter((item) => item.stated !== undefined && item.stated.length > 0);
  if (stated.length === 0) return [];
  const isChanged = ({ stated: lists = [], before, after }: ChannelItem): boolean =>
    lists.some((list) => !isSameList(before[list] ?? [], after[list] ?? []));
  return [stated.some(isChanged) ? AS_STATED : STAYS_AS_STATED];
}

const AS_STATED = 'What a channel held goes back as you stated it.';
const STAYS_AS_STATED = 'What a channel holds stays as you stated it.';
const NOT_STATED = 'What was stated goes back as you stated it; of what was not stated, nothing can be brought back.';
const NOT_KNOWN = 'what was there before is not all known';
const NOT_READABLE = 'private-link access can’t be read (another change can switch it)';
const NO_VERSION = 'the service shows no version, by which to tell that nobody else changed it since';

function whyNotUndoable(item: ChannelItem): string | undefined {
  if (item.after.privateLinkEnabled !== undefined) return NOT_READABLE;
  if (!isRestorable(item)) return NOT_KNOWN;
  return item.seen.version === null ? NO_VERSION : undefined;
}

interface Restorable {
  readonly before: Fields;
  readonly after: Fields;
  readonly unsure?: string | undefined;
}

/** Whether the value before is known of everything that is changed. */
export function isRestorable({ before, after, unsure }: Restorable): boolean {
  const isLost = [...TEXTS, ...LISTS].some(
    (field) => after[field] !== undefined && (before[field] === undefined || holdsMask(before[field])),
  );
  return !(unsure !== undefined || isUnknown({ before }) || isLost || after.privateLinkEnabled !== undefined);
}
