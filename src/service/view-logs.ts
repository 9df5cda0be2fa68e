import * as z from 'zod';
import type { Http } from './http.ts';
import type { ChannelKey, ProjectKey, VideoKey } from './ids.ts';
import { parseWithList, type RecordReader } from './json-pieces.ts';
import { path } from './path.ts';
import type { ApiRequest } from './request.ts';
import { maybe } from './response-schema.ts';

/** The pager of the analytics API, which differs from that of the main API. */
const ViewPagerSchema = z.looseObject({
  page: maybe(z.number()),
  size: maybe(z.number()),
  hits: maybe(z.number()),
  total: maybe(z.number()),
  pages: maybe(z.number()),
});

/** A page of view records, each as it came: whoever keeps them checks them one by one. */
export const ViewPageSchema = z.looseObject({ pager: ViewPagerSchema, views: z.array(z.unknown()) });
export type ViewPage = z.output<typeof ViewPageSchema>;

/** A page with what was made of each of its records. */
export interface ReadPage<T> extends Pick<ViewPage, 'pager'> {
  readonly views: readonly T[];
}

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
export function createViewLogs(http: Http) {
  return {
    /** One page of the log. */
    page: (query: ViewQuery, signal?: AbortSignal): Promise<ViewPage> => http.send(requestOf(query, signal)),
    /**
     * The same, for who reads a million views: what a reader makes of each record. A record is as it came, and the reader
     * takes credentials out of those of its texts that it keeps.
     */
    async readPage<T>(query: ViewQuery, reader: RecordReader<T>, signal?: AbortSignal): Promise<ReadPage<T>> {
      const parse: ApiRequest<ViewPage>['parse'] = (bytes, scrubbed) => parsePage(bytes, reader, scrubbed);
      const { pager, views } = await http.send({ ...requestOf(query, signal), parse });
      // What the reader gave.
      return { pager, views: views as T[] };
    },
    /** A text of a record without the credential, should the service have put it there. */
    scrubbed: (text: string): string => http.scrubbed(text) as string,
  };
}

function requestOf({ from, to, page, size, videoKey, channelKey, projectKey }: ViewQuery, signal: AbortSignal | undefined) {
  return {
    method: 'POST',
    api: 'stats',
    effect: 'read',
    path: path`/v1/logs/data`,
    body: { from, to, page, size, videoKey, channelKey, projectKey },
    retry: 'idempotent',
    expect: ViewPageSchema,
    maxBytes: MAX_VIEW_BYTES,
    signal,
  } as const;
}

function parsePage(bytes: Buffer, reader: RecordReader<unknown>, scrubbed: Http['scrubbed']): unknown {
  const page = parseWithList(bytes, 'views', reader);
  if (typeof page !== 'object' || page === null || !('views' in page) || !Array.isArray(page.views)) return scrubbed(page);
  const { views, ...rest } = page;
  return { ...(scrubbed(rest) as object), views };
}

/** A page may be asked for with any size. */
const MAX_VIEW_BYTES = 256 * 1_024 * 1_024;
