import type { TitleOf } from '../../../account/video-references.ts';
import { type SeenVideos, viewsSince } from '../../../account/viewed-videos.ts';
import { definedFields } from '../../../platform/defined-fields.ts';
import { longPiece } from '../../../platform/long-work.ts';
import type { ChannelKey } from '../../../service/ids.ts';
import { joined, type Sentence, sentence, word } from '../../../text/sentence.ts';
import type { Notice, NoticeOf } from '../../notices/notices.ts';
import { listText } from '../../plan/list-text.ts';
import { listed } from '../../plan/notice.ts';
import type { ContentsDeps } from '../../plan/plan-deps.ts';
import { type AgreedDifferences, agreedDifferences } from './agreed-differences.ts';

/** A list of videos that a person stated. */
export interface StatedVideos {
  /** Of the channel. */
  readonly id: string;
  readonly label: Sentence;
  readonly channelKey: ChannelKey | undefined;
  readonly videoKeys: readonly string[];
  /** What is sent, in the place of all that the channel holds. */
  readonly sent?: readonly string[] | undefined;
}

/** How stated lists differ from what was seen in views of their channels, or why there was nothing to compare them with; the gravest first. */
export async function compareWithViews(
  lists: readonly StatedVideos[],
  { seenVideos, journal }: Pick<ContentsDeps, 'seenVideos' | 'journal'>,
  titleOf: TitleOf,
  signal: AbortSignal,
): Promise<Notice[]> {
  if (lists.length === 0) return [];
  const { seen, missing, unread } = await seenVideos(
    lists.flatMap(({ channelKey }) => channelKey ?? []),
    signal,
  );
  await longPiece(
    lists.reduce((sum, { videoKeys }) => sum + videoKeys.length, 0),
    signal,
  );
  const found = lists.flatMap((list) => {
    const of = seen.get(list.channelKey ?? '');
    return of === undefined ? [] : [differenceOf(list, of)];
  });
  const doubtful = found.filter((one) => one.missing.length > 0);
  const agreed = await agreedDifferences(new Set(doubtful.map(({ list }) => list.id)), journal);
  const doubts = doubtful.map((one) => withAgreed(one, agreed.get(one.list.id)));
  const open = doubts.filter((one) => one.missing.length > 0);
  const others = lists.filter(({ channelKey = '' }) => !seen.has(channelKey));
  return [
    ...[...open.filter(({ isElsewhere }) => isElsewhere), ...open.filter(({ isElsewhere }) => !isElsewhere)].map((one) =>
      doubtNotice(one, titleOf),
    ),
    ...uncomparedNotices(others, { missing, unread }, found.length === 0),
    ...agreedNotice(doubts.filter((one) => one.missing.length === 0)),
    ...agreementNotices(
      found.filter((one) => one.missing.length === 0),
      titleOf,
    ),
  ];
}

interface Difference {
  readonly list: StatedVideos;
  readonly seen: SeenVideos;
  /** Videos that were seen in views, are not in the list and are not added to it, the latest first. */
  readonly missing: readonly string[];
  /** How many that were seen are not in the list, and are added to it. */
  readonly added: number;
  /** Those of the list that were never seen. */
  readonly unseen: readonly string[];
  /** Nothing of the list was ever seen in views of the channel. */
  readonly isElsewhere: boolean;
}

function differenceOf(list: StatedVideos, seen: SeenVideos): Difference {
  const { videoKeys, sent = [] } = list;
  const [stated, after] = [new Set(videoKeys), new Set(sent)];
  const lastSeen = (key: string): string => seen.videos.get(key) ?? '';
  const latestFirst = (a: string, b: string): number => lastSeen(b).localeCompare(lastSeen(a)) || (a < b ? -1 : 1);
  const unstated = [...seen.videos.keys()].filter((key) => !stated.has(key));
  const missing = unstated.filter((key) => !after.has(key)).toSorted(latestFirst);
  const unseen = videoKeys.filter((key) => !seen.videos.has(key));
  return {
    list,
    seen,
    missing,
    added: unstated.length - missing.length,
    unseen,
    isElsewhere: videoKeys.length > 0 && unseen.length === videoKeys.length,
  };
}

/** A difference without what a person agreed to before, and how much that is. */
type Doubt = Difference & { readonly agreed: number; readonly agreedOn: string };

/** A video that was seen again on a later day is a doubt again. */
function withAgreed(one: Difference, agreed: AgreedDifferences | undefined): Doubt {
  const isNew = (key: string): boolean => (agreed?.missing.get(key) ?? '') < (one.seen.videos.get(key) || NOT_DATED);
  const isOtherList = one.isElsewhere && !one.unseen.every((key) => agreed?.elsewhere.has(key));
  const missing = isOtherList ? one.missing : one.missing.filter(isNew);
  const days = one.missing.flatMap((key) => agreed?.missing.get(key) ?? []).toSorted();
  return { ...one, missing, isElsewhere: isOtherList, agreed: one.missing.length - missing.length, agreedOn: days.at(-1) ?? '' };
}

/** Of a video whose views have no time: whatever was agreed to is later. */
const NOT_DATED = '0';

const MAX_MISSING = 3;
const MAX_UNSEEN = 3;

const viewedFacts = ({ views, since }: SeenVideos) => ({ ...definedFields({ views }), since });

function missingFacts({ list: { id, label, sent }, seen, missing }: Doubt, titleOf: TitleOf) {
  const lost = sent === undefined ? 0 : missing.length;
  const shown = missing.slice(0, MAX_MISSING).map((key) => {
    const day = seen.videos.get(key) ?? '';
    return sentence`${listText([key], 1, titleOf)}${day === '' ? '' : sentence`, last seen ${word(day)}`}`;
  });
  const rest = missing.length > MAX_MISSING ? [sentence`${missing.length - MAX_MISSING} more`] : [];
  return { id, label, lost, keys: joined([...shown, ...rest], '; '), missingKeys: [...missing], ...viewedFacts(seen) };
}

function doubtNotice(one: Doubt, titleOf: TitleOf): NoticeOf<'views_of_another' | 'views_missing'> {
  const facts = missingFacts(one, titleOf);
  if (one.isElsewhere) return { kind: 'views_of_another', ...facts, statedKeys: [...one.list.videoKeys] };
  return { kind: 'views_missing', ...facts, agreed: one.agreed, ...unseenFacts(one.unseen, titleOf) };
}

const unseenFacts = (unseen: readonly string[], titleOf: TitleOf) => ({
  unseen: unseen.length,
  unseenKeys: listText(unseen, MAX_UNSEEN, titleOf),
});

const labelsOf = (lists: readonly StatedVideos[]): Sentence[] => lists.map(({ label }) => label);

function uncomparedNotices(
  lists: readonly StatedVideos[],
  { missing, unread }: { readonly missing: ReadonlyMap<string, Sentence>; readonly unread: readonly ChannelKey[] },
  isAll: boolean,
): Notice[] {
  const left = new Set(unread);
  const isLeft = ({ channelKey }: StatedVideos): boolean => channelKey !== undefined && left.has(channelKey);
  const byReason = new Map<Sentence, StatedVideos[]>();
  for (const list of lists.filter((one) => !isLeft(one))) {
    const reason = missing.get(list.channelKey ?? '') ?? sentence`the service shows no key of the channel`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), list]);
  }
  const notRead = labelsOf(lists.filter(isLeft));
  return [
    ...[...byReason].map(
      ([reason, of]) => ({ kind: 'views_not_compared', labels: labelsOf(of), isAll: isAll && of.length === lists.length, reason }) as const,
    ),
    ...(notRead.length === 0 ? [] : [{ kind: 'views_not_read', labels: notRead, since: viewsSince() } as const]),
  ];
}

/** One for all lists that differ as a person agreed before. */
function agreedNotice(lists: readonly Doubt[]): Notice[] {
  if (lists.length === 0) return [];
  const count = lists.reduce((sum, { agreed }) => sum + agreed, 0);
  const [on = ''] = lists.map(({ agreedOn }) => agreedOn).toSorted();
  return [{ kind: 'views_as_agreed', labels: labelsOf(lists.map(({ list }) => list)), missing: count, on }];
}

/** Of those lists that have every video that was seen: one for all that were compared with the stored views. */
function agreementNotices(agreeing: readonly Difference[], titleOf: TitleOf): Notice[] {
  const isStored = ({ seen }: Difference): boolean => seen.views === undefined;
  const groups = [agreeing.filter(isStored), ...agreeing.filter((one) => !isStored(one)).map((one) => [one])];
  return groups.flatMap((group): Notice[] => {
    const [first] = group;
    if (first === undefined) return [];
    const labels = labelsOf(group.map(({ list }) => list));
    const added = group.reduce((sum, one) => sum + one.added, 0) || undefined;
    return [{ kind: 'views_agree', labels, ...viewedFacts(first.seen), ...unseenOf(group, titleOf), ...definedFields({ added }) }];
  });
}

/** Of several lists each video once, with the channels whose lists have it. */
function unseenOf(group: readonly Difference[], titleOf: TitleOf) {
  const channels = new Map<string, Sentence[]>();
  for (const { unseen, list } of group) for (const key of unseen) channels.set(key, [...(channels.get(key) ?? []), list.label]);
  if (group.length === 1) return unseenFacts([...channels.keys()], titleOf);
  const videos = new Map<Sentence, string[]>();
  for (const [key, labels] of channels) {
    const where = listed(labels, MAX_UNSEEN);
    videos.set(where, [...(videos.get(where) ?? []), key]);
  }
  const texts = Array.from(videos, ([where, keys]) => sentence`${listText(keys, MAX_UNSEEN, titleOf)} in ${where}`);
  return { unseen: channels.size, unseenKeys: listedApart(texts) };
}

/** With its parts set apart, since each has commas of its own. */
const listedApart = (texts: readonly Sentence[]): Sentence =>
  joined([...texts.slice(0, MAX_UNSEEN), ...(texts.length > MAX_UNSEEN ? [sentence`and more`] : [])], '; ');
