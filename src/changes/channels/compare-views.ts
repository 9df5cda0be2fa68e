import type { TitleOf } from '../../account/video-references.ts';
import type { StoredViewsLookup } from '../../account/viewed-videos.ts';
import { listed } from '../listed.ts';

/** A list of videos that a person stated. */
export interface StatedVideos {
  /** The channel's name in the plan. */
  readonly label: string;
  /** The channel's key, by which views name it. */
  readonly channelKey: string | undefined;
  readonly videoKeys: readonly string[];
}

/** Sentences on how stated lists differ from the stored views of their channels, or why there was nothing to compare them with. */
export async function compareWithViews(
  lists: readonly StatedVideos[],
  storedViews: StoredViewsLookup,
  titleOf: TitleOf,
  signal: AbortSignal,
): Promise<string[]> {
  const keys = lists.flatMap(({ channelKey }) => channelKey ?? []);
  if (lists.length === 0) return [];
  const found = keys.length === 0 ? 'the service shows no key of the channel' : await storedViews(keys, signal);
  if (typeof found === 'string')
    return [`${lists.length === 1 ? 'Your list was' : 'Your lists were'} not checked against views: ${found}.`];
  const { since, videos } = found;
  const compared = lists.map(({ label, channelKey = '', videoKeys }): Compared => {
    const viewed = videos.get(channelKey) ?? [];
    const [stated, seen] = [new Set(videoKeys), new Set(viewed)];
    const unseen = videoKeys.filter((key) => !seen.has(key)).length;
    return { label, isViewed: viewed.length > 0, missing: viewed.filter((key) => !stated.has(key)), unseen };
  });
  const viewed = compared.filter(({ isViewed }) => isViewed);
  const unviewed = compared.filter(({ isViewed }) => !isViewed);
  return [
    ...viewed.flatMap((one) => missingNote(one, since, titleOf)),
    ...agreementNote(
      viewed.filter(({ missing }) => missing.length === 0),
      since,
    ),
    ...(unviewed.length === 0 ? [] : [`No views of ${namesOf(unviewed)} are stored (since ${since}): nothing to compare with.`]),
  ];
}

interface Compared {
  readonly label: string;
  readonly isViewed: boolean;
  /** Videos that were seen in views and are not in the list. */
  readonly missing: readonly string[];
  /** How many of the list were never seen. */
  readonly unseen: number;
}

function missingNote({ label, missing, unseen }: Compared, since: string, titleOf: TitleOf): string[] {
  if (missing.length === 0) return [];
  const [what, verb] = missing.length === 1 ? ['video', 'is'] : ['videos', 'are'];
  const keys = listed(missing, 5, titleOf);
  return [
    `${label}: ${missing.length} ${what} seen in views of this channel since ${since} ${verb} not in your list (${keys})${neverSeen(unseen)}.`,
  ];
}

const neverSeen = (count: number): string => (count === 0 ? '' : `; ${count} of yours ${count === 1 ? 'was' : 'were'} never seen`);

/** One sentence for all lists that have every video that was seen. */
function agreementNote(agreeing: readonly Compared[], since: string): string[] {
  if (agreeing.length === 0) return [];
  const unseen = agreeing.reduce((sum, one) => sum + one.unseen, 0);
  return [`Every video seen in views of ${namesOf(agreeing)} since ${since} is in your list${neverSeen(unseen)}.`];
}

const MAX_LABELS = 5;

function namesOf(lists: readonly { readonly label: string }[]): string {
  const names = lists.slice(0, MAX_LABELS).map(({ label }) => label);
  return `${names.join(', ')}${lists.length > MAX_LABELS ? ` and ${lists.length - MAX_LABELS} more` : ''}`;
}
