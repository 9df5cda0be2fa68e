import { VideoHostingError } from '../errors.ts';
import type { Client } from '../service/client.ts';
import type { ChannelKey } from '../service/ids.ts';

/** What the view logs tell of a channel's videos: those that were watched in it. Those that nobody watched are missing. */
export interface SeenKeys {
  readonly videoKeys: readonly string[];
  /** Views that were looked at, and the day since when. */
  readonly views: number;
  readonly since: string;
}

const DAYS = 365;
const PAGE_SIZE = 1_000;
const MAX_PAGES = 5;
const DAY_MS = 86_400_000;

/** Looks through a channel's latest views. Undefined where the logs can't be asked or hold none: it is a hint, and no reason to fail. */
export async function seenVideoKeys(
  client: Pick<Client, 'viewLogs'>,
  channelKey: ChannelKey,
  signal: AbortSignal,
): Promise<SeenKeys | undefined> {
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

function addKey(keys: Set<string>, view: unknown, channelKey: string): void {
  if (typeof view !== 'object' || view === null) return;
  const { videoKey, channelKey: of } = view as { videoKey?: unknown; channelKey?: unknown };
  // A service that ignored the filter would give every channel's videos.
  if (typeof videoKey === 'string' && videoKey !== '' && of === channelKey) keys.add(videoKey);
}
