import type { Tool } from '../define-tool.ts';
import { checkSetup } from './check-setup.ts';
import { getChannel } from './get-channel.ts';
import { getProject } from './get-project.ts';
import { listChannelTemplates } from './list-channel-templates.ts';
import { listChannels } from './list-channels.ts';
import { listPlans } from './list-plans.ts';
import { listProjects } from './list-projects.ts';

/** Every tool, in the order in which they are listed. */
export const tools: readonly Tool[] = [listChannels, getChannel, listChannelTemplates, listProjects, getProject, listPlans, checkSetup];
