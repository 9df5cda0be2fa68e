import * as z from 'zod';
import { VideoHostingError } from '../../../src/errors.ts';
import { defineTool } from '../../../src/mcp/define-tool.ts';
import { PlanOut, planOut } from '../../../src/mcp/schemas/shapes.ts';

export const getPlan = defineTool({
  name: 'get_plan',
  title: 'Get a plan',
  description: 'One plan, and how many channels it covers.',
  effect: 'read',
  input: { plan: z.string().max(500).describe('Plan id') },
  output: { plan: PlanOut, channelCount: z.int().optional() },
  cuttable: ['plan.videoKeys', 'plan.channelKeys'],
  run: async ({ plan: wanted }, { client, signal }) => {
    const { items } = await client.plans.all({ signal });
    const plan = items.find(({ id }) => id === wanted);
    if (plan === undefined) throw new VideoHostingError('not_found', 'No plan has this id.', { hint: 'Take one from list_plans.' });
    const channelCount = plan.channelKeys?.length;
    return { plan: planOut(plan), ...(channelCount === undefined ? {} : { channelCount }) };
  },
});
