import * as z from 'zod';
import { listText, quoted, token } from '../answer/table.ts';
import { defineTool } from '../define-tool.ts';
import { PagerOut, PlanOut, pageArgument, pagerOut, planOut, sizeArgument, skippedOut, sortArgument, sortedOut } from '../shapes.ts';

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'List plans',
  description: 'Plans and the channel and video keys that they cover. The meaning of type, storePlanType and status is not documented.',
  effect: 'read',
  input: { planType: z.int().optional().describe('As in type'), sort: sortArgument, page: pageArgument, size: sizeArgument },
  output: { pager: PagerOut, plans: z.array(PlanOut) },
  cuttable: ['plans'],
  run: async (query, { client, signal }) => {
    const found = await client.plans.list(query, signal);
    return { pager: pagerOut(found.pager), plans: found.items.map(planOut), ...sortedOut(query.sort, found.pager), ...skippedOut(found) };
  },
  present: ({ plans, ...rest }) =>
    `${listText('plans', rest, plans, {
      id: ({ id }) => token(id),
      name: ({ name }) => quoted(name),
      type: ({ type }) => type,
      status: ({ status }) => status,
      channels: ({ channelKeys }) => lengthOf(channelKeys),
      videos: ({ videoKeys }) => lengthOf(videoKeys),
    })}\nThe meaning of type and status is not documented.`,
});

const lengthOf = (keys: unknown): number | undefined => (Array.isArray(keys) ? keys.length : undefined);
