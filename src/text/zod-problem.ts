import type * as z from 'zod';
import { cleanText } from './sanitize-text.ts';
import { asSentence, type Sentence } from './sentence.ts';

const MAX_TEXT = 500;

/** What is wrong, in zod’s words or those that a schema gives. A key or value of the input that zod repeats is in quotes. */
export const zodProblem = ({ message }: Pick<z.core.$ZodIssue, 'message'>): Sentence => asSentence(cleanText(message, MAX_TEXT));
