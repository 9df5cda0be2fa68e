import * as z from 'zod';
import { CHANGE_KINDS, type ChangeKind, type FactsName, KINDS, type KindRow } from '../kinds.ts';
import { ours } from '../notices/notice.ts';

/**
 * What the journal keeps of a change besides its records. A fact that is damaged counts as absent, so that the rest of its
 * change can be read; whoever needs it refuses to go on.
 */

const Text = z.string().catch('');
const Ids = z.array(z.string()).catch([]);

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

const Move = z
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

/** What answers need: the names of templates, by key, and what files held. */
const answers = {
  templates: z.record(z.string(), z.string()).optional().catch(undefined),
  files: z.array(ours).optional().catch(undefined),
};

const FACTS = {
  answers: z.object(answers),
  /** `namesakes`: the ids of the records that had the name of a new one before. */
  creation: z.object({ ...answers, namesakes: Ids }),
  undo: z.object({
    ...answers,
    undoes: Ids,
    /** The parts that are set back, where those are not all. */
    only: Ids.optional(),
    /** The ids of the channels that are set back, where others are left that could be. */
    channels: Ids.optional(),
    /** Of the undo of a move. */
    move: Move.optional(),
  }),
  move: z.object({ ...answers, move: Move }),
  copy: z.object({ ...answers, copy: Copy }),
} satisfies Record<KindRow['facts'], z.ZodType>;

type FactsSchema<Kind extends ChangeKind> = (typeof FACTS)[FactsName<Kind>];
type KindFactsObject = { [Kind in ChangeKind]: z.ZodObject<{ kind: z.ZodLiteral<Kind>; facts: FactsSchema<Kind> }> }[ChangeKind];
/** A kind of change, and the facts of that kind. */
export const KindFactsSchema = z.lazy(() => {
  const ofKinds = CHANGE_KINDS.map((kind) => z.object({ kind: z.literal(kind), facts: FACTS[KINDS[kind].facts] }));
  // `map` keeps neither that there is one nor which kind has which facts.
  return z.discriminatedUnion('kind', ofKinds as unknown as readonly [KindFactsObject, ...KindFactsObject[]]);
});
export type FactsOf<Kind extends ChangeKind> = z.output<FactsSchema<Kind>>;
export type Facts = FactsOf<ChangeKind>;
export type KindFacts<Of extends ChangeKind = ChangeKind> = { [Kind in Of]: { readonly kind: Kind; readonly facts: FactsOf<Kind> } }[Of];

export const kindFactsOf = <Some extends KindFacts>({ kind, facts }: Some) => ({ kind, facts }) as KindFacts<Some['kind']>; // both are of one

export type ProjectShare = z.output<typeof ProjectShare>;
export type MoveFacts = z.output<typeof Move>;
export type CopyFacts = z.output<typeof Copy>;
/** Facts of the whole change that its answers give. */
export type AnswerFacts = Pick<Facts, 'templates' | 'files'>;

/** Of a move, or of the undo of one. */
export const moveIn = (facts: Facts): MoveFacts | undefined => ('move' in facts ? facts.move : undefined);
export const copyIn = (facts: Facts): CopyFacts | undefined => ('copy' in facts ? facts.copy : undefined);
/** Of a change of many ids. */
export const idListIn = (facts: Facts): MoveFacts | CopyFacts | undefined => moveIn(facts) ?? copyIn(facts);
export const undoneIn = (facts: Facts): readonly string[] => ('undoes' in facts ? facts.undoes : []);
