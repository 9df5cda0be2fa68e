import type * as z from 'zod';
import { RULE_KINDS } from './rules.ts';

/** A problem in words, where the schema itself gives none. */
export const schemaProblem: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_union') return `must be one of ${RULE_KINDS.join(', ')}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'too_small')
    return issue.origin === 'array' || issue.origin === 'string' ? 'is empty' : `must be ${issue.minimum} or more`;
  if (issue.code === 'too_big') return 'is too long, or too large';
  if (issue.code === 'invalid_format' && issue.format === 'date') return 'must be a day of the calendar, as in 2026-12-01';
  return undefined;
};

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text in quotes',
  array: 'a list in [ ]',
  object: 'an object in { }',
};
