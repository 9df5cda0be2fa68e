import { type StoredViewsLookup, viewsSince } from '../account/viewed-videos.ts';
import { VideoHostingError } from '../errors.ts';
import { withTimeLimit } from '../platform/limited-signal.ts';
import { DAY_MS } from '../platform/time-units.ts';
import type { ServiceClient } from '../service/client.ts';
import { sentence } from '../text/sentence.ts';
import { isDuckInstalled } from './engine/installed.ts';
import type { Analytics } from './open-analytics.ts';
import { isWithin } from './spans.ts';

const TIMEOUT_MS = 5_000;

/** A log of more views is read only where somebody asks about them. */
const MAX_READ = 100_000;

interface StoredViewsOptions {
  readonly analytics: () => Promise<Analytics>;
  readonly viewLogs: Pick<ServiceClient['viewLogs'], 'page'>;
  /** Whether the views are in DuckDB's files. */
  readonly needsDuck: boolean;
  /** How long a call may read for it, in milliseconds. */
  readonly readMs: number;
}

/** Finds the videos in the stored views of channels. */
export function createStoredViewsLookup({ analytics, viewLogs, needsDuck, readMs }: StoredViewsOptions): StoredViewsLookup {
  async function find(channelKeys: readonly string[], signal: AbortSignal) {
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
  }

  /** What was read completely is stored, also where the time is over. */
  async function readAll(since: string, signal: AbortSignal): Promise<void> {
    try {
      await withTimeLimit(readMs, signal, async (limited) => {
        const { pager } = await viewLogs.page({ from: since, size: 1 }, limited);
        if (pager.total === undefined || pager.total > MAX_READ) return;
        const { sync } = await analytics();
        const span = { fromMs: Date.parse(since), toMs: Date.now() };
        await sync.ensure(span, { signal: limited, until: Date.now() + readMs, progress: () => undefined });
      });
    } catch (error) {
      if (!(error instanceof VideoHostingError) || signal.aborted) throw error;
    }
  }

  return { find, readAll };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
