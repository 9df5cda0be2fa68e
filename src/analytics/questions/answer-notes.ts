import { DAY_MS } from '../../platform/time-units.ts';
import { toLocal } from '../../platform/time-zones.ts';
import { joined, type Sentence, sentence, word, wordList } from '../../text/sentence.ts';
import { alignPeriods } from '../assemble/align-periods.ts';
import type { Answer } from '../assemble/answer.ts';
import { tiesAfter } from '../assemble/order.ts';
import { areAlike, daysText } from '../assemble/recorded-days.ts';
import { eachStep, timeLabel, timeNumber, timesOf } from '../assemble/times.ts';
import { NAMES_NONE, type Question, type Scalar } from '../contract.ts';
import { type CyclicDimension, cycleOf, DIMENSION_NAMES, isCyclic, isTimeUnit, type TimeUnit } from '../dimensions.ts';
import { addsUp, isDistinct, isRatio } from '../metrics.ts';
import { dayOf, dayOfMonth, dayOfWeek, WEEKDAYS, weekdayOfDay } from '../resolve/calendar.ts';
import { type ComparisonPeriod, isUnfinished } from '../resolve/comparison-period.ts';
import type { ResolvedSpan } from '../resolve/dates.ts';
import { zonedText, zoneOffsets } from '../resolve/zones.ts';

/** A question as it was asked, as far as notes need it. */
interface Asked extends Pick<Question, 'metrics' | 'groupBy' | 'weekdays'> {
  readonly span: ResolvedSpan;
  readonly comparison: ComparisonPeriod | undefined;
  readonly orderBy: string | undefined;
  readonly present: number;
  /** Why a video has no title. */
  readonly untitled?: Sentence | undefined;
}

/** What a reader of an answer's numbers has to know. */
export function answerNotes(answer: Answer, whole: Asked): Sentence[] {
  // What is to come has no views to count or compare.
  const asked = isUnfinished(whole.span, whole.present) ? { ...whole, span: { ...whole.span, toMs: whole.present } } : whole;
  return [
    ...leftOutNote(answer),
    ...titleNote(answer, whole),
    ...answer.missing.map((text) => sentence`${text}.`),
    ...distinctNote(answer, asked),
    ...orderNote(answer, asked),
    ...unfinishedNote(whole),
    ...lengthNote(asked),
    ...daysNote(answer),
    ...partsNote(asked),
    ...cyclesNote(asked),
    ...containedNote(asked),
    ...unevenNote(answer, asked),
    ...alignedNote(asked),
    ...rowlessNote(asked),
  ];
}

const LEFT_OUT = {
  times: sentence`Times without views are left out: there would be too many rows.`,
  combinations: sentence`Combinations without views have no row; times alone would have rows of zeros.`,
};

const leftOutNote = ({ leftOut }: Answer): Sentence[] => (leftOut === undefined ? [] : [LEFT_OUT[leftOut]]);

function titleNote({ columns, rows }: Answer, { untitled: why = sentence`` }: Asked): Sentence[] {
  const titleIndex = columns.findIndex(({ name }) => name === 'video_title');
  const keyIndex = columns.findIndex(({ name }) => name === 'video');
  const untitled = titleIndex < 0 ? 0 : new Set(rows.filter((row) => row[titleIndex] === null).map((row) => row[keyIndex])).size;
  return untitled === 0 ? [] : [sentence`${untitled} of the videos have no title here: ${why}`];
}

/** Of rows that are cut: which of those that are left out have as much as the last one that is shown. */
export function tieNote({ columns, rows, orderedBy }: Answer, shown: number): Sentence[] {
  const column = columns.findIndex(({ name }) => name === orderedBy?.name);
  const ties = orderedBy === undefined || column < 0 || shown >= rows.length ? [] : tiesAfter(rows, shown, column, orderedBy);
  if (orderedBy === undefined || ties.length === 0) return [];
  const last = rows[shown - 1]?.[column];
  const same = ties.every((value) => value === last)
    ? sentence`the same ${word(orderedBy.name)}`
    : sentence`as large a ${word(orderedBy.name)}, up or down,`;
  const tied =
    ties.length === 1 ? sentence`row ${shown + 1}, left out, has` : sentence`rows ${shown + 1} to ${shown + ties.length}, left out, have`;
  return [sentence`A tie at the cut: ${tied} ${same} as row ${shown} (${word(String(last))}).`];
}

/** Of rows that are cut: what they have of the total of the first metric that adds up, and what is left. None where some number is not known. */
export function cutPartsNote({ columns, rows, totals }: Pick<Answer, 'columns' | 'rows' | 'totals'>, shown: number): Sentence[] {
  const column = columns.findIndex(({ name }) => addsUp(name));
  const metric = columns[column]?.name ?? '';
  const total = totals[metric];
  const parts = rows.map((row) => ({ value: row[column], isNone: row[0] === null }));
  const known = parts.flatMap(({ value, isNone }) => (typeof value === 'number' ? [{ value, isNone }] : []));
  if (shown >= rows.length || column < 1 || typeof total !== 'number' || total === 0 || known.length < rows.length) return [];
  const of = (sum: number): Sentence => sentence`${sum} (${Number(((100 * sum) / total).toFixed(1))} %)`;
  const sumOf = (some: typeof known): number => some.reduce((sum, { value }) => sum + value, 0);
  const text = (some: typeof known): Sentence => {
    const none = sumOf(some.filter(({ isNone }) => isNone));
    return sentence`${of(sumOf(some))}${none === 0 ? '' : sentence`, of which ${NAMES_NONE} ${of(none)}`}`;
  };
  const [these, others] = [known.slice(0, shown), known.slice(shown)];
  return [sentence`Of ${total} ${word(metric)}: these rows ${text(these)}; ${others.length} others ${text(others)}.`];
}

/** Of the videos of the catalogue, those without views have no row, which is what some ask for. */
export function unseenNote(unseen: { readonly count: number; readonly of: number } | undefined): Sentence[] {
  if (unseen === undefined || unseen.count === 0) return [];
  const [have, them] = unseen.count === 1 ? (['has', 'it'] as const) : (['have', 'them'] as const);
  return [
    sentence`${unseen.count} of the ${unseen.of} videos of the video catalogue ${have} no views here, and no row. run_analytics_sql lists ${them}: ${UNSEEN_SQL}`,
  ];
}

const UNSEEN_SQL = sentence`SELECT key, title FROM videos WHERE key NOT IN (SELECT video_key FROM views WHERE video_key IS NOT NULL)`;

/** A reader would add them up. */
function distinctNote({ rows }: Answer, { metrics, groupBy }: Asked): Sentence[] {
  const distinct = metrics.filter((metric) => isDistinct(metric));
  if (distinct.length === 0 || groupBy.length === 0 || rows.length < 2) return [];
  return [sentence`The total of ${joined(distinct, ', ')} is no sum of the rows: who or what is in several rows counts once.`];
}

function orderNote({ orderedBy, rows }: Answer, { comparison, orderBy }: Asked): Sentence[] {
  if (comparison === undefined || orderBy !== undefined || orderedBy === undefined || rows.length < 2) return [];
  return [sentence`What changed most comes first, up or down (${word(orderedBy.name)}); orderBy sorts otherwise.`];
}

/** Of a span whose end was named and is to come. */
export function unfinishedNote({ span, comparison, present }: Pick<Asked, 'span' | 'comparison' | 'present'>): Sentence[] {
  if (comparison === undefined || !isUnfinished(span, present)) return [];
  const [now, then] = [zonedText(span.zone, present), zonedText(span.zone, comparison.span.toMs)];
  return [sentence`The time asked for is not over: it counts until now, ${now}, and so the time before until ${then}.`];
}

/** Totals of spans of different lengths can't be compared. */
function lengthNote({ span, comparison, weekdays }: Asked): Sentence[] {
  if (comparison === undefined) return [];
  const difference = countedDays(span, weekdays) - countedDays(comparison.span, weekdays);
  if (Math.abs(difference) < 0.9) return [];
  const days = Math.round(Math.abs(difference));
  const such = weekdays === undefined ? '' : ' of the asked weekdays';
  return [sentence`The time before is ${days} ${days === 1 ? 'day' : 'days'}${such} ${difference < 0 ? 'longer' : 'shorter'}.`];
}

/** Sums over different numbers of days look comparable, and are not. */
export function daysNote({ days, totals }: Pick<Answer, 'days' | 'totals'>): Sentence[] {
  if (days?.before === undefined || areAlike(days.now, days.before)) return [];
  const each = Object.keys(totals).flatMap((name) => {
    const metric = /^(.*)_per_day$/.exec(name)?.[1];
    const [now, before] = [totals[name], totals[`${name}_before`]];
    const shown = (value: Scalar | undefined): Sentence => (typeof value === 'number' ? sentence`${value}` : sentence`not known`);
    return metric === undefined ? [] : [sentence`${word(metric)} ${shown(now)}, before ${shown(before)}`];
  });
  const perDay = each.length === 0 ? '' : sentence` Per day: ${joined(each, '; ')}.`;
  return [
    sentence`The sums of the two times can’t be compared: ${daysText(days.now)} are counted, and ${daysText(days.before)} of the time before; the others have no records, or were not read.${perDay}`,
  ];
}

/** The longest first. */
export const PERIODS = DIMENSION_NAMES.filter(isTimeUnit).toReversed();

/** A week of which a day or two are counted has few views for that alone. */
function partsNote({ groupBy, span, comparison, present, weekdays }: Asked): Sentence[] {
  const dimensions = PERIODS.filter((dimension) => groupBy.includes(dimension));
  const cutIn = (one: ResolvedSpan): Sentence =>
    wordList([...new Set(dimensions.flatMap((dimension) => timesInPart(dimension, one, weekdays)))].map(String));
  const [now, before] = [span.fromMs < present ? cutIn(span) : sentence``, comparison === undefined ? sentence`` : cutIn(comparison.span)];
  const parts = [now, ...(before === '' ? [] : [sentence`${now === '' ? '' : 'and '}in the time before ${before}`])].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? [] : [sentence`Counted in part, as the time begins or ends within: ${joined(parts, ', ')}.`];
}

/** The first and the last of the times of a span, where it begins or ends within. Of days that don’t count, none is missing. */
export function timesInPart(dimension: TimeUnit, { fromMs, toMs, zone }: ResolvedSpan, weekdays: Question['weekdays']): Scalar[] {
  const periodAt = (ms: number): number => timeNumber(dimension, toLocal(zone, ms));
  const cut = [fromMs, toMs].flatMap((ms) => (periodAt(ms - 1) === periodAt(ms) ? [periodAt(ms)] : []));
  const beginOf = dimension === 'week' ? dayOfWeek : dimension === 'month' ? dayOfMonth : undefined;
  const [from, to] = [toLocal(zone, fromMs) / DAY_MS, toLocal(zone, toMs) / DAY_MS];
  const lacksDays = (period: number): boolean => {
    if (beginOf === undefined || weekdays === undefined) return true;
    const first = beginOf(period);
    const days = Array.from({ length: beginOf(period + 1) - first }, (_, index) => first + index);
    return days.some((day) => weekdays.includes(weekdayOfDay(day)) && (day < from || day + 1 > to));
  };
  return cut.filter(lacksDays).map((period) => timeLabel(dimension, period));
}

/** What part fewer of one hour than of another is worth a word: an hour more in ten days is, in a month not. */
const RARER = 0.05;

/** A weekday that occurs more often than another has more views for that alone, and so has an hour of a day that is not over. */
function cyclesNote({ groupBy, span, weekdays }: Asked): Sentence[] {
  return groupBy.filter(isCyclic).flatMap((dimension) => {
    const { values, noun } = cycleOf(dimension);
    const lasts = lengthsOf(dimension, { span, offsets: zoneOffsets(span.zone, span), weekdays });
    const once = lengthsOf(dimension, ONCE[cycleOf(dimension).every]);
    const counts = values.map((_, value) => (lasts.get(value) ?? 0) / (once.get(value) ?? 1));
    const [least, most] = [Math.min(...counts.filter((count) => count > 0)), Math.max(...counts)];
    if (most - least < RARER * most) return [];
    const runs: { readonly from: number; to: number; readonly count: number }[] = [];
    for (const [value, exact] of counts.entries()) {
      const [count, last] = [Number(exact.toFixed(1)), runs.at(-1)];
      if (last?.count === count) last.to = value;
      else runs.push({ from: value, to: value, count });
    }
    const name = (value: number): Sentence => word(values[value] ?? '');
    const texts = runs
      .filter(({ count }) => count > 0)
      .map(({ from, to, count }) => sentence`${name(from)}${from === to ? '' : sentence` to ${name(to)}`}: ${count}`);
    return [sentence`Not every ${noun} occurs as often (how many there are of each): ${joined(texts, ', ')}.`];
  });
}

const timesFrom1970 = (days: number) => ({ span: { fromMs: 0, toMs: days * DAY_MS }, offsets: [{ fromMs: 0, offsetSeconds: 0 }] });
/** Spans that contain each value of a cycle once. */
const ONCE = { day: timesFrom1970(1), week: timesFrom1970(7) };

/** How long the times last that have each number. */
function lengthsOf(dimension: CyclicDimension, times: Pick<Question, 'span' | 'offsets' | 'weekdays'>): ReadonlyMap<number, number> {
  const lengths = new Map<number, number>();
  for (const { numbers, fromMs, toMs } of eachStep([dimension], times, Number.POSITIVE_INFINITY) ?? []) {
    const [value = 0] = numbers;
    lengths.set(value, (lengths.get(value) ?? 0) + toMs - fromMs);
  }
  return lengths;
}

/** Of times that come again, those that one of two compared times lacks are null there. */
function containedNote({ groupBy, span, comparison, weekdays }: Asked): Sentence[] {
  const cycles = groupBy.filter(isCyclic);
  if (comparison === undefined || cycles.length === 0) return [];
  const valuesIn = (one: ResolvedSpan): string =>
    JSON.stringify(timesOf(cycles, { span: one, offsets: zoneOffsets(one.zone, one), weekdays }));
  if (valuesIn(span) === valuesIn(comparison.span)) return [];
  const what = joined(
    cycles.map((cycle) => cycleOf(cycle).noun),
    ' or ',
  );
  return [sentence`A ${what} that only one of the two times contains has no number in the other, which is not 0.`];
}

/** What has a row for two days of a time and one of the other looks as if it had doubled. */
const unevenNote = ({ hasUnevenRows }: Pick<Answer, 'hasUnevenRows'>, { metrics }: Asked): Sentence[] =>
  hasUnevenRows && !metrics.every((metric) => isRatio(metric))
    ? [sentence`A row that has more of one time than of the other has no ratio.`]
    : [];

/** How many are named. */
const MAX_ROWLESS = 3;

/** A reader would take the rows for all of the time before. */
function rowlessNote({ groupBy, span, comparison, weekdays }: Asked): Sentence[] {
  const dimension = PERIODS.toReversed().find((one) => one !== 'hour' && groupBy.includes(one));
  if (comparison === undefined || dimension === undefined || weekdays !== undefined || groupBy.includes('hour')) return [];
  const timesIn = (one: ResolvedSpan) => ({ span: one, offsets: zoneOffsets(one.zone, one) });
  const then = timesIn(comparison.span);
  const aligned = alignPeriods(dimension, timesIn(span), then, comparison.shift);
  const rowless = (timesOf([dimension], then) ?? []).flatMap(([value = 0]) => (aligned?.after(value) === undefined ? [value] : []));
  if (rowless.length === 0) return [];
  const names = wordList(rowless.slice(0, MAX_ROWLESS).map((value) => String(timeLabel(dimension, value))));
  const more = rowless.length > MAX_ROWLESS ? sentence` and ${rowless.length - MAX_ROWLESS} more` : '';
  return [sentence`Of the time before, ${names}${more} ${rowless.length === 1 ? 'is' : 'are'} in no row.`];
}

/** Which rows of the time before stand against those of now, where their names don't tell it. */
function alignedNote({ groupBy, span, comparison, weekdays }: Asked): Sentence[] {
  if (comparison === undefined) return [];
  const { shift } = comparison;
  const isByMonths = shift.by === 'months';
  const isByYears = isByMonths && shift.count % 12 === 0;
  const notes: Sentence[] = [];
  if (groupBy.includes('week') && isByMonths) {
    const timesIn = (one: ResolvedSpan) => ({ span: one, offsets: zoneOffsets(one.zone, one) });
    const [now, then] = [timesIn(span), timesIn(comparison.span)];
    const [first = 0] = timesOf(['week'], now)?.map(([week = 0]) => week) ?? [];
    const before = alignPeriods('week', now, then, shift)?.before(first);
    const example =
      before === undefined
        ? ''
        : sentence` (${word(String(timeLabel('week', before)))} in the row of ${word(String(timeLabel('week', first)))})`;
    notes.push(sentence`Each week stands against that of the time before which holds most of its days, shifted${example}.`);
  }
  if (weekdays !== undefined && groupBy.some((dimension) => dimension === 'day' || dimension === 'hour')) {
    const keepsWeekdays = !isByMonths && shift.by !== 'time' && shift.count % 7 === 0;
    if (isByYears) notes.push(sentence`Each day stands against the same weekday ${word(String(52 * (shift.count / 12)))} weeks before.`);
    else if (!keepsWeekdays && weekdays.length < WEEKDAYS.length)
      notes.push(sentence`A day that falls on another weekday in the time before has no number there; the totals count both times.`);
  }
  return notes;
}

function countedDays({ fromMs, toMs, zone }: ResolvedSpan, weekdays: readonly number[] | undefined): number {
  if (weekdays === undefined) return (toMs - fromMs) / DAY_MS;
  let count = 0;
  const end = toLocal(zone, toMs) / DAY_MS;
  for (let day = dayOf(toLocal(zone, fromMs)); day < end; day += 1) if (weekdays.includes(weekdayOfDay(day))) count += 1;
  return count;
}
