import type { ListName } from '../../account/contents.ts';
import type { TitleOf } from '../../account/video-references.ts';
import { listDifference } from '../list-difference.ts';
import { listed } from '../listed.ts';
import type { Loss } from '../plan.ts';
import type { ChannelItem } from './channel-change.ts';
import { CHANNEL_FIELDS, CONTENTS, HIDDEN_FIELDS, LISTS, type ListField, rowOf, wordsFor } from './fields.ts';
import { areContentsUnknown, isLeftOut } from './restorable.ts';
import type { ChannelWarning } from './warnings.ts';

const MAX_LABELS = 20;

/** How many keys a channel loses; more than any number if its contents are not known. */
export function lossOf(item: ChannelItem): number {
  if (isUnknown(item)) return Number.MAX_SAFE_INTEGER;
  return LISTS.reduce((sum, list) => sum + lostKeys(item, list).length, 0);
}

const isUnknown = ({ before }: ChannelItem): boolean => areContentsUnknown(before);

const lostKeys = ({ before, after }: ChannelItem, list: ListField): readonly string[] =>
  after[list] === undefined ? [] : listDifference(before[list] ?? [], after[list]).removed;

/** The worst warnings, each given once for all channels that it holds for. */
export function unknownWarnings(items: readonly ChannelItem[]): string[] {
  const replaced = items.filter(isUnknown);
  const verb = replaced.length === 1 ? 'holds' : 'hold';
  return [
    ...(replaced.length === 0
      ? []
      : [
          `What ${namesOf(replaced)} ${verb} now is not known: what is stated replaces it, and whatever is not in it is lost and can’t be brought back from here.`,
        ]),
    ...unsureWarnings(items, namesOf),
  ];
}

/** The same for a form, which has its own lines for what is lost. */
export const unsureNotices = (items: readonly ChannelItem[]): string[] =>
  unsureWarnings(items, (found) => (found.length === 1 ? namesOf(found) : `${found.length} channels`));

function unsureWarnings(items: readonly ChannelItem[], shown: (found: readonly ChannelItem[]) => string): string[] {
  return CONTENTS.flatMap((list) => {
    const found = items.filter((item) => isUnsure(item, list));
    const verb = found.length === 1 ? 'holds' : 'hold';
    return found.length === 0
      ? []
      : [`Whether ${shown(found)} also ${verb} ${wordsFor([list])} is not known, nor whether they would stay.`];
  });
}

const isUnsure = (item: ChannelItem, list: ListName): boolean =>
  isUnknown(item) ? item.after[list] === undefined : item.unsure === list || isLeftOut(item, list);

/** The arguments that make sure of the lists that are not known. */
export function unsureHints(items: readonly ChannelItem[]): string[] {
  const unsure = CONTENTS.filter((list) => items.some((item) => isUnsure(item, list)));
  const names = unsure.map((list) => CHANNEL_FIELDS[list].statedBy);
  return names.map((name) => `To be sure, state ${name}, or ${name}: [] where there are none.`);
}

/** Some names; the preview's lines have them all. */
function namesOf(items: readonly ChannelItem[]): string {
  const names = items.slice(0, MAX_LABELS).map(({ label }) => label);
  return `${names.join(', ')}${items.length > MAX_LABELS ? ` and ${items.length - MAX_LABELS} more` : ''}`;
}

export function lossesOf(item: ChannelItem, titleOf: TitleOf): Loss[] {
  const { label, before } = item;
  if (isUnknown(item)) return [{ label, what: 'video', count: null, held: 0, which: '' }];
  return LISTS.flatMap((list): Loss[] => {
    const lost = lostKeys(item, list);
    if (lost.length === 0) return [];
    const which = listed(lost, undefined, rowOf(list).hasTitles && titleOf);
    return [{ label, what: CHANNEL_FIELDS[list].word, count: lost.length, held: before[list]?.length ?? 0, which }];
  });
}

export function lossWarning({ label, what, count, held, which }: Loss): string[] {
  return count === null ? [] : [`${label} loses ${count} of ${held} ${what}${held === 1 ? '' : 's'}: ${which}.`];
}

export function cautionsOf({ label, after }: ChannelItem): ChannelWarning[] {
  const accepts = 'whether the service accepts that is not documented.';
  const isEmpty = CONTENTS.every((list) => (after[list] ?? []).length === 0);
  const hidden = HIDDEN_FIELDS.filter((field) => after[field] !== undefined).map((field): ChannelWarning => {
    const [{ state }, unread] = [rowOf(field), 'can’t be read, so it can’t be undone or checked.'];
    return { text: `${label}: ${state} ${unread}`, shared: `have ${state} that ${unread}` };
  });
  return [
    ...(isEmpty ? [{ text: `${label} ends up empty; ${accepts}`, shared: `end up empty; ${accepts}` }] : []),
    ...hidden,
    ...(after.templateKey === ''
      ? [{ text: `${label} goes back to the default template; ${accepts}`, shared: `go back to the default template; ${accepts}` }]
      : []),
  ];
}
