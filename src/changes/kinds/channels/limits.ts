import type { FieldProblem } from '../../../errors.ts';
import { hiddenProblem } from '../../../text/hidden-text.ts';
import { cleanText } from '../../../text/sanitize-text.ts';
import { type Sentence, sentence, word } from '../../../text/sentence.ts';
import { type FieldArguments, rowOf, TEXTS, type TextField, valuesIn } from '../../plan/channel-fields.ts';

/**
 * Texts with characters that nobody is shown, and texts over the limits of the API document ("Limits"). The document does not
 * define a character, so only a text that is too long by every count is refused here. `prefix` is the path of the channel in the arguments: `changes[3].` or empty.
 */
export function limitProblems(prefix: Sentence, asked: FieldArguments): FieldProblem[] {
  const values = valuesIn(asked);
  return TEXTS.flatMap((field) => textProblems(sentence`${prefix}${word(rowOf(field).argument)}`, field, values[field]));
}

function textProblems(argument: Sentence, field: TextField, text: string | undefined): FieldProblem[] {
  const { isReference, hasLines, maxLength = Number.POSITIVE_INFINITY } = rowOf(field);
  if (text === undefined || isReference) return [];
  const { length } = [...text];
  return [
    ...hiddenProblem(argument, text, hasLines ? 'lines' : 'one line'),
    ...(field === 'name' && cleanText(text, maxLength) === '' ? [{ field: argument, problem: sentence`must not be empty.` }] : []),
    ...(length > maxLength ? [{ field: argument, problem: sentence`has ${length} characters; at most ${maxLength} are allowed.` }] : []),
  ];
}
