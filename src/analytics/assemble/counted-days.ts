import { DAY_MS } from '../../platform/time-units.ts';
import type { Question, Scalar, Span } from '../contract.ts';
import { dayOfMonth, dayOfWeek, weekdayOfDay } from '../resolve/calendar.ts';
import { common } from '../spans.ts';
import type { Known } from './known.ts';
import { eachStep } from './times.ts';

/** Their rows say how much of them is counted; a day or an hour that was read in part has no number. */
const PERIODS = { week: dayOfWeek, month: dayOfMonth } as const;
const FINER_FIRST = ['hour', 'day', 'week', 'month'] as const;

/** The column of them. */
export const COUNTED = 'counted';
/** Of a period that is counted as a whole, and of one of which nothing is. */
export const ALL = 'all';
const NONE = 'none';

/**
 * Tells of a row’s week or month how many of its days are counted (`19 of 31 days`): those that were asked for, are over or under
 * way, were read, and are not before the first record. Undefined where all are, of every row, or where rows have no such time.
 */
export function createCountedDays(
  question: Question,
  { covered, dataSpan }: Known,
  present: number,
): ((key: readonly Scalar[]) => string) | undefined {
  const dimension = FINER_FIRST.find((one) => question.groupBy.includes(one));
  if ((dimension !== 'week' && dimension !== 'month') || dataSpan === null) return undefined;
  const counted = new Map<number, number>();
  for (const { numbers, ...span } of eachStep([dimension], question) ?? []) {
    const [period = 0] = numbers;
    counted.set(period, (counted.get(period) ?? 0) + countedMs(span, { fromMs: dataSpan.fromMs, toMs: present }, covered));
  }
  const marks = new Map([...counted].map(([period, ms]) => [period, markOf(ms, askedDays(PERIODS[dimension], period, question.weekdays))]));
  if ([...marks.values()].every((mark) => mark === ALL)) return undefined;
  const column = question.groupBy.indexOf(dimension);
  return (key) => marks.get(Number(key[column])) ?? NONE;
}

/** The day of the first record counts as a whole: whether there were earlier ones on it is not known. */
export function countedMs(day: Span, known: Span, covered: readonly Span[]): number {
  if (day.toMs <= known.fromMs || day.fromMs >= known.toMs) return 0;
  const counted = { fromMs: day.fromMs, toMs: Math.min(day.toMs, known.toMs) };
  return covered.flatMap((one) => common(one, counted) ?? []).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

/** A day on which clocks go forward has an hour less. */
function markOf(ms: number, days: number): string {
  const counted = Math.min(days, Number((ms / DAY_MS).toFixed(1)));
  return counted === days ? ALL : counted === 0 ? NONE : `${counted} of ${days} days`;
}

function askedDays(beginOf: (period: number) => number, period: number, weekdays: Question['weekdays']): number {
  const days = Array.from({ length: beginOf(period + 1) - beginOf(period) }, (_, index) => beginOf(period) + index);
  return days.filter((day) => weekdays?.includes(weekdayOfDay(day)) !== false).length;
}
