import * as z from 'zod';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, type Sentence } from '../../text/sentence.ts';

/** As what a standing approval covers some of a change. */
export type Coverable = 'records' | 'undo' | 'move' | 'copy';

/** One kind of notice: the facts that it is kept as, and its words. */
export interface NoticeRow<Shape extends z.ZodRawShape> {
  readonly facts: Shape;
  readonly words: (facts: FactsOf<Shape>) => Sentence;
  /** For a form, which has lines of its own for records; by default `words`. */
  readonly brief?: (facts: FactsOf<Shape>) => Sentence;
  /** Several of the kind in one sentence, for a form; by default each has its own. */
  readonly shared?: (all: readonly FactsOf<Shape>[]) => Sentence;
  /** Good news, or what was agreed to before: it is told, and warns of nothing. */
  readonly isFact?: true;
  /** It casts doubt on all of the change, so that it comes first. */
  readonly isGravest?: true;
  /**
   * It may be told of a change that a standing approval covers, or of one that it covers as this: a copy can’t be undone at all, and the
   * undo of what was covered takes away only what that added.
   */
  readonly mayBeCovered?: true | Coverable;
  /** What an assistant can do about all of the kind, by the names of tools and arguments: of no use to a person. */
  readonly hints?: (all: readonly FactsOf<Shape>[]) => readonly Sentence[];
}

export type FactsOf<Shape extends z.ZodRawShape> = keyof Shape extends never ? unknown : z.output<z.ZodObject<Shape>>;

export const notice = <Shape extends z.ZodRawShape>(
  facts: Shape,
  words: NoticeRow<Shape>['words'],
  more: Pick<NoticeRow<Shape>, 'brief' | 'shared' | 'isFact' | 'isGravest' | 'mayBeCovered' | 'hints'> = {},
): NoticeRow<Shape> => ({ facts, words, ...more });

/** Other people’s words, such as ids and keys: quoted where they are told. */
export const text = z.string();
export const texts = z.array(text).readonly();
/** Longer than any. */
const MAX_KEPT_TEXT = 20_000;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Sentences of this program. In the journal, where nobody else should write, each is a text: whatever is in it, it stays one line. */
export const ours = z.string().transform((kept) => asSentence(HIDDEN.test(kept) ? cleanText(kept, MAX_KEPT_TEXT) : kept));
export const ourList = z.array(ours).readonly();
export const count = z.number();
export const flag = z.boolean();
