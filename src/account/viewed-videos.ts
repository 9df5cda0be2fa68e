import { VideoHostingError } from '../errors.ts';
import { fieldsIn } from '../platform/is-object.ts';
import type { Client } from '../service/client.ts';
import type { ChannelKey } from '../service/ids.ts';

/** The videos in the stored views of channels. Nothing is read from the service for it. */
export interface StoredViews {
  /** The day of the first stored view. */
  readonly since: string;
  /** The keys of the videos, by channel key. */
  readonly videos: ReadonlyMap<string, readonly string[]>;
}

/** Finds them; a text where there is nothing to find them in, which says why. */
export type StoredViewsLookup = (channelKeys: readonly string[], signal: AbortSignal) => Promise<StoredViews | string>;

/** The videos that were seen in views of one channel. */
export interface SeenVideos {
  /** How many views were read for it; undefined where the stored ones were asked. */
  readonly views?: number;
  readonly since: string;
  readonly videoKeys: readonly string[];
}

/**
 * Finds the videos seen in views of channels, by channel key: in the stored views, else in the latest ones, which are read for a
 * few channels. `missing` says why a channel is not in it.
 */
export type SeenVideosLookup = (
  channelKeys: readonly ChannelKey[],
  signal: AbortSignal,
) => Promise<{ readonly seen: ReadonlyMap<string, SeenVideos>; readonly missing: string }>;

/** How many channels have their latest views read for one call. */
export const MAX_VIEW_SEARCHES = 3;

interface SeenVideosOptions {
  readonly storedViews: StoredViewsLookup;
  readonly client: Pick<Client, 'viewLogs'>;
  /** Whether the analytics API is set. */
  readonly hasViewLogs: boolean;
}

export function createSeenVideosLookup({ storedViews, client, hasViewLogs }: SeenVideosOptions): SeenVideosLookup {
  return async (channelKeys, signal) => {
    if (!hasViewLogs) return { seen: new Map(), missing: 'the analytics API is not set (VIDEO_HOSTING_STATS_URL)' };
    const stored = await storedViews(channelKeys, signal);
    const hasStored = typeof stored !== 'string';
    const seen = new Map<string, SeenVideos>();
    if (hasStored)
      for (const [key, videoKeys] of stored.videos) if (videoKeys.length > 0) seen.set(key, { since: stored.since, videoKeys });
    const unseen = channelKeys.filter((key) => !seen.has(key));
    const isRead = unseen.length <= MAX_VIEW_SEARCHES;
    for (const key of isRead ? unseen : []) {
      const latest = await latestVideos(client, key, signal);
      if (latest !== undefined) seen.set(key, latest);
    }
    return { seen, missing: isRead ? 'none were found' : hasStored ? `none are stored since ${stored.since}` : stored };
  };
}

const DAYS = 365;
const PAGE_SIZE = 1_000;
const MAX_PAGES = 5;
const DAY_MS = 86_400_000;

/**
 * The videos in a channel's latest views, and how many views since which day were read; videos that nobody watched are
 * missing. Undefined if there are none or the logs can't be read: this is only a hint.
 */
async function latestVideos(
  client: Pick<Client, 'viewLogs'>,
  channelKey: ChannelKey,
  signal: AbortSignal,
): Promise<SeenVideos | undefined> {
  const since = new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, 10);
  const keys = new Set<string>();
  let views = 0;
  try {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const answer = await client.viewLogs.page({ from: since, channelKey, page, size: PAGE_SIZE }, signal);
      for (const view of answer.views) addKey(keys, view, channelKey);
      views += answer.views.length;
      if (answer.views.length === 0 || page >= (answer.pager.pages ?? 1)) break;
    }
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
  }
  return keys.size === 0 ? undefined : { videoKeys: [...keys], views, since };
}

function addKey(keys: Set<string>, view: unknown, wanted: string): void {
  const { videoKey, channelKey } = fieldsIn(view);
  // A service that ignores the filter would give the videos of every channel.
  if (typeof videoKey === 'string' && videoKey !== '' && channelKey === wanted) keys.add(videoKey);
}
