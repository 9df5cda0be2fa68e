import type { ContentLists } from '../../account/contents.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { isMasked } from '../../service/credentials.ts';
import type { Sentence } from '../../text/sentence.ts';
import type { PlannedItem, Seen } from '../plan.ts';
import type { KeyEdits } from './edit-keys.ts';
import type { ChannelValues, FieldArguments } from './fields.ts';

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

/** What several channels hold now: for each change that does not state it itself. */
export type StatedForAll = Pick<ChannelChange, 'currentVideoKeysFile' | 'currentProjectKeys'>;

/** The arguments of `update_channels`. */
export interface UpdateRequest extends StatedForAll {
  readonly changes: readonly ChannelChange[];
}

/** A change whose references are replaced by keys, and its files by lists. */
export interface ResolvedChange extends KeyEdits {
  /** What it sets besides contents. */
  readonly values: ChannelValues;
  readonly setProjectKeys?: readonly string[] | undefined;
  /** What the channel holds now, as a person states it. */
  readonly current: ContentLists;
  /** The arguments by which it is stated, with the path of the channel. */
  readonly statedIn: { readonly [List in keyof ContentLists]-?: Sentence };
  /** What was given more than once in one of its lists. */
  readonly repeated: ContentLists;
  /** Something else that it asks for is wrong. */
  readonly isIncomplete: boolean;
}

/** The body of the update request ("Update channel" in the API document). */
export type ChannelAfter = ChannelValues & { readonly name: string };

export interface ChannelItem extends PlannedItem {
  readonly seen: Seen;
  /** What an undo needs. A field that the service did not show is absent. */
  readonly before: ChannelValues;
  readonly after: ChannelAfter;
}

/** A channel of a change in the journal; undefined for one that the change left alone from the start. */
export function channelItemIn({ id, label, seen, before, after, ...more }: PlannedItem): ChannelItem | undefined {
  const { name } = after;
  if (seen === null || name === undefined) return undefined;
  const { name: shown, unsure, stated, states, unapproved } = more;
  const optional = definedFields({ name: shown, unsure, stated, states, unapproved });
  return { id, label, seen, before, after: { ...after, name }, ...optional };
}

/** Whether a text or a key in it is masked: sent, the mask would take the place of what the service has. */
export const holdsMask = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && isMasked(text));
