import { CONTENTS, type ListName } from '../../../account/contents.ts';
import { joined, type Sentence, sentence } from '../../../text/sentence.ts';
import { isNotice, type Notice } from '../../notices/notices.ts';
import { HIDDEN_FIELDS, PLAIN_FIELDS, rowOf, wordsFor } from '../../plan/channel-fields.ts';
import { isSameList } from '../../plan/list-difference.ts';
import type { Fields, PlannedItem } from '../../plan/plan.ts';
import type { Undo } from '../../plan/preview.ts';
import { type ChannelItem, holdsMask } from './channel-change.ts';

/** Whether a change to these channels can be undone. `notices`: what is told of it. */
export function undoOfChannels(items: readonly ChannelItem[], notices: readonly Notice[]): Undo {
  const obstacles = items.map(obstacleOf);
  const undoable = obstacles.filter((obstacle) => obstacle === undefined).length;
  const how = sentence`An undo works until others change it.`;
  const leftOut = items.filter((item) => CONTENTS.some((list) => isLeftOut(item, list))).length;
  if (undoable === items.length && leftOut > 0) return { possible: 'partly', how: sentence`${how} ${NOT_STATED}` };
  const doubtful = items.filter((item) => isStatedInDoubt(item, notices));
  if (undoable === items.length && doubtful.length > 0) return { possible: 'partly', how: joined([how, inDoubtText(doubtful)]) };
  if (undoable === items.length) return { possible: 'yes', how: joined([how, ...undoOfStated(items)]) };
  const why = joined(OBSTACLES.filter((obstacle) => obstacles.includes(obstacle)).map(obstacleText), ' and ');
  return undoable === 0
    ? { possible: 'no', how: sentence`This can’t be undone, not even in part: ${why}.` }
    : {
        possible: 'partly',
        how: sentence`${undoable} of ${items.length} channels can be undone until others change them. The others can’t be set back: ${why}.`,
      };
}

/** What speaks against a list that was stated. */
const DOUBTS = isNotice('views_missing', 'views_of_another', 'changed_since');

const isStatedInDoubt = ({ id, before, stated = [] }: ChannelItem, notices: readonly Notice[]): boolean =>
  stated.some((list) => before[list] !== undefined) && notices.some((one) => DOUBTS(one) && one.id === id);

function inDoubtText(items: readonly ChannelItem[]): Sentence {
  const [first, ...others] = items;
  const channels = first === undefined || others.length > 0 ? sentence`${items.length} channels` : first.label;
  return sentence`What ${channels} held goes back as it was listed, which is in doubt: what else was there can’t be brought back.`;
}

/** What an undo does to lists that were stated. */
function undoOfStated(items: readonly ChannelItem[]): Sentence[] {
  const stated = items.filter((item) => item.stated !== undefined && item.stated.length > 0);
  if (stated.length === 0) return [];
  const isChanged = ({ stated: lists = [], before, after }: ChannelItem): boolean =>
    lists.some((list) => !isSameList(before[list] ?? [], after[list] ?? []));
  return stated.some(isChanged) ? [AS_STATED] : [leftAsStated(stated)];
}

const AS_STATED = sentence`What a channel held goes back as it was listed.`;
/** Only those lists: it sets back the others. */
function leftAsStated(items: readonly ChannelItem[]): Sentence {
  const lists = CONTENTS.filter((list) => items.some(({ stated = [] }) => stated.includes(list)));
  return sentence`It leaves the ${wordsFor(lists)} as they were listed.`;
}
const NOT_STATED = 'What was listed goes back as it was listed; what was not can’t be brought back.';

/** What keeps a channel from being set back, in the order in which it is told: what of it is not known, or a hidden field. */
const OBSTACLES = ['contents', ...HIDDEN_FIELDS, 'version'] as const;
type Obstacle = (typeof OBSTACLES)[number];

function obstacleOf(item: ChannelItem): Obstacle | undefined {
  const hidden = HIDDEN_FIELDS.find((field) => item.after[field] !== undefined);
  if (hidden !== undefined) return hidden;
  if (!isRestorable(item)) return 'contents';
  return item.seen.version === null ? 'version' : undefined;
}

function obstacleText(obstacle: Obstacle): Sentence {
  if (obstacle === 'contents') return sentence`what was there before is not all known`;
  if (obstacle === 'version') return sentence`the service shows no version, by which to tell that nobody else changed it since`;
  return sentence`whether ${rowOf(obstacle).state ?? ''} was on before can’t be read (another change can switch it)`;
}

/** Whether the value before is known of everything that is changed. */
export function isRestorable({ before, after, unsure }: Pick<PlannedItem, 'before' | 'after' | 'unsure'>): boolean {
  const isLost = [...PLAIN_FIELDS, ...CONTENTS].some(
    (field) => after[field] !== undefined && (before[field] === undefined || holdsMask(before[field])),
  );
  return !(unsure !== undefined || areContentsUnknown(before) || isLost || HIDDEN_FIELDS.some((field) => after[field] !== undefined));
}

export const areContentsUnknown = (before: Fields): boolean => CONTENTS.every((list) => before[list] === undefined);

/** Whether a statement left a list out that nobody knows, so that the update may clear it. */
export const isLeftOut = ({ before, after, stated = [] }: ChannelItem, list: ListName): boolean =>
  stated.length > 0 && before[list] === undefined && after[list] === undefined;
