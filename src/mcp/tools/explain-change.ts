import * as z from 'zod';
import { explainChange as explain } from '../../analytics/explain-change.ts';
import { asSentences, type Sentence, sentence } from '../../text/sentence.ts';
import { coverageOut, coverageSchema, explainInput, filtersSchema, notesSchema } from '../analytics-schemas.ts';
import { defineTool } from '../define-tool.ts';

const DEFAULT_LIMIT = 10;

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const explainChange = defineTool({
  name: 'explain_change',
  title: 'Explain a change of views',
  description:
    'Why views, or another metric, rose or dropped: which values of all dimensions changed by more than their size explains (expected: had they changed as the whole did), most unexplained first. By default against the period before.',
  effect: 'read',
  input: explainInput,
  output: {
    total: z.looseObject({}),
    rows: z.array(z.looseObject({ dimension: z.string(), value })),
    nothingStandsOut: z.boolean().optional(),
    filters: filtersSchema,
    coverage: coverageSchema,
    before: coverageSchema,
    notes: notesSchema,
  },
  cuttable: ['rows'],
  run: async ({ limit = DEFAULT_LIMIT, ...args }, context) => {
    const { total, rows, nothingStandsOut, span, comparison, views, filters, notes } = await explain(args, context);
    const now = coverageOut(views, 0, span);
    const before = coverageOut(views, 1, comparison.span, { of: 'the time before' });
    return {
      notes: [...now.notes, ...before.notes, ...asSentences(notes), ...meaningOf(rows.length, limit, nothingStandsOut)],
      total: { ...total },
      rows: rows.slice(0, limit).map((row) => ({ ...row })),
      ...(nothingStandsOut === true ? { nothingStandsOut } : {}),
      ...(filters.length === 0 ? {} : { filters: asSentences(filters) }),
      coverage: now.coverage,
      before: before.coverage,
    };
  },
});

/** What may be concluded. */
function meaningOf(found: number, limit: number, nothingStandsOut: boolean | undefined): Sentence[] {
  if (nothingStandsOut === undefined) return [sentence`One of the two times has nothing to compare, so no cause can be told.`];
  if (nothingStandsOut)
    return [
      sentence`Nothing stands out: no value of a dimension by itself, and no shift between values, changed the whole by more than size and chance explain.`,
    ];
  if (found === 0) return [];
  return [
    sentence`These are parts of the same change, not causes to add up: a view counts under each dimension, and several rows may be one pair (one device in one country), which query_analytics by both dimensions shows.`,
    ...(found > limit ? [sentence`${found - limit} more values stand out; a higher limit shows them.`] : []),
  ];
}
