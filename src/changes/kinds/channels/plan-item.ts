import { CONTENTS, type ContentLists, type Contents, contentLists, type ListName, seenOf } from '../../../account/contents.ts';
import { labelOf } from '../../../account/references.ts';
import type { FieldProblem } from '../../../errors.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import {
  CHANNEL_FIELDS,
  type ChannelField,
  type ChannelValues,
  FIELDS,
  HIDDEN_FIELDS,
  isSameValue,
  PLAIN_FIELDS,
  pickFields,
  rowOf,
  wordsFor,
} from '../../plan/channel-fields.ts';
import type { Called } from '../../plan/plan.ts';
import { type ChannelAfter, type ChannelItem, holdsMask, type ResolvedChange } from './channel-change.ts';
import { overtakenText } from './contents-out.ts';
import { editKeys } from './edit-keys.ts';

/** The end of a longer path is not told. */
const MAX_FILE_NAME = 200;

export interface ItemInput {
  /** `changes[3]` */
  readonly field: Sentence;
  readonly change: ResolvedChange;
  readonly channel: Channel;
  readonly called: Called;
  /** With what the change states. */
  readonly contents: Contents;
}

export interface ItemProblems {
  readonly problems: readonly FieldProblem[];
  /** The channel's contents are not known: in part, or nothing of them. */
  readonly unknown?: 'in part' | 'all';
}

interface PlannedItem {
  readonly item: ChannelItem;
  readonly changes: boolean;
  /** What was to be removed from a list and is not in it. */
  readonly notHeld: ContentLists;
}

/**
 * Works out what is sent for one channel; `changes` is false where nothing is. A list is sent only if the caller stated
 * it, the service showed it or this server sent it last; nothing is sent where that would leave the content to chance.
 */
export function planItem(input: ItemInput): PlannedItem | ItemProblems {
  const { field, change, channel, called, contents } = input;
  const { values } = change;
  const name = values.name ?? channel.name;
  if (name === undefined)
    return problem(
      sentence`${field}.name`,
      sentence`is missing: every update has to name the channel, and the service did not tell its name.`,
    );
  const shown = { id: channel.id, ...called, seen: seenOf(channel) };
  // An update that is not sent can clear nothing, so the contents need not be known.
  if (!change.isIncomplete && asksNothing(change, channel))
    return { item: { ...shown, before: {}, after: { name } }, changes: false, notHeld: {} };
  const found = editedLists(input);
  if ('problems' in found) return found;
  const { edited, notHeld } = found;
  const before: ChannelValues = { ...pickFields(channel, PLAIN_FIELDS), ...pickFields(contents, CONTENTS) };
  // A field that is left out keeps its value.
  const changed = FIELDS.filter((one) => values[one] !== undefined && !isSameValue(values[one], before[one]));
  const others = changed.filter((one) => one !== 'name');
  const after: ChannelAfter = { name, ...pickFields(values, others), ...listsToSend(contents, edited) };
  const masked = FIELDS.filter((one) => holdsMask(after[one]));
  if (masked.length > 0)
    return {
      problems: masked.map((one) => ({ field: sentence`${field}.channel`, problem: maskedText(channel, one), isNamed: true as const })),
    };
  const { stated, unsure } = contents;
  const states = stated?.filter((list) => change.lists[list].current !== undefined);
  const files = (states ?? []).flatMap((list) => {
    const file = change.lists[list].statedFile;
    return file === undefined ? [] : [[list, cleanText(file, MAX_FILE_NAME)] as const];
  });
  const unapproved = contents.unapproved?.filter((list) => change.lists[list].set === undefined);
  const doubts = definedFields({
    unsure: unsure !== undefined && after[unsure] === undefined ? unsure : undefined,
    stated,
    replaces: CONTENTS.some((list) => change.lists[list].set !== undefined && rowOf(list).edits !== undefined) || undefined,
    states: states?.length === 0 ? undefined : states,
    statesFrom: files.length === 0 ? undefined : Object.fromEntries(files),
    unapproved: unapproved?.length === 0 ? undefined : unapproved,
  });
  return {
    item: { ...shown, before, after, ...doubts },
    notHeld,
    changes: changed.length > 0 || CONTENTS.some((list) => after[list] !== undefined && !isSameValue(after[list], before[list])),
  };
}

/** Whether the change asks for nothing that differs from what is shown. A list that is stated may differ. */
function asksNothing({ values, lists }: ResolvedChange, channel: Channel): boolean {
  return (
    PLAIN_FIELDS.every((field) => values[field] === undefined || isSameValue(values[field], channel[field])) &&
    HIDDEN_FIELDS.every((field) => values[field] === undefined) &&
    CONTENTS.every((list) => lists[list].set === undefined && Object.values(lists[list].edits).every(isEmpty))
  );
}

/** An update names the channel and all that it holds, also where they stay. */
function maskedText(channel: Channel, what: ChannelField): Sentence {
  const remedy = sentence`Ask the user what it is to be, and give that as ${word(rowOf(what).argument)}; the credential should be renewed.`;
  return sentence`${labelOf(channel)}: of its ${what}, this server can read only [credential] where one of its own credentials stands, and an update would write that in its place. ${remedy}`;
}

function problem(field: Sentence, text: Sentence, unknown?: ItemProblems['unknown']): ItemProblems {
  return { problems: [{ field, problem: text, isNamed: true }], ...definedFields({ unknown }) };
}

const isEmpty = (keys: readonly string[] = []): boolean => keys.length === 0;

/** Whether the change gives a whole list. */
const isSet = ({ lists }: ResolvedChange): boolean => CONTENTS.some((list) => lists[list].set !== undefined);

function editedLists({
  field,
  change,
  channel,
  contents,
}: ItemInput): { readonly edited: ContentLists; readonly notHeld: ContentLists } | ItemProblems {
  const isStated = isSet(change);
  if (!(contents.known || isStated))
    return problem(
      sentence`${field}.channel`,
      sentence`${labelOf(channel)}: what it holds is not known${formerText(contents, channel)}.`,
      'all',
    );
  const unsure = contents.unsure ?? unknownBesideNone(contents);
  if (unsure !== undefined && !isStated)
    return problem(sentence`${field}.channel`, sentence`${labelOf(channel)}: ${unsureText(unsure)}`, 'in part');
  const lists = new Map<ListName, readonly string[]>();
  const notHeld = new Map<ListName, readonly string[]>();
  for (const list of CONTENTS) {
    const { set, edits } = change.lists[list];
    const base = set ?? contents[list];
    const row = rowOf(list);
    if (row.edits === undefined || Object.values(edits).every((keys) => keys === undefined)) {
      if (base !== undefined) lists.set(list, base);
      continue;
    }
    if (base === undefined) return problem(field, sentence`${labelOf(channel)}: ${notKnownText(list)}`, 'in part');
    const result = editKeys(base, edits, { word: row.word, edits: row.edits }, set !== undefined);
    if ('problems' in result) return { problems: result.problems.map((found) => ({ ...found, field: sentence`${field}.${found.field}` })) };
    lists.set(list, result.keys);
    if (result.notHeld.length > 0) notHeld.set(list, result.notHeld);
  }
  return { edited: contentLists((list) => lists.get(list)), notHeld: contentLists((list) => notHeld.get(list)) };
}

/** The list that is not known of a channel of which nothing else is known but that it holds none of the other: all may be in it. */
const unknownBesideNone = (contents: Contents): ListName | undefined =>
  CONTENTS.every((list) => (contents[list] ?? []).length === 0) ? CONTENTS.find((list) => contents[list] === undefined) : undefined;

function notKnownText(list: ListName): Sentence {
  const { statedBy, argument } = CHANNEL_FIELDS[list];
  return sentence`its ${wordsFor([list])} are not known, so they can’t be added to, removed from or reordered. State what it holds now with ${statedBy}, or the whole new list with ${argument}.`;
}

const formerText = ({ former }: Contents, { updated }: Channel): Sentence =>
  former === undefined ? sentence`` : sentence`: ${overtakenText(former, updated)}`;

function unsureText(list: ListName): Sentence {
  const { statedBy, argument } = CHANNEL_FIELDS[list];
  return sentence`whether it also holds ${wordsFor([list])} is not shown, and an update that leaves them out may clear them. State them too with ${statedBy}, or with ${argument} if they are to change; an empty list if it holds none.`;
}

/**
 * The lists of the request body. Both if both hold something, since a list that is not sent may be cleared; an empty list
 * only if the change empties it, or if there is nothing else to send.
 */
function listsToSend(current: ContentLists, edited: ContentLists): ContentLists {
  const known = CONTENTS.filter((list) => edited[list] !== undefined);
  const needed = known.filter((list) => edited[list]?.length !== 0 || current[list]?.length !== 0);
  return pickFields(edited, needed.length > 0 ? needed : known);
}
