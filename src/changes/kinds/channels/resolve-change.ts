import { CONTENTS, type Contents, type ListName, ofEachList } from '../../../account/contents.ts';
import type { FieldProblem } from '../../../errors.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { CHANNEL_FIELDS, type EditVerb, editsOf, valuesIn } from '../../plan/channel-fields.ts';
import type { ChannelChange, ResolvedChange, ResolvedList, StatedForAll } from './channel-change.ts';
import {
  keysIn,
  type ListOwner,
  listArgument,
  type ReferenceData,
  type Resolved,
  resolveValues,
  type Twins,
} from './resolve-references.ts';

/**
 * Keys in place of references, and lists in place of files; no value where it can’t be told what the channel holds now, or is to
 * hold. Without a channel, only the problems count.
 */
export async function resolveChange(
  field: Sentence,
  change: ChannelChange,
  { channel, contents, forAll }: { readonly channel: Channel | undefined; readonly contents: Contents; readonly forAll: StatedForAll },
  data: ReferenceData,
): Promise<Resolved<ResolvedChange>> {
  const path = sentence`${field}.`;
  const [{ values, problems: wrong }, lists] = await Promise.all([
    resolveValues(path, valuesIn(change), data),
    ofEachList((list) => resolveList(list, { change, forAll, path }, { channel, held: contents[list] }, data)),
  ]);
  const found = CONTENTS.map((list) => lists[list]);
  const problems = [...found.flatMap((list) => [...list.problems, ...list.ofEdits]), ...wrong];
  if (found.some((list) => list.problems.length > 0)) return { problems };
  // Whether the channel’s contents are known does not depend on the other verbs; where one is wrong, they tell nothing of each other.
  return { value: { values, lists, isIncomplete: problems.length > 0 }, problems };
}

/** A video that is added is none of those that are there. */
const TWINS: Readonly<Record<EditVerb, Twins>> = { remove: 'held', add: 'others', first: 'held', last: 'held' };

interface ListRequest {
  readonly change: ChannelChange;
  readonly forAll: StatedForAll;
  readonly path: Sentence;
}

/** One list of a change. `ofEdits` is what is wrong with its edits, `problems` with the others. */
async function resolveList(
  list: ListName,
  { change, forAll, path }: ListRequest,
  owner: ListOwner,
  data: ReferenceData,
): Promise<ResolvedList & { readonly problems: readonly FieldProblem[]; readonly ofEdits: readonly FieldProblem[] }> {
  const { argument, statedBy } = CHANNEL_FIELDS[list];
  const own = listArgument(change, statedBy, path);
  const isOwn = own.list !== undefined || own.file !== undefined;
  const stated = isOwn ? own : { ...listArgument(forAll, statedBy), isForAll: true };
  const current = await keysIn(list, stated, { ...owner, twins: 'held' }, data);
  const now = { ...owner, held: current.value ?? owner.held };
  const whole = listArgument(change, argument, path);
  const set = await keysIn(list, whole, now, data);
  const edits = await Promise.all(
    editsOf(list).map(async (edit) => {
      const keys = await keysIn(list, listArgument(change, edit.argument, path), { ...now, twins: TWINS[edit.verb] }, data);
      return { ...edit, ...keys };
    }),
  );
  const ofEdits = edits.flatMap(({ problems }) => problems);
  return {
    set: set.value,
    edits: ofEdits.length > 0 ? {} : Object.fromEntries(edits.map(({ verb, value }) => [verb, value])),
    current: current.value,
    statedFile: current.value === undefined ? undefined : stated.file,
    statedIn: stated.list === undefined ? stated.fileField : stated.field,
    given: [...(current.value === undefined ? [] : [{ file: stated.file }]), ...(set.value === undefined ? [] : [{ file: whole.file }])],
    repeated: [current, set, ...edits].flatMap(({ repeated = [] }) => repeated),
    problems: [...current.problems, ...set.problems],
    ofEdits,
  };
}
