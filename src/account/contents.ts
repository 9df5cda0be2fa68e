import { definedFields } from '../platform/defined-fields.ts';
import type { Channel } from '../service/resources/channels.ts';

/** A list of a channel's content. */
export type ListName = 'videoKeys' | 'projectKeys';

/** What a channel holds, and the source. A list is absent if the service did not show it, this server did not send it and nobody stated it. */
export interface Contents {
  readonly known: boolean;
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  /** `stated`: all that is known was stated by a person. */
  readonly source: 'service' | 'journal' | 'stated' | 'none';
  /** The lists that are known by a person's word alone. */
  readonly stated?: readonly ListName[];
  /** The lists that are known only by changes which neither a person nor a standing approval approved. */
  readonly unapproved?: readonly ListName[];
  /** The list that is not known beside the one that the service shows. */
  readonly unsure?: ListName;
  /** When the contents were shown, sent or stated. */
  readonly asOf?: string;
}

/** The lists that the journal has of a channel. */
export interface SentContents {
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  /** Those that a person stated; the others were sent. */
  readonly stated?: readonly ListName[];
  /** Those that neither a person nor a standing approval approved. */
  readonly unapproved?: readonly ListName[];
  /** When they were sent or stated. */
  readonly at: string;
}

interface ChannelState {
  readonly version: number | null;
  readonly updated: string | null;
}

/**
 * What this server last sent to a channel, or a person stated that it holds, if the channel's version and time of update are
 * still those of then.
 */
export type SentLookup = (channelId: string, seen: ChannelState) => Promise<SentContents | undefined>;

/** The fields that tell whether a channel was changed. */
export function seenOf(channel: Channel): ChannelState {
  return { version: channel.version ?? null, updated: channel.updated ?? null };
}

/**
 * The lists that a record shows. Empty ones alone say nothing: a record may carry fields that are never filled, and a channel is
 * not known to hold nothing until this server emptied it or a person said so.
 */
export function shownLists({ videoKeys, projectKeys }: Channel): Pick<Channel, ListName> {
  return [videoKeys, projectKeys].some((keys = []) => keys.length > 0) ? definedFields({ videoKeys, projectKeys }) : {};
}

/** What a channel holds: the lists that the service showed with it, else those of the journal, else unknown. No documented response shows them. */
export async function contentsOf(channel: Channel, sent: SentLookup): Promise<Contents> {
  const { videoKeys, projectKeys } = shownLists(channel);
  const { updated } = channel;
  const shown = { known: true, ...definedFields({ videoKeys, projectKeys, asOf: updated }), source: 'service' } as const;
  if (videoKeys !== undefined && projectKeys !== undefined) return shown;
  const found = await sent(channel.id, seenOf(channel));
  if (videoKeys === undefined && projectKeys === undefined) {
    if (found === undefined) return { known: false, source: 'none' };
    const { at, stated = [], unapproved, ...lists } = found;
    const isStated = Object.keys(lists).every((list) => stated.some((name) => name === list));
    const source = isStated ? 'stated' : 'journal';
    return { known: true, ...lists, source, ...(stated.length > 0 ? { stated } : {}), ...definedFields({ unapproved }), asOf: at };
  }
  const other = videoKeys === undefined ? 'videoKeys' : 'projectKeys';
  if (found?.[other] === undefined) return { ...shown, ...(found === undefined ? { unsure: other } : {}) };
  const isOf = (lists: readonly ListName[] = []): readonly ListName[] | undefined => (lists.includes(other) ? [other] : undefined);
  return { ...shown, [other]: found[other], ...definedFields({ stated: isOf(found.stated), unapproved: isOf(found.unapproved) }) };
}
