import type * as z from 'zod';
import { cleanText } from './sanitize-text.ts';
import { asSentence, type Sentence, sentence, wordList } from './sentence.ts';

const MAX_TEXT = 500;

/** What is wrong, in zod’s words or those that a schema gives: both repeat nothing of the input but keys that are not known. */
export const zodProblem = (issue: z.core.$ZodIssue): Sentence =>
  issue.code === 'unrecognized_keys' ? sentence`has no field ${wordList(issue.keys)}` : asSentence(cleanText(issue.message, MAX_TEXT));

/**
 * Whether a value is refused for nothing but what a later version of this program may have written: a name where this one knows others, a greater
 * number of a format, or a field more. What is missing, or of another type, is damage.
 */
export const isOfNewerVersion = (issues: readonly z.core.$ZodIssue[], value: unknown): boolean =>
  issues.length > 0 && issues.every((issue) => mayBeNewer(issue, valueAt(value, issue.path)));

function mayBeNewer(issue: z.core.$ZodIssue, found: unknown): boolean {
  if (issue.code === 'unrecognized_keys') return true;
  if (issue.code === 'invalid_value') return isUnknownName(found) || isGreater(found, issue.values);
  if (issue.code !== 'invalid_union') return false;
  // Of what one field tells apart, no member was tried.
  return issue.errors.length === 0 ? isUnknownName(found) : issue.errors.some((ofMember) => isOfNewerVersion(ofMember, found));
}

const isUnknownName = (found: unknown): boolean => typeof found === 'string' && found !== '';

const isGreater = (found: unknown, known: readonly unknown[]): boolean =>
  Number.isSafeInteger(found) && known.every((one) => typeof one === 'number' && Number(found) > one);

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
