import { quoted } from './quoted.ts';
import { cleanText } from './sanitize-text.ts';

declare const brand: unique symbol;

/**
 * Words of this program. Of what a stranger wrote it has names, ids and the like alone, cleaned, bounded and quoted, so an answer
 * prints it as it is; any other text is quoted there.
 */
export type Sentence = string & { readonly [brand]: true };

/** What is taken as it is: a number, a sentence, or a text that stands in the code (a literal type). */
export type Own<P> = P extends Sentence | number
  ? P
  : P extends string
    ? Record<never, never> extends Record<P, 1>
      ? NotQuoted
      : P
    : NotQuoted;
interface NotQuoted {
  readonly 'put it in by word() or inQuotes()': never;
}

/** Words in which nothing stands that is not quoted: sentence`Wait for ${word(changeId)}, with ${count} videos.` */
export function sentence<const P extends readonly unknown[]>(
  texts: TemplateStringsArray,
  ...parts: { readonly [I in keyof P]: Own<P[I]> }
): Sentence {
  return asSentence(texts.reduce((whole, text, index) => `${whole}${String(parts[index - 1])}${text}`));
}

type Separator = '' | ': ' | ', or: ' | ' ' | ', ' | '; ' | ' and ' | ', and ' | '; and ' | ' or ';

/** Several as one. */
export const joined = <P extends string>(parts: readonly (P & Own<P>)[], separator: Separator = ' '): Sentence =>
  asSentence(parts.join(separator));

/** The longest name that a sentence shows. */
const MAX_NAME = 120;

/** A word, id, number or time as it is, and any other text in quotes. */
export const word = (text: string, maxLength = MAX_NAME): Sentence => asSentence(quoted(cleanText(text, maxLength)));

/** Several of them as one. */
export const wordList = (texts: readonly string[], separator: Separator = ', '): Sentence =>
  asSentence(texts.map((text) => word(text)).join(separator));

/** A text in quotes, whatever it is. */
export const inQuotes = (text: string, maxLength = MAX_NAME): Sentence => asSentence(JSON.stringify(cleanText(text, maxLength)));

/** As long as a path may be. */
export const MAX_PATH = 4_096;
/** A path in quotes, whole. */
export const pathInQuotes = (path: string): Sentence => inQuotes(path, MAX_PATH);

/**
 * Takes a text of this program for a sentence where the code that made it does not say so by its type. To be called where such
 * code is entered, and nowhere with what a stranger may have written.
 */
export function asSentence(text: string): Sentence;
export function asSentence(text: string | undefined): Sentence | undefined;
export function asSentence(text: string | undefined): Sentence | undefined {
  return text as Sentence | undefined;
}

/**
 * The parts of a sentence; what is quoted, with its quotation marks. All that is a stranger's was quoted by `word` or `inQuotes`,
 * which escape its own marks, so that it can't end the quotation, whatever it holds.
 */
export const sentenceParts = (text: Sentence) =>
  Array.from(text.matchAll(/("(?:[^"\\]|\\.)*")|[^"]+|"/gs), ([part, isQuoted]) => ({ text: part, isQuoted: isQuoted !== undefined }));
