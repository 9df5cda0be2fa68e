import * as z from 'zod';
import type { FieldProblem } from '../errors.ts';
import { fieldsIn } from '../platform/is-object.ts';
import { fieldProblems, maybe, parsed } from './response-schema.ts';

/** "Pager" in the API document. What the service left out is absent. */
export const PagerSchema = z.looseObject({
  page: maybe(z.number()),
  totalPages: maybe(z.number()),
  totalResults: maybe(z.number()),
  sort: maybe(z.string()),
});
export type Pager = z.output<typeof PagerSchema>;

export interface ListQuery {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly planType?: number | undefined;
  /** `Created:1` ascending, `Created:-1` descending. */
  readonly sort?: string | undefined;
}

/** Records, without those that can't be used. */
export interface Records<T> {
  readonly items: readonly T[];
  /** How many records could not be used: no id, or a documented field of another type. */
  readonly skipped: number;
  /** Why, for the first few: `[3].name`. */
  readonly problems: readonly FieldProblem[];
}

export interface RecordPage<T> extends Records<T> {
  readonly pager: Pager;
  /** The identity of every record, in order, unusable ones included: its id, or NUL and its JSON where it has none. */
  readonly identities: readonly string[];
}

const MAX_PROBLEMS = 10;

/** Reads records one by one, so that an invalid one does not fail the others. */
function readRecords<T>(schema: z.ZodType<T>, values: readonly unknown[]): Records<T> {
  const items: T[] = [];
  const problems: FieldProblem[] = [];
  for (const [index, value] of values.entries()) {
    const result = parsed(schema, value);
    if (result.success) items.push(result.data);
    else if (problems.length < MAX_PROBLEMS) problems.push(...fieldProblems(result.error, [index]));
  }
  return { items, skipped: values.length - items.length, problems: problems.slice(0, MAX_PROBLEMS) };
}

export function recordsSchema<T>(schema: z.ZodType<T>) {
  return z.array(z.unknown()).transform((values) => readRecords(schema, values));
}

/** An object with `pager` and the records under `name`. A list that is `null` or absent counts as empty only when the pager says so too. */
export function pageSchema<T>(name: string, schema: z.ZodType<T>) {
  return z.looseObject({ pager: maybe(PagerSchema), [name]: z.unknown() }).transform((body, context): RecordPage<T> => {
    // The key is computed, so that the compiler no longer knows what `pager` was checked to be.
    const pager = (body.pager ?? {}) as Pager;
    const list = body[name] ?? (pager.totalResults === 0 ? [] : undefined);
    if (!Array.isArray(list)) {
      context.addIssue({ code: 'custom', path: [name], message: 'expected an array' });
      return z.NEVER;
    }
    const values: readonly unknown[] = list;
    return { pager, identities: values.map(identityOf), ...readRecords(schema, values) };
  });
}

function identityOf(value: unknown): string {
  const { id } = fieldsIn(value);
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : `\0${JSON.stringify(value)}`;
}
