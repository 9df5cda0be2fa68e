import * as z from 'zod';
import { planResume } from '../../changes/bulk/plan-resume.ts';
import { bulkOutput, changeOutput } from '../change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';

export const resumeChange = defineChange({
  name: 'resume_change',
  title: 'Resume a change',
  description: 'Carries on a bulk change that was interrupted, stopped or partly applied, where it stopped.',
  destructive: true,
  input: {
    changeId: changeIdArgument,
    retryFailed: z.boolean().optional().describe('Of a move: also send again what failed'),
  },
  output: { ...changeOutput, ...bulkOutput },
  plan: (args, context) => planResume(args, context),
});
