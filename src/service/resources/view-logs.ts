import * as z from 'zod';
import type { Http } from '../http.ts';
import type { ChannelKey, ProjectKey, VideoKey } from '../ids.ts';
import { path } from '../path.ts';
import { maybe } from '../response-schema.ts';

/** The pager of the analytics API, which differs from that of the main API. */
const ViewPagerSchema = z.looseObject({
  page: maybe(z.number()),
  size: maybe(z.number()),
  hits: maybe(z.number()),
  total: maybe(z.number()),
  pages: maybe(z.number()),
});

/** A page of view records, each as it came, with personal data of the viewer. The caller checks them one by one. */
export const ViewPageSchema = z.looseObject({ pager: ViewPagerSchema, views: z.array(z.unknown()) });
export type ViewPage = z.output<typeof ViewPageSchema>;

/** What view logs can be asked for. In which time zone `from` and `to` are, and whether `to` is included, is not documented. */
export interface ViewQuery {
  /** `YYYY-MM-DDThh:mm:ss` or `YYYY-MM-DD`. */
  readonly from: string;
  readonly to?: string | undefined;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly videoKey?: VideoKey | undefined;
  readonly channelKey?: ChannelKey | undefined;
  readonly projectKey?: ProjectKey | undefined;
}

/** "Get video analytics" in the API document: a read, though it is a POST. */
export function viewLogEndpoints(http: Http) {
  return {
    page: ({ from, to, page, size, videoKey, channelKey, projectKey }: ViewQuery, signal?: AbortSignal): Promise<ViewPage> =>
      http.send({
        method: 'POST',
        api: 'stats',
        effect: 'read',
        path: path`/v1/logs/data`,
        body: { from, to, page, size, videoKey, channelKey, projectKey },
        retry: 'idempotent',
        expect: ViewPageSchema,
        maxBytes: MAX_VIEW_BYTES,
        signal,
      }),
    clockAheadMs: http.clock.stats.aheadMs,
  };
}

/** A page may be asked for with any size. */
const MAX_VIEW_BYTES = 256 * 1_024 * 1_024;
