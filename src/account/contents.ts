import { definedFields } from '../platform/defined-fields.ts';
import type { Channel } from '../service/resources/channels.ts';

/** The lists of what a channel holds. */
export const CONTENTS = ['videoKeys', 'projectKeys'] as const;
export type ListName = (typeof CONTENTS)[number];

/** What a channel holds, as far as it is known or sent. */
export type ContentLists = { readonly [List in ListName]?: readonly string[] | undefined };

export type ByList<T> = { readonly [List in ListName]: T };

export const byList = <T>(find: (list: ListName) => T): ByList<T> =>
  Object.fromEntries(CONTENTS.map((list) => [list, find(list)])) as ByList<T>; // of all lists

/** What is found of each list. */
export async function ofEachList<T>(find: (list: ListName) => Promise<T>): Promise<ByList<T>> {
  const found = await Promise.all(CONTENTS.map(async (list) => [list, await find(list)] as const));
  return Object.fromEntries(found) as ByList<T>; // of all lists
}

/** Those of the lists that there are. */
export const contentLists = (listOf: (list: ListName) => readonly string[] | undefined): ContentLists =>
  definedFields(Object.fromEntries(CONTENTS.map((list) => [list, listOf(list)])));

/** What a channel holds, and the source. A list is absent if the service did not show it, this server did not send it and nobody stated it. */
export interface Contents extends ContentLists {
  readonly known: boolean;
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
  /** Where they are not known: what this server knew of them before somebody else changed the channel. */
  readonly former?: FormerContents;
}

/** When this server last wrote what a channel holds, or a person last stated it, whatever became of that since. */
export interface FormerContents {
  readonly at: string;
  readonly isStated: boolean;
  /** The change that did. */
  readonly changeId: string;
}

export type FormerLookup = (channelId: string) => Promise<FormerContents | undefined>;

/** The lists that the journal has of a channel. */
export interface SentContents extends ContentLists {
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
export const shownLists = (channel: Channel): ContentLists =>
  CONTENTS.some((list) => (channel[list] ?? []).length > 0) ? contentLists((list) => channel[list]) : {};

/** What a channel holds: the lists that the service showed with it, else those of the journal, else unknown. No documented response shows them. */
export async function contentsOf(channel: Channel, sent: SentLookup, formerOf?: FormerLookup): Promise<Contents> {
  const lists = shownLists(channel);
  const [other, ...more] = CONTENTS.filter((list) => lists[list] === undefined);
  const found = other && (await sent(channel.id, seenOf(channel)));
  if (more.length > 0) {
    if (found === undefined)
      return { known: false, source: 'none', ...(formerOf && definedFields({ former: await formerOf(channel.id) })) };
    const { at, stated = [], unapproved, ...lists } = found;
    const isStated = Object.keys(lists).every((list) => stated.some((name) => name === list));
    const source = isStated ? 'stated' : 'journal';
    return { known: true, ...lists, source, ...(stated.length > 0 ? { stated } : {}), ...definedFields({ unapproved }), asOf: at };
  }
  const shown = { known: true, ...lists, ...definedFields({ asOf: channel.updated }), source: 'service' } as const;
  if (other === undefined) return shown;
  if (found?.[other] === undefined) return { ...shown, ...(found === undefined ? { unsure: other } : {}) };
  const isOf = (lists: readonly ListName[] = []): readonly ListName[] | undefined => (lists.includes(other) ? [other] : undefined);
  return { ...shown, [other]: found[other], ...definedFields({ stated: isOf(found.stated), unapproved: isOf(found.unapproved) }) };
}
