import type { Channel } from '../service/resources/channels.ts';

/** What a channel holds, and how that is known. A list that is absent was neither shown by the service nor sent by us. */
export interface Contents {
  readonly known: boolean;
  readonly videoKeys?: readonly string[];
  readonly projectKeys?: readonly string[];
  readonly source: 'service' | 'journal' | 'none';
  /** The list that the service does not show beside the one it does, where this server did not write last either. */
  readonly unsure?: 'videoKeys' | 'projectKeys';
  /** When it was shown or sent. */
  readonly asOf?: string;
}

/** What this server last sent to a channel, if the channel's version and time of update are still those of that write. */
export type SentLookup = (
  channelId: string,
  seen: { readonly version: number | null; readonly updated: string | null },
) => Promise<{ readonly videoKeys?: readonly string[]; readonly projectKeys?: readonly string[]; readonly at: string } | undefined>;

/** The marks by which a channel is known to be unchanged. */
export function seenOf(channel: Channel): { readonly version: number | null; readonly updated: string | null } {
  return { version: channel.version ?? null, updated: channel.updated ?? null };
}

/**
 * What a channel holds: the lists that the service showed with it, else what the journal tells, else unknown. No
 * documented response shows it, and nothing is ever concluded from anything else.
 */
export async function contentsOf(channel: Channel, sent: SentLookup): Promise<Contents> {
  const shown = lists(channel);
  const isWhole = channel.videoKeys !== undefined && channel.projectKeys !== undefined;
  if (isWhole) return { known: true, ...shown, source: 'service', ...asOf(channel.updated) };
  const found = await sent(channel.id, seenOf(channel));
  // One empty list alone says nothing: a channel holds something, and it may be in the list that wasn't shown.
  if ((channel.videoKeys ?? channel.projectKeys ?? []).length === 0)
    return found === undefined ? { known: false, source: 'none' } : { known: true, ...lists(found), source: 'journal', asOf: found.at };
  const other = channel.videoKeys === undefined ? ('videoKeys' as const) : ('projectKeys' as const);
  return {
    known: true,
    ...(found === undefined ? { unsure: other } : lists({ [other]: found[other] })),
    ...shown,
    source: 'service',
    ...asOf(channel.updated),
  };
}

function lists({ videoKeys, projectKeys }: { videoKeys?: readonly string[] | undefined; projectKeys?: readonly string[] | undefined }) {
  return { ...(videoKeys === undefined ? {} : { videoKeys }), ...(projectKeys === undefined ? {} : { projectKeys }) };
}

const asOf = (at: string | undefined) => (at === undefined ? {} : { asOf: at });
