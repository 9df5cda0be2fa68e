import { type Answer, answerColumns, answerOf } from '../../analytics/assemble/answer.ts';
import { type Ask, type Coverage, type Filter, METRICS, type Question } from '../../analytics/contract.ts';
import { type ComparisonPeriod, comparisonPeriod } from '../../analytics/resolve/comparison-period.ts';
import { type ResolvedSpan, resolveSpan, spanText } from '../../analytics/resolve/dates.ts';
import { zonedText, zoneOffsets } from '../../analytics/resolve/zones.ts';
import type { ViewReader } from '../../analytics/storage/contract.ts';
import { allOrProblems, type FieldProblem, throwProblems } from '../../errors.ts';
import { nearest } from '../../platform/nearest.ts';
import type { ToolContext } from '../define-tool.ts';
import { keyFilters, seenValues, valueFilters } from './filters.ts';
import { namesFor } from './names.ts';
import type { QueryArgs } from './question-input.ts';
import { overViews, type Readings, readViews } from './read-views.ts';
import { callTimes } from './times.ts';

export interface Answered {
  readonly answer: Answer;
  readonly span: ResolvedSpan;
  readonly earlier: ComparisonPeriod | undefined;
  readonly readings: Readings;
  /** What a reader of the numbers has to know. */
  readonly notes: readonly string[];
}

/** What of a question can be told right or wrong without its views. */
interface Plan {
  readonly metrics: Question['metrics'];
  readonly groupBy: Question['groupBy'];
  readonly span: ResolvedSpan;
  readonly earlier: ComparisonPeriod | undefined;
}

/** From arguments to an answer: all checked first, then the views read as far as time allows, then asked. */
export async function answerQuestion(args: QueryArgs, context: ToolContext): Promise<Answered> {
  const times = callTimes(context.settings);
  const now = Date.now();
  const analytics = await context.analytics();
  const { store } = analytics;
  const seenKeys = (dimension: 'channel' | 'project') =>
    seenValues(dimension, [{ fromMs: 0, toMs: now }], store, { signal: context.signal, timeoutMs: times.askMs() });
  const [plan, keys] = await allOrProblems(
    () => planOf(args, now),
    () => keyFilters(args, { ...context, seenKeys }),
  );
  const { span, earlier, groupBy, metrics } = plan;
  const spans = earlier === undefined ? [span] : [span, earlier.span];
  const named = namesFor(groupBy, context);
  const read = async () => (await Promise.all([readViews(spans, analytics, context, times.readUntil), named]))[0];
  const { readings, found, notes } = await overViews(read, async ({ coverage: [here, there] }) => {
    const { naming } = await named;
    throwProblems(orderProblem(args.orderBy, plan, naming));
    const how = { signal: context.signal, timeoutMs: times.askMs() };
    const { filters, notes } = await valueFilters(args, keys, spans, store, how, args.videoKeys && (await context.catalogue()));
    const ask = asker(args, plan, filters, store, how);
    const [part, former] = await Promise.all([ask(span, here), earlier && ask(earlier.span, there)]);
    const before = earlier && former && { ...former, shift: earlier.shift };
    return { notes, answer: answerOf({ now: part, earlier: before, naming, orderBy: args.orderBy, present: now }) };
  });
  const { answer } = found;
  const gaps = answer.hasGaps ? ['Times without views are left out: there would be too many rows.'] : [];
  const nameNotes = (await named).notes;
  return { answer, span, earlier, readings, notes: [...notes, ...nameNotes, ...found.notes, ...gaps, ...lengthNote(plan, metrics)] };
}

function planOf({ from, to, timezone, metrics = [], groupBy = [], orderBy, compareTo }: QueryArgs, now: number): Plan {
  const span = resolveSpan({ from, to, timezone }, now);
  const plan = { metrics: metrics.length === 0 ? DEFAULT_METRICS : [...new Set(metrics)], groupBy: [...new Set(groupBy)] };
  // Names of channels, projects and videos may become columns too; that is known later.
  const columns = answerColumns(plan.groupBy, plan.metrics, compareTo !== undefined, ALL_NAMES);
  const order = orderProblemIn(
    orderBy,
    columns.map(({ name }) => name),
  );
  throwProblems([...(Array.isArray(span) ? span : []), ...order]);
  if (Array.isArray(span)) throw new Error('A span with problems got through.');
  return { ...plan, span, earlier: compareTo && comparisonPeriod(span, compareTo) };
}

const DEFAULT_METRICS = ['views'] as const;

const nameless = (column: string) => ({ column, nameOf: () => null });
const ALL_NAMES = { video: nameless('video_title'), channel: nameless('channel_name'), project: nameless('project_name') };

function orderProblem(
  orderBy: string | undefined,
  { groupBy, metrics, earlier }: Plan,
  naming: Parameters<typeof answerColumns>[3],
): FieldProblem[] {
  return orderProblemIn(
    orderBy,
    answerColumns(groupBy, metrics, earlier !== undefined, naming).map(({ name }) => name),
  );
}

function orderProblemIn(orderBy: string | undefined, names: readonly string[]): FieldProblem[] {
  const name = orderBy?.replace(/^[-+]/, '');
  if (name === undefined || names.includes(name)) return [];
  const elsewhere = /^(\w+)[\s:]+(asc|desc|1|-1)/i.exec(name);
  if (elsewhere !== null && names.includes(elsewhere[1] ?? ''))
    return [{ field: 'orderBy', problem: `write ${/^(?:desc|-1)$/i.test(elsewhere[2] ?? '') ? '-' : ''}${elsewhere[1]}.` }];
  const near = nearest(name.slice(0, 60), names, 2);
  const isMetric = METRICS.some((metric) => metric === name);
  const meant = isMetric ? ` Ask for ${name} in metrics too.` : near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const problem = `is not a column of this answer, which has ${names.join(', ')}.${meant} One column; with - before it, descending.`;
  return [{ field: 'orderBy', problem }];
}

function asker({ started, ended }: QueryArgs, { metrics, groupBy }: Plan, filters: readonly Filter[], store: ViewReader, how: Ask) {
  return async (span: ResolvedSpan, { held = [], reach = null }: Partial<Coverage> = {}) => {
    const { fromMs, toMs, zone } = span;
    const question: Question = {
      span: { fromMs, toMs },
      metrics,
      groupBy,
      filters,
      offsets: zoneOffsets(zone, span),
      ...(started === undefined ? {} : { started }),
      ...(ended === undefined ? {} : { ended }),
    };
    return { question, groups: await store.ask(question, { ...how, held }), known: { held, reach } };
  };
}

const DAY_MS = 86_400_000;

/** Totals of spans of different lengths are no like for like. */
function lengthNote({ span, earlier }: Plan, metrics: Question['metrics']): string[] {
  if (earlier === undefined || metrics.length === 0) return [];
  const difference = (span.toMs - span.fromMs - (earlier.span.toMs - earlier.span.fromMs)) / DAY_MS;
  if (Math.abs(difference) < 0.9) return [];
  const days = Math.round(Math.abs(difference));
  return [`The time before is ${days} ${days === 1 ? 'day' : 'days'} ${difference < 0 ? 'longer' : 'shorter'}.`];
}

/** A span as it is answered. */
export function spanOut(span: ResolvedSpan) {
  return { from: zonedText(span.zone, span.fromMs), to: zonedText(span.zone, span.toMs), timezone: span.zone, text: spanText(span) };
}
