import * as z from 'zod';
import { planUpdate } from '../../changes/channels/plan-update.ts';
import { changeOutput } from '../change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { fileArgument, keysArgument, referenceArgument, templateArgument } from '../shapes.ts';

const MAX_CHANGES = 100;

export const updateChannels = defineChange({
  name: 'update_channels',
  title: 'Update channels',
  description:
    'Changes 1 to 100 channels with one confirmation: name, description, template, contents. Contents stay as they are unless a list verb says otherwise; where they are not known, any change needs currentVideoKeys; setVideoKeys is the whole list in display order, firstVideoKeys moves some to the front. A file (CSV, JSON, text) may hold the lists of many channels, by a column channel.',
  destructive: true,
  input: {
    changes: z
      .array(
        z.strictObject({
          channel: referenceArgument('Channel'),
          name: z.string().optional(),
          description: z.string().optional(),
          template: templateArgument,
          privateLinkEnabled: z.boolean().optional().describe('Turns private-link access on or off; its state can’t be read or undone'),
          setVideoKeys: keysArgument,
          setVideoKeysFile: fileArgument,
          addVideoKeys: keysArgument,
          removeVideoKeys: keysArgument,
          firstVideoKeys: keysArgument.describe('To the front, in the order given'),
          setProjectKeys: keysArgument.describe('All its projects: ids, keys or exact names'),
          currentVideoKeys: keysArgument.describe(
            'What it holds now, whole and in order, as the user says; needed where contentsKnown is false, even for a rename',
          ),
          currentVideoKeysFile: fileArgument.describe('May hold many channels: name it in each change that needs it'),
          currentProjectKeys: keysArgument.describe('[] if none; if left out, projects may be lost, and undo is partial'),
        }),
      )
      .min(1)
      .max(MAX_CHANGES),
  },
  output: changeOutput,
  plan: ({ changes }, context) => planUpdate(changes, context),
});
