import type { Departure } from './assemble/departure.ts';
import type { Mix } from './assemble/mix.ts';
import { BEYOND_CHANCE, baseOf, type Candidate, chanceOf, type Explanation, leastOf, type Value } from './assemble/stand-out.ts';
import type { Crossed } from './change-parts.ts';
import { DIMENSIONS, type Dimension } from './contract.ts';
import { addsUp, isDistinct, isRatio, METRICS, type Metric } from './metrics.ts';

const percent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;
/** A value as exact as anybody reads it. */
const shown = (metric: Metric, value: number): string =>
  METRICS[metric].kind === 'share' ? percent(value) : String(isRatio(metric) ? Number(value.toPrecision(3)) : Math.round(value));

type Named = Pick<Explanation, 'dimension' | 'value' | 'dimension2' | 'value2'>;
const nameOf = ({ dimension, value, dimension2, value2 }: Named): string =>
  `${dimension} ${JSON.stringify(value)}${dimension2 === undefined ? '' : ` and ${dimension2} ${JSON.stringify(value2)}`}`;

/** A rate can fall while it rises in each part, by which people take it for the opposite. */
export function againstNote(
  metric: Metric,
  whole: Candidate,
  shifts: readonly { readonly dimension: Dimension; readonly values: readonly Candidate[] }[],
): string[] {
  const first = shifts.find((one) => one.values.length > 0);
  if (first === undefined) return [];
  const { dimension, values } = first;
  const of = ({ before, now }: Pick<Candidate, 'before' | 'now'>): string => `${shown(metric, before)} → ${shown(metric, now)}`;
  const list = values.slice(0, MAX_SHIFTS).map((value) => `${JSON.stringify(value.value)} ${of(value)}`);
  const more = values.length > list.length ? `, and ${values.length - list.length} more` : '';
  const [went, each] = whole.change < 0 ? ['fell', 'rose'] : ['rose', 'fell'];
  return [
    `${metric} ${went} (${of(whole)}) although it ${each} in each ${dimension} that has one in both times (${list.join(', ')}${more}): their shares of ${baseOf(metric)} shifted.`,
  ];
}

export function sinceNote(metric: Metric, top: Explanation | undefined, departure: Departure | undefined): string[] {
  if (top === undefined || departure === undefined) return [];
  const { since, until, between } = departure;
  const alone = until === since ? `on ${since} alone` : `from ${since} to ${until}, and then came back`;
  const days = until === undefined ? `from ${since} on` : alone;
  const against = isRatio(metric)
    ? 'the time before as a whole'
    : 'the same weekdays of the time before, or its mean day where it has none';
  const grown = isDistinct(metric) ? '' : ', changed as all else did';
  const about = between === undefined ? '' : ` The first day is not certain: any from ${between[0]} to ${between[1]} fits about as well.`;
  return [`${nameOf(top)} departs from the time before ${days}: each day was compared with ${against}${grown}.${about}`];
}

/** Fewer say nothing of what is usual. */
const MIN_PERIODS = 3;

/** Whether the time before was itself unusual, held against `periods` before it, of which `totals` are held. */
export function usualNote(metric: Metric, whole: Candidate, totals: readonly number[], periods: number): string[] {
  if (totals.length < MIN_PERIODS)
    return [
      `Whether the time before was itself unusual was not tested: of the ${periods} such times before it, ${totals.length} are held.`,
    ];
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const off = Math.max(least - whole.before, whole.before - most);
  const isUnusual = off > Math.max(most - least, leastOf(whole), BEYOND_CHANCE * chanceOf(metric, whole, whole));
  const before = `The time before was ${isUnusual ? 'itself' : 'not'} unusual: ${shown(metric, whole.before)} ${metric}`;
  const others = `the ${totals.length} such times before it that are held had ${shown(metric, least)} to ${shown(metric, most)}`;
  const isBack = isUnusual && whole.now >= least && whole.now <= most;
  return [`${before}, while ${others}${isBack ? ', and so has the time asked for' : ''}.`];
}

export const MAX_SHIFTS = 3;

/** A changed mix is no value's own change, so no row shows it. */
export function mixNotes(metric: Metric, whole: Candidate, mix: readonly Mix[]): string[] {
  return mix.map(({ dimension, shiftedShares, changedParts, shares }) => {
    const list = shares.map(({ value, before, now }) => `${JSON.stringify(value)} ${percent(before)} → ${percent(now)}`).join(', ');
    const rounded = (number: number): number => Number(number.toPrecision(3));
    return `The mix by ${dimension} shifted (shares of ${baseOf(metric)}: ${list}). With each ${metric} as it was, that alone changes the whole by ${rounded(shiftedShares)}, of ${rounded(whole.change)}; the changed parts by ${rounded(changedParts)}.`;
  });
}

const MAX_ONCE = 5;

/** Values that have a rate in one of the spans only, which can't be compared. */
export function onceNote(metric: Metric, whole: Candidate, values: readonly Value[]): string[] {
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

export function lookedAtNotes(
  dimensions: readonly Dimension[],
  skipped: readonly Dimension[],
  first: Named | undefined,
  crossed: Crossed,
): string[] {
  const others = DIMENSIONS.filter((dimension) => !dimensions.includes(dimension));
  const pairs =
    first === undefined || crossed.dimensions.length === 0
      ? 'Pairs of dimensions (one device in one country) were not looked at.'
      : `Of pairs, only those of ${nameOf(first)} with ${crossed.dimensions.join(', ')} were looked at.`;
  return [
    `Looked at, each by itself: all dimensions but ${others.join(', ')}. What is not in the rows changed by little of the whole change, or by no more than its size and chance explain. ${pairs}`,
    ...(skipped.length === 0 ? [] : [`Not looked at, having too many values: ${skipped.join(', ')}.`]),
  ];
}

export function restNote(metric: Metric, whole: Candidate, top: Explanation | undefined): string[] {
  if (top === undefined || !addsUp(metric)) return [];
  return [`Without ${nameOf(top)}: ${whole.before - top.before} → ${whole.now - top.now} ${metric}.`];
}
