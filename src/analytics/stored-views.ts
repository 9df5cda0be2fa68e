import type { StoredViewsLookup } from '../account/viewed-videos.ts';
import { VideoHostingError } from '../errors.ts';
import { isDuckInstalled } from './engine/installed.ts';
import type { Analytics } from './open-analytics.ts';
import { DAY_MS } from './spans.ts';

const TIMEOUT_MS = 5_000;

export interface StoredViewsOptions {
  readonly analytics: () => Promise<Analytics>;
  readonly needsDuck: boolean;
}

/** Finds the videos in the stored views of channels. It starts no reading of views. */
export function createStoredViewsLookup({ analytics, needsDuck }: StoredViewsOptions): StoredViewsLookup {
  return async (channelKeys, signal) => {
    if (needsDuck && !isDuckInstalled()) return 'the analytics engine (DuckDB) is not installed';
    try {
      const { store } = await analytics();
      // Records may be dated a little ahead.
      const span = { fromMs: 0, toMs: Date.now() + DAY_MS };
      const { covered, dataSpan } = await store.coverage(span);
      if (dataSpan === null) return needsDuck ? 'none are stored on this machine yet' : 'none are stored yet';
      const filters = [{ column: 'channel_key', values: channelKeys }] as const;
      const { rows } = await store.ask(
        { span, metrics: ['views'], groupBy: ['channel', 'video'], filters, offsets: [] },
        { signal, timeoutMs: TIMEOUT_MS, covered },
      );
      const videos = new Map<string, string[]>(channelKeys.map((key) => [key, []]));
      for (const [channel, video] of rows) if (typeof video === 'string') videos.get(String(channel))?.push(video);
      return { since: new Date(dataSpan.fromMs).toISOString().slice(0, 'YYYY-MM-DD'.length), videos };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
      return `the stored views could not be used: ${error.message}`;
    }
  };
}
