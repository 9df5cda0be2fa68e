import * as z from 'zod';
import { VideoHostingError } from '../../errors.ts';
import { eachElement, NotAnArray } from '../../platform/json-array.ts';
import { sentence } from '../../text/sentence.ts';
import type { Http } from '../http.ts';
import { ChannelKeySchema, VideoKeySchema } from '../ids.ts';
import { path } from '../path.ts';
import { maybe } from '../response-schema.ts';

/** A key that may be empty: left outside a channel, a record has none. */
const orNone = <S extends z.ZodType>(schema: S) => z.preprocess((value) => (value === '' ? undefined : value), maybe(schema));

/** "Collected email record" in the API document. Personal data of viewers, all of it. */
export const CollectedEmailSchema = z.looseObject({
  fullName: maybe(z.string()),
  email: maybe(z.string()),
  mobileNumber: maybe(z.string()),
  videoKey: orNone(VideoKeySchema),
  channelKey: orNone(ChannelKeySchema),
  created: maybe(z.string()),
});
export type CollectedEmail = z.output<typeof CollectedEmailSchema>;

/** What was read of the collected emails. */
export interface EmailReading {
  readonly read: number;
  /** Records that could not be used. */
  readonly skipped: number;
}

/** The list has no pages: this is what a year of it may weigh. */
const MAX_EMAIL_BYTES = 2 * 1_024 * 1_024 * 1_024;

/** "Get collected emails" in the API document: one bare array that covers the last year. */
export function emailEndpoints(http: Http) {
  return {
    /**
     * Every record as it arrives; the list is never held whole. Retried only until the first piece of it has come:
     * afterwards a failure is thrown, and what was read until then is not all.
     */
    async *collected(signal?: AbortSignal): AsyncGenerator<CollectedEmail, EmailReading> {
      const request = {
        method: 'GET',
        path: path`/v1/videos/collected-emails`,
        retry: 'idempotent',
        credential: 'token',
        maxBytes: MAX_EMAIL_BYTES,
        signal,
      } as const;
      const counts = { read: 0, skipped: 0 };
      try {
        for await (const value of eachElement(http.stream(request), http.scrubJson)) {
          const record = CollectedEmailSchema.safeParse(value);
          counts[record.success ? 'read' : 'skipped'] += 1;
          if (record.success) yield record.data;
        }
      } catch (error) {
        if (!(error instanceof NotAnArray)) throw error;
        const operation = sentence`GET /v1/videos/collected-emails`;
        throw new VideoHostingError('unexpected_body', sentence`${operation}: the body ${error.message}.`, {
          facts: { operation, isChange: false, outcome: 'not-done' },
        });
      }
      return counts;
    },
  };
}
