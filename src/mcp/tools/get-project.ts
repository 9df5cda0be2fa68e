import * as z from 'zod';
import { sentence } from '../../text/sentence.ts';
import { sentenceOut } from '../answer/answer-schema.ts';
import { defineTool } from '../define-tool.ts';
import { listedOnlyNotes, ProjectOut, projectOut, referenceArgument } from '../schemas/shapes.ts';

const NOT_DOCUMENTED = sentence`The meaning of status and the unit of bitrates are not documented; a bitrate of 0 is the default.`;

export const getProject = defineTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'One project (folder of videos) with its encoding options and player options.',
  effect: 'read',
  input: { project: referenceArgument('Project') },
  output: { project: ProjectOut, notes: z.array(sentenceOut()) },
  run: async ({ project }, { account, signal, progress }) => {
    const { record, refusal } = await account.findProject(project, { signal, progress });
    return { project: projectOut(record), notes: [NOT_DOCUMENTED, ...listedOnlyNotes('project', refusal)] };
  },
});
