import type { Catalogue } from '../../account/catalogue.ts';
import { allOrProblems, throwProblems } from '../../errors/field-problems.ts';
import type { FieldProblem } from '../../errors.ts';
import { longPiece } from '../../platform/long-work.ts';
import { nearest } from '../../text/nearest.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { type Answer, type AnswerInput, answerColumns, answerOf } from '../assemble/answer.ts';
import type { Ask, Coverage, Filter, Flags, Groups, Question, Scalar } from '../contract.ts';
import { addsUp, isMean, isMetric, isRatio, METRIC_NAMES, type Metric, SHARE, type SumMetric, withDigits } from '../metrics.ts';
import { WEEKDAYS, weekdayNumber } from '../resolve/calendar.ts';
import { type ComparisonPeriod, comparisonPeriod, isUnfinished } from '../resolve/comparison-period.ts';
import { type ResolvedSpan, resolveSpan } from '../resolve/dates.ts';
import { keyFilters, parseValues, seenValues, valueFilters } from '../resolve/filters.ts';
import { namesFor } from '../resolve/names.ts';
import { zoneOffsets } from '../resolve/zones.ts';
import type { ViewReader } from '../storage/contract.ts';
import { answerNotes } from './answer-notes.ts';
import { flagNotes } from './flag-notes.ts';
import { callTimes, type QuestionContext, type QuestionInput } from './question-context.ts';
import { queryViews, type ViewsRead } from './read-views.ts';

export interface QuestionAnswer extends ResolvedQuestion {
  readonly answer: Answer;
  readonly views: ViewsRead;
  /** As they were applied, in words. */
  readonly filters: readonly Sentence[];
  readonly notes: readonly Sentence[];
  /** Of a question by video alone and without filters: how many videos the catalogue has, and how many of these have no views. */
  readonly unseen: { readonly count: number; readonly of: number } | undefined;
}

interface ResolvedQuestion extends Pick<Question, 'metrics' | 'groupBy' | 'weekdays'> {
  readonly span: ResolvedSpan;
  /** Of the span, what counts: compared with a time before, a span that is not over ends now, as that does. */
  readonly counted: ResolvedSpan;
  readonly comparison: ComparisonPeriod | undefined;
  /** The metric of which each row’s share of the total is asked for. */
  readonly shareOf: SumMetric | undefined;
}

/** What is known of a question before its views are read. Throws everything that is wrong with it. */
export async function resolveQuestion(input: QuestionInput, context: QuestionContext) {
  const times = callTimes(context.settings);
  const now = Date.now();
  const { store } = await context.analytics();
  const limits = (): Ask => ({ signal: context.signal, timeoutMs: times.queryMs() });
  const seenKeys = (dimension: 'channel' | 'project') => seenValues(dimension, [{ fromMs: 0, toMs: now }], store, limits());
  const [resolved, keys] = await allOrProblems(
    () => checkedQuestion(input, now),
    () => keyFilters(input, context, seenKeys),
  );
  return { resolved, keys, times, now, store, limits };
}

export async function answerQuestion(input: QuestionInput, context: QuestionContext): Promise<QuestionAnswer> {
  const { resolved, keys, times, now, store, limits } = await resolveQuestion(input, context);
  const { span, comparison } = resolved;
  const spans = comparison === undefined ? [span] : [span, comparison.span];
  const names = namesFor(resolved.groupBy, context);
  const query = async ({ coverage }: ViewsRead) => {
    const { naming } = await names;
    checkOrder(input.orderBy, resolved, naming);
    const how = limits();
    const { filters, words, notes } = await valueFilters(input, keys, spans, store, how, context.catalogue);
    const ask = (flags: Flags, asked: ResolvedQuestion) => askParts(flags, asked, filters, coverage, store, how);
    const parts = await ask(input, resolved);
    const unflagged = await flagNotes(input, (flags, more) => ask(flags, { ...resolved, ...more }));
    const answer = answerOf({ ...parts, naming, shareOf: resolved.shareOf, orderBy: input.orderBy, present: now });
    return { notes: [...notes, ...unflagged], words, answer: withDigitsOf(answer) };
  };
  const [{ views, result, notes }, { notes: nameNotes, untitled, listed }] = await Promise.all([
    queryViews(spans, context, times, query),
    names,
  ]);
  const { answer, words } = result;
  const isOfAll = resolved.groupBy.join() === 'video' && words.length === 0 && resolved.weekdays === undefined;
  const unseen = isOfAll && listed !== undefined ? unseenOf(answer, listed) : undefined;
  const own = answerNotes(answer, { ...resolved, orderBy: input.orderBy, present: now, untitled });
  const allNotes = [...notes, ...nameNotes.map(({ text }) => text), ...result.notes, ...own];
  return { ...resolved, answer, views, filters: words, notes: allNotes, unseen };
}

function unseenOf({ rows }: Answer, catalogue: Catalogue): QuestionAnswer['unseen'] {
  const seen = new Set(rows.map(([key]) => key));
  const keys = Array.from(catalogue.entries(), ({ key }) => key).filter((key) => key !== undefined);
  return { count: keys.filter((key) => !seen.has(key)).length, of: keys.length };
}

/** The same with as many digits of each number as mean something. */
function withDigitsOf(answer: Answer): Answer {
  const metricOf = (column: string): Metric | undefined => {
    const metric = column.replace(/_(?:before|change)$/, '');
    return isMetric(metric) && isMean(metric) ? metric : undefined;
  };
  const metrics = answer.columns.map(({ name }) => metricOf(name));
  if (metrics.every((metric) => metric === undefined)) return answer;
  const shown = (value: Scalar, metric: Metric | undefined): Scalar =>
    metric === undefined || typeof value !== 'number' ? value : withDigits(metric, value);
  return {
    ...answer,
    rows: answer.rows.map((row) => row.map((value, index) => shown(value, metrics[index]))),
    totals: Object.fromEntries(Object.entries(answer.totals).map(([name, value]) => [name, shown(value, metricOf(name))])),
  };
}

const nameless = (column: string) => ({ column, nameOf: () => null });
const ALL_NAMES = {
  video: nameless('video_title'),
  channel: nameless('channel_name'),
  project: nameless('project_name'),
  country: nameless('country_name'),
};

/** Checks a question, as far as that takes no views. Throws everything that is wrong with it. */
async function checkedQuestion(
  { from, to, timezone, orderBy, compareTo, ...input }: QuestionInput,
  now: number,
): Promise<ResolvedQuestion> {
  const { metrics = [], groupBy = [] } = input;
  const weekdays = countedWeekdays(input.weekdays);
  const named = [...new Set(metrics)].filter((name) => name !== SHARE);
  const own = named.length === 0 ? (['views'] as const) : named;
  const wanted = {
    metrics: own,
    shareOf: metrics.includes(SHARE) ? own.filter((name) => !isRatio(name)).find(addsUp) : undefined,
    groupBy: [...new Set(groupBy)],
    weekdays,
  };
  const [span] = await allOrProblems(
    () => resolveSpan({ from, to, timezone }, now),
    () => throwProblems(metrics.includes(SHARE) && wanted.shareOf === undefined ? [NO_SHARE] : []),
    () => throwProblems(weekdays?.length === 0 ? [NO_DAY] : []),
    // Whether names become columns is known only after reading them.
    () => checkOrder(orderBy, { ...wanted, comparison: compareTo }, ALL_NAMES),
  );
  const comparison = compareTo && comparisonPeriod(span, compareTo, now);
  const counted = comparison !== undefined && isUnfinished(span, now) ? { ...span, toMs: now } : span;
  return { ...wanted, span, counted, comparison };
}

const NO_SHARE = {
  field: sentence`metrics`,
  problem: sentence`${SHARE} is a part of a total, which the metrics beside it do not add up to: ask for one of ${joined(METRIC_NAMES.filter(addsUp), ', ')} too.`,
};

const NO_DAY = { field: sentence`weekdays`, problem: sentence`leaves out every day of the week: name those that count.` };

/** The days of the week that count, by their numbers; undefined if all do. */
function countedWeekdays(given: readonly string[] = []): readonly number[] | undefined {
  const { leavesOut, values } = parseValues(given);
  const named = values.map(weekdayNumber);
  if (!leavesOut) return named.length === 0 ? undefined : named;
  return WEEKDAYS.map((_, day) => day).filter((day) => !named.includes(day));
}

type Columns = Pick<ResolvedQuestion, 'metrics' | 'groupBy' | 'shareOf'> & { readonly comparison: unknown };

function checkOrder(orderBy: string | undefined, { groupBy, metrics, shareOf, comparison }: Columns, naming: AnswerInput['naming']): void {
  const names = answerColumns(groupBy, metrics, comparison !== undefined, { naming, shareOf }).map(({ name }) => name);
  throwProblems(orderProblem(orderBy, names));
}

function orderProblem(orderBy: string | undefined, names: readonly string[]): FieldProblem[] {
  const name = orderBy?.replace(/^[-+]/, '');
  if (name === undefined || names.includes(name)) return [];
  const [, column = '', direction = ''] = /^(\w+)[\s:]+(asc|desc|1|-1)/i.exec(name) ?? [];
  if (names.includes(column))
    return [{ field: sentence`orderBy`, problem: sentence`write ${/^(?:desc|-1)$/i.test(direction) ? '-' : ''}${word(column)}.` }];
  const near = nearest(name.slice(0, 60), names, 2);
  const isOfComparison = METRIC_NAMES.some((metric) => name.startsWith(`${metric}_`)) && /_(?:before|change|ratio)$/.test(name);
  const hint = isOfComparison
    ? sentence` Add compareTo, and its metric to metrics.`
    : isMetric(name)
      ? sentence` Ask for ${name} in metrics too.`
      : name.endsWith(`_${SHARE}`)
        ? sentence` Ask for ${SHARE} in metrics too.`
        : near.length === 0
          ? sentence``
          : sentence` Did you mean ${wordList(near, ' or ')}?`;
  const problem = sentence`is not a column of this answer, which has ${wordList(names)}.${hint} One column; with - before it, descending.`;
  return [{ field: sentence`orderBy`, problem }];
}

/** Asks the storage about a span and the span that it is compared with. Of several people, what has very many groups is gone on with in turn. */
export async function askParts(
  { started, ended, muted }: Flags,
  { metrics, groupBy, weekdays, counted, comparison }: ResolvedQuestion,
  filters: readonly Filter[],
  [here, there]: readonly Coverage[],
  store: ViewReader,
  how: Ask,
): Promise<Pick<AnswerInput, 'now' | 'earlier'>> {
  // Both are of one log, and either may have been read before the other.
  const spans = [here, there].flatMap((coverage) => coverage?.dataSpan ?? []);
  const dataSpan =
    spans.length === 0 ? null : { fromMs: Math.min(...spans.map((one) => one.fromMs)), toMs: Math.max(...spans.map((one) => one.toMs)) };
  const ask = async ({ fromMs, toMs, zone }: ResolvedSpan, { covered = [], presentMs = toMs }: Partial<Coverage> = {}) => {
    const offsets = zoneOffsets(zone, { fromMs, toMs });
    const question: Question = { span: { fromMs, toMs }, metrics, groupBy, filters, offsets, weekdays, started, ended, muted };
    const passed = { ...question, span: { fromMs, toMs: Math.min(toMs, presentMs) } };
    return { question, groups: await store.ask(passed, { ...how, covered }), known: { covered, dataSpan } };
  };
  const [now, former] = await Promise.all([ask(counted, here), comparison && ask(comparison.span, there)]);
  await longPiece(cellsIn(now.groups) + (former === undefined ? 0 : cellsIn(former.groups)), how.signal);
  return { now, earlier: comparison && former && { ...former, shift: comparison.shift } };
}

const cellsIn = ({ rows, columns }: Groups): number => rows.length * columns.length;
