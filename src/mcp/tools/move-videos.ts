import * as z from 'zod';
import { bulkOutput, changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { columnArgument, referenceArgument, waitSecondsArgument } from '../schemas/shapes.ts';

export const moveVideos = defineChange({
  name: 'move_videos',
  title: 'Move videos',
  description:
    'Moves any number of videos into a project and names each that failed. Ids in videoIds, or a file of them (text, CSV, JSON). Keys and titles work where a video catalogue is set. Undo needs fromProject, or its column in the file.',
  destructive: true,
  input: {
    targetProject: referenceArgument('Project'),
    videoIds: z.array(z.string()).max(200_000).optional(),
    videoIdsFile: z.string().max(1_000).optional().describe('In the files folder'),
    idColumn: columnArgument.describe('Column of the file, if not named id or key'),
    fromProject: referenceArgument('Project').optional(),
    fromProjectColumn: columnArgument.describe('Its column, if not named fromProject'),
    retryFailed: z.boolean().optional().describe('Tries what fails once more'),
    waitSeconds: waitSecondsArgument.describe('0: answer at once'),
  },
  output: { ...changeOutput, moved: z.number().optional(), ...bulkOutput },
});
