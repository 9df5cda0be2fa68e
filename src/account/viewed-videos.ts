import { VideoHostingError } from '../errors.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { DAY_MS } from '../platform/time-units.ts';
import type { ServiceClient } from '../service/client.ts';
import type { ChannelKey } from '../service/ids.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

/** Videos by key, each with the day on which it was last seen (`2026-11-03`, UTC); an empty text where no view tells. */
export type LastSeen = ReadonlyMap<string, string>;

/** The videos in the stored views of channels. Nothing is read from the service for it. */
export interface StoredViews {
  /** The day of the first stored view; empty where there is none. */
  readonly since: string;
  /** Nothing is missing since `viewsSince`. */
  readonly isWhole: boolean;
  /** By channel key. */
  readonly videos: ReadonlyMap<string, LastSeen>;
}

export interface StoredViewsLookup {
  /** Finds them; a text where views can't be stored or asked, which says why. */
  find(channelKeys: readonly string[], signal: AbortSignal): Promise<StoredViews | Sentence>;
  /** Reads and stores the account's views since a day, where they are not too many for the time of a call. */
  readAll(since: string, signal: AbortSignal): Promise<void>;
}

/** The videos that were seen in views of one channel. */
export interface SeenVideos {
  /** How many views were read for it; undefined where the stored ones were asked. */
  readonly views?: number;
  readonly since: string;
  readonly videos: LastSeen;
}

/** What is known of the views of some channels, by channel key: each is in one of the three. */
export interface SeenInViews {
  readonly seen: ReadonlyMap<string, SeenVideos>;
  /** Those that nothing was found of, and why. */
  readonly missing: ReadonlyMap<string, Sentence>;
  /** Those whose views were not read, because there are too many such channels, and would be found once they are stored. */
  readonly unread: readonly ChannelKey[];
}

/** Finds the videos seen in views of channels: in the stored views, else in the latest ones, which are read for a few channels, and for more of them at once. */
export type SeenVideosLookup = (channelKeys: readonly ChannelKey[], signal: AbortSignal) => Promise<SeenInViews>;

/** How many channels have their latest views read, each by itself, for one call. */
export const MAX_VIEW_SEARCHES = 3;

/** The day from which on views are looked through. */
export const viewsSince = (): string => new Date(Date.now() - DAYS * DAY_MS).toISOString().slice(0, DAY_LENGTH);

interface SeenVideosOptions {
  readonly storedViews: StoredViewsLookup;
  readonly client: Pick<ServiceClient, 'viewLogs'>;
  /** Whether the analytics API is set. */
  readonly hasViewLogs: boolean;
}

export function createSeenVideosLookup({ storedViews, client, hasViewLogs }: SeenVideosOptions): SeenVideosLookup {
  return async (channelKeys, signal) => {
    const seen = new Map<string, SeenVideos>();
    const missing = new Map<string, Sentence>();
    if (!hasViewLogs) {
      for (const key of channelKeys) missing.set(key, sentence`this server has no analytics API`);
      return { seen, missing, unread: [] };
    }
    const find = async () => {
      const stored = await storedViews.find(channelKeys, signal);
      if (typeof stored !== 'string')
        for (const [key, videos] of stored.videos) if (videos.size > 0) seen.set(key, { since: stored.since, videos });
      return { stored, open: channelKeys.filter((key) => !seen.has(key)) };
    };
    let { stored, open } = await find();
    // One reading of the whole log serves all of them.
    if (typeof stored !== 'string' && !stored.isWhole && open.length > MAX_VIEW_SEARCHES) {
      await storedViews.readAll(viewsSince(), signal);
      ({ stored, open } = await find());
    }
    const isRead = typeof stored === 'string' || !stored.isWhole;
    const unread = isRead ? open.slice(MAX_VIEW_SEARCHES) : [];
    for (const key of open.slice(0, open.length - unread.length)) {
      const latest = isRead ? await latestVideos(client, key, signal) : undefined;
      if (latest === undefined) missing.set(key, sentence`none were found`);
      else seen.set(key, latest);
    }
    if (typeof stored !== 'string') return { seen, missing, unread };
    for (const key of unread) missing.set(key, stored);
    return { seen, missing, unread: [] };
  };
}

const DAYS = 365;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const PAGE_SIZE = 1_000;
const MAX_PAGES = 5;

/**
 * The videos in a channel's latest views, and how many views since which day were read; videos that nobody watched are
 * missing. Undefined if there are none or the logs can't be read: this is only a hint.
 */
async function latestVideos(
  client: Pick<ServiceClient, 'viewLogs'>,
  channelKey: ChannelKey,
  signal: AbortSignal,
): Promise<SeenVideos | undefined> {
  const since = viewsSince();
  const videos = new Map<string, string>();
  let views = 0;
  try {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const answer = await client.viewLogs.page({ from: since, channelKey, page, size: PAGE_SIZE }, signal);
      for (const view of answer.views) addVideo(videos, view, channelKey);
      views += answer.views.length;
      if (answer.views.length === 0 || page >= (answer.pager.pages ?? 1)) break;
    }
  } catch (error) {
    if (!(error instanceof VideoHostingError)) throw error;
  }
  return videos.size === 0 ? undefined : { videos, views, since };
}

function addVideo(videos: Map<string, string>, view: unknown, wanted: string): void {
  const { videoKey, channelKey, date } = fieldsIn(view);
  // A service that ignores the filter would give the videos of every channel.
  if (typeof videoKey !== 'string' || videoKey === '' || channelKey !== wanted) return;
  const atMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  const day = Number.isNaN(atMs) ? '' : new Date(atMs).toISOString().slice(0, DAY_LENGTH);
  const known = videos.get(videoKey);
  if (known === undefined || known < day) videos.set(videoKey, day);
}
