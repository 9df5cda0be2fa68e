import * as z from 'zod';
import { token } from '../answer/table.ts';
import { defineTool } from '../define-tool.ts';
import { listedOnlyOut, ProjectOut, projectOut, referenceArgument } from '../shapes.ts';

export const getProject = defineTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'One project with its encoding options and player options.',
  effect: 'read',
  input: { project: referenceArgument('Project') },
  output: { project: ProjectOut, note: z.string().optional() },
  run: async ({ project }, { account, signal, progress }) => {
    const { record, refusal } = await account.findProject(project, { signal, progress });
    return { project: projectOut(record, 'full'), ...listedOnlyOut('project', refusal) };
  },
  present: ({ project: { id, key, name, description, region, planTypeName, status, updated, options, videoOptions }, note }) =>
    [
      `Project ${JSON.stringify(name ?? '')}, id ${token(id)}, key ${token(key) ?? '-'}.`,
      `Description: ${JSON.stringify(description ?? '')}.`,
      `Region ${token(region) ?? '?'}, plan type ${planTypeName ?? '?'}, status ${status ?? '?'} (meaning not documented), updated ${typeof updated === 'string' ? token(updated) : '?'}.`,
      `Encoding (bitrates: unit not documented, 0 is the default): ${options === undefined ? 'not shown' : JSON.stringify(options)}`,
      `Player: ${videoOptions === undefined ? 'not shown' : JSON.stringify(videoOptions)}`,
      ...(note === undefined ? [] : [note]),
    ].join('\n'),
});
