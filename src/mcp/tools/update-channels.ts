import * as z from 'zod';
import { planUpdate } from '../../changes/channels/plan-update.ts';
import { changeOutput } from '../change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { referenceArgument } from '../shapes.ts';

const MAX_CHANGES = 100;
const keys = z.array(z.string().min(1).max(200)).max(20_000).optional();

export const updateChannels = defineChange({
  name: 'update_channels',
  title: 'Update channels',
  description:
    'Changes 1 to 100 channels with one confirmation: name, description, template, contents. Contents stay as they are unless a list verb says otherwise; setVideoKeys is the whole list in display order, firstVideoKeys moves some to the front.',
  destructive: true,
  input: {
    changes: z
      .array(
        z.strictObject({
          channel: referenceArgument('Channel'),
          name: z.string().optional(),
          description: z.string().optional(),
          templateKey: z.string().max(200).optional(),
          privateLinkEnabled: z.boolean().optional(),
          setVideoKeys: keys,
          addVideoKeys: keys,
          removeVideoKeys: keys,
          firstVideoKeys: keys,
          setProjectKeys: keys.describe('All its projects: ids, keys or exact names'),
        }),
      )
      .min(1)
      .max(MAX_CHANGES),
  },
  output: changeOutput,
  plan: ({ changes }, context) => planUpdate(changes, { ...context, statsUrl: context.settings.statsUrl }),
});
