import { DAY_MS } from '../../platform/time-units.ts';
import type { MetricKind } from '../metrics.ts';
import { BEYOND_CHANCE } from './stand-out.ts';

/** A day of one value; of a rate, `amount` is what it is a rate of, times the rate. */
export interface DayCount {
  /** ISO. */
  readonly day: string;
  readonly amount: number;
  readonly base: number;
}

export interface Departure {
  readonly since: string;
  /** The last day, where it came back after it. */
  readonly until?: string;
  /** Each of these days explains the days about as well as `since`, where that isn't the only one. */
  readonly between?: readonly [string, string];
}

interface Series {
  readonly before: readonly DayCount[];
  readonly now: readonly DayCount[];
  /** By how much all else grew. */
  readonly growth: number;
  /** How many views of a viewer come together. */
  readonly repeats: number;
}

const MIN_DAYS = 3;
/** More days would take too long to try each with each. */
const MAX_DAYS = 1_500;
/** In squares of standard deviations: how much worse another day has to explain the days. */
const CLEARLY_WORSE = 4;
/** Of what the days of it are off, so much may be left after it. */
const BACK = 0.25;

/**
 * From when to when the days of a value differ most from what they were before, on the same weekdays and grown as all else did.
 * Undefined where that is no more than chance makes, for which `rest`, the days of all else, says how much days vary.
 */
export function departureOf(kind: MetricKind, own: Series, rest: Series | undefined, direction: number): Departure | undefined {
  const { now } = own;
  if (now.length < MIN_DAYS || own.before.length < MIN_DAYS || now.length > MAX_DAYS) return undefined;
  const noise = rest === undefined ? 1 : Math.max(1, mean(residuals(kind, rest).map(({ off, variance }) => off ** 2 / variance)));
  const sums = cumulated(residuals(kind, own));
  /** How much of what is off the days from one to another explain, both included. */
  const gain = (first: number, last: number): number => {
    const [start, end] = [sums[first], sums[last + 1]];
    if (start === undefined || end === undefined) return 0;
    const off = (end.off - start.off) * direction;
    return off <= 0 ? 0 : off ** 2 / ((end.variance - start.variance) * noise);
  };
  const end = now.length - 1;
  let best = { first: 0, last: end, gain: 0 };
  for (let first = 0; first <= end; first += 1)
    for (let last = first; last <= end; last += 1) if (gain(first, last) > best.gain) best = { first, last, gain: gain(first, last) };
  if (best.gain < BEYOND_CHANCE ** 2) return undefined;
  /** How much the days from one to another are off, on average. */
  const offOf = (first: number, last: number): number => {
    const [start, stop] = [sums[first], sums[last + 1]];
    return start === undefined || stop === undefined ? 0 : ((stop.off - start.off) * direction) / (stop.variance - start.variance);
  };
  // It came back only where the days after it say so.
  const isBack = gain(best.first, end) <= best.gain - CLEARLY_WORSE && offOf(best.last + 1, end) < BACK * offOf(best.first, best.last);
  const last = isBack ? best.last : end;
  const dayAt = (index: number): string => now[index]?.day ?? '';
  const alike = now.flatMap((_, first) => (first <= last && gain(first, last) > gain(best.first, last) - CLEARLY_WORSE ? [first] : []));
  const [earliest = best.first, latest = best.first] = [alike[0], alike.at(-1)];
  return {
    since: dayAt(best.first),
    ...(last === end ? {} : { until: dayAt(last) }),
    ...(earliest === latest ? {} : { between: [dayAt(earliest), dayAt(latest)] as const }),
  };
}

interface Residual {
  /** By how much the day is off what was expected. */
  readonly off: number;
  readonly variance: number;
}

function residuals(kind: MetricKind, { before, now, growth, repeats }: Series): Residual[] {
  const [amount, base] = [sumOf(before, 'amount'), sumOf(before, 'base')];
  const each = base === 0 ? 0 : amount / base;
  const unit = unitVariance(kind, each, growth);
  return now.map((day) => {
    if (kind === 'share' || kind === 'mean') {
      const variance = Math.max(unit, 1e-6) * day.base * (1 + day.base / Math.max(1, base)) * repeats;
      return { off: day.amount - day.base * each * growth, variance: Math.max(variance, 1e-6) };
    }
    const same = before.filter((other) => weekdayOf(other) === weekdayOf(day));
    const like = same.length === 0 ? before : same;
    const expected = { amount: mean(like.map((other) => other.amount)) * growth, base: mean(like.map((other) => other.base)) * growth };
    const variance = unit * Math.max(1, expected.base) * (1 + growth / like.length) * repeats;
    return { off: day.amount - expected.amount, variance: Math.max(variance, 1e-6) };
  });
}

/** Of one view, play or viewer: as chance is judged for the whole span. */
function unitVariance(kind: MetricKind, each: number, growth: number): number {
  if (kind === 'share') return each * growth * Math.max(0, 1 - each * growth);
  return kind === 'amount' ? 2 * each ** 2 : kind === 'mean' ? each ** 2 : 1;
}

function cumulated(days: readonly Residual[]): Residual[] {
  const sums: Residual[] = [{ off: 0, variance: 0 }];
  for (const { off, variance } of days) {
    const last = sums.at(-1) ?? { off: 0, variance: 0 };
    sums.push({ off: last.off + off, variance: last.variance + variance });
  }
  return sums;
}

const weekdayOf = ({ day }: DayCount): number => (Date.parse(day) / DAY_MS) % 7;
const sumOf = (days: readonly DayCount[], of: 'amount' | 'base'): number => days.reduce((sum, day) => sum + day[of], 0);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
