import { definedFields } from '../platform/defined-fields.ts';
import type { Channel } from '../service/resources/channels.ts';

/** What a channel holds, and the source. A list is absent if the service did not show it and this server did not send it. */
export interface Contents {
  readonly known: boolean;
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  readonly source: 'service' | 'journal' | 'none';
  /** The list that is not known beside the one that the service shows. */
  readonly unsure?: 'videoKeys' | 'projectKeys';
  /** When the contents were shown or sent. */
  readonly asOf?: string;
}

/** The lists that this server sent to a channel. */
export interface SentContents {
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  /** When they were sent. */
  readonly at: string;
}

interface ChannelState {
  readonly version: number | null;
  readonly updated: string | null;
}

/** What this server last sent to a channel, if the channel's version and time of update are still those of that write. */
export type SentLookup = (channelId: string, seen: ChannelState) => Promise<SentContents | undefined>;

/** The fields that tell whether a channel was changed. */
export function seenOf(channel: Channel): ChannelState {
  return { version: channel.version ?? null, updated: channel.updated ?? null };
}

/** What a channel holds: the lists that the service showed with it, else those of the journal, else unknown. No documented response shows them. */
export async function contentsOf(channel: Channel, sent: SentLookup): Promise<Contents> {
  const { videoKeys, projectKeys, updated } = channel;
  const shown = { known: true, ...definedFields({ videoKeys, projectKeys, asOf: updated }), source: 'service' } as const;
  if (videoKeys !== undefined && projectKeys !== undefined) return shown;
  const found = await sent(channel.id, seenOf(channel));
  // An empty list alone says nothing: a channel holds something, perhaps in the list that is not shown.
  if ((videoKeys ?? projectKeys ?? []).length === 0) {
    if (found === undefined) return { known: false, source: 'none' };
    const { at, ...lists } = found;
    return { known: true, ...lists, source: 'journal', asOf: at };
  }
  const other = videoKeys === undefined ? 'videoKeys' : 'projectKeys';
  return { ...shown, ...(found === undefined ? { unsure: other } : definedFields({ [other]: found[other] })) };
}
