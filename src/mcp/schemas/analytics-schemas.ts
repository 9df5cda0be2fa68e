import * as z from 'zod';
import type { ChartKind } from '../../analytics/chart/contract.ts';
import { QUARTER_MS } from '../../analytics/columns.ts';
import { type Coverage, LEAVES_OUT } from '../../analytics/contract.ts';
import { DIMENSION_NAMES, type Dimension, tellsHours } from '../../analytics/dimensions.ts';
import { METRIC_NAMES, SHARE } from '../../analytics/metrics.ts';
import type { ViewsRead } from '../../analytics/questions/read-views.ts';
import type { Report, Unkept } from '../../analytics/reports.ts';
import { WEEKDAYS, weekdayNumber } from '../../analytics/resolve/calendar.ts';
import { COMPARISONS } from '../../analytics/resolve/comparison-period.ts';
import { askedAs, type ResolvedSpan } from '../../analytics/resolve/dates.ts';
import { isProblem, readTerm } from '../../analytics/resolve/terms.ts';
import { zoneProblem } from '../../analytics/resolve/zones.ts';
import { common, SHORTEST_DAY_MS } from '../../analytics/spans.ts';
import type { Settings } from '../../config/settings.ts';
import { PAGE_VIEWS } from '../../page/contract.ts';
import { definedFields } from '../../platform/defined-fields.ts';
import { nearest } from '../../text/nearest.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';

import { listed, renderedBy, sentenceOut, unlisted } from '../answer/answer-schema.ts';
import { coverageNotes, type SpanName } from '../answer/coverage-notes.ts';
import { underColumns } from '../answer/render-answer.ts';
import { shortList } from '../call/coerce-arguments.ts';
import { viewLink } from '../shared-links.ts';

/** Limits are checked but not listed, because what is listed takes room in every user's context. */
const text = (most: number) =>
  z.string().refine((value) => value.length > 0 && value.length <= most, { error: `expected 1 to ${most} characters.`, abort: true });
const list = <T extends z.ZodType>(of: T, most: number) =>
  z.array(of).refine((values) => values.length <= most, { error: `expected at most ${most} entries.` });

/** Checked with the schema, so that its problem is reported together with those of other arguments. */
const checked = (of: z.ZodString, problemOf: (value: string) => string | undefined) =>
  of.superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Where the reports of answers are. */
export const REPORT_URI = 'video-hosting://reports/';

/** Where a person finds a report; undefined for the made-up account, whose folder is removed when the server ends. */
export const reportPath = ({ file }: Report, { demo, sharedAt }: Pick<Settings, 'demo' | 'sharedAt'>): string | undefined =>
  demo || sharedAt !== undefined ? undefined : file;

/** Where all rows of an answer are; for people, the file or its link only where the answer does not show them. */
export const reportOut = (report: Report | Unkept, settings: Pick<Settings, 'demo' | 'sharedAt'>, isCut: boolean) =>
  report.id === undefined
    ? {}
    : definedFields({
        report: `${REPORT_URI}${report.id}`,
        reportFile: isCut ? reportPath(report, settings) : undefined,
        link: isCut ? viewLink(settings, `${PAGE_VIEWS.report}${report.id}`) : undefined,
      });

export const unkeptNote = (report: Report | Unkept): Sentence[] => (report.id === undefined ? [report.unkept] : []);

/** A moment or period, as `resolve/terms.ts` reads it. */
const timeArgument = checked(text(60), (value) => {
  const term = readTerm(value, Date.now());
  return isProblem(term) ? term.problem : undefined;
});
/** Whether values are those that count or those that don't is said once for all of a list. */
const filter = (of: z.ZodString, most: number) =>
  shortList(
    list(of, most).refine((values) => new Set(values.map((value) => value.startsWith(LEAVES_OUT))).size < 2, {
      error: 'begin all of its values with ! (all but these count) or none of them (only these count).',
    }),
  ).optional();
const references = filter(text(500), 50);
const WEEKDAY_NAMES = WEEKDAYS.map((name) => name.toLowerCase());
const values = filter(
  z.string().refine((value) => value.length <= 300, { error: 'expected at most 300 characters.' }),
  500,
);

const weekdays = filter(
  checked(z.string(), (value) => {
    const name = value.startsWith(LEAVES_OUT) ? value.slice(LEAVES_OUT.length) : value;
    if (weekdayNumber(name) >= 0) return undefined;
    const near = nearest(name.slice(0, 60), WEEKDAY_NAMES, 1).map((day) => ` Did you mean ${day}?`);
    return `expected one of ${WEEKDAY_NAMES.join(', ')}.${near.join('')}`;
  }),
  7,
);

/** Rows of an answer. */
export const DEFAULT_LIMIT = 50;
export const EXPLAIN_LIMIT = 10;
/** Maximum rows of an answer; its size may end it earlier. */
const MAX_LIMIT = 2_000;
const limitArgument = z
  .int()
  .refine((value) => value >= 1 && value <= MAX_LIMIT, { error: `expected 1 to ${MAX_LIMIT}.` })
  .optional();
export const limitOf = (rows: number) => limitArgument.describe(`Default ${rows}, max ${MAX_LIMIT}`);

const timezoneArgument = checked(z.string(), zoneProblem).optional().describe('IANA, default UTC');

const spanInput = {
  from: timeArgument.describe('2026-03-01[T05:00], 2026-03, 2026-W09, 2026-Q1, yesterday, last week, 30d, 24h'),
  to: timeArgument.optional().describe('A day is included; default: the end of from, or now'),
  timezone: timezoneArgument,
};

/** Several values of one filter are alternatives. */
const filterInput = {
  videoKeys: values,
  channels: references,
  projects: references,
  countries: values,
  browsers: values,
  operatingSystems: values,
  deviceTypes: values,
  embedDomains: values,
  started: z.boolean().optional(),
  ended: z.boolean().optional(),
  muted: z.boolean().optional(),
  weekdays,
};

const compareTo = z.enum(COMPARISONS).optional().describe('A month: the whole month before');

/** The kinds in which an answer is drawn with its call: each name costs every conversation, and draw_chart has the others. */
const CHARTS_OF_ANSWERS = ['auto', 'bar', 'line'] as const satisfies readonly ('auto' | ChartKind)[];

export const queryInput = {
  ...spanInput,
  metrics: list(z.enum([...METRIC_NAMES, SHARE]), METRIC_NAMES.length + 1).optional(),
  groupBy: list(z.enum(DIMENSION_NAMES), 3).optional(),
  ...filterInput,
  orderBy: z.string().optional().describe('-views: descending'),
  limit: limitOf(DEFAULT_LIMIT),
  compareTo,
  chart: z.enum(CHARTS_OF_ANSWERS).optional(),
  title: z.string().optional(),
};

export const explainInput = {
  ...spanInput,
  compareTo,
  metric: z.enum(METRIC_NAMES).optional(),
  ...filterInput,
  limit: limitOf(EXPLAIN_LIMIT),
};

export const sqlSpanInput = { from: timeArgument, to: timeArgument.optional(), timezone: timezoneArgument };

export const cells = renderedBy(z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))), (rows, { columns }) =>
  underColumns(rows, columns),
);
export const columnsSchema = renderedBy(
  z.array(z.looseObject({ name: listed(z.string()), type: listed(z.string()) })),
  // Above their rows.
  (_, { rows }) => (Array.isArray(rows) ? [] : undefined),
);

export const coverageSchema = z.looseObject({
  from: z.string(),
  to: z.string(),
  complete: listed(z.boolean()),
  setAside: unlisted(z.looseObject({ reasons: z.array(z.looseObject({ reason: sentenceOut() })) })),
});

export const notesSchema = z.array(sentenceOut()).optional();
export const filtersSchema = z.array(sentenceOut({ mark: 'filters: ' })).optional();

const MAX_SPANS = 20;
const MAX_REASONS = 10;

interface SpanWords {
  readonly of?: SpanName;
  /** The shortest time that the answer tells apart. */
  readonly stepMs?: number;
}

/** One of the spans of an answer, as it would be asked for again, and how much of it is counted. */
export function coverageOut(
  { coverage: spans, stillReading }: ViewsRead,
  index: number,
  span: ResolvedSpan,
  { of, stepMs = SHORTEST_DAY_MS }: SpanWords = {},
) {
  const coverage = spans[index];
  if (coverage === undefined) throw new Error('There is no coverage of this span.');
  const { covered, complete, asOf, records } = coverage;
  const setAside = setAsideOut(coverage);
  const share = complete ? 1 : heldShare(coverage);
  return {
    notes: coverageNotes(coverage, share, stillReading, of, span.zone),
    coverage: {
      ...askedAs(span),
      complete,
      records,
      ...(asOf === null ? {} : { asOf }),
      ...dataSpanOut(coverage, stepMs),
      ...(setAside.count === 0 ? {} : { setAside }),
      ...(complete
        ? {}
        : {
            stillReading,
            heldShare: share,
            held: covered.slice(0, MAX_SPANS).map(({ fromMs, toMs }) => ({ from: iso(fromMs), to: iso(toMs) })),
          }),
    },
  };
}

function setAsideOut({ rejected: { count, reasons }, ahead = 0 }: Coverage) {
  const late = ahead === 0 ? [] : [{ reason: DATED_AHEAD, count: ahead }];
  return { count: count + ahead, reasons: [...late, ...reasons.slice(0, MAX_REASONS)] };
}

const DATED_AHEAD = sentence`dated in the future`;

/** The shortest time that dimensions tell apart. */
export const stepOf = (groupBy: readonly Dimension[] = []): number => (groupBy.some(tellsHours) ? QUARTER_MS : SHORTEST_DAY_MS);

/** From when to when records are held, where that leaves out a time: a count of 0 is known to be 0 only within it. */
function dataSpanOut({ asked, dataSpan }: Coverage, stepMs: number): { reach?: { from: string; to: string } | null } {
  if (dataSpan === null) return { reach: null };
  const end = Math.min(asked.toMs, Date.now());
  if (dataSpan.fromMs < asked.fromMs + stepMs && dataSpan.toMs > end - stepMs) return {};
  const { fromMs, toMs } = common(asked, dataSpan) ?? dataSpan;
  return { reach: { from: iso(fromMs), to: iso(toMs - 1) } };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The share of a span that is held. */
function heldShare({ asked, covered }: Coverage): number {
  const coveredMs = covered.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, asked.toMs) - Math.max(fromMs, asked.fromMs)),
    0,
  );
  return Math.min(1, coveredMs / (asked.toMs - asked.fromMs));
}
