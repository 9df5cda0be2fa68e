import { VideoHostingError } from '../errors.ts';
import { definedFields } from '../platform/defined-fields.ts';
import { unfinishedNote } from './answer-notes.ts';
import { askParts, resolveQuestion } from './answer-question.ts';
import { type Answer, answerOf } from './assemble/answer.ts';
import { type MixShift, mixShifts } from './assemble/mix.ts';
import { baseOf, type Candidate, comparable, type Explanation, standOut, type Value } from './assemble/stand-out.ts';
import { DIMENSIONS, type Dimension, type Measure, type Scalar } from './contract.ts';
import { addsUp, isDistinct, isRatio, type Metric } from './metrics.ts';
import type { QuestionContext, QuestionInput } from './question-context.ts';
import { queryViews, type ViewsRead } from './read-views.ts';
import type { ComparisonPeriod } from './resolve/comparison-period.ts';
import type { ResolvedSpan } from './resolve/dates.ts';
import { valueFilters } from './resolve/filters.ts';
import { namesFor } from './resolve/names.ts';

export interface ExplainInput extends Omit<QuestionInput, 'metrics' | 'groupBy' | 'orderBy'> {
  readonly metric?: Metric | undefined;
}

export interface ChangeExplained {
  readonly total: { readonly before: number | null; readonly now: number | null; readonly change: number | null };
  /** Most unexplained first. */
  readonly rows: readonly Explanation[];
  /** No value by itself, and no shift of shares. Undefined where one of the spans has no number, or there was nothing before. */
  readonly nothingStandsOut: boolean | undefined;
  readonly span: ResolvedSpan;
  readonly comparison: ComparisonPeriod;
  readonly views: ViewsRead;
  /** As they were applied, in words. */
  readonly filters: readonly string[];
  readonly notes: readonly string[];
}

export async function explainChange({ metric = 'views', ...given }: ExplainInput, context: QuestionContext): Promise<ChangeExplained> {
  const input: QuestionInput = { ...given, compareTo: given.compareTo ?? 'previous_period', metrics: [metric, baseOf(metric)] };
  const { resolved, keys, times, now, store, limits } = await resolveQuestion(input, context);
  const { span, comparison } = resolved;
  if (comparison === undefined) throw new Error('A change is one between two spans.');
  const spans = [span, comparison.span];
  const names = namesFor(['video', 'channel', 'project'], context);
  const query = async ({ coverage }: ViewsRead) => {
    const { naming } = await names;
    const how = limits();
    const { filters, words, notes } = await valueFilters(input, keys, spans, store, how, context.catalogue);
    const answerBy = async (groupBy: readonly Dimension[], metrics: readonly Measure[] = resolved.metrics) =>
      answerOf({ ...(await askParts(input, { ...resolved, groupBy, metrics }, filters, coverage, store, how)), naming, present: now });
    const { totals, missing } = await answerBy([]);
    const [whole] = comparable([readValue('day', metric, null, (name) => totals[name] ?? null)]);
    if (whole === undefined || whole.before === 0) return { notes, words, totals, rows: undefined, mix: [] };
    const dimensions = usefulDimensions(comparison);
    const { values, skipped } = await valuesBy(dimensions, metric, (dimension) => answerBy([dimension]));
    const tested = await byViewers(metric, whole, values, (dimension) => answerBy([dimension], ['views', 'viewer_squares']));
    const rows = standOut(metric, whole, comparable(tested.values));
    const mix = mixShifts(metric, whole, tested.values);
    const found = [...mixNotes(metric, whole, mix), ...onceNote(metric, whole, values)];
    const looked = lookedAtNotes(dimensions, [...skipped, ...tested.skipped]);
    const lacking = missing.map((text) => `${text}.`);
    return { notes: [...notes, ...lacking, ...found, ...looked, ...restNote(metric, whole, rows[0])], words, totals, rows, mix };
  };
  const [{ views, result, notes }, { notes: nameNotes }] = await Promise.all([queryViews(spans, context, times, query), names]);
  const totalOf = (name: string) => numberOf(result.totals[name] ?? null);
  return {
    total: { before: totalOf(`${metric}_before`), now: totalOf(metric), change: totalOf(`${metric}_change`) },
    rows: result.rows ?? [],
    nothingStandsOut: result.rows && result.rows.length === 0 && result.mix.length === 0,
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
async function eachAnswer(dimensions: readonly Dimension[], answerBy: AnswerBy, use: (dimension: Dimension, answer: Answer) => void) {
  const skipped: Dimension[] = [];
  for (const dimension of dimensions)
    try {
      use(dimension, await answerBy(dimension));
    } catch (error) {
      if (!(error instanceof VideoHostingError) || error.code !== 'query_too_heavy') throw error;
      skipped.push(dimension);
    }
  return skipped;
}

type AnswerBy = (dimension: Dimension) => Promise<Answer>;

async function valuesBy(dimensions: readonly Dimension[], metric: Metric, answerBy: AnswerBy) {
  const values: Value[] = [];
  const skipped = await eachAnswer(dimensions, answerBy, (dimension, { columns, rows }) => {
    for (const row of rows) {
      const read = cellReader(columns, row);
      // Not known, which is not none.
      if (read(baseOf(metric)) === null || read(`${baseOf(metric)}_before`) === null) continue;
      const name = read(`${dimension}_name`) ?? read(`${dimension}_title`);
      const value = readValue(dimension, metric, read(dimension), read);
      values.push(typeof name === 'string' ? { ...value, name } : value);
    }
  });
  return { values, skipped };
}

/**
 * The values of the dimensions that would stand out if each view came by itself, with how many views of a viewer come together.
 * Others don't stand out either way, so their viewers are not counted.
 */
async function byViewers(metric: Metric, whole: Candidate, values: readonly Value[], answerBy: AnswerBy) {
  const likely = [...standOut(metric, whole, comparable(values)), ...mixShifts(metric, whole, values)];
  const dimensions = [...new Set(likely.map(({ dimension }) => dimension))];
  const of = values.filter(({ dimension }) => dimensions.includes(dimension));
  // Of distinct viewers and videos, each counts once.
  if (isDistinct(baseOf(metric))) return { values: of, skipped: [] };
  const repeats = new Map<string, NonNullable<Value['repeats']>>();
  const keyOf = (dimension: Dimension, value: Scalar): string => JSON.stringify([dimension, value]);
  const skipped = await eachAnswer(dimensions, answerBy, (dimension, { columns, rows }) => {
    for (const row of rows) {
      const read = cellReader(columns, row);
      const each = (then: string): number =>
        Math.max(1, Number(read(`viewer_squares${then}`) ?? 0) / Math.max(1, Number(read(`views${then}`) ?? 0)));
      repeats.set(keyOf(dimension, read(dimension)), { now: each(''), before: each('_before') });
    }
  });
  const counted = of.filter(({ dimension }) => !skipped.includes(dimension));
  return {
    values: counted.map((value) => ({ ...value, ...definedFields({ repeats: repeats.get(keyOf(value.dimension, value.value)) }) })),
    skipped,
  };
}

const numberOf = (value: Scalar): number | null => (typeof value === 'number' ? value : null);

function cellReader(columns: Answer['columns'], row: readonly Scalar[]): (name: string) => Scalar {
  return (name) => row[columns.findIndex((column) => column.name === name)] ?? null;
}

function readValue(dimension: Dimension, metric: Metric, value: Scalar, read: (column: string) => Scalar): Value {
  const base = baseOf(metric);
  const [now, before, baseNow, baseBefore] = [metric, `${metric}_before`, base, `${base}_before`].map((name) => numberOf(read(name)));
  return { dimension, value, before: before ?? null, now: now ?? null, base: { now: baseNow ?? 0, before: baseBefore ?? 0 } };
}

function lookedAtNotes(dimensions: readonly Dimension[], skipped: readonly Dimension[]): string[] {
  const looked = dimensions.filter((dimension) => !skipped.includes(dimension));
  return [
    `Looked at, each by itself: ${looked.join(', ')}. What is not in the rows changed by little of the whole change, or by no more than its size and chance explain. Pairs of dimensions (one device in one country) were not looked at.`,
    ...(skipped.length === 0 ? [] : [`Not looked at, having too many values: ${skipped.join(', ')}.`]),
  ];
}

const MAX_SHIFTS = 3;
const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

/** A changed mix is no value's own change, so no row shows it. */
function mixNotes(metric: Metric, whole: Candidate, mix: readonly MixShift[]): string[] {
  return mix.slice(0, MAX_SHIFTS).map(({ dimension, change, values }) => {
    const shares = values.map(({ value, before, now }) => `${JSON.stringify(value)} ${percent(before)} → ${percent(now)}`).join(', ');
    const rounded = (number: number): number => Number(number.toPrecision(3));
    return `The mix by ${dimension} shifted (shares of ${baseOf(metric)}: ${shares}). With each ${metric} as it was, that alone changes the whole by ${rounded(change)}, of ${rounded(whole.change)}.`;
  });
}

const MAX_ONCE = 5;

/** Values that have a rate in one of the spans only, which can't be compared. */
function onceNote(metric: Metric, whole: Candidate, values: readonly Value[]): string[] {
  if (!isRatio(metric)) return [];
  const shareOf = ({ base }: Value): number =>
    Math.max(base.before / Math.max(1, whole.base.before), base.now / Math.max(1, whole.base.now));
  const once = values.filter(({ base }) => (base.before === 0) !== (base.now === 0)).sort((a, b) => shareOf(b) - shareOf(a));
  if (once.length === 0) return [];
  const shown = once
    .slice(0, MAX_ONCE)
    .map(({ dimension, value, base }) => `${dimension} ${JSON.stringify(value)} (${base.before} → ${base.now})`);
  const left = once.length - shown.length;
  const more = left === 0 ? '' : `, and ${left} smaller ones`;
  return [
    `Values with ${baseOf(metric)} in only one of the two times are in no row, having no ${metric} to compare: ${shown.join(', ')}${more}.`,
  ];
}

function restNote(metric: Metric, whole: Candidate, top: Explanation | undefined): string[] {
  if (top === undefined || !addsUp(metric)) return [];
  return [`Without ${top.dimension} ${JSON.stringify(top.value)}: ${whole.before - top.before} → ${whole.now - top.now} ${metric}.`];
}
