import { type StoredViewsLookup, viewsSince } from '../account/viewed-videos.ts';
import { VideoHostingError } from '../errors.ts';
import { DAY_MS } from '../platform/time-units.ts';
import { sentence } from '../text/sentence.ts';
import { isDuckInstalled } from './engine/installed.ts';
import type { Analytics } from './open-analytics.ts';
import { isWithin } from './spans.ts';

const TIMEOUT_MS = 5_000;

/** Finds the videos in the stored views of channels. It starts no reading of views. */
export function createStoredViewsLookup(analytics: () => Promise<Analytics>, needsDuck: boolean): StoredViewsLookup {
  return async (channelKeys, signal) => {
    if (needsDuck && !isDuckInstalled()) return sentence`the analytics engine (DuckDB) is not installed`;
    try {
      const { store } = await analytics();
      // Records may be dated a little ahead.
      const span = { fromMs: 0, toMs: Date.now() + DAY_MS };
      const { covered, dataSpan } = await store.coverage(span);
      const wanted = { fromMs: Date.parse(viewsSince()), toMs: Date.now() - DAY_MS };
      const isWhole = covered.some((one) => isWithin(wanted, one));
      if (dataSpan === null) return { since: '', isWhole, videos: new Map() };
      const filters = [{ column: 'channel_key', values: channelKeys }] as const;
      const { rows } = await store.ask(
        { span, metrics: ['last_view'], groupBy: ['channel', 'video'], filters, offsets: [] },
        { signal, timeoutMs: TIMEOUT_MS, covered },
      );
      const videos = new Map<string, Map<string, string>>(channelKeys.map((key) => [key, new Map()]));
      for (const [channel, video, ...sums] of rows)
        if (typeof video === 'string') videos.get(String(channel))?.set(video, dayOf(Number(sums.at(-1))));
      return { since: dayOf(dataSpan.fromMs), isWhole, videos };
    } catch (error) {
      if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
      return sentence`the stored views could not be used (${error.code})`;
    }
  };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
