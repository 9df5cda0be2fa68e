import { type Contents, seenOf } from '../../account/contents.ts';
import { labelOf } from '../../account/references.ts';
import type { FieldProblem } from '../../errors.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { Channel } from '../../service/resources/channels.ts';
import {
  type ChannelAfter,
  type ChannelItem,
  holdsMask,
  isSameList,
  LISTS,
  type Lists,
  type ResolvedChange,
  TEXTS,
} from './channel-change.ts';
import { editKeys } from './edit-keys.ts';

export interface ItemInput {
  /** `changes[3]` */
  readonly field: string;
  readonly change: ResolvedChange;
  readonly channel: Channel;
  /** The channel's name in the plan. */
  readonly label: string;
  /** With what the change states. */
  readonly contents: Contents;
}

export interface ItemProblems {
  readonly problems: readonly FieldProblem[];
  /** The channel's contents are not known. `reason`: why nothing is sent then, the same text for every such channel. */
  readonly unknown?: { readonly reason: string };
}

/**
 * Works out what is sent for one channel; `changes` is false where nothing is. A list is sent only if the caller stated
 * it, the service showed it or this server sent it last; nothing is sent where that would leave the content to chance.
 */
export function planItem(input: ItemInput): { readonly item: ChannelItem; readonly changes: boolean } | ItemProblems {
  const { field, change, channel, label, contents } = input;
  const { name: currentName, description, templateKey } = channel;
  const name = change.name ?? currentName;
  if (name === undefined)
    return problem(`${field}.name`, 'is missing: every update has to name the channel, and the service did not tell its name.');
  const shown = { id: channel.id, label, seen: seenOf(channel) };
  // An update that is not sent can clear nothing, so the contents need not be known.
  if (asksNothing(change, channel)) return { item: { ...shown, before: {}, after: { name } }, changes: false };
  const edited = editedLists(input);
  if ('problems' in edited) return edited;
  const { videoKeys, projectKeys, unsure } = contents;
  const before = definedFields({ name: currentName, description, templateKey, videoKeys, projectKeys });
  // A field that is left out keeps its value.
  const changed = definedFields({
    description: change.description === description ? undefined : change.description,
    templateKey: change.templateKey === templateKey ? undefined : change.templateKey,
    privateLinkEnabled: change.privateLinkEnabled,
  });
  const after: ChannelAfter = { name, ...changed, ...listsToSend(contents, edited) };
  const masked = Object.entries(after).filter(([, value]) => holdsMask(value));
  if (masked.length > 0) return { problems: masked.map(([what]) => ({ field: `${field}.channel`, problem: maskedText(channel, what) })) };
  const { stated } = contents;
  const states = stated?.filter((list) => change.current[list] !== undefined) ?? [];
  const doubts = {
    ...(unsure === undefined || after[unsure] !== undefined ? {} : { unsure }),
    ...(stated === undefined ? {} : { stated }),
  };
  const replaces = change.setVideoKeys === undefined ? {} : { replaces: true };
  return {
    item: { ...shown, before, after, ...doubts, ...replaces, ...(states.length === 0 ? {} : { states }) },
    changes: name !== currentName || Object.keys(changed).length > 0 || listsDiffer(before, after),
  };
}

/** Whether the change asks for nothing that differs from what is shown. A list that is stated may differ. */
function asksNothing(change: ResolvedChange, channel: Channel): boolean {
  const { privateLinkEnabled, setVideoKeys, setProjectKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] } = change;
  return (
    TEXTS.every((text) => change[text] === undefined || change[text] === channel[text]) &&
    [privateLinkEnabled, setVideoKeys, setProjectKeys].every((value) => value === undefined) &&
    addVideoKeys.length + removeVideoKeys.length + firstVideoKeys.length === 0
  );
}

const SET_BY: Readonly<Record<string, string>> = { videoKeys: 'setVideoKeys', projectKeys: 'setProjectKeys' };

/** An update names the channel and all that it holds, also where they stay. */
function maskedText(channel: Channel, what: string): string {
  const remedy = `Ask the user what it is to be, and give that as ${SET_BY[what] ?? what}; the credential should be renewed.`;
  return `${labelOf(channel)}: of its ${what}, this server can read only [credential] where one of its own credentials stands, and an update would write that in its place. ${remedy}`;
}

function problem(field: string, text: string, reason?: string): ItemProblems {
  return { problems: [{ field, problem: text }], ...(reason === undefined ? {} : { unknown: { reason } }) };
}

function editedLists({ field, change, channel, contents }: ItemInput): Lists | ItemProblems {
  const { setVideoKeys, addVideoKeys, removeVideoKeys, firstVideoKeys, setProjectKeys } = change;
  const projectKeys = setProjectKeys ?? contents.projectKeys;
  const edits = { setVideoKeys, addVideoKeys, removeVideoKeys, firstVideoKeys };
  const isStated = setVideoKeys !== undefined || setProjectKeys !== undefined;
  if (!(contents.known || isStated)) return problem(`${field}.channel`, `${labelOf(channel)}: what it holds is not known.`, UNKNOWN);
  const unsure = contents.unsure ?? unknownBesideNone(contents);
  if (unsure !== undefined && !isStated) return problem(`${field}.channel`, `${labelOf(channel)}: ${UNSURE[unsure]}`, '');
  if (Object.values(edits).every((keys) => keys === undefined)) return { videoKeys: contents.videoKeys, projectKeys };
  if (setVideoKeys === undefined && contents.videoKeys === undefined)
    return problem(
      field,
      `${labelOf(channel)}: its videos are not known, so they can’t be added to, removed from or reordered. State what it holds now with currentVideoKeys, or the whole new list with setVideoKeys.`,
      '',
    );
  const result = editKeys(contents.videoKeys ?? [], edits);
  if ('problems' in result) return { problems: result.problems.map((found) => ({ ...found, field: `${field}.${found.field}` })) };
  return { videoKeys: result.keys, projectKeys };
}

/** The list that is not known of a channel of which nothing else is known but that it holds none of the other: all may be in it. */
const unknownBesideNone = (contents: Contents): keyof Lists | undefined =>
  LISTS.every((list) => (contents[list] ?? []).length === 0) ? LISTS.find((list) => contents[list] === undefined) : undefined;

const UNKNOWN =
  'The service does not tell, this server did not write it last, and nobody stated it. An update replaces the whole list, also for a mere rename, so it would be emptied.';

const unsureText = (what: string, current: string, verb: string) =>
  `whether it also holds ${what} is not shown, and an update that leaves them out may clear them. State them too with ${current}, or with ${verb} if they are to change; an empty list if it holds none.`;
const UNSURE = {
  videoKeys: unsureText('videos', 'currentVideoKeys', 'setVideoKeys'),
  projectKeys: unsureText('projects', 'currentProjectKeys', 'setProjectKeys'),
} as const;

/**
 * The lists of the request body. Both if both hold something, since a list that is not sent may be cleared; an empty list
 * only if the change empties it, or if there is nothing else to send.
 */
function listsToSend(current: Lists, edited: Lists): Lists {
  const known = LISTS.filter((list) => edited[list] !== undefined);
  const needed = known.filter((list) => edited[list]?.length !== 0 || current[list]?.length !== 0);
  return Object.fromEntries((needed.length > 0 ? needed : known).map((list) => [list, edited[list]]));
}

function listsDiffer(before: Lists, after: Lists): boolean {
  return LISTS.some((list) => {
    const [had, sent] = [before[list], after[list]];
    return sent !== undefined && (had === undefined || !isSameList(sent, had));
  });
}
