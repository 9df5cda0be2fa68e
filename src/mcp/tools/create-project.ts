import * as z from 'zod';
import { changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { PROJECTS_STAY } from '../listing/not-there.ts';
import { descriptionArgument, projectPlanTypeArgument } from '../schemas/shapes.ts';

const options = z.record(z.string().max(100), z.unknown()).optional();

export const createProject = defineChange({
  name: 'create_project',
  title: 'Create a project',
  description: `A new project (folder of videos). options and videoOptions take the fields that get_project shows. ${PROJECTS_STAY}`,
  destructive: false,
  input: {
    name: z.string().max(1_000),
    region: z.string().max(100).describe('Code; seen: use-s, usw-s'),
    planType: projectPlanTypeArgument,
    description: descriptionArgument(5_000),
    options: options.describe('Encoding, e.g. convertToHls, bitrate720p'),
    videoOptions: options.describe('Player, e.g. autoplay, primaryColor'),
  },
  output: changeOutput,
});
