import * as z from 'zod';
import { sentence } from '../../text/sentence.ts';
import { sentenceOut } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';
import { listNotes, PagerOut, PlanOut, pageArgument, pageOut, planOut, sizeArgument, sortArgument } from '../schemas/shapes.ts';

const NOT_DOCUMENTED = sentence`The meaning of type, storePlanType and status is not documented.`;

export const listPlans = defineTool({
  name: 'list_plans',
  title: 'List plans',
  description: 'Plans and the channel and video keys that they cover.',
  effect: 'read',
  input: { planType: z.int().optional().describe('As in type'), sort: sortArgument, page: pageArgument, size: sizeArgument },
  output: { pager: PagerOut, plans: z.array(PlanOut), note: sentenceOut(), ...listNotes },
  cuttable: ['plans'],
  run: async (query, { client, signal }) => {
    const { pager, items, ...notes } = pageOut(await client.plans.list(query, signal), query.sort);
    return { pager, plans: items.map(planOut), note: NOT_DOCUMENTED, ...notes };
  },
});
