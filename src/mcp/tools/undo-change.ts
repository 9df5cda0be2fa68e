import * as z from 'zod';
import { newestToUndo } from '../../changes/kinds/earlier/newest.ts';
import { UNDO_PARTS } from '../../changes/plan/channel-fields.ts';
import { changeOutput } from '../call/change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';
import { fileArgument } from '../schemas/shapes.ts';
import { newestMeant } from './change-meant.ts';
import { endRunning } from './stop-change.ts';

/** The share of the call’s time in which a change is stopped; the rest is for planning its undo. */
const BEFORE_PLANNING = 0.5;

export const undoChange = defineChange({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Sets back what changes of this server did, where nobody else touched it since: one by changeId (by default the newest that can be, without listing first), several as one by changeIds; one that runs is stopped first. Undoable itself.',
  destructive: true,
  input: {
    changeId: changeIdArgument.optional(),
    changeIds: z.array(changeIdArgument).max(50).optional().describe('Of channels'),
    only: z.array(z.enum(UNDO_PARTS)).optional().describe('Only these parts of channels'),
    // Limits in the schema would cost every user's context.
    channels: z
      .array(z.string())
      .refine(({ length }) => length <= 100, 'must have at most 100 entries.')
      .optional()
      .describe('Only these channels'),
    videoIds: z.array(z.string()).max(200_000).optional().describe('Of a move'),
    videoIdsFile: fileArgument,
  },
  output: changeOutput,
  completed: async (args, context) =>
    args.changeId === undefined && args.changeIds === undefined
      ? { ...args, changeId: await newestMeant(newestToUndo, 'undone', context) }
      : args,
  means: (context) => ({ endRunning: (changeId, read) => endRunning(changeId, context, { ...read, how: 'undo', share: BEFORE_PLANNING }) }),
});
