import type * as z from 'zod';
import { cleanText } from './sanitize-text.ts';
import { asSentence, type Sentence, sentence, wordList } from './sentence.ts';

const MAX_TEXT = 500;

/** What is wrong, in zod’s words or those that a schema gives: both repeat nothing of the input but keys that are not known. */
export const zodProblem = (issue: z.core.$ZodIssue): Sentence =>
  issue.code === 'unrecognized_keys' ? sentence`has no field ${wordList(issue.keys)}` : asSentence(cleanText(issue.message, MAX_TEXT));
