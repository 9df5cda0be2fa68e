import type { FieldProblem } from '../errors.ts';
import { hiddenCharacter } from './sanitize-text.ts';
import { type Sentence, sentence, word } from './sentence.ts';

/** Of a text of several lines. */
const LAYOUT = '\n\r\t';
const MAX_PROBLEMS = 20;

/** What is wrong with a text that would be sent otherwise than a person is shown it. */
export function hiddenProblem(field: Sentence, text: string | undefined, hasLines: 'one line' | 'lines' = 'one line'): FieldProblem[] {
  const character = text === undefined ? undefined : hiddenCharacter(text, hasLines === 'lines' ? LAYOUT : '');
  return character === undefined ? [] : [{ field, problem: problemWith(character) }];
}

/** The character of an id or a key that no id has: one that is not shown, or the mark of text that could not be decoded. */
export const hiddenInId = (id: string): string | undefined => hiddenCharacter(id) ?? (id.includes('\ufffd') ? 'U+FFFD' : undefined);

/** The problems of keys in a list; those of `held` are the service's own. */
export function hiddenInKeys(field: Sentence, keys: readonly string[], held: ReadonlySet<string>): FieldProblem[] {
  const problems = keys.flatMap((key, index) => {
    const character = hiddenInId(key);
    return character === undefined || held.has(key) ? [] : [{ field: sentence`${field}[${index}]`, problem: problemWith(character) }];
  });
  return problems.slice(0, MAX_PROBLEMS);
}

const problemWith = (character: string): Sentence =>
  sentence`holds the character ${word(character)}, which is not shown to the person who confirms: write it without.`;
