import { inFull } from '../../text/counted.ts';
import { inQuotes, joined, type Sentence, sentence, word } from '../../text/sentence.ts';
import type { Scalar } from '../contract.ts';
import { DIMENSION_NAMES, type Dimension } from '../dimensions.ts';
import { isRatio, METRICS, type Metric } from '../metrics.ts';
import { spanText } from '../resolve/dates.ts';
import { tailOf } from './break-test.ts';
import type { Breaks, FoundBreak } from './breaks.ts';
import type { DatedDeparture, DatedMix } from './days.ts';
import type { DayCount } from './departure.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Crossed, PeriodTotals } from './parts.ts';
import {
  BEYOND_CHANCE,
  baseOf,
  type Candidate,
  chanceOf,
  type Explanation,
  isSame,
  leastOf,
  type Named,
  unexplainedOf,
  type Value,
  withoutPart,
} from './stand-out.ts';

const percent = (share: number): Sentence => sentence`${Number((100 * share).toFixed(1))} %`;
const inFigures = (value: number): Sentence => sentence`${value}`;
/** A value as exact as anybody reads it. */
const shown = (metric: Metric, value: number): Sentence =>
  METRICS[metric].kind === 'share' ? percent(value) : inFigures(isRatio(metric) ? Number(value.toPrecision(3)) : Math.round(value));

/** The longest text that views have. */
const MAX_VALUE = 500;

/** A value as the views have it. */
const valueText = (value: Scalar): Sentence =>
  typeof value === 'string' ? inQuotes(value, MAX_VALUE) : value === null ? sentence`null` : word(String(value));

/** With the name of a key, where that is known. */
function nameOf({ dimension, value, dimension2, value2, name }: Named & { readonly name?: string | undefined }): Sentence {
  const called = name === undefined || name === value ? '' : sentence` (${inQuotes(name)})`;
  return sentence`${dimension} ${valueText(value)}${called}${dimension2 === undefined ? '' : sentence` and ${dimension2} ${valueText(value2 ?? null)}`}`;
}

const grew = (before: number | Sentence, now: number | Sentence): Sentence => sentence`${before} → ${now}`;

/** `24.9 % → 28.9 % of 401 → 1602 plays`: nobody can judge a rate without what it is of. */
function differenceText(metric: Metric, { before, now, base }: Pick<Candidate, 'before' | 'now' | 'base'>): Sentence {
  const values = grew(shown(metric, before), shown(metric, now));
  return isRatio(metric) ? sentence`${values} of ${grew(base.before, base.now)} ${baseOf(metric)}` : values;
}

/** A rate can fall while it rises in each part, by which people take it for the opposite. */
export function againstNote(
  metric: Metric,
  whole: Candidate,
  shifts: readonly { readonly dimension: Dimension; readonly values: readonly Candidate[] }[],
): Sentence[] {
  const first = shifts.find((one) => one.values.length > 0);
  if (first === undefined) return [];
  const { dimension, values } = first;
  const list = values.slice(0, MAX_SHIFTS).map((value) => sentence`${valueText(value.value)} ${differenceText(metric, value)}`);
  const more = values.length > list.length ? sentence`, and ${values.length - list.length} more` : '';
  const [went, each] = whole.difference < 0 ? (['fell', 'rose'] as const) : (['rose', 'fell'] as const);
  return [
    sentence`${metric} ${went} (${differenceText(metric, whole)}) although it ${each} in each ${dimension} that has one in both times (${joined(list, ', ')}${more}): their shares of ${baseOf(metric)} shifted.`,
  ];
}

/** What stays as it is from a day on, to the end of the time asked for. */
const forGood = (since: string): Sentence => sentence` for good from ${word(since)} on`;

/** Which way something went, where it went the way in which it stands out. */
const wayOf = (before: number, now: number, unexplained = now - before): 'rose' | 'fell' | 'changed' =>
  Math.sign(now - before) !== Math.sign(unexplained) ? 'changed' : now > before ? 'rose' : 'fell';

function daysText({ since, until, between, days }: DatedDeparture, dayText: (day: DayCount) => Sentence): Sentence {
  const ended = until === undefined ? forGood(since) : sentence` from ${word(since)} to ${word(until)}, and then came back`;
  const when = until === since ? sentence` on ${word(since)} alone` : ended;
  const about = between === undefined ? '' : sentence`any first day from ${word(between[0])} to ${word(between[1])} fits about as well`;
  const list = (some: readonly DayCount[]): Sentence => joined(some.map(dayText), ', ');
  const seen =
    days === undefined
      ? ''
      : sentence` (days before: ${list(days.before)}; from then: ${list(days.from)}${about === '' ? '' : sentence`; ${about}`})`;
  return seen === '' && about !== '' ? sentence`${when} (${about})` : sentence`${when}${seen}`;
}

/** A day of nothing has no rate. */
const rateOf = ({ amount, base }: DayCount, text: (rate: number) => Sentence): Sentence => (base === 0 ? sentence`–` : text(amount / base));

export function sinceNote(metric: Metric, top: Explanation | undefined, departure: DatedDeparture | undefined): Sentence[] {
  if (top === undefined || departure === undefined) return [];
  const against = isRatio(metric) ? 'the time before as a whole' : 'the same weekdays of the time before';
  const grown = departure.isGrown === true ? ', changed as all else did' : '';
  const day = (one: DayCount): Sentence => (isRatio(metric) ? rateOf(one, (rate) => shown(metric, rate)) : shown(metric, one.amount));
  const way = wayOf(top.before, top.now, top.unexplained);
  return [sentence`${nameOf(top)} ${way}${daysText(departure, day)}; each day was compared with ${against}${grown}.`];
}

/** `1 in 20,000`; `less than 1 in a million`. */
const chanceText = (chance: number): Sentence =>
  chance < 1e-6 ? sentence`less than 1 in a million` : sentence`about 1 in ${inFull(Number((1 / chance).toPrecision(2)))}`;

/** Whether the values of a pair did the same without each other. */
function restsText({ rests = [] }: FoundBreak, level: (value: number) => Sentence): Sentence {
  if (rests.length === 0) return sentence``;
  const texts = rests.map((rest) => sentence`the rest of ${nameOf(rest)} ${grew(level(rest.before), level(rest.now))}`);
  return sentence`, ${joined(texts, ', ')}`;
}

/** What fell or rose for good, which a total may hide. */
export function breakNotes(metric: Metric, { found, isLooked, arePairsLooked, count }: Breaks): Sentence[] {
  const level = (value: number): Sentence => (isRatio(metric) ? shown(metric, value) : inFigures(Number(value.toPrecision(3))));
  const what = isRatio(metric) ? '' : ' a day';
  const texts = found.map((one) => {
    return sentence`${nameOf(one)} ${wayOf(one.before, one.now)}${forGood(one.since)}: ${grew(level(one.before), level(one.now))}${what} (by chance alone: ${chanceText(one.chance)})${restsText(one, level)}`;
  });
  const pairs = arePairsLooked ? sentence` and pairs` : sentence`, without pairs,`;
  const left = isLooked ? '' : ' Some had too many values to be looked at.';
  if (texts.length > 0) return [sentence`Inside the time: ${joined(texts, '; ')}.${left}`];
  if (count === 0) return [];
  return [sentence`Inside the time, none of ${count} values${pairs} that are large enough fell or rose for good from a day on.${left}`];
}

/** How likely chance alone makes something stand out that is told. */
export function chanceNote(metric: Metric, whole: Candidate, candidates: readonly Candidate[], rows: readonly Explanation[]): Sentence[] {
  const beyond = rows.flatMap((row) => {
    const candidate = candidates.find((one) => isSame(one, row));
    if (candidate === undefined) return [];
    const { unexplained, weight } = unexplainedOf(metric, whole, candidate);
    return Math.abs(unexplained) / (chanceOf(metric, whole, candidate) * weight);
  });
  if (beyond.length === 0) return [];
  const chance = Math.min(1, candidates.length * tailOf(Math.min(...beyond), 1e6));
  return [
    sentence`How likely chance alone makes one of ${candidates.length} values stand out as clearly as the rows: ${chanceText(chance)}.`,
  ];
}

/** Fewer say nothing of what is usual. */
const MIN_PERIODS = 3;
/** A rate of so much fewer is no measure. */
const FEWER = 10;

/** Of which times before nothing can be said, and whether reading them, the latest first, would help. */
function untestedNote(metric: Metric, found: number, { totals, unread, asked }: PeriodTotals): Sentence {
  const [latest] = unread;
  if (latest === undefined)
    return sentence`Whether the time before was itself unusual can’t be tested: the service’s records give ${metric} for only ${found} of the ${asked} times of that length before it, and it takes ${MIN_PERIODS}.`;
  const all = { ...latest, fromMs: unread.at(-1)?.fromMs ?? latest.fromMs };
  return sentence`Whether the time before was itself unusual was not tested: it takes ${MIN_PERIODS} of the ${asked} times of that length before it, and ${totals.length} have been read. Only if the user asks whether the time before was unusual: query_analytics from ${spanText(all)} reads them; then ask explain_change again.`;
}

/** Whether the time before was itself unusual, held against such times before it. */
export function usualNote(metric: Metric, whole: Candidate, periods: PeriodTotals): Sentence[] {
  const { totals } = periods;
  const values = totals.flatMap(({ value }) => value ?? []);
  const bases = totals.map(({ base }) => base);
  const base = baseOf(metric);
  const ofBase = (text: Sentence | number): Sentence => (isRatio(metric) ? sentence` of ${text} ${base}` : sentence` ${metric}`);
  if (values.length < MIN_PERIODS) return [untestedNote(metric, values.length, periods)];
  const range = (numbers: readonly number[], text: (value: number) => Sentence): Sentence => {
    const [from, to] = [text(Math.min(...numbers)), text(Math.max(...numbers))];
    return from === to ? from : sentence`${from} to ${to}`;
  };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (isRatio(metric) && Math.max(...bases) * FEWER < whole.base.before)
    return [
      sentence`The time before was itself unusual: ${whole.base.before} ${base}, while the ${totals.length} times of that length before it that have been read had ${range(bases, inFigures)}, too few to compare ${metric} with.`,
    ];
  const off = Math.max(least - whole.before, whole.before - most);
  const isUnusual = off > Math.max(most - least, leastOf(whole), BEYOND_CHANCE * chanceOf(metric, whole, whole));
  const before = sentence`The time before was ${isUnusual ? 'itself' : 'not'} unusual: ${shown(metric, whole.before)}${isRatio(metric) ? sentence` ${metric}` : ''}${ofBase(whole.base.before)}`;
  const of = isRatio(metric) ? ofBase(range(bases, inFigures)) : '';
  const others = sentence`the ${values.length} times of that length before it that have been read had ${range(values, (value) => shown(metric, value))}${of}`;
  const isBack = isUnusual && whole.now >= least && whole.now <= most;
  return [sentence`${before}, while ${others}${isBack ? ', and so has the time asked for' : ''}.`];
}

/** Where no view of what stands out names its viewer, nothing tells how many views of one person come together. */
export const namelessNote = (areNamed: boolean): Sentence[] =>
  areNamed
    ? []
    : [sentence`No view of these names its viewer, so each counts as one of another person: the differences may be of few people.`];

export const MAX_SHIFTS = 3;

/** A changed mix is no value's own change, so no row shows it. The shares are in the answer's data, but for those that are said here. */
export function mixNotes(metric: Metric, whole: Candidate, mix: readonly DatedMix[]): Sentence[] {
  const [first, ...others] = mix;
  if (first === undefined) return [];
  const { dimension, shiftedShares, changedParts, shares, departure } = first;
  const list = shares.map(({ value, before, now }) => sentence`${valueText(value)} ${grew(percent(before), percent(now))}`);
  const isShare = METRICS[metric].kind === 'share';
  const part = (number: number): Sentence =>
    sentence`${Number((isShare ? 100 * number : number).toPrecision(3))}${isShare ? ' points' : ''}`;
  const [share] = shares;
  const since =
    departure === undefined
      ? ''
      : sentence` That of ${valueText(share?.value ?? null)} ${wayOf(share?.before ?? 0, share?.now ?? 0)}${daysText(departure, (day) => rateOf(day, percent))}.`;
  const also = others.map((other) => sentence`${other.dimension} (${part(other.shiftedShares)})`);
  return [
    sentence`The mix by ${dimension} shifted (shares of ${baseOf(metric)}: ${joined(list, ', ')}).${since} The whole ${metric} changed by ${part(whole.difference)}: the shifted shares make ${part(shiftedShares)} of that, changes of ${metric} within each ${dimension} ${part(changedParts)}.${also.length === 0 ? '' : sentence` The mix by ${joined(also, ', ')} shifted too, which is another view of the same views, not to be added.`}`,
  ];
}

const MAX_ONCE = 5;
/** Of less, its part of the whole is too small to explain anything. */
const LEAST_ONCE = 0.01;

/** Values that have a rate in one of the spans only, which can't be compared. */
export function onceNote(metric: Metric, whole: Candidate, values: readonly Value[]): Sentence[] {
  if (!isRatio(metric)) return [];
  const shareOf = ({ base }: Value): number =>
    Math.max(base.before / Math.max(1, whole.base.before), base.now / Math.max(1, whole.base.now));
  const isOnce = ({ base }: Value): boolean => (base.before === 0) !== (base.now === 0);
  const once = values.filter((value) => isOnce(value) && shareOf(value) >= LEAST_ONCE).sort((a, b) => shareOf(b) - shareOf(a));
  if (once.length === 0) return [];
  const shown = once
    .slice(0, MAX_ONCE)
    .map(({ dimension, value, base }) => sentence`${dimension} ${valueText(value)} (${base.before} → ${base.now})`);
  const left = once.length - shown.length;
  const more = left === 0 ? '' : sentence`, and ${left} smaller ones`;
  return [
    sentence`Values with ${baseOf(metric)} in only one of the two times are in no row, having no ${metric} to compare: ${joined(shown, ', ')}${more}.`,
  ];
}

export function lookedAtNotes(
  metric: Metric,
  dimensions: readonly Dimension[],
  skipped: readonly Dimension[],
  { pairs, of, dimensions: crossed, within }: Crossed,
): Sentence[] {
  const others = DIMENSION_NAMES.filter((dimension) => !dimensions.includes(dimension));
  const explains = pairs.length === 0 ? ': none explains more than its values' : '';
  const looked =
    crossed.length === 0
      ? 'Pairs of dimensions (one device in one country) were not looked at.'
      : sentence`Pairs were compared only of ${joined(of.map(nameOf), ' and ')} with ${joined(crossed, ', ')}${explains}.`;
  return [
    sentence`Looked at, each by itself: all dimensions but ${joined(others, ', ')}. What is not in the rows makes little of the whole change, or changed by no more than its size and chance explain. ${looked}`,
    ...(crossed.length === 0 ? [] : withinNote(metric, within)),
    ...(skipped.length === 0 ? [] : [sentence`Not looked at, having too many values: ${joined(skipped, ', ')}.`]),
  ];
}

/** Where the views of a value come from: people ask that next. */
function withinNote(metric: Metric, within: Crossed['within']): Sentence[] {
  const list = within.flatMap(({ of, shifts }) =>
    shifts.map((shift) => {
      const where = within.length > 1 ? sentence`in ${nameOf(of)} ` : '';
      return sentence`${where}${nameOf(shift)} ${grew(percent(shift.before), percent(shift.now))}`;
    }),
  );
  const tops = within.map(({ of }) => nameOf(of));
  const what = sentence`Within ${joined(tops, ' and ')}, the shares of ${baseOf(metric)} by those dimensions`;
  if (within.length === 0) return [];
  return [list.length === 0 ? sentence`${what} are about as before.` : sentence`${what} shifted: ${joined(list, '; ')}.`];
}

export function restNote(metric: Metric, whole: Candidate, top: Candidate | undefined): Sentence[] {
  const rest = top && withoutPart(metric, whole, top);
  if (top === undefined || rest === undefined) return [];
  return [sentence`Without ${nameOf(top)}: ${differenceText(metric, rest)}${isRatio(metric) ? '' : sentence` ${metric}`}.`];
}

/** Whether what the filters leave out changed alike. */
export function elsewhereNotes(metric: Metric, cause: Candidate | undefined, elsewhere: Elsewhere | undefined): Sentence[] {
  if (elsewhere === undefined) return [];
  const { whole, top, isOfWeekdays } = elsewhere;
  const share = (of: 'before' | 'now'): Sentence => percent((top?.base[of] ?? 0) / Math.max(1, whole.base[of]));
  const ofShare = isRatio(metric) ? sentence`, ${grew(share('before'), share('now'))} of all these` : '';
  const there =
    cause === undefined || top === undefined ? '' : sentence`; there ${nameOf(cause)}: ${differenceText(metric, top)}${ofShare}`;
  return [
    sentence`In all other views of the account${isOfWeekdays ? ' on these weekdays' : ''}, which the filters leave out: ${metric} ${differenceText(metric, whole)}${there}.`,
  ];
}
