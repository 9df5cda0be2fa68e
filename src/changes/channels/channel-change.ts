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
import type { Called, Seen } from '../plan.ts';
import type { KeyEdits } from './edit-keys.ts';
import { type ChannelValues, type ContentLists, channelValues, type FieldArguments } from './fields.ts';

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

/** The change of one channel that a caller asks for. */
export interface ChannelChange extends FieldArguments, KeyEdits {
  /** Id, key or exact name. */
  readonly channel: string;
  readonly setVideoKeysFile?: string | undefined;
  /** Ids, keys or exact names of projects. */
  readonly setProjectKeys?: readonly string[] | undefined;
  /** What the channel holds now, as a person states it. */
  readonly currentVideoKeys?: readonly string[] | undefined;
  readonly currentVideoKeysFile?: string | undefined;
  readonly currentProjectKeys?: readonly string[] | undefined;
}

/** A change whose references are replaced by keys, and its files by lists. */
export interface ResolvedChange extends KeyEdits {
  /** What it sets besides contents. */
  readonly values: ChannelValues;
  readonly setProjectKeys?: readonly string[] | undefined;
  /** What the channel holds now, as a person states it. */
  readonly current: ContentLists;
  /** Something else that it asks for is wrong. */
  readonly isIncomplete: boolean;
}

/** The body of the update request ("Update channel" in the API document). */
export type ChannelAfter = ChannelValues & { readonly name: string };

/** One channel of a plan. */
export interface ChannelItem extends Called {
  readonly id: string;
  readonly seen: Seen;
  /** What an undo needs. A field that the service did not show is absent. */
  readonly before: ChannelValues;
  readonly after: ChannelAfter;
  /** A list that the service does not show and the update does not send: the update may clear it. */
  readonly unsure?: ListName;
  /** The lists of `before` that are known by a person's word alone. */
  readonly stated?: readonly ListName[];
  /** Those of them that this change states. */
  readonly states?: readonly ListName[];
  /** The caller stated the whole new list of videos. */
  readonly replaces?: boolean;
}

/** A channel of a change in the journal; undefined for one that the change left alone from the start. */
export function channelItemIn({
  id,
  label,
  name: shown,
  seen,
  before,
  after,
  unsure,
  stated,
  states,
}: JournalItem): ChannelItem | undefined {
  const { name, ...rest } = channelValues(after);
  if (seen === null || name === undefined) return undefined;
  const optional = definedFields({ name: shown, unsure, stated, states });
  return { id, label, seen, before: channelValues(before), after: { name, ...rest }, ...optional };
}

/** Whether a text or a key in it is masked: sent, the mask would take the place of what the service has. */
export const holdsMask = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && isMasked(text));
