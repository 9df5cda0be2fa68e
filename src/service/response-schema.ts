import * as z from 'zod';
import { type FieldProblem, VideoHostingError } from '../errors.ts';
import { joined, type Sentence, sentence, word } from '../text/sentence.ts';
import { zodProblem } from '../text/zod-problem.ts';
import { addressHint, type RequestContext, requestWords } from './request-words.ts';

/**
 * A documented field that a record may lack. Absent and `null` are both read as absent, and so are an empty text and an empty
 * list where they are no value of the field (some languages write their empty map as `[]`); another type is a mismatch.
 */
export function maybe<S extends z.ZodType>(schema: S) {
  const isNothing = (value: unknown) =>
    value === null || ((value === '' || (Array.isArray(value) && value.length === 0)) && !schema.safeParse(value).success);
  return z.preprocess((value) => (isNothing(value) ? undefined : value), schema.optional());
}

const MAX_FIELDS = 10;

/** Which fields were not as documented: their names and the types, never their values. */
export function fieldProblems(error: z.ZodError, within: readonly PropertyKey[] = []): FieldProblem[] {
  return error.issues.slice(0, MAX_FIELDS).map((issue) => ({ field: fieldName([...within, ...issue.path]), problem: zodProblem(issue) }));
}

/** With the words for what is not there: zod's own are about types. */
export const parsed = <T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> =>
  schema.safeParse(value, { error: ({ code, input }) => (code === 'invalid_type' && input === undefined ? 'is missing' : undefined) });

function fieldName(path: readonly PropertyKey[]): Sentence {
  const [first, ...rest] = path.map((part) => (typeof part === 'number' ? sentence`[${part}]` : word(String(part), 60)));
  if (first === undefined) return sentence`(body)`;
  return rest.reduce(
    (name, part, index) => (typeof path[index + 1] === 'number' ? sentence`${name}${part}` : sentence`${name}.${part}`),
    first,
  );
}

/** Checks the body of a success. Throws `unexpected_body` that names the fields. */
export function parseResponse<T>(schema: z.ZodType<T>, body: unknown, context: RequestContext & { readonly status: number }): T {
  const result = parsed(schema, body);
  if (result.success) return result.data;
  const { operation, change, status } = context;
  const facts = { status, operation, isChange: change, outcome: change ? 'not-known' : 'not-done' } as const;
  const fields = body === undefined ? [] : fieldProblems(result.error);
  const problems = fields.map(({ field, problem }) => sentence`${field}: ${problem}`);
  const phrase = body === undefined ? sentence`The body is empty` : sentence`The body is not as documented: ${joined(problems, '; ')}`;
  const { message, words } = requestWords(phrase, operation);
  throw new VideoHostingError('unexpected_body', message, {
    facts: { ...facts, words, ...(body === undefined ? {} : { fields }) },
    hint: addressHint('unexpected_body', context),
  });
}

/** A creation that succeeded. The success status is not documented, nor always the body: `record` is absent when none was sent. */
export interface Created<T> {
  readonly record: T | undefined;
}

/** Accepts the record, or an empty body. */
export function createdSchema<T>(schema: z.ZodType<T>) {
  return schema.optional().transform((record): Created<T> => ({ record }));
}
