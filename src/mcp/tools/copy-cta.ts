import * as z from 'zod';
import { MAX_TARGETS_PER_CTA_COPY } from '../../service/resources/videos.ts';
import { bulkOutput, changeOutput } from '../call/change-reply.ts';
import { defineChange } from '../define-tool.ts';
import { columnArgument } from '../schemas/shapes.ts';

export const copyCta = defineChange({
  name: 'copy_cta',
  title: 'Copy CTAs',
  description:
    'Copies all calls to action of one video onto others, each at most once; names each target that failed or whose outcome is not known. Can’t be undone.',
  destructive: true,
  input: {
    sourceVideoId: z.string().min(1).max(200),
    targetVideoIds: z.array(z.string()).max(200_000).optional(),
    targetVideoIdsFile: z.string().max(1_000).optional().describe('In the files folder: text, CSV, JSON'),
    idColumn: columnArgument.describe('Column of the file, if not named id or key'),
    batchSize: z.int().min(1).max(MAX_TARGETS_PER_CTA_COPY).optional().describe('Default 25: a lost answer leaves so many in doubt'),
    skipCopied: z.boolean().optional().describe('Leaves out those of earlier copies'),
  },
  output: { ...changeOutput, copied: z.number().optional(), ...bulkOutput },
});
