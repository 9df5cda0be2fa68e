import * as z from 'zod';
import { bulkOutput, changeOutput } from '../call/change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';
import { waitSecondsArgument } from '../schemas/shapes.ts';

export const resumeChange = defineChange({
  name: 'resume_change',
  title: 'Resume a change',
  description:
    'Carries on a change that was interrupted, stopped or partly applied, where it stopped. Looks first at what is not known, and sends nothing that may be done already or that others changed since.',
  destructive: true,
  input: {
    changeId: changeIdArgument,
    retryFailed: z.boolean().optional().describe('Also send again what failed'),
    waitSeconds: waitSecondsArgument.describe('0: answer at once'),
  },
  output: { ...changeOutput, ...bulkOutput },
});
