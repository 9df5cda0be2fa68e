import * as z from 'zod';
import { DIMENSIONS, METRICS } from '../../analytics/contract.ts';
import { isProblem, readTerm } from '../../analytics/resolve/terms.ts';
import { zoneProblem } from '../../analytics/resolve/zones.ts';

/** Limits that are checked but not listed: every user's context pays for what is. */
const text = (most: number) =>
  z.string().refine((value) => value.length > 0 && value.length <= most, { error: `expected 1 to ${most} characters`, abort: true });
const list = <T extends z.ZodType>(of: T, most: number) =>
  z.array(of).refine((values) => values.length <= most, { error: `expected at most ${most} entries` });

/** Where a value can be judged alone it is judged here, so that its problem is told beside those of others and not after them. */
const judged = (of: z.ZodString, problemOf: (value: string) => string | undefined) =>
  of.superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** A moment or period, as `question/terms.ts` reads it. */
export const timeArgument = judged(text(60), (value) => {
  const term = readTerm(value, Date.now());
  return isProblem(term) ? term.problem : undefined;
});
const reference = text(500).optional();
const values = list(
  z.string().refine((value) => value.length <= 300, { error: 'expected at most 300 characters' }),
  500,
).optional();

/** Longest answer in rows; an answer's share of a context ends it before. */
const MAX_LIMIT = 2_000;
export const limitArgument = z
  .int()
  .refine((value) => value >= 1 && value <= MAX_LIMIT, { error: `expected 1 to ${MAX_LIMIT}` })
  .optional();

export const queryInput = {
  from: timeArgument.describe('2026-03-01[T05:00], 2026-03, 2026-W09, 7d, last month'),
  to: timeArgument.optional(),
  metrics: list(z.enum(METRICS), METRICS.length).optional(),
  groupBy: list(z.enum(DIMENSIONS), 3).optional(),
  videoKeys: values,
  channel: reference,
  project: reference,
  countries: values,
  browsers: values,
  operatingSystems: values,
  deviceTypes: values,
  embedDomains: values,
  started: z.boolean().optional(),
  ended: z.boolean().optional(),
  timezone: judged(z.string(), zoneProblem).optional(),
  orderBy: z.string().optional().describe('-views: descending'),
  limit: limitArgument,
  compareTo: z.enum(['previous_period', 'previous_year']).optional(),
  chart: z.enum(['none', 'auto', 'line', 'bar', 'stacked_bar', 'heatmap']).optional(),
};

export type QueryArgs = z.output<z.ZodObject<typeof queryInput>>;

export const cells = z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])));
export const columnsOut = z.array(z.looseObject({ name: z.string(), type: z.string() }));
export const coverageOut = z.looseObject({ complete: z.boolean() });
