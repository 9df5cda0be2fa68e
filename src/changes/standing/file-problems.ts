import { type ParseError, printParseErrorCode } from 'jsonc-parser';
import type * as z from 'zod';
import { RULE_KINDS } from './rules.ts';

/** A problem in words, where the schema itself gives none. */
export const schemaProblem: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === 'unrecognized_keys') return `has no such key: ${issue.keys.join(', ')}`;
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

const JSON_PROBLEMS: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'a comment, which JSON does not have',
  CommaExpected: 'a comma is missing before it',
  ColonExpected: 'a colon is missing after a key',
  PropertyNameExpected: 'a key in quotes is missing',
  ValueExpected: 'a value is missing',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  UnexpectedEndOfString: 'a text has no closing quotation mark',
};

/** What keeps a text from being JSON, and where. */
export function jsonProblem(text: string, { error, offset }: ParseError): { readonly offset: number; readonly problem: string } {
  const before = text.slice(0, offset).trimEnd();
  const name = printParseErrorCode(error);
  const lacksMore = name === 'PropertyNameExpected' || name === 'ValueExpected';
  // The parser complains of what stands after it, perhaps lines below.
  if (lacksMore && before.endsWith(',') && text[offset] === ',') return { offset, problem: 'a comma that follows another' };
  if (lacksMore && before.endsWith(',')) return { offset: before.length - 1, problem: 'a comma that nothing follows' };
  return { offset, problem: JSON_PROBLEMS[name] ?? 'something that JSON does not have' };
}
