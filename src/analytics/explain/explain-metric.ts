import { type Sentence, sentence } from '../../text/sentence.ts';
import { answerOf } from '../assemble/answer.ts';
import { areAlike } from '../assemble/recorded-days.ts';
import { type Coverage, type Filter, FLAGS } from '../contract.ts';
import { DIMENSIONS, type Dimension, isTimeDimension } from '../dimensions.ts';
import { isMeanOfParts, isRatio, type Metric, withDigits } from '../metrics.ts';
import { daysNote, unfinishedNote } from '../questions/answer-notes.ts';
import { askParts, resolveQuestion } from '../questions/answer-question.ts';
import { flagNotes } from '../questions/flag-notes.ts';
import type { QuestionContext, QuestionInput } from '../questions/question-context.ts';
import { queryViews, type ViewsRead } from '../questions/read-views.ts';
import { periodsBefore } from '../resolve/comparison-period.ts';
import type { ResolvedSpan } from '../resolve/dates.ts';
import { valueFilters } from '../resolve/filters.ts';
import { namesFor } from '../resolve/names.ts';
import { breaksIn, type FoundBreak } from './breaks.ts';
import { type DatedDeparture, type DatedMix, departureOfShare, departureOfTop } from './days.ts';
import { elsewhereOf } from './elsewhere.ts';
import { againstWhole, dimensionsOfShares, type Mix, mixShifts, splitBy } from './mix.ts';
import { likeliestOfPair } from './pairs.ts';
import {
  byViewers,
  numberOrNull,
  optional,
  type PeriodTotal,
  pairsOfEach,
  type Questions,
  readValue,
  totalsBefore,
  usefulDimensions,
  valuesBy,
} from './parts.ts';
import {
  baseOf,
  type Candidate,
  comparable,
  type Explanation,
  explanationOf,
  isSame,
  type Named,
  standOut,
  type Value,
} from './stand-out.ts';
import {
  againstNote,
  breakNotes,
  chanceNote,
  elsewhereNotes,
  lookedAtNotes,
  MAX_SHIFTS,
  mixNotes,
  namelessNote,
  onceNote,
  restNote,
  sinceNote,
  usualNote,
} from './words.ts';

export interface ExplainInput extends Omit<QuestionInput, 'metrics' | 'groupBy' | 'orderBy'> {
  readonly metric?: Metric | undefined;
}

interface Found {
  /** Most unexplained first. */
  readonly rows: readonly Explanation[];
  /** Values that the question named and that are not in `rows`. */
  readonly named: readonly Explanation[];
  /** Of a rate or a mean. */
  readonly mix: readonly DatedMix[];
  /** When the first row departs. */
  readonly departure: DatedDeparture | undefined;
  /** No value by itself, and no shift of shares. Undefined where one of the spans has no number, or there was nothing before. */
  readonly nothingStandsOut: boolean | undefined;
  /** What fell or rose for good on a day inside the span. */
  readonly breaks: readonly FoundBreak[];
  /** Whether breaks of all values could be looked for. */
  readonly isAllLooked: boolean;
  /** Whether neither time has fewer days than the other for want of records. */
  readonly areDaysAlike: boolean;
  /** Whether any could: a few days have none. */
  readonly haveDaysBreaks: boolean;
  /** Dimensions of which no shift between values was looked for; undefined for a metric of which none is. */
  readonly withoutShares: readonly Dimension[] | undefined;
  /** To be read before all else. */
  readonly first: readonly Sentence[];
  readonly notes: readonly Sentence[];
}

/** Periods before the earlier one that say whether it was unusual. */
const MAX_PERIODS = 6;

export async function explainMetric({ metric = 'views', ...given }: ExplainInput, context: QuestionContext) {
  const input: QuestionInput = { ...given, compareTo: given.compareTo ?? 'previous_period', metrics: [metric, baseOf(metric)] };
  const { resolved, keys, times, now, store, limits } = await resolveQuestion(input, context);
  const { span, comparison } = resolved;
  if (comparison === undefined) throw new Error('A difference is one between two spans.');
  const spans = [span, comparison.span];
  const names = namesFor(['video', 'channel', 'project'], context);
  const query = async ({ coverage }: ViewsRead) => {
    const { naming } = await names;
    const how = limits();
    const { filters, words, notes: filterNotes } = await valueFilters(input, keys, spans, store, how, context.catalogue);
    const unflagged = await flagNotes(input, (flags, more) => askParts(flags, { ...resolved, ...more }, filters, coverage, store, how));
    const partsBy: Questions['partsBy'] = ({ groupBy, metrics = resolved.metrics, of = { filters: [] } }) =>
      askParts({ ...input, ...of.flags }, { ...resolved, groupBy, metrics }, [...filters, ...of.filters], coverage, store, how);
    const nowBy: Questions['nowBy'] = async ({ groupBy, metrics = resolved.metrics, of = { filters: [] } }) => {
      const alone = { ...resolved, groupBy, metrics, comparison: undefined };
      return (await askParts({ ...input, ...of.flags }, alone, [...filters, ...of.filters], coverage, store, how)).now;
    };
    const answer: Questions['answer'] = (parts) => answerOf({ ...parts, naming, present: now });
    const answerOfAll: Questions['answerOfAll'] = async ({ groupBy, of = { filters: [] } }) =>
      answer(await askParts(of.flags ?? {}, { ...resolved, groupBy }, of.filters, coverage, store, how));
    const totalIn = async (period: ResolvedSpan, covered: Coverage): Promise<PeriodTotal | undefined> => {
      const asked = { ...resolved, groupBy: [], counted: period, comparison: undefined };
      const { totals } = answer(await askParts(input, asked, filters, [covered], store, how));
      const base = numberOrNull(totals[baseOf(metric)] ?? null);
      return base === null ? undefined : { value: numberOrNull(totals[metric] ?? null), base };
    };
    const questions: Questions = {
      metric,
      comparison,
      now,
      partsBy,
      nowBy,
      answer,
      answerBy: async (part) => answer(await partsBy(part)),
      isOfWeekdays: resolved.weekdays !== undefined,
      answerOfAll: filters.length > 0 || FLAGS.some((flag) => input[flag] !== undefined) ? answerOfAll : undefined,
    };
    const { totals, missing, days } = await questions.answerBy({ groupBy: [] });
    const [whole] = comparable([readValue('day', metric, (name) => totals[name] ?? null)]);
    const lacking = [...filterNotes, ...unflagged, ...missing.map((text) => sentence`${text}.`), ...daysNote({ days, totals })];
    if (whole === undefined || whole.before === 0) return { ...NOTHING, notes: lacking, words, totals };
    const found = await explained(questions, whole, filters);
    const areSame = days?.before === undefined || areAlike(days.now, days.before);
    const before = await optional(() => totalsBefore(periodsBefore(comparison, MAX_PERIODS), store, totalIn));
    const usual = before === undefined ? [] : usualNote(metric, whole, before);
    const notes = [...lacking, ...usual, ...found.notes];
    return { ...found, notes, words, totals, ...(areSame ? {} : { nothingStandsOut: undefined, areDaysAlike: false }) };
  };
  const [{ views, result, notes }, { notes: nameNotes }] = await Promise.all([queryViews(spans, context, times, query), names]);
  const { words, totals, ...found } = result;
  const totalOf = (column: string) => {
    const value = numberOrNull(totals[column] ?? null);
    return value === null ? null : withDigits(metric, value);
  };
  const shown = new Set([...found.rows, ...found.named].map(({ dimension }) => dimension));
  const nameless = nameNotes.filter(({ of }) => shown.has(of)).map(({ text }) => text);
  return {
    ...found,
    total: { before: totalOf(`${metric}_before`), now: totalOf(metric), change: totalOf(`${metric}_change`) },
    span,
    comparison,
    views,
    /** As they were applied, in words. */
    filters: words,
    notes: [...notes, ...unfinishedNote({ span, comparison, present: now }), ...found.notes, ...nameless],
  };
}

const NOTHING: Found = {
  rows: [],
  named: [],
  mix: [],
  departure: undefined,
  nothingStandsOut: undefined,
  breaks: [],
  isAllLooked: false,
  haveDaysBreaks: false,
  areDaysAlike: true,
  withoutShares: undefined,
  first: [],
  notes: [],
};

async function explained(questions: Questions, whole: Candidate, filters: readonly Filter[]): Promise<Found> {
  const { metric, comparison } = questions;
  const dimensions = usefulDimensions(comparison);
  const { values, skipped } = await valuesBy(dimensions, questions);
  const tested = await byViewers(whole, values, questions);
  const shifts = mixShifts(metric, whole, tested.values).slice(0, MAX_SHIFTS);
  const crossed = await pairsOfEach(whole, toCross(metric, whole, shifts, values), comparable(values), questions);
  const candidates = [...comparable(tested.values), ...crossed.pairs];
  const rows = standOut(metric, whole, candidates);
  const [top] = rows;
  const dated = await datedShifts(shifts, questions);
  const mix = dated.length > 0 ? dated : mixOf(metric, whole, top, values);
  const departing = candidates.find((candidate) => top !== undefined && isSame(candidate, top));
  const departure = departing && (await optional(() => departureOfTop(whole, departing, questions)));
  const cause = departing ?? comparable(shiftedValues(shifts[0], values).slice(0, 1))[0];
  const elsewhere = await optional(() => elsewhereOf(whole, cause, questions));
  const breaks = await breaksIn(whole, dimensions, values, questions);
  const named = comparable(values).filter(
    (value) => isNamed(value, filters) && !isWhole(value, whole) && !rows.some((row) => isSame(row, value)),
  );
  return {
    rows,
    named: named.map((value) => explanationOf(metric, whole, value)),
    mix,
    departure,
    breaks: breaks.found,
    nothingStandsOut: rows.length === 0 && shifts.length === 0 && breaks.found.length === 0,
    isAllLooked: breaks.isLooked,
    haveDaysBreaks: breaks.count > 0,
    areDaysAlike: true,
    withoutShares: isRatio(metric)
      ? dimensions.filter((dimension) => !dimensionsOfShares(metric, whole, values).includes(dimension))
      : undefined,
    first: againstNote(
      metric,
      whole,
      shifts.map(({ dimension }) => ({ dimension, values: againstWhole(dimension, whole, values) })),
    ),
    notes: [
      ...namelessNote(tested.areNamed || rows.length + shifts.length === 0),
      ...sinceNote(metric, top, datedBy(departure, top, breaks.found)),
      ...breakNotes(metric, breaks),
      ...chanceNote(metric, whole, candidates, rows),
      ...mixNotes(metric, whole, dated),
      ...onceNote(metric, whole, values),
      ...lookedAtNotes(metric, dimensions, [...skipped, ...tested.skipped], crossed),
      ...restNote(metric, whole, departing),
      ...elsewhereNotes(metric, cause, elsewhere),
    ],
  };
}

/** A break on that very day says that no other one fits. */
function datedBy(departure: DatedDeparture | undefined, top: Explanation | undefined, found: readonly FoundBreak[]) {
  const isDated = found.some((one) => top !== undefined && partsText(one) === partsText(top) && one.since === departure?.since);
  if (departure === undefined || !isDated) return departure;
  const { between: _, ...rest } = departure;
  return rest;
}

/** What it is of, whichever of a pair comes first. */
const partsText = ({ dimension, value, dimension2, value2 }: Named): string =>
  [JSON.stringify([dimension, value]), JSON.stringify([dimension2, value2])].toSorted().join();

/** Of the first shift that is none of times, the two values whose shares shifted most; else the value that is likeliest of a pair. */
function toCross(metric: Metric, whole: Candidate, shifts: readonly Mix[], values: readonly Value[]): readonly Value[] {
  const shift = shifts.find(({ dimension }) => !isTimeDimension(dimension));
  if (shift !== undefined) return shiftedValues(shift, values).slice(0, 2);
  const likeliest = likeliestOfPair(metric, whole, comparable(values));
  return likeliest === undefined ? [] : [likeliest];
}

/** The values whose shares shifted, the most first. */
const shiftedValues = (shift: Mix | undefined, values: readonly Value[]): Value[] =>
  (shift?.shares ?? []).flatMap(
    (share) => values.find(({ dimension, value }) => dimension === shift?.dimension && value === share.value) ?? [],
  );

async function datedShifts([first, ...others]: readonly Mix[], questions: Questions): Promise<DatedMix[]> {
  const [share] = first?.shares ?? [];
  if (first === undefined || share === undefined) return [];
  return [{ ...first, departure: await optional(() => departureOfShare(first.dimension, share, questions)) }, ...others];
}

/** Where no shift stands out: how the difference of the first row is one of its own. */
function mixOf(metric: Metric, whole: Candidate, top: Explanation | undefined, values: readonly Value[]): Mix[] {
  return top === undefined || !isMeanOfParts(metric) ? [] : [splitBy(top.dimension, whole, values).mix];
}

/** Of a filter that names one value, its row would say what the total says. */
const isWhole = ({ base, before, now }: Candidate, whole: Candidate): boolean =>
  base.before === whole.base.before && base.now === whole.base.now && before === whole.before && now === whole.now;

const isNamed = ({ dimension, value }: Value, filters: readonly Filter[]): boolean =>
  !isTimeDimension(dimension) &&
  filters.some(({ column, values }) => column === DIMENSIONS[dimension].column && values.some((named) => named === value));
