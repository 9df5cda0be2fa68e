import { seenOf } from '../../account/contents.ts';
import type { VideoHostingError } from '../../errors.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { cleanText } from '../../service/sanitize-text.ts';
import type { ItemOutcome } from '../plan.ts';
import { reasonOf } from '../reason.ts';
import { type ChannelItem, LISTS, TEXTS } from './channel-change.ts';

/** Whether a channel is still what the plan was made on, as far as the service shows it. */
export function isAsPlanned(current: Channel, { seen, before }: ChannelItem): boolean {
  const now = seenOf(current);
  return (
    now.version === seen.version &&
    now.updated === seen.updated &&
    TEXTS.every((field) => before[field] === undefined || current[field] === undefined || current[field] === before[field]) &&
    LISTS.every((list) => before[list] === undefined || isSameList(current[list] ?? before[list], before[list]))
  );
}

export function movedReason(current: Channel, { seen }: ChannelItem): string {
  return `Someone else changed it after the plan was made (version ${seen.version ?? '?'} → ${current.version ?? '?'}), so it was not sent. A list that was stated for it may be out of date: ask the user for the list as it is now.`;
}

/** What a success means: the record that the service answered and the one read back, compared with what was sent. */
export function verified(answered: Channel, back: Channel | undefined, item: ChannelItem): ItemOutcome {
  const own = seenOf(answered);
  const read = back && seenOf(back);
  const shown = back !== undefined && isOfThisWrite(back, answered, item) ? back : answered;
  const wrong = wrongFields(shown, item);
  const contentsDiffer = LISTS.some((list) => wrong.includes(list));
  // Where the answer tells no version, the record read back counts only if it is the very next one.
  const next = item.seen.version !== null && read?.version === item.seen.version + 1 ? read : null;
  const marks = own.version !== null && own.updated !== null ? own : next;
  const note = overwritten(own.version, item);
  return {
    outcome: 'done',
    seen: contentsDiffer ? null : marks,
    ...(note === undefined ? {} : { note }),
    ...(wrong.length === 0
      ? {}
      : {
          ...resultOf(shown, wrong),
          reason: `The service answered success, but its ${wrong.join(' and ')} ${wrong.length > 1 ? 'are' : 'is'} not what was sent.`,
        }),
  };
}

/** A record that was read back counts where it is neither older than the write nor somebody's later one. */
function isOfThisWrite(back: Channel, answered: Channel, { seen }: ChannelItem): boolean {
  const own = seenOf(answered);
  const read = seenOf(back);
  if (own.version !== null && read.version !== null) return own.version === read.version;
  const isStillFormer = read.version === seen.version && read.updated === seen.updated;
  return !(isStillFormer && (read.version !== null || read.updated !== null));
}

/** No request says which state it is meant for, so a change by someone else in the last moment can only be seen afterwards. */
function overwritten(version: number | null, { seen }: ChannelItem): string | undefined {
  if (version === null || seen.version === null || version <= seen.version + 1) return undefined;
  return `Its version went from ${seen.version} to ${version}: someone else may have changed it between the last look and this write, and that was overwritten.`;
}

function wrongFields(shown: Channel, { after }: ChannelItem): string[] {
  const texts = TEXTS.filter((field) => after[field] !== undefined && shown[field] !== undefined && shown[field] !== after[field]);
  const lists = LISTS.filter((list) => {
    const sent = after[list];
    return sent !== undefined && !isSameList(shown[list] ?? sent, sent);
  });
  return [...texts, ...lists];
}

/** The texts as they are instead; a list can be long, and its reason is enough. */
function resultOf(shown: Channel, wrong: readonly string[]): { result?: Record<string, string> } {
  const texts = TEXTS.filter((field) => wrong.includes(field)).map((field) => [field, shown[field] ?? '']);
  return texts.length === 0 ? {} : { result: Object.fromEntries(texts) };
}

/**
 * What is known of an update whose answer was lost. It counts as done only where the service shows all of what was sent,
 * contents too: another's change can look the same from outside, and then what the channel holds would be guessed.
 */
export function afterLostAnswer(
  error: VideoHostingError,
  shown: Channel | undefined,
  item: ChannelItem,
): { outcome: ItemOutcome; error: VideoHostingError } {
  if (shown !== undefined && !isAsPlanned(shown, item) && showsAll(shown, item))
    return { outcome: { outcome: 'done', seen: seenOf(shown) }, error };
  return { outcome: { outcome: 'unknown', reason: `${reasonOf(error)} ${whatIsShown(shown, item)}` }, error };
}

function showsAll(shown: Channel, item: ChannelItem): boolean {
  const sent = [...TEXTS, ...LISTS].filter((field) => item.after[field] !== undefined);
  return (
    item.after.privateLinkEnabled === undefined &&
    sent.every((field) => shown[field] !== undefined) &&
    wrongFields(shown, item).length === 0
  );
}

function whatIsShown(shown: Channel | undefined, item: ChannelItem): string {
  if (shown === undefined) return 'It could not be read back.';
  if (isAsPlanned(shown, item)) return 'Read back, it is as it was; the service may still carry it out.';
  const { before, after, seen } = item;
  const telling = TEXTS.some((field) => after[field] !== undefined && after[field] !== before[field]);
  const isNext = seen.version !== null && shown.version === seen.version + 1;
  const now = `Read back, it is version ${shown.version ?? '?'}, named ${JSON.stringify(cleanText(shown.name ?? '', 120))}`;
  if (isNext && telling && wrongFields(shown, item).length === 0)
    return `${now}, as was sent, so it was probably done; what it holds counts as not known.`;
  return `${now}; whether that was this change can’t be told, so what it holds counts as not known.`;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
