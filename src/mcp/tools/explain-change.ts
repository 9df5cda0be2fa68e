import * as z from 'zod';
import type { Dimension } from '../../analytics/dimensions.ts';
import type { FoundBreak } from '../../analytics/explain/breaks.ts';
import type { DatedMix } from '../../analytics/explain/days.ts';
import { explainMetric } from '../../analytics/explain/explain-metric.ts';
import { baseOf, rounded } from '../../analytics/explain/stand-out.ts';
import { isRatio, type Metric, withDigits } from '../../analytics/metrics.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { joined, type Sentence, sentence } from '../../text/sentence.ts';
import { unlisted } from '../answer/answer-schema.ts';
import { RECORDS_NOTE } from '../answer/coverage-notes.ts';
import { defineTool } from '../define-tool.ts';
import { coverageOut, coverageSchema, EXPLAIN_LIMIT, explainInput, filtersSchema, notesSchema } from '../schemas/analytics-schemas.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const explainChange = defineTool({
  name: 'explain_change',
  title: 'Explain a change of views',
  description:
    'Why views, or another metric, rose or dropped: which values of all dimensions, and pairs, changed by more than their size explains (expected: had they changed as the whole did), most unexplained first, since when; of a rate, what shifted shares make of it (mix). By default against the period before.',
  effect: 'read',
  input: explainInput,
  output: {
    total: z.looseObject({}),
    rows: z.array(z.looseObject({ dimension: z.string(), value })),
    mix: z.array(z.looseObject({})).optional(),
    since: z.string().optional(),
    until: unlisted(z.string()),
    breaks: z.array(z.looseObject({ dimension: z.string(), value, since: z.string() })).optional(),
    nothingStandsOut: z.boolean().optional(),
    filters: filtersSchema,
    coverage: coverageSchema,
    before: coverageSchema,
    notes: notesSchema,
  },
  cuttable: ['rows'],
  run: async ({ limit = EXPLAIN_LIMIT, ...args }, context) => {
    const { metric = 'views' } = args;
    const {
      total,
      rows,
      named,
      mix,
      departure,
      breaks,
      isAllLooked,
      haveDaysBreaks,
      areDaysAlike,
      nothingStandsOut,
      withoutShares,
      span,
      comparison,
      views,
      filters,
      first,
      notes,
    } = await explainMetric(args, context);
    const now = coverageOut(views, 0, span);
    const before = coverageOut(views, 1, comparison.span, { of: 'the time before' });
    const meaning = [
      ...meaningOf({ found: rows.length, named: named.length, limit, nothingStandsOut, withoutShares, haveDaysBreaks, areDaysAlike }),
      ...(isRatio(metric) && rows.length + named.length > 0
        ? [
            sentence`unexplained, of a rate or a mean: what of the whole change a row makes, its change less expected, times its part of ${baseOf(metric)} now.`,
          ]
        : []),
    ];
    return {
      notes: [...first, ...now.notes, ...before.notes, ...notes, ...(filters.length === 0 ? [] : [RECORDS_NOTE]), ...meaning],
      total: { ...total },
      rows: [...rows.slice(0, limit).map((row) => ({ ...row })), ...named.map((row) => ({ ...row, standsOut: false }))],
      ...(mix.length === 0 ? {} : { mix: mix.map((one) => mixOut(metric, one)) }),
      ...(departure === undefined ? {} : definedFields({ since: departure.since, until: departure.until })),
      ...(breaks.length === 0 ? {} : { breaks: breaks.map((one) => breakOut(metric, one)) }),
      // Only where all was looked at that could.
      ...(nothingStandsOut === true && isAllLooked && (withoutShares ?? []).length === 0 ? { nothingStandsOut } : {}),
      ...(filters.length === 0 ? {} : { filters: [...filters] }),
      coverage: now.coverage,
      before: before.coverage,
    };
  },
});

/** Of a count, what it was each day. */
const breakOut = (metric: Metric, { before, now, chance, rests: _, ...named }: FoundBreak) => ({
  ...named,
  before: withDigits(metric, Number(before.toPrecision(4))),
  now: withDigits(metric, Number(now.toPrecision(4))),
  chance: Number(chance.toPrecision(1)),
});

const mixOut = (metric: Metric, { dimension, shiftedShares, changedParts, shares, departure }: DatedMix) => ({
  dimension,
  shiftedShares: rounded(metric, shiftedShares),
  changedParts: rounded(metric, changedParts),
  ...(departure === undefined ? {} : definedFields({ since: departure.since, until: departure.until })),
  shares: shares.map(({ value, before, now, base, rate }) => ({
    value,
    before: rounded(metric, before),
    now: rounded(metric, now),
    [baseOf(metric)]: [base.before, base.now],
    [metric]: [rate.before, rate.now].map((one) => (one === null ? null : rounded(metric, one))),
  })),
});

interface Concluded {
  readonly found: number;
  readonly named: number;
  readonly limit: number;
  readonly nothingStandsOut: boolean | undefined;
  readonly withoutShares: readonly Dimension[] | undefined;
  readonly haveDaysBreaks: boolean;
  readonly areDaysAlike: boolean;
}

/** What may be concluded. */
function meaningOf({ found, named, limit, nothingStandsOut, withoutShares, haveDaysBreaks, areDaysAlike }: Concluded): Sentence[] {
  if (!areDaysAlike)
    return [
      sentence`No cause of the whole change can be told, as one of the two times lacks records of days that the other has: ask for a time of which both have records.`,
    ];
  if (nothingStandsOut === undefined) return [sentence`It was 0 before, or one of the two times has no figure, so no cause can be told.`];
  const ofNamed = named === 0 ? [] : [sentence`Rows with standsOut false don’t stand out; they are there as the question named them.`];
  if (nothingStandsOut)
    return [
      ...ofNamed,
      sentence`Nothing stands out: no value of a dimension by itself${withoutShares === undefined ? '' : ', and no shift between values,'} changed the whole by more than size and chance explain${haveDaysBreaks ? ', and none fell or rose for good inside the time' : ''}.`,
      ...(withoutShares === undefined || withoutShares.length === 0
        ? []
        : [
            sentence`Shifts between values were not looked for by ${joined(withoutShares, ', ')}, as some viewers have several: whether they changed the whole is not known.`,
          ]),
    ];
  if (found === 0) return ofNamed;
  return [
    ...ofNamed,
    ...(found === 1 ? [] : [sentence`The rows are parts of the same change, not causes to add up: a view counts under each dimension.`]),
    ...(found > limit ? [sentence`${found - limit} more values stand out; a higher limit shows them.`] : []),
  ];
}
