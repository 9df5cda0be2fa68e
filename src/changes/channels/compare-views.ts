import type { TitleOf } from '../../account/video-references.ts';
import type { SeenVideos, SeenVideosLookup } from '../../account/viewed-videos.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import type { ChannelKey } from '../../service/ids.ts';
import { listed } from '../listed.ts';
import type { Notice } from '../notices/notices.ts';

/** A list of videos that a person stated. */
export interface StatedVideos {
  /** The channel's name in the plan. */
  readonly label: string;
  /** The channel's key, by which views name it. */
  readonly channelKey: ChannelKey | undefined;
  readonly videoKeys: readonly string[];
}

/** How stated lists differ from what was seen in views of their channels, or why there was nothing to compare them with. */
export async function compareWithViews(
  lists: readonly StatedVideos[],
  seenVideos: SeenVideosLookup,
  titleOf: TitleOf,
  signal: AbortSignal,
): Promise<Notice[]> {
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
    ...compared.flatMap((one) => missingNotice(one, titleOf)),
    ...agreementNotices(
      compared.filter((one) => one.missing.length === 0),
      titleOf,
    ),
    ...(without.length === 0
      ? []
      : [
          { kind: 'views_not_compared', labels: without.map(({ label }) => label), isAll: compared.length === 0, reason: missing } as const,
        ]),
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

const viewedFacts = ({ views, since }: SeenVideos, unseen: readonly string[], titleOf: TitleOf) => ({
  ...definedFields({ views }),
  since,
  unseen: unseen.length,
  unseenKeys: listed(unseen, 3, titleOf),
});

function missingNotice({ label, found, missing, unseen }: Compared, titleOf: TitleOf): Notice[] {
  if (missing.length === 0) return [];
  const keys = listed(missing, 5, titleOf);
  return [{ kind: 'views_missing', label, missing: missing.length, keys, ...viewedFacts(found, unseen, titleOf) }];
}

/** Of those lists that have every video that was seen: one for all that were compared with the stored views. */
function agreementNotices(agreeing: readonly Compared[], titleOf: TitleOf): Notice[] {
  const isStored = ({ found }: Compared): boolean => found.views === undefined;
  const groups = [agreeing.filter(isStored), ...agreeing.filter((one) => !isStored(one)).map((one) => [one])];
  return groups.flatMap((group): Notice[] => {
    const [first] = group;
    if (first === undefined) return [];
    const unseen = group.flatMap((one) => one.unseen);
    return [{ kind: 'views_agree', labels: group.map(({ label }) => label), ...viewedFacts(first.found, unseen, titleOf) }];
  });
}
