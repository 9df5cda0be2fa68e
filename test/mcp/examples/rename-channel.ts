import * as z from 'zod';
import { planUpdate } from '../../../src/changes/channels/plan-update.ts';
import { changeOutput } from '../../../src/mcp/change-reply.ts';
import { defineChange } from '../../../src/mcp/define-tool.ts';
import { referenceArgument } from '../../../src/mcp/shapes.ts';

export const renameChannel = defineChange({
  name: 'rename_channel',
  title: 'Rename a channel',
  description: 'Gives a channel another name.',
  destructive: true,
  input: { channel: referenceArgument('Channel'), name: z.string() },
  output: changeOutput,
  plan: (change, context) => planUpdate({ changes: [change] }, context),
});
