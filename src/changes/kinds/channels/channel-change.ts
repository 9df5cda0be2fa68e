import type { ByList, ListName } from '../../../account/contents.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { isMasked } from '../../../service/credentials.ts';
import type { Sentence } from '../../../text/sentence.ts';
import type {
  ChannelValues,
  EditArgument,
  FieldArguments,
  FileArgument,
  SettingArgument,
  StatingArgument,
} from '../../plan/channel-fields.ts';
import type { PlannedItem, Seen } from '../../plan/plan.ts';
import type { KeyEdits } from './edit-keys.ts';
import type { GivenList } from './list-age.ts';

export type ListArgumentName = SettingArgument | StatingArgument | EditArgument | ListName;

/** Lists of ids, keys or exact names, by themselves or in a file. */
export type ListArguments<Name extends ListArgumentName> = { readonly [One in Name]?: readonly string[] | undefined } & {
  readonly [One in Extract<Name, FileArgument> as `${One}File`]?: string | undefined;
};

/** The change of one channel that a caller asks for. */
export interface ChannelChange extends FieldArguments, ListArguments<SettingArgument | StatingArgument | EditArgument> {
  /** Id, key or exact name. */
  readonly channel: string;
}

/** What several channels hold now: for each change that does not state it itself. */
export type StatedForAll = ListArguments<StatingArgument>;

/** The arguments of `update_channels`. */
export interface UpdateRequest extends StatedForAll {
  readonly changes: readonly ChannelChange[];
}

/** A change whose references are replaced by keys, and its files by lists. */
export interface ResolvedChange {
  /** What it sets besides contents. */
  readonly values: ChannelValues;
  readonly lists: ByList<ResolvedList>;
  /** Something else that it asks for is wrong. */
  readonly isIncomplete: boolean;
}

export interface ResolvedList {
  /** The whole new list. */
  readonly set?: readonly string[] | undefined;
  readonly edits: KeyEdits;
  /** What the channel holds now, as a person states it. */
  readonly current?: readonly string[] | undefined;
  /** The file that states it; absent where the call does. */
  readonly statedFile?: string | undefined;
  /** The argument by which it is stated, with the path of the channel. */
  readonly statedIn: Sentence;
  /** What was given more than once. */
  readonly repeated: readonly string[];
  /** Where the whole lists come from that are given. */
  readonly given: readonly GivenList[];
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
  const { name: shown, unsure, stated, states, statesFrom, unapproved } = more;
  const optional = definedFields({ name: shown, unsure, stated, states, statesFrom, unapproved });
  return { id, label, seen, before, after: { ...after, name }, ...optional };
}

/** Whether a text or a key in it is masked: sent, the mask would take the place of what the service has. */
export const holdsMask = (value: unknown): boolean => [value].flat().some((text) => typeof text === 'string' && isMasked(text));
