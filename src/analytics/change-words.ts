import type { DayCount } from './assemble/departure.ts';
import {
  BEYOND_CHANCE,
  baseOf,
  type Candidate,
  chanceOf,
  type Explanation,
  leastOf,
  type Named,
  type Value,
  withoutPart,
} from './assemble/stand-out.ts';
import type { DatedDeparture, DatedMix } from './change-days.ts';
import type { Elsewhere } from './change-elsewhere.ts';
import type { Crossed, PeriodTotals } from './change-parts.ts';
import { DIMENSIONS, type Dimension } from './contract.ts';
import { isRatio, METRICS, type Metric } from './metrics.ts';
import { spanText } from './resolve/dates.ts';

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;
/** A value as exact as anybody reads it. */
const shown = (metric: Metric, value: number): string =>
  METRICS[metric].kind === 'share' ? percent(value) : String(isRatio(metric) ? Number(value.toPrecision(3)) : Math.round(value));

const nameOf = ({ dimension, value, dimension2, value2 }: Named): string =>
  `${dimension} ${JSON.stringify(value)}${dimension2 === undefined ? '' : ` and ${dimension2} ${JSON.stringify(value2)}`}`;

const grew = (before: number | string, now: number | string): string => `${before} → ${now}`;

/** `24.9 % → 28.9 % of 401 → 1602 plays`: nobody can judge a rate without what it is of. */
function changeOf(metric: Metric, { before, now, base }: Pick<Candidate, 'before' | 'now' | 'base'>): string {
  const values = grew(shown(metric, before), shown(metric, now));
  return isRatio(metric) ? `${values} of ${grew(base.before, base.now)} ${baseOf(metric)}` : values;
}

/** A rate can fall while it rises in each part, by which people take it for the opposite. */
export function againstNote(
  metric: Metric,
  whole: Candidate,
  shifts: readonly { readonly dimension: Dimension; readonly values: readonly Candidate[] }[],
): string[] {
  const first = shifts.find((one) => one.values.length > 0);
  if (first === undefined) return [];
  const { dimension, values } = first;
  const list = values.slice(0, MAX_SHIFTS).map((value) => `${JSON.stringify(value.value)} ${changeOf(metric, value)}`);
  const more = values.length > list.length ? `, and ${values.length - list.length} more` : '';
  const [went, each] = whole.change < 0 ? ['fell', 'rose'] : ['rose', 'fell'];
  return [
    `${metric} ${went} (${changeOf(metric, whole)}) although it ${each} in each ${dimension} that has one in both times (${list.join(', ')}${more}): their shares of ${baseOf(metric)} shifted.`,
  ];
}

function daysText({ since, until, between, days }: DatedDeparture, dayText: (day: DayCount) => string): string {
  const alone = until === since ? ` on ${since} alone` : ` from ${since} to ${until}, and then came back`;
  const when = until === undefined ? ` from ${since} on` : alone;
  const about = between === undefined ? '' : `; any first day from ${between[0]} to ${between[1]} fits about as well`;
  const list = (some: readonly DayCount[]): string => some.map(dayText).join(', ');
  const seen = days === undefined ? '' : ` (days before: ${list(days.before)}; from then: ${list(days.from)}${about})`;
  return seen === '' && about !== '' ? `${when} (${about.slice(2)})` : `${when}${seen}`;
}

/** A day of nothing has no rate. */
const rateOf = ({ amount, base }: DayCount, text: (rate: number) => string): string => (base === 0 ? '–' : text(amount / base));

export function sinceNote(metric: Metric, top: Explanation | undefined, departure: DatedDeparture | undefined): string[] {
  if (top === undefined || departure === undefined) return [];
  const against = isRatio(metric) ? 'the time before as a whole' : 'the same weekdays of the time before';
  const grown = departure.isGrown === true ? ', changed as all else did' : '';
  const day = (one: DayCount): string => (isRatio(metric) ? rateOf(one, (rate) => shown(metric, rate)) : shown(metric, one.amount));
  return [`${nameOf(top)} departs from the time before${daysText(departure, day)}; each day was compared with ${against}${grown}.`];
}

/** Fewer say nothing of what is usual. */
const MIN_PERIODS = 3;
/** A rate of so much fewer is no measure. */
const FEWER = 10;

/** Of which times before nothing can be said, and whether reading them, the latest first, would help. */
function untestedNote(metric: Metric, found: number, { totals, unread, asked }: PeriodTotals): string {
  const [latest] = unread;
  if (latest === undefined)
    return `Whether the time before was itself unusual can’t be tested: the service’s records give ${metric} for ${found} of the ${asked} such times before it.`;
  const all = { ...latest, fromMs: unread.at(-1)?.fromMs ?? latest.fromMs };
  return `Whether the time before was itself unusual was not tested: of the ${asked} such times before it, ${totals.length} are held. query_analytics from ${spanText(all)} reads them, and grouped by day or week shows them; after it, the same explain_change tests this.`;
}

/** Whether the time before was itself unusual, held against such times before it. */
export function usualNote(metric: Metric, whole: Candidate, periods: PeriodTotals): string[] {
  const { totals } = periods;
  const values = totals.flatMap(({ value }) => value ?? []);
  const bases = totals.map(({ base }) => base);
  const base = baseOf(metric);
  const ofBase = (text: string): string => (isRatio(metric) ? ` of ${text} ${base}` : ` ${metric}`);
  if (values.length < MIN_PERIODS) return [untestedNote(metric, values.length, periods)];
  const range = (numbers: readonly number[], text: (value: number) => string): string =>
    [...new Set([Math.min(...numbers), Math.max(...numbers)].map(text))].join(' to ');
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (isRatio(metric) && Math.max(...bases) * FEWER < whole.base.before)
    return [
      `The time before was itself unusual: ${whole.base.before} ${base}, while the ${totals.length} such times before it that are held had ${range(bases, String)}, too few to compare ${metric} with.`,
    ];
  const off = Math.max(least - whole.before, whole.before - most);
  const isUnusual = off > Math.max(most - least, leastOf(whole), BEYOND_CHANCE * chanceOf(metric, whole, whole));
  const before = `The time before was ${isUnusual ? 'itself' : 'not'} unusual: ${shown(metric, whole.before)}${isRatio(metric) ? ` ${metric}` : ''}${ofBase(String(whole.base.before))}`;
  const of = isRatio(metric) ? ofBase(range(bases, String)) : '';
  const others = `the ${values.length} such times before it that are held had ${range(values, (value) => shown(metric, value))}${of}`;
  const isBack = isUnusual && whole.now >= least && whole.now <= most;
  return [`${before}, while ${others}${isBack ? ', and so has the time asked for' : ''}.`];
}

export const MAX_SHIFTS = 3;

/** A changed mix is no value's own change, so no row shows it. The shares are in the answer's data, but for those that are said here. */
export function mixNotes(metric: Metric, whole: Candidate, mix: readonly DatedMix[]): string[] {
  const [first, ...others] = mix;
  if (first === undefined) return [];
  const { dimension, shiftedShares, changedParts, shares, departure } = first;
  const list = shares.map(({ value, before, now }) => `${JSON.stringify(value)} ${grew(percent(before), percent(now))}`).join(', ');
  const rounded = (number: number): number => Number(number.toPrecision(3));
  const [share] = shares;
  const since =
    departure === undefined ? '' : ` That of ${JSON.stringify(share?.value)} departs${daysText(departure, (day) => rateOf(day, percent))}.`;
  const also = others.map((other) => `${other.dimension} (${rounded(other.shiftedShares)})`).join(', ');
  return [
    `The mix by ${dimension} shifted (shares of ${baseOf(metric)}: ${list}).${since} With each ${metric} as it was, that alone changes the whole by ${rounded(shiftedShares)}, of ${rounded(whole.change)}; the changed parts by ${rounded(changedParts)}.${also === '' ? '' : ` So does the mix by ${also}.`}`,
  ];
}

const MAX_ONCE = 5;
/** Of less, its part of the whole is too small to explain anything. */
const LEAST_ONCE = 0.01;

/** Values that have a rate in one of the spans only, which can't be compared. */
export function onceNote(metric: Metric, whole: Candidate, values: readonly Value[]): string[] {
  if (!isRatio(metric)) return [];
  const shareOf = ({ base }: Value): number =>
    Math.max(base.before / Math.max(1, whole.base.before), base.now / Math.max(1, whole.base.now));
  const isOnce = ({ base }: Value): boolean => (base.before === 0) !== (base.now === 0);
  const once = values.filter((value) => isOnce(value) && shareOf(value) >= LEAST_ONCE).sort((a, b) => shareOf(b) - shareOf(a));
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

export function lookedAtNotes(
  metric: Metric,
  dimensions: readonly Dimension[],
  skipped: readonly Dimension[],
  { pairs, of, dimensions: crossed, within }: Crossed,
): string[] {
  const others = DIMENSIONS.filter((dimension) => !dimensions.includes(dimension));
  const explains = pairs.length === 0 ? ': none explains more than its values' : '';
  const looked =
    crossed.length === 0
      ? 'Pairs of dimensions (one device in one country) were not looked at.'
      : `Of pairs, only those of ${of.map(nameOf).join(' and ')} with ${crossed.join(', ')} were looked at${explains}.`;
  return [
    `Looked at, each by itself: all dimensions but ${others.join(', ')}. What is not in the rows changed by little of the whole change, or by no more than its size and chance explain. ${looked}`,
    ...(crossed.length === 0 ? [] : withinNote(metric, within)),
    ...(skipped.length === 0 ? [] : [`Not looked at, having too many values: ${skipped.join(', ')}.`]),
  ];
}

/** Where the views of a value come from: people ask that next. */
function withinNote(metric: Metric, within: Crossed['within']): string[] {
  const list = within.flatMap(({ of, shifts }) =>
    shifts.map((shift) => `in ${nameOf(of)} ${nameOf(shift)} ${grew(percent(shift.before), percent(shift.now))}`),
  );
  const what = `shares of ${baseOf(metric)} by these within ${within.map(({ of }) => nameOf(of)).join(' and ')}`;
  if (within.length === 0) return [];
  return [list.length === 0 ? `The ${what} are about as before.` : `Of the ${what}, shifted: ${list.join('; ')}.`];
}

export function restNote(metric: Metric, whole: Candidate, top: Candidate | undefined): string[] {
  const rest = top && withoutPart(metric, whole, top);
  if (top === undefined || rest === undefined) return [];
  return [`Without ${nameOf(top)}: ${changeOf(metric, rest)}${isRatio(metric) ? '' : ` ${metric}`}.`];
}

/** Whether what the filters leave out changed alike. */
export function elsewhereNotes(metric: Metric, cause: Candidate | undefined, elsewhere: Elsewhere | undefined): string[] {
  if (elsewhere === undefined) return [];
  const { whole, top, isOfWeekdays } = elsewhere;
  const share = (of: 'before' | 'now'): string => percent((top?.base[of] ?? 0) / Math.max(1, whole.base[of]));
  const ofShare = isRatio(metric) ? `, ${grew(share('before'), share('now'))} of all these` : '';
  const there = cause === undefined || top === undefined ? '' : `; there ${nameOf(cause)}: ${changeOf(metric, top)}${ofShare}`;
  return [
    `In all other views of the account${isOfWeekdays ? ' on these weekdays' : ''}, which the filters leave out: ${metric} ${changeOf(metric, whole)}${there}.`,
  ];
}
