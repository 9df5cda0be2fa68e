import * as z from 'zod';
import { ours } from './notice.ts';

// A fact that is damaged counts as absent, so that the rest of its change can be read; whoever needs it refuses to go on.

/** What answers need: the names of templates, by key, and what files held. */
export const answerFacts = {
  templates: z.record(z.string(), z.string()).optional().catch(undefined),
  files: z.array(ours).optional().catch(undefined),
};

export const idFacts = z.array(z.string()).catch([]);

/** Of new records; `namesakes`: the ids of those that had the name of one before. */
export const creationFacts = z.object({ ...answerFacts, namesakes: idFacts });
