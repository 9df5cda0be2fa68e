import * as z from 'zod';
import { changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { newChannelArguments } from '../schemas/channel-schemas.ts';

const MAX_CHANNELS = 50;

export const createChannels = defineChange({
  name: 'create_channels',
  title: 'Create channels',
  description:
    'Creates 1 to 50 channels with one confirmation, each with its videos in display order. They can’t be deleted through this API.',
  destructive: false,
  input: {
    channels: z.array(z.strictObject(newChannelArguments)).min(1).max(MAX_CHANNELS),
  },
  output: changeOutput,
});
