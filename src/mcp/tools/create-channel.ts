import * as z from 'zod';
import { planNewChannel } from '../../changes/channels/create-channel.ts';
import { changeOutput } from '../change-reply.ts';
import { defineChange } from '../define-tool.ts';

export const createChannel = defineChange({
  name: 'create_channel',
  title: 'Create a channel',
  description: 'A new channel with these videos, in display order. It can’t be deleted through this API.',
  destructive: false,
  input: {
    name: z.string(),
    videoKeys: z.array(z.string().min(1).max(200)).max(20_000),
    description: z.string().optional(),
    templateKey: z.string().max(200).optional().describe('Default template if left out'),
  },
  output: changeOutput,
  plan: (args, context) => planNewChannel(args, context),
});
