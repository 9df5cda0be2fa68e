import * as z from 'zod';
import { CHANGE_KINDS, type ChangeKind, type FactsSchema, TRAITS } from './traits/index.ts';
import type { CopyFacts, MoveFacts } from './traits/videos.ts';

// What the journal keeps of a change besides its records.

type KindFactsObject = { [Kind in ChangeKind]: z.ZodObject<{ kind: z.ZodLiteral<Kind>; facts: FactsSchema<Kind> }> }[ChangeKind];
/** A kind of change, and the facts of that kind. */
export const KindFactsSchema = z.lazy(() => {
  const ofKinds = CHANGE_KINDS.map((kind) => z.object({ kind: z.literal(kind), facts: TRAITS[kind].facts }));
  // `map` keeps neither that there is one nor which kind has which facts.
  return z.discriminatedUnion('kind', ofKinds as unknown as readonly [KindFactsObject, ...KindFactsObject[]]);
});
export type FactsOf<Kind extends ChangeKind> = z.output<FactsSchema<Kind>>;
export type Facts = FactsOf<ChangeKind>;
export type KindFacts<Of extends ChangeKind = ChangeKind> = { [Kind in Of]: { readonly kind: Kind; readonly facts: FactsOf<Kind> } }[Of];

export const kindFactsOf = <Some extends KindFacts>({ kind, facts }: Some) => ({ kind, facts }) as KindFacts<Some['kind']>; // both are of one

export type { CopyFacts, MoveFacts, ProjectShare } from './traits/videos.ts';

/** Facts of the whole change that its answers give. */
export type AnswerFacts = Pick<Facts, 'templates' | 'files'>;

/** Of a move, or of the undo of one. */
export const moveIn = (facts: Facts): MoveFacts | undefined => ('move' in facts ? facts.move : undefined);
export const copyIn = (facts: Facts): CopyFacts | undefined => ('copy' in facts ? facts.copy : undefined);
/** Of a change of many ids. */
export const idListIn = (facts: Facts): MoveFacts | CopyFacts | undefined => moveIn(facts) ?? copyIn(facts);
export const undoneIn = (facts: Facts): readonly string[] => ('undoes' in facts ? facts.undoes : []);
