import type { TitleOf } from '../../account/video-references.ts';
import type { SeenVideos, SeenVideosLookup } from '../../account/viewed-videos.ts';
import type { ChannelKey } from '../../service/ids.ts';
import { listed } from '../listed.ts';

/** A list of videos that a person stated. */
export interface StatedVideos {
  /** The channel's name in the plan. */
  readonly label: string;
  /** The channel's key, by which views name it. */
  readonly channelKey: ChannelKey | undefined;
  readonly videoKeys: readonly string[];
}

/** Sentences on how stated lists differ from what was seen in views of their channels, or why there was nothing to compare them with. */
export async function compareWithViews(
  lists: readonly StatedVideos[],
  seenVideos: SeenVideosLookup,
  titleOf: TitleOf,
  signal: AbortSignal,
): Promise<string[]> {
  if (lists.length === 0) return [];
  const keys = lists.flatMap(({ channelKey }) => channelKey ?? []);
  const { seen, missing } =
    keys.length === 0
      ? { seen: new Map<string, SeenVideos>(), missing: 'the service shows no key of the channel' }
      : await seenVideos(keys, signal);
  const compared = lists.flatMap(({ label, channelKey = '', videoKeys }): Compared[] => {
    const found = seen.get(channelKey);
    if (found === undefined) return [];
    const [stated, viewed] = [new Set(videoKeys), new Set(found.videoKeys)];
    const unseen = videoKeys.filter((key) => !viewed.has(key));
    return [{ label, found, missing: found.videoKeys.filter((key) => !stated.has(key)), unseen }];
  });
  const without = lists.filter(({ channelKey = '' }) => !seen.has(channelKey));
  return [
    ...compared.flatMap((one) => missingNote(one, titleOf)),
    ...agreementNotes(
      compared.filter((one) => one.missing.length === 0),
      titleOf,
    ),
    ...(without.length === 0 ? [] : [uncheckedNote(without, compared.length === 0, missing)]),
  ];
}

interface Compared {
  readonly label: string;
  readonly found: SeenVideos;
  /** Videos that were seen in views and are not in the list. */
  readonly missing: readonly string[];
  /** Those of the list that were never seen. */
  readonly unseen: readonly string[];
}

function uncheckedNote(lists: readonly StatedVideos[], isAll: boolean, reason: string): string {
  const what = isAll ? (lists.length === 1 ? 'Your list was' : 'Your lists were') : `What you say of ${namesOf(lists)} was`;
  return `${what} not checked against views: ${reason}.`;
}

/** Such as “63 views of Academy since 2025-11-22”; stored ones are not counted. */
export const viewsOf = ({ views, since }: SeenVideos, of: string): string =>
  `${views === undefined ? 'views' : countOfViews(views)} of ${of} since ${since}`;

const countOfViews = (count: number): string => `${count} ${count === 1 ? 'view' : 'views'}`;

function missingNote({ label, found, missing, unseen }: Compared, titleOf: TitleOf): string[] {
  if (missing.length === 0) return [];
  const [what, verb] = missing.length === 1 ? ['video', 'is'] : ['videos', 'are'];
  const keys = listed(missing, 5, titleOf);
  return [
    `${label}: ${missing.length} ${what} seen in ${viewsOf(found, 'this channel')} ${verb} not in your list (${keys})${neverSeen(unseen, titleOf)}.`,
  ];
}

function neverSeen(keys: readonly string[], titleOf: TitleOf): string {
  if (keys.length === 0) return '';
  return `; ${keys.length} of yours ${keys.length === 1 ? 'was' : 'were'} never seen (${listed(keys, 3, titleOf)})`;
}

/** Sentences for those lists that have every video that was seen: one for all that were compared with the stored views. */
function agreementNotes(agreeing: readonly Compared[], titleOf: TitleOf): string[] {
  const isStored = ({ found }: Compared): boolean => found.views === undefined;
  const groups = [agreeing.filter(isStored), ...agreeing.filter((one) => !isStored(one)).map((one) => [one])];
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const unseen = group.flatMap((one) => one.unseen);
    return [`Every video seen in ${viewsOf(first.found, namesOf(group))} is in your list${neverSeen(unseen, titleOf)}.`];
  });
}

const MAX_LABELS = 5;

function namesOf(lists: readonly { readonly label: string }[]): string {
  const names = lists.slice(0, MAX_LABELS).map(({ label }) => label);
  return `${names.join(', ')}${lists.length > MAX_LABELS ? ` and ${lists.length - MAX_LABELS} more` : ''}`;
}
