import type { Contents } from '../../account/contents.ts';
import { seenOf } from '../../account/contents.ts';
import { labelOf } from '../../account/references.ts';
import type { FieldProblem } from '../../errors.ts';
import type { Channel } from '../../service/resources/channels.ts';
import { type ChannelAfter, type ChannelBefore, type ChannelChange, type ChannelItem, LISTS, type Lists, TEXTS } from './channel-change.ts';
import { editKeys, needsCurrentKeys } from './edit-keys.ts';

export interface ItemInput {
  /** `changes[3]` */
  readonly field: string;
  readonly change: ChannelChange;
  readonly channel: Channel;
  /** How the channel is called in the plan. */
  readonly label: string;
  readonly contents: Contents;
  /** The keys that `setProjectKeys` stands for. */
  readonly projectKeys: readonly string[] | undefined;
}

export type PlannedChannel =
  | { readonly item: ChannelItem; readonly changes: boolean }
  | {
      readonly problems: readonly FieldProblem[];
      readonly unknownContents: boolean;
      /** Why nothing is sent where contents are not known; the same for every channel that it holds for. */
      readonly why?: string;
    };

/**
 * Works out what is sent for one channel. A list that nobody stated, that the service did not show and that this server
 * did not send is never sent; and nothing is sent where that would leave the content to chance.
 */
export function planItem(input: ItemInput): PlannedChannel {
  const { field, change, channel, label, contents } = input;
  const name = change.name ?? channel.name;
  if (name === undefined)
    return wrong([
      { field: `${field}.name`, problem: 'is missing: every update has to name the channel, and the service did not tell its name.' },
    ]);
  const { description, templateKey } = channel;
  // What sends nothing can empty nothing, whatever the channel holds.
  if (isIdle(change, channel))
    return { item: { id: channel.id, label, seen: seenOf(channel), before: {}, after: { name } }, changes: false };
  const edited = editedLists(input);
  if ('problems' in edited) return edited;
  const known = listsOf(contents);
  const before: ChannelBefore = { ...shownFields({ name: channel.name, description, templateKey }), ...known };
  const after: ChannelAfter = {
    name,
    ...differs('description', change.description, description),
    ...differs('templateKey', change.templateKey, templateKey),
    ...(change.privateLinkEnabled === undefined ? {} : { privateLinkEnabled: change.privateLinkEnabled }),
    ...listsToSend(known, edited),
  };
  const unsure = contents.unsure !== undefined && after[contents.unsure] === undefined ? { unsure: contents.unsure } : {};
  const item = { id: channel.id, label, seen: seenOf(channel), before, after, ...unsure };
  return {
    item,
    changes: name !== channel.name || Object.keys(after).some((key) => !['name', ...LISTS].includes(key)) || listsDiffer(before, after),
  };
}

/** Whether all that is wanted is so already, without a look at what the channel holds. */
function isIdle(change: ChannelChange, channel: Channel): boolean {
  const { privateLinkEnabled, setVideoKeys, setProjectKeys, addVideoKeys = [], removeVideoKeys = [], firstVideoKeys = [] } = change;
  return (
    TEXTS.every((text) => change[text] === undefined || change[text] === channel[text]) &&
    [privateLinkEnabled, setVideoKeys, setProjectKeys].every((wanted) => wanted === undefined) &&
    addVideoKeys.length + removeVideoKeys.length + firstVideoKeys.length === 0
  );
}

type Wrong = Extract<PlannedChannel, { problems: unknown }>;

function wrong(problems: readonly FieldProblem[], unknownContents = false, why?: string): Wrong {
  return { problems, unknownContents, ...(why === undefined ? {} : { why }) };
}

/** Without what the service did not show. */
export function shownFields(fields: { readonly [Name in (typeof TEXTS)[number]]: string | undefined }): ChannelBefore {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A field is sent only where it changes: what is left out keeps its value. */
function differs<Name extends string>(name: Name, wanted: string | undefined, current: string | undefined): Partial<Record<Name, string>> {
  // The computed key widens to string.
  return wanted === undefined || wanted === current ? {} : ({ [name]: wanted } as Partial<Record<Name, string>>);
}

function listsOf({ videoKeys, projectKeys }: Lists): Lists {
  return { ...(videoKeys === undefined ? {} : { videoKeys }), ...(projectKeys === undefined ? {} : { projectKeys }) };
}

function editedLists({ field, change, channel, contents, projectKeys }: ItemInput): Lists | Wrong {
  const { setVideoKeys, addVideoKeys, removeVideoKeys, firstVideoKeys } = change;
  const edits = { setVideoKeys, addVideoKeys, removeVideoKeys, firstVideoKeys };
  const editsVideos = Object.values(edits).some((keys) => keys !== undefined);
  const stated = setVideoKeys !== undefined || projectKeys !== undefined;
  if (!(contents.known || stated))
    return wrong([{ field: `${field}.channel`, problem: `${labelOf(channel)}: what it holds is not known.` }], true, UNKNOWN);
  if (contents.unsure !== undefined && !stated)
    return wrong([{ field: `${field}.channel`, problem: `${labelOf(channel)}: ${UNSURE[contents.unsure]}` }], true);
  if (editsVideos && needsCurrentKeys(edits) && contents.videoKeys === undefined)
    return wrong(
      [
        {
          field,
          problem: `${labelOf(channel)}: its videos are not known, so they can’t be added to, removed from or reordered. State them all with setVideoKeys.`,
        },
      ],
      true,
    );
  if (!editsVideos) return listsOf({ videoKeys: contents.videoKeys, projectKeys: projectKeys ?? contents.projectKeys });
  const result = editKeys(contents.videoKeys ?? [], edits);
  if ('problems' in result) return wrong(result.problems.map((found) => ({ field: `${field}.${found.field}`, problem: found.problem })));
  return listsOf({ videoKeys: result.keys, projectKeys: projectKeys ?? contents.projectKeys });
}

const UNKNOWN =
  'The service does not tell, and this server did not write it last. An update replaces the whole list, also for a mere rename, so it would be emptied.';

const unsure = (what: string, verb: string) =>
  `whether it also holds ${what} is not shown, and an update that leaves them out may clear them. State them too with ${verb}, an empty list if it holds none.`;
const UNSURE = { videoKeys: unsure('videos', 'setVideoKeys'), projectKeys: unsure('projects', 'setProjectKeys') } as const;

/**
 * The lists that go into the body. Both where both hold something, since nobody knows whether a list that isn't sent is
 * cleared; an empty one only where it was emptied, or where there is nothing else to send.
 */
function listsToSend(known: Lists, after: Lists): Lists {
  const sent = LISTS.filter(
    (list) => (after[list]?.length ?? 0) > 0 || (after[list] !== undefined && (known[list] === undefined || known[list].length > 0)),
  );
  const chosen = sent.length > 0 ? sent : LISTS.filter((list) => after[list] !== undefined);
  return Object.fromEntries(chosen.map((list) => [list, after[list]]));
}

function listsDiffer(before: Lists, after: Lists): boolean {
  return LISTS.some((list) => {
    const sent = after[list];
    const had = before[list];
    return sent !== undefined && (had === undefined || sent.length !== had.length || sent.some((key, at) => key !== had[at]));
  });
}
