import * as z from 'zod';
import { changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import {
  channelNameArgument,
  descriptionArgument,
  fileArgument,
  keysArgument,
  referenceArgument,
  templateArgument,
} from '../schemas/shapes.ts';

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
          name: channelNameArgument.optional(),
          description: descriptionArgument(),
          template: templateArgument,
          privateLinkEnabled: z.boolean().optional().describe('Turns private-link access on or off; its state can’t be read or undone'),
          setVideoKeys: keysArgument,
          setVideoKeysFile: fileArgument,
          addVideoKeys: keysArgument.describe('To the end; those already there stay where they are'),
          removeVideoKeys: keysArgument,
          firstVideoKeys: keysArgument.describe('Moved to the front, in the order given; not added'),
          lastVideoKeys: keysArgument.describe('Likewise to the end'),
          setProjectKeys: keysArgument.describe('All its projects: ids, keys or exact names'),
          currentVideoKeys: keysArgument.describe(
            'What it holds now, whole and in order, as the user says; needed where contentsKnown is false, even for a rename, but not for setVideoKeys',
          ),
          currentVideoKeysFile: fileArgument,
          currentProjectKeys: keysArgument.describe('[] if none; if left out, projects may be lost, and undo is partial'),
        }),
      )
      .min(1)
      .max(MAX_CHANGES),
    currentVideoKeysFile: fileArgument.describe('For all changes that state none of their own'),
    currentProjectKeys: keysArgument.describe('Likewise'),
  },
  output: changeOutput,
});
