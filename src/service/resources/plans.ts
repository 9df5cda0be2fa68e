import * as z from 'zod';
import type { Http } from '../http.ts';
import { ChannelKeySchema, PlanIdSchema, VideoKeySchema } from '../ids.ts';
import type { ListQuery } from '../list.ts';
import { createListMethods } from '../paging.ts';
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
export function planEndpoints(http: Http) {
  return createListMethods<Plan, ListQuery>(http, { path: path`/v1/plans`, name: 'plans', schema: PlanSchema, size: PLANS_PER_PAGE });
}
