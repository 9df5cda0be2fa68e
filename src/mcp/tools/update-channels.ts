import * as z from 'zod';
import { changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { channelArguments } from '../schemas/channel-schemas.ts';
import { fileArgument, keysArgument, referenceArgument } from '../schemas/shapes.ts';

const MAX_CHANGES = 100;

export const updateChannels = defineChange({
  name: 'update_channels',
  title: 'Update channels',
  description:
    'Changes 1 to 100 channels with one confirmation: name, description, template, contents. Contents stay unless a verb says otherwise: set (the whole list in display order; [] empties), remove, add, first, last, in this order. A file (CSV, JSON, text) may hold the lists of many channels, by a column channel (id, key or name).',
  destructive: true,
  input: {
    changes: z
      .array(
        z.strictObject({
          channel: referenceArgument('Channel'),
          ...channelArguments,
        }),
      )
      .min(1)
      .max(MAX_CHANGES),
    currentVideoKeysFile: fileArgument.describe('For all changes that state none of their own'),
    currentProjectKeys: keysArgument.describe('Likewise'),
  },
  output: changeOutput,
});
