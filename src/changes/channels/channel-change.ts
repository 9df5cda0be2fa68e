import type { Account } from '../../account/account.ts';
import type { Catalogue } from '../../account/catalogue.ts';
import type { ListName, SentLookup } from '../../account/contents.ts';
import type { SeenVideosLookup } from '../../account/viewed-videos.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Client } from '../../service/client.ts';
import { isMasked } from '../../service/credentials.ts';
import type { Channel } from '../../service/resources/channels.ts';
import type { JournalItem } from '../journal/format.ts';
import type { Journal } from '../journal/journal.ts';
import type { Seen } from '../plan.ts';
import type { KeyEdits } from './edit-keys.ts';

export interface PlanDeps {
  readonly client: Client;
  readonly account: Account;
  readonly catalogue: () => Promise<Catalogue | undefined>;
}

/** What planning for channels needs beyond their records. */
export interface ContentsDeps extends PlanDeps {
  readonly journal: Journal;
  /** To be called again for each reading of channels; those that are named are looked up at once. */
  readonly sentContents: (channels?: readonly Channel[]) => SentLookup;
  readonly seenVideos: SeenVideosLookup;
  /** The folders that files may be in. */
  readonly filesDirs: readonly string[];
}

interface ChannelFields {
  /** Id, key or exact name. */
  readonly channel: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly privateLinkEnabled?: boolean | undefined;
  /** Ids, keys or exact names of projects. */
  readonly setProjectKeys?: readonly string[] | undefined;
}

/** The change of one channel that a caller asks for. */
export interface ChannelChange extends ChannelFields, KeyEdits {
  /** A template's key or exact name; empty for the default. */
  readonly template?: string | undefined;
  readonly setVideoKeysFile?: string | undefined;
  /** What the channel holds now, as a person states it. */
  readonly currentVideoKeys?: readonly string[] | undefined;
  readonly currentVideoKeysFile?: string | undefined;
  readonly currentProjectKeys?: readonly string[] | undefined;
}

/** A change whose references are replaced by keys, and its files by lists. */
export interface ResolvedChange extends ChannelFields, KeyEdits {
  readonly templateKey?: string | undefined;
  /** What the channel holds now, as a person states it. */
  readonly current: Lists;
}

export const LISTS = ['videoKeys', 'projectKeys'] as const;
/** The texts that the service shows and an update may change. */
export const TEXTS = ['name', 'description', 'templateKey'] as const;

/** The lists of a channel's content, as far as they are known or sent. */
export type Lists = { readonly [List in (typeof LISTS)[number]]?: readonly string[] | undefined };

/** A channel before a change: what undoing it needs. A field that the service did not show is absent. */
export type ChannelBefore = Lists & { readonly [Text in (typeof TEXTS)[number]]?: string };

/** The body of the update request ("Update channel" in the API document). */
export type ChannelAfter = ChannelBefore & { readonly name: string; readonly privateLinkEnabled?: boolean };

/** One channel of a plan. */
export interface ChannelItem {
  readonly id: string;
  readonly label: string;
  readonly seen: Seen;
  readonly before: ChannelBefore;
  readonly after: ChannelAfter;
  /** A list that the service does not show and the update does not send: the update may clear it. */
  readonly unsure?: keyof Lists;
  /** The lists of `before` that are known by a person's word alone. */
  readonly stated?: readonly ListName[];
  /** Those of them that this change states. */
  readonly states?: readonly ListName[];
  /** The caller stated the whole new list of videos. */
  readonly replaces?: boolean;
}

/** A channel of a change in the journal; undefined for one that the change left alone from the start. */
export function channelItemIn({ id, label, seen, before, after, unsure, stated, states }: JournalItem): ChannelItem | undefined {
  if (seen === null || typeof after.name !== 'string') return undefined;
  // The plan of the change wrote these types to the journal.
  const [then, wanted] = [before as ChannelBefore, after as ChannelAfter];
  return { id, label, seen, before: then, after: wanted, ...definedFields({ unsure, stated, states }) };
}

/** Whether a text or a key in it is masked: sent, the mask would take the place of what the service has. */
export const holdsMask = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && isMasked(text));

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}
