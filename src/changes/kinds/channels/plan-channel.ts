import {
  type ByList,
  byList,
  CONTENTS,
  type ContentLists,
  type Contents,
  contentLists,
  contentsOf,
  type FormerLookup,
  type SentLookup,
} from '../../../account/contents.ts';
import type { RecordOrRefusal } from '../../../account/record-finder.ts';
import { shownName } from '../../../account/references.ts';
import type { TitleOf } from '../../../account/video-references.ts';
import { MAX_VIEW_SEARCHES } from '../../../account/viewed-videos.ts';
import type { FieldProblem } from '../../../errors.ts';
import { entriesIn, longPiece } from '../../../platform/long-work.ts';
import type { Channel } from '../../../service/resources/channels.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { type Sentence, sentence } from '../../../text/sentence.ts';
import { viewsText } from '../../notices/stated-notices.ts';
import { CHANNEL_FIELDS, pickFields } from '../../plan/channel-fields.ts';
import { listText } from '../../plan/list-text.ts';
import type { Called } from '../../plan/plan.ts';
import type { ContentsDeps } from '../../plan/plan-deps.ts';
import type { ChannelChange, ChannelItem, StatedForAll } from './channel-change.ts';
import { limitProblems } from './limits.ts';
import type { GivenList } from './list-age.ts';
import { planItem } from './plan-item.ts';
import { resolveChange } from './resolve-change.ts';
import type { ReferenceData } from './resolve-references.ts';
import { withStatement } from './statement.ts';
import type { ChangeProblems } from './update-problems.ts';

export interface AccountData extends ReferenceData {
  /** The channel of each change, read by itself. */
  readonly named: readonly RecordOrRefusal<Channel>[];
}

export interface PlannedChannel {
  /** `changes[3]` */
  readonly field: Sentence;
  readonly item: ChannelItem;
  /** False where nothing is sent. */
  readonly changes: boolean;
  /** What was to be removed from a list and is not in it. */
  readonly notHeld: ContentLists;
  readonly channel: Channel;
  /** What was stated of it before, where the change states it anew. */
  readonly former: ContentLists | undefined;
  readonly repeated: ContentLists;
  /** Where the whole lists come from that are given. */
  readonly given: ByList<readonly GivenList[]>;
}

/** What the plans of several channels share. */
export interface PlanningContext {
  readonly data: AccountData;
  readonly forAll: StatedForAll;
  readonly calledOf: (channel: Channel) => Called;
  readonly sent: SentLookup;
  readonly formerContents: FormerLookup;
  readonly left: ReadonlyMap<string, number>;
  readonly viewedText: ReturnType<typeof createViewedText>;
  /** The index of the first change of a channel. */
  readonly changeOf: (id: string) => number;
}

/** Plans the change of one channel. What is wrong with it has a name, by which problems of several channels are told apart. */
export async function planChannel(
  index: number,
  change: ChannelChange,
  context: PlanningContext,
): Promise<{ readonly planned?: PlannedChannel; readonly problems: readonly ChangeProblems[] }> {
  const { data, forAll, sent, left } = context;
  const field = sentence`changes[${index}]`;
  const read = data.named[index];
  const channel = read !== undefined && 'record' in read ? read.record : undefined;
  const name = channel === undefined ? cleanText(change.channel, 120) : shownName(channel);
  const refusal = read !== undefined && 'label' in read ? { refusal: read.refusal } : {};
  const earlier = channel === undefined ? index : context.changeOf(channel.id);
  const later = channel && left.get(channel.id);
  const known = channel ? await contentsOf(channel, sent, context.formerContents) : UNKNOWN;
  const { value, problems } = await resolveChange(field, change, { channel, contents: known, forAll }, data);
  const found: FieldProblem[] = [
    ...emptyProblems(field, change),
    ...limitProblems(sentence`${field}.`, change),
    ...readProblems(sentence`${field}.channel`, read),
    ...(earlier === index
      ? []
      : [{ field: sentence`${field}.channel`, problem: sentence`is the same channel as changes[${earlier}]: put both into one.` }]),
    ...(later === undefined ? [] : [{ field: sentence`${field}.channel`, problem: outdatedText(channel?.version, later) }]),
    ...problems,
  ];
  if (channel === undefined || earlier !== index || value === undefined) return { problems: [{ name, problems: found, ...refusal }] };
  const { lists } = value;
  const { contents, differences } = withStatement(
    known,
    contentLists((list) => lists[list].current),
  );
  const contradictions = differences.map(({ list, problem }) => ({ field: lists[list].statedIn, problem }));
  const own: ChangeProblems = { name, problems: [...found, ...contradictions], ...refusal };
  await longPiece(entriesIn(CONTENTS.map((list) => contents[list])));
  const item = planItem({ field, change: value, channel, called: context.calledOf(channel), contents });
  if ('item' in item) {
    const isRestated = known.stated !== undefined && contents !== known;
    const former = isRestated ? pickFields(known, CONTENTS) : undefined;
    const given = byList((list) => lists[list].given);
    const repeated = contentLists((list) => lists[list].repeated);
    return { planned: { ...item, field, channel, former, repeated, given }, problems: [own] };
  }
  const unknown = item.unknown && { what: item.unknown, viewed: await context.viewedText(channel) };
  return { problems: [own, { name, problems: item.problems, ...(unknown === undefined ? {} : { unknown }) }] };
}

const outdatedText = (shown: number | undefined, later: number): Sentence =>
  sentence`is shown at version ${shown ?? 'none'}, and this server left it at version ${later} just now: an update would take that back. Try again in a minute.`;

const UNKNOWN: Contents = { known: false, source: 'none' };

function readProblems(field: Sentence, read: RecordOrRefusal<Channel> | undefined): readonly FieldProblem[] {
  if (read === undefined || 'record' in read) return [];
  const { refusal, label } = read;
  if (label !== undefined)
    return [{ field, problem: sentence`${label} can’t be read by itself, so it is left alone. ${refusal.message}`, isNamed: true }];
  return refusal.facts.fields ?? [{ field, problem: refusal.message }];
}

/** A change that names only a channel is a mistake; it would be reported as already done. */
function emptyProblems(field: Sentence, { channel: _, ...asked }: ChannelChange): FieldProblem[] {
  const given = Object.entries(asked).flatMap(([argument, value]) => (value === undefined ? [] : [argument]));
  const isStatement = (argument: string): boolean => CONTENTS.some((list) => argument.startsWith(CHANNEL_FIELDS[list].statedBy));
  if (!given.every(isStatement)) return [];
  const hint = given.length > 0 ? ' To state what it holds without a change, use state_contents.' : '';
  return [{ field, problem: sentence`says nothing to change: state name, description, template or another field too.${hint}` }];
}

const MAX_VIEWED_KEYS = 60;

/** Makes what tells the videos in a channel’s views, as a hint for the user who has to state the list; of the first channels alone. */
export function createViewedText({ seenVideos }: ContentsDeps, titleOf: TitleOf, signal: AbortSignal) {
  let searches = 0;
  return async ({ key }: Channel): Promise<Sentence> => {
    const isSearched = searches++ < MAX_VIEW_SEARCHES && key !== undefined;
    const found = isSearched ? (await seenVideos([key], signal)).seen.get(key) : undefined;
    if (found === undefined) return sentence``;
    const keys = listText([...found.videos.keys()], MAX_VIEWED_KEYS, titleOf);
    return sentence` Seen in ${viewsText(found, sentence`it`)}, perhaps incomplete and in no order: ${keys}.`;
  };
}
