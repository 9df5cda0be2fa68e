import * as z from 'zod';
import type { Http } from '../http.ts';
import { ChannelKeySchema, PlanIdSchema, VideoKeySchema } from '../ids.ts';
import { type ListQuery, type Page, pageSchema } from '../list.ts';
import { eachRecord, readAll, type Whole } from '../paging.ts';
import type { ReadOptions, ReadResult } from '../paging-state.ts';
import { path } from '../path.ts';
import { maybe } from '../response-schema.ts';

/** "Plan" in the API document, which does not tell the meaning of `type`, `storePlanType`, `status` and `interval`. */
export const PlanSchema = z.looseObject({
  id: PlanIdSchema,
  name: maybe(z.string()),
  description: maybe(z.string()),
  type: maybe(z.number()),
  storePlanType: maybe(z.number()),
  frequency: maybe(z.looseObject({ interval: maybe(z.number()), count: maybe(z.number()) })),
  status: maybe(z.number()),
  channelKeys: maybe(z.array(ChannelKeySchema)),
  videoKeys: maybe(z.array(VideoKeySchema)),
  created: maybe(z.string()),
  updated: maybe(z.string()),
});
export type Plan = z.output<typeof PlanSchema>;

/** The largest page of plans is not documented: a service that sends fewer than asked for is followed. */
const PLANS_PER_PAGE = 100;

/** "List plans" in the API document. */
export function createPlans(http: Http) {
  const pages = pageSchema('plans', PlanSchema);

  function list(query: ListQuery = {}, signal?: AbortSignal): Promise<Page<Plan>> {
    return http.send({ method: 'GET', path: path`/v1/plans`, query: { ...query }, retry: 'idempotent', expect: pages, signal });
  }

  const reader = { list, size: PLANS_PER_PAGE };

  return {
    /** One page. */
    list,

    /** Every plan, once; what it returns says whether the reading was complete. */
    each: (options?: ReadOptions<ListQuery>): AsyncGenerator<Plan, ReadResult> => eachRecord(reader, options),

    /** Every plan at once. */
    all: (options?: ReadOptions<ListQuery>): Promise<Whole<Plan>> => readAll(eachRecord(reader, options)),
  };
}
