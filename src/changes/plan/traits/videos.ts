import * as z from 'zod';
import { sentence } from '../../../text/sentence.ts';
import { answerFacts } from '../answer-facts.ts';
import { ours } from '../notice.ts';
import type { KindTraits, OfMany } from './kind-traits.ts';

const Text = z.string().catch('');

/** A project with the number of the change's videos that it concerns. */
const ProjectShare = z.object({
  id: z.string(),
  label: ours,
  count: z.int().min(0),
  /** Its name alone, of the project that a move goes to. */
  name: z.string().optional().catch(undefined),
});
const Shares = z.array(ProjectShare).catch([]);

/** What tells whether the files of ids and rows are those that were approved, and how the ids were read. */
const idList = {
  /** SHA-256 of the ids. */
  digest: Text,
  /** SHA-256 of the rows, where there are any. */
  rows: Text.optional(),
  positionUnit: z.enum(['line', 'entry']).optional().catch(undefined),
  /** What the file of ids held, in numbers. */
  fileRead: ours.optional().catch(undefined),
};

export const Move = z
  .object({
    ...idList,
    /** In the order of the ids: the first `count` go into the first project. */
    targetProjects: Shares,
    /** Those that videos came from, by their numbers in the rows; without rows, one for all. Empty where none was named. */
    fromProjects: Shares,
    /** Of an undo: what was moved on since, and left alone; of that, what an earlier undo had moved back. */
    movedOn: z.object({ count: z.number(), undone: z.number() }).optional().catch(undefined),
    /** Of an undo of some videos: how many others could be moved back. */
    notNamed: z.number().optional().catch(undefined),
  })
  .catch({ digest: '', targetProjects: [], fromProjects: [] });

const Copy = z.object({ ...idList, source: Text, batchSize: z.int().min(1).catch(1) }).catch({ digest: '', source: '', batchSize: 1 });

export type ProjectShare = z.output<typeof ProjectShare>;
export type MoveFacts = z.output<typeof Move>;
export type CopyFacts = z.output<typeof Copy>;

export const MOVE: OfMany = { done: 'moved', isRepeatable: true, howToSee: sentence`` };
export const COPY: OfMany = {
  done: 'copied',
  isRepeatable: false,
  howToSee: sentence` To find out, open the video in the dashboard and look at its CTAs.`,
};

export const VIDEO_TRAITS = {
  move_videos: {
    record: 'video',
    words: { action: (videos) => `Move ${videos}` },
    facts: z.object({ ...answerFacts, move: Move }),
    ofMany: MOVE,
  },
  copy_cta: {
    record: 'video',
    words: { action: (videos) => `Copy CTAs to ${videos}` },
    facts: z.object({ ...answerFacts, copy: Copy }),
    beginsAlone: true,
    ofMany: COPY,
  },
} satisfies Record<string, KindTraits>;
