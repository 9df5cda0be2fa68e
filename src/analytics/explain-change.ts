import { VideoHostingError } from '../errors.ts';
import { unfinishedNote } from './answer-notes.ts';
import { askerOf, resolveQuestion } from './answer-question.ts';
import { type Answer, answerOf } from './assemble/answer.ts';
import { baseOf, type Candidate, type Explanation, standOut } from './assemble/stand-out.ts';
import { DIMENSIONS, type Dimension, type Metric, type Scalar } from './contract.ts';
import type { QuestionContext, QuestionInput } from './question-context.ts';
import { queryViews, type ViewsRead } from './read-views.ts';
import type { ComparisonPeriod } from './resolve/comparison-period.ts';
import type { ResolvedSpan } from './resolve/dates.ts';
import { filtersInWords, valueFilters } from './resolve/filters.ts';
import { namesFor } from './resolve/names.ts';

export interface ExplainInput extends Omit<QuestionInput, 'metrics' | 'groupBy' | 'orderBy'> {
  readonly metric?: Metric | undefined;
}

export interface ChangeExplained {
  readonly total: { readonly before: number | null; readonly now: number | null; readonly change: number | null };
  /** Most unexplained first. */
  readonly rows: readonly Explanation[];
  /** Undefined where nothing can be said: one of the spans has no number, or there was nothing before. */
  readonly nothingStandsOut: boolean | undefined;
  readonly span: ResolvedSpan;
  readonly comparison: ComparisonPeriod;
  readonly views: ViewsRead;
  /** As they were applied, in words. */
  readonly filters: readonly string[];
  readonly notes: readonly string[];
}

/** Finds the values of all useful dimensions that account for a change between two spans; the views are read once. */
export async function explainChange({ metric = 'views', ...given }: ExplainInput, context: QuestionContext): Promise<ChangeExplained> {
  const input: QuestionInput = { ...given, compareTo: given.compareTo ?? 'previous_period', metrics: [metric, baseOf(metric)] };
  const { plan, keys, times, now, store, limits } = await resolveQuestion(input, context);
  const { span, comparison } = plan;
  if (comparison === undefined) throw new Error('A change is one between two spans.');
  const spans = [span, comparison.span];
  const names = namesFor(['video', 'channel', 'project'], context);
  const query = async ({ coverage: [here, there] }: ViewsRead) => {
    const { naming } = await names;
    const how = limits();
    const { filters, notes } = await valueFilters(input, keys, spans, store, how, input.videoKeys && (await context.catalogue()));
    const answerBy = async (groupBy: readonly Dimension[]) => {
      const ask = askerOf(input, { ...plan, groupBy }, filters, store, how);
      const [part, former] = await Promise.all([ask(span, here), ask(comparison.span, there)]);
      return answerOf({ now: part, earlier: { ...former, shift: comparison.shift }, naming, present: now });
    };
    const words = filtersInWords(input, filters);
    const { totals } = await answerBy([]);
    const whole = candidateOf('day', metric, null, (name) => totals[name] ?? null);
    if (whole === undefined || whole.before === 0) return { notes, words, totals, rows: undefined };
    const dimensions = usefulDimensions(comparison);
    const { candidates, skipped } = await candidatesBy(dimensions, metric, (dimension) => answerBy([dimension]));
    const rows = standOut(metric, whole, candidates);
    return { notes: [...notes, ...lookedAtNotes(dimensions, skipped), ...restNote(metric, whole, rows[0])], words, totals, rows };
  };
  const [{ views, result, notes }, { notes: nameNotes }] = await Promise.all([queryViews(spans, context, times, query), names]);
  const totalOf = (name: string) => numberOf(result.totals[name] ?? null);
  return {
    total: { before: totalOf(`${metric}_before`), now: totalOf(metric), change: totalOf(`${metric}_change`) },
    rows: result.rows ?? [],
    nothingStandsOut: result.rows && result.rows.length === 0,
    span,
    comparison,
    views,
    filters: result.words,
    notes: [
      ...notes,
      ...unfinishedNote({ span, comparison, present: now }),
      ...result.notes,
      ...(result.rows?.some(({ dimension }) => dimension === 'video') ? nameNotes : []),
    ],
  };
}

/** Days and weekdays only where those of one span stand against the same of the other. */
function usefulDimensions({ shift }: ComparisonPeriod): readonly Dimension[] {
  const keepsWeekdays = shift.by === 'days' && shift.count % 7 === 0;
  const useless: readonly Dimension[] = ['hour', 'week', 'month', ...(keepsWeekdays ? [] : (['day', 'weekday'] as const))];
  return DIMENSIONS.filter((dimension) => !useless.includes(dimension));
}

/** One after the other: each is asked for both spans at once, and others want to ask something too. */
async function candidatesBy(dimensions: readonly Dimension[], metric: Metric, answerBy: (dimension: Dimension) => Promise<Answer>) {
  const candidates: Candidate[] = [];
  const skipped: Dimension[] = [];
  for (const dimension of dimensions)
    try {
      for (const candidate of candidatesOf(dimension, metric, await answerBy(dimension))) candidates.push(candidate);
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code !== 'query_too_heavy') throw error;
      skipped.push(dimension);
    }
  return { candidates, skipped };
}

const numberOf = (value: Scalar): number | null => (typeof value === 'number' ? value : null);

function candidatesOf(dimension: Dimension, metric: Metric, { columns, rows }: Answer): Candidate[] {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const cell = (row: readonly Scalar[], name: string): Scalar => row[places.get(name) ?? -1] ?? null;
  return rows.flatMap((row) => {
    const found = candidateOf(dimension, metric, cell(row, dimension), (name) => cell(row, name));
    const name = cell(row, `${dimension}_name`) ?? cell(row, `${dimension}_title`);
    return found === undefined ? [] : [typeof name === 'string' ? { ...found, name } : found];
  });
}

/** Undefined where a number is not known; a rate of nothing counts as none. */
function candidateOf(dimension: Dimension, metric: Metric, value: Scalar, read: (column: string) => Scalar): Candidate | undefined {
  const base = baseOf(metric);
  const [now, before, baseNow, baseBefore] = [metric, `${metric}_before`, base, `${base}_before`].map((name) => numberOf(read(name)));
  if (now === null || before === null || now === undefined || before === undefined) return undefined;
  return { dimension, value, before, now, change: now - before, base: { now: baseNow ?? 0, before: baseBefore ?? 0 } };
}

function lookedAtNotes(dimensions: readonly Dimension[], skipped: readonly Dimension[]): string[] {
  const looked = dimensions.filter((dimension) => !skipped.includes(dimension));
  return [
    `Looked at: ${looked.join(', ')}. What is not in the rows changed about as the whole did, or is too small to tell.`,
    ...(skipped.length === 0 ? [] : [`Not looked at, having too many values: ${skipped.join(', ')}.`]),
  ];
}

/** Metrics of which the whole is the sum of its parts. */
const SUMS: readonly Metric[] = ['views', 'plays', 'completions', 'watch_time'];

/** What is left without the value that stands out most. */
function restNote(metric: Metric, whole: Candidate, top: Explanation | undefined): string[] {
  if (top === undefined || !SUMS.includes(metric)) return [];
  return [`Without ${top.dimension} ${JSON.stringify(top.value)}: ${whole.before - top.before} → ${whole.now - top.now} ${metric}.`];
}
