import * as z from 'zod';
import { newestToResume } from '../../changes/kinds/earlier/newest.ts';
import { bulkOutput, changeOutput } from '../call/change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';
import { waitSecondsArgument } from '../schemas/shapes.ts';
import { newestMeant } from './change-meant.ts';

export const resumeChange = defineChange({
  name: 'resume_change',
  title: 'Resume a change',
  description:
    'Carries on a change that was interrupted, stopped or partly applied, where it stopped (by default the newest such). Sends nothing that may be done already or that others changed since.',
  destructive: true,
  input: {
    changeId: changeIdArgument.optional(),
    retryFailed: z.boolean().optional().describe('Also what failed'),
    waitSeconds: waitSecondsArgument.describe('0: answer at once'),
  },
  output: { ...changeOutput, ...bulkOutput },
  completed: async (args, context) =>
    args.changeId === undefined
      ? { ...args, changeId: await newestMeant(newestToResume(args.retryFailed === true), 'carried on', context) }
      : args,
});
