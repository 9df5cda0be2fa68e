import { planResume } from '../../changes/bulk/plan-resume.ts';
import { bulkOutput, changeOutput } from '../change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';

export const resumeChange = defineChange({
  name: 'resume_change',
  title: 'Resume a change',
  description: 'Carries on a bulk change that was interrupted or stopped, where it stopped.',
  destructive: true,
  input: { changeId: changeIdArgument },
  output: { ...changeOutput, ...bulkOutput },
  plan: ({ changeId }, context) => planResume(changeId, context),
});
