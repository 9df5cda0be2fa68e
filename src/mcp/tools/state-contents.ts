import * as z from 'zod';
import { changeOutput } from '../call/change-reply.ts';
import { defineStatement } from '../define-tool.ts';
import { contentsArguments } from '../schemas/channel-schemas.ts';
import { fileArgument, referenceArgument } from '../schemas/shapes.ts';

export const stateContents = defineStatement({
  name: 'state_contents',
  title: 'State what channels hold',
  description:
    'Records what channels hold now, by the user’s word, for later changes to start from and to undo to. Nothing in the account changes. The lists must come from the user, not from views or memory.',
  input: {
    channels: z
      .array(z.strictObject({ channel: referenceArgument('Channel'), ...contentsArguments }))
      .max(200)
      .optional()
      .describe('Whole lists, in display order'),
    file: fileArgument.describe('The videos: CSV, JSON, JSON Lines or text, with a column channel for more than one channel'),
  },
  output: changeOutput,
});
