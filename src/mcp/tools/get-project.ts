import { defineTool } from '../define-tool.ts';
import { ProjectOut, projectOut, referenceArgument } from '../shapes.ts';

export const getProject = defineTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'One project with its encoding options and player options.',
  effect: 'read',
  input: { project: referenceArgument('Project') },
  output: { project: ProjectOut },
  run: async ({ project }, { account, signal, progress }) => ({
    project: projectOut(await account.findProject(project, { signal, progress }), 'full'),
  }),
  present: ({ project: { id, key, name, description, region, planTypeName, status, updated, options, videoOptions } }) =>
    [
      `Project ${JSON.stringify(name ?? '')}, id ${id}, key ${key ?? '-'}.`,
      `Description: ${JSON.stringify(description ?? '')}.`,
      `Region ${region ?? '?'}, ${planTypeName ?? '?'} plan, status ${status ?? '?'} (meaning not documented), updated ${updated ?? '?'}.`,
      `Encoding (bitrates: unit not documented, 0 is the default): ${options === undefined ? 'not shown' : JSON.stringify(options)}`,
      `Player: ${videoOptions === undefined ? 'not shown' : JSON.stringify(videoOptions)}`,
    ].join('\n'),
});
