import * as z from 'zod';
import { cleanText } from '../../text/sanitize-text.ts';
import { asSentence, joined, type Sentence, sentence } from '../../text/sentence.ts';

/** As what a standing approval covers some of a change. */
export type Coverable = 'records' | 'undo' | 'move' | 'copy';

/**
 * How much what a person must know of a change weighs, the heaviest first. `emptied`: a record ends up with nothing. `contradicted`: something
 * speaks against the whole of what was asked for, or it may be older than what others did. `lost`: something is removed, or may be.
 * `final`: it can’t be undone, or taken back. `caution`: it is not known, is left alone, or needs a look. `fact`: it warns of nothing.
 */
export const WEIGHTS = ['emptied', 'contradicted', 'lost', 'final', 'caution', 'fact'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** One kind of notice: the facts that it is kept as, and its words. */
export interface NoticeRow<Shape extends z.ZodRawShape> {
  readonly weight: Weight;
  readonly facts: Shape;
  readonly words: (facts: NoticeFactsOf<Shape>) => Sentence;
  /** For a form, which has lines of its own for records; by default `words`. */
  readonly brief?: (facts: NoticeFactsOf<Shape>) => Sentence;
  /** Several of the kind in one sentence, with the worst by name, or for a form (`short`) without names; by default each has its own. */
  readonly shared?: (all: readonly NoticeFactsOf<Shape>[], length: 'long' | 'short') => Sentence;
  /** All of the kind in so few words that a summary has room for them: numbers, without names. Of what weighs most. */
  readonly summed?: (all: readonly NoticeFactsOf<Shape>[]) => Sentence;
  /** How bad one of several of the kind is; by default they are told in the order of the plan. */
  readonly size?: (facts: NoticeFactsOf<Shape>) => number;
  /**
   * It may be told of a change that a standing approval covers, or of one that it covers as this: a copy can’t be undone at all, and the
   * undo of what was covered takes away only what that added.
   */
  readonly mayBeCovered?: true | Coverable;
  /** Something that was asked for is left alone, and the words say why. */
  readonly leavesAlone?: true;
  /** What an assistant can do about all of the kind, by the names of tools and arguments: of no use to a person. */
  readonly hints?: (all: readonly NoticeFactsOf<Shape>[]) => readonly Sentence[];
}

export type NoticeFactsOf<Shape extends z.ZodRawShape> = keyof Shape extends never ? unknown : z.output<z.ZodObject<Shape>>;

export const notice = <Shape extends z.ZodRawShape>(
  weight: Weight,
  facts: Shape,
  words: NoticeRow<Shape>['words'],
  more: Pick<NoticeRow<Shape>, 'brief' | 'shared' | 'summed' | 'size' | 'mayBeCovered' | 'leavesAlone' | 'hints'> = {},
): NoticeRow<Shape> => ({ weight, facts, words, ...more });

/** The first, and how many more. */
export const listed = (texts: readonly Sentence[], max: number): Sentence =>
  sentence`${joined(texts.slice(0, max), ', ')}${texts.length > max ? sentence` and ${texts.length - max} more` : ''}`;

/** Other people’s words, such as ids and keys: quoted where they are told. */
export const text = z.string();
export const texts = z.array(text).readonly();
/** Longer than any. */
const MAX_TEXT = 20_000;
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]/u;
/** Sentences of this program. In the journal, where nobody else should write, each is a text: whatever is in it, it stays one line. */
export const ours = z.string().transform((read) => asSentence(HIDDEN.test(read) ? cleanText(read, MAX_TEXT) : read));
export const ourList = z.array(ours).readonly();
export const count = z.number();
export const flag = z.boolean();
