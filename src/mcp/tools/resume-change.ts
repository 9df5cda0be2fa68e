import { planResumption } from '../../changes/resume-change.ts';
import { bulkOutput, changeOutput } from '../change-reply.ts';
import { changeIdArgument, defineChange } from '../define-tool.ts';

export const resumeChange = defineChange({
  name: 'resume_change',
  title: 'Resume a change',
  description:
    'Carries on a change that was interrupted, stopped or partly applied, where it stopped. Looks first at what is not known, and sends nothing that may be done already or that others changed since.',
  destructive: true,
  input: { changeId: changeIdArgument },
  output: { ...changeOutput, ...bulkOutput },
  plan: ({ changeId }, context) => planResumption(changeId, context),
});
