import { CONTENTS, type ContentLists, seenOf, shownLists } from '../../../account/contents.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { inQuotes, type Sentence, sentence } from '../../../text/sentence.ts';
import type { ItemState } from '../../journal/change-record.ts';
import { type ChannelField, type ChannelValues, FIELDS, isSameValue, PLAIN_FIELDS, pickFields } from '../../plan/channel-fields.ts';
import type { ItemOutcome } from '../../plan/plan.ts';
import type { ChannelItem } from './channel-change.ts';

/** Whether a channel is still as the plan saw it, as far as the service shows it. */
export const isUnchanged = (current: Channel, { seen, before }: ChannelItem): boolean =>
  isSameSeen(seenOf(current), seen) && differing(before, shownValues(current)).length === 0;

/** What the service shows of the fields that can be set. */
const shownValues = (shown: Channel, lists: ContentLists = shownLists(shown)): ChannelValues => ({
  ...pickFields(shown, PLAIN_FIELDS),
  ...lists,
});

/** The fields that are shown with another value. */
const differing = (values: ChannelValues, shown: ChannelValues): readonly ChannelField[] =>
  FIELDS.filter((field) => values[field] !== undefined && shown[field] !== undefined && !isSameValue(shown[field], values[field]));

const isSameSeen = (one: ChannelItem['seen'], other: ChannelItem['seen']): boolean =>
  one.version === other.version && one.updated === other.updated;

export function conflictReason(current: Channel, { seen }: ChannelItem): Sentence {
  return sentence`Someone else changed it after the plan was made (version ${seen.version ?? '?'} → ${current.version ?? '?'}), so it was not sent. A list that was stated for it may be out of date: the user has to state it as it is now.`;
}

/**
 * The outcome of an update that the service answered: its answer and the record read back, compared with the request. `last` is
 * the record before it: where that showed a list, empty ones say something too.
 */
export function verifiedOutcome(answered: Channel, back: Channel | undefined, item: ChannelItem, last: Channel): ItemOutcome {
  const shown = back !== undefined && isOfThisWrite(back, answered, item) ? back : answered;
  const showsLists = Object.keys(shownLists(last)).length > 0;
  const now = shownValues(shown, showsLists ? pickFields(shown, CONTENTS) : shownLists(shown));
  const wrong = differing(item.after, now);
  const own = seenOf(answered);
  const read = back && seenOf(back);
  // If the answer has no version, the record read back counts only as the very next version.
  const next = item.seen.version !== null && read?.version === item.seen.version + 1 ? read : null;
  const seen = own.version !== null && own.updated !== null ? own : next;
  const isOld = (record: Channel) => item.seen.version !== null && isSameSeen(seenOf(record), item.seen);
  const isAsBefore = isOld(answered) && isOld(back ?? answered);
  const other = pickFields(
    shown,
    PLAIN_FIELDS.filter((field) => wrong.includes(field)),
  );
  return {
    outcome: 'done',
    seen: isAsBefore || CONTENTS.some((list) => wrong.includes(list)) ? null : seen,
    ...overwriteNote(own.version, item),
    ...(areShown(PLAIN_FIELDS, now, item) ? { isShown: true } : {}),
    ...(areShown(CONTENTS, now, item) ? { areListsShown: true } : {}),
    ...(Object.keys(other).length === 0 ? {} : { result: other }),
    ...(wrong.length > 0 ? { differs: wrong } : isAsBefore && { differs: ['version'] }),
  };
}

/** Whether those of the fields that were sent are shown as they were sent. */
const areShown = (fields: readonly ChannelField[], shown: ChannelValues, { after }: ChannelItem): boolean =>
  fields.every((field) => after[field] === undefined || isSameValue(shown[field], after[field]));

/** Whether a record that was read back is neither older than the write nor somebody's later one. */
function isOfThisWrite(back: Channel, answered: Channel, { seen }: ChannelItem): boolean {
  const [own, read] = [seenOf(answered), seenOf(back)];
  if (own.version !== null && read.version !== null) return own.version === read.version;
  return !isSameSeen(read, seen) || (read.version === null && read.updated === null);
}

/** A request can't name the version that it is meant for, so a concurrent change shows only afterwards. */
function overwriteNote(version: number | null, { seen }: ChannelItem): { note?: Sentence } {
  if (version === null || seen.version === null || version <= seen.version + 1) return {};
  return {
    note: sentence`Its version went from ${seen.version} to ${version}: someone else may have changed it between the last look and this write, and that was overwritten.`,
  };
}

/**
 * The outcome of an update without a response, by what the service shows of the channel. It counts as done only if that is all that
 * was sent, contents too, or if the next version shows a text that this update alone set: any edit of contents by anybody looks like
 * an update of contents. What the channel holds then is not known unless it is shown: a colleague may have set the same text. A channel
 * that is as it was counts as not changed only once `isLate`: until then the service may still carry the update out. `inTime`: the
 * record was updated while the request was under way.
 */
export function outcomeWithoutResponse(
  shown: Channel | undefined,
  item: ChannelItem,
  { inTime, isLate = false }: { readonly inTime: boolean; readonly isLate?: boolean },
): ItemOutcome {
  const hasVersion = item.seen.version !== null || item.seen.updated !== null;
  if (shown !== undefined && hasTakenEffect(shown, item, inTime)) return carriedOut(shown, item);
  if (shown !== undefined && isLate && hasVersion && isUnchanged(shown, item))
    return { outcome: 'not_done', reason: sentence`Looked at again, it is as it was before.` };
  const isAsBefore = shown !== undefined && hasVersion && isUnchanged(shown, item);
  return { outcome: 'unknown', reason: readBackText(shown, item), ...movedTo(shown, item), ...(isAsBefore && { isAsBefore }) };
}

/** Of an update that is not known: what the service shows of the channel, where that moved. It will not tell more. */
const movedTo = (shown: Channel | undefined, item: ChannelItem): Pick<ItemOutcome, 'seen'> =>
  shown === undefined || isUnchanged(shown, item) ? {} : { seen: seenOf(shown) };

const hasTakenEffect = (shown: Channel, item: ChannelItem, inTime: boolean): boolean =>
  !isUnchanged(shown, item) && (showsAll(shown, item) || (inTime && hasNewText(item) && isNextAsSent(shown, item)));

function carriedOut(shown: Channel, item: ChannelItem): ItemOutcome {
  if (!showsAll(shown, item)) return { outcome: 'done', seen: null, note: NOT_SHOWN };
  const { version } = item.seen;
  // Of a later version all that was sent may be shown; it is another person's all the same.
  const own = version === null || shown.version === version + 1 ? seenOf(shown) : { version: version + 1, updated: null };
  return { outcome: 'done', seen: own, isShown: true, areListsShown: true };
}

const NOT_SHOWN = sentence`No answer came. It counts as done, since the next version is of that moment and has its new texts. What was sent besides can’t be read back, so what the channel holds counts as not known: the next change of it has to state that, and no undo of this one can set it back.`;

/**
 * Whether a text alone tells that an update was carried out: no answer came, and the service does not show all that was sent. Nothing
 * may start from the lists that it sent, or call it done in their regard.
 */
export const isInferred = ({ outcome, lostAt, found, areListsShown }: ItemState): boolean =>
  outcome === 'done' && (lostAt !== undefined || found === true) && areListsShown !== true;

/** Whether the channel is at the very next version, with all texts as they were sent, or as they were. */
function isNextAsSent(shown: Channel, item: ChannelItem): boolean {
  const { before, after, seen } = item;
  return (
    seen.version !== null &&
    shown.version === seen.version + 1 &&
    PLAIN_FIELDS.every((field) => isSameValue(shown[field], after[field] ?? before[field])) &&
    differing(after, shownValues(shown)).length === 0
  );
}

/** Whether a field that is shown would tell the update from another person's. */
export const hasNewText = ({ before, after }: ChannelItem): boolean =>
  PLAIN_FIELDS.some((field) => before[field] !== undefined && after[field] !== undefined && !isSameValue(after[field], before[field]));

/** Whether a channel shows all that was sent to it, as it was sent. */
export const showsAll = (shown: Channel, item: ChannelItem): boolean => areShown(FIELDS, shownValues(shown), item);

function readBackText(shown: Channel | undefined, item: ChannelItem): Sentence {
  if (shown === undefined) return sentence`It could not be read back.`;
  if (isUnchanged(shown, item)) return sentence`Read afterwards, it is as it was before; the service may still carry it out.`;
  const now = sentence`Read back, it is version ${shown.version ?? '?'}, named ${inQuotes(shown.name ?? '')}`;
  return hasNewText(item) && isNextAsSent(shown, item)
    ? sentence`${now}, as was sent, so it was probably done; what it holds counts as not known.`
    : sentence`${now}; whether that was this change can’t be told, so what it holds counts as not known.`;
}
