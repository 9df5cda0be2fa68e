import type { Column, Groups, Measure, Metric, Scalar } from '../contract.ts';

/** Numbers of views that have a field at all, and what becomes of the others. */
const TOLD = {
  told_started: {
    metrics: ['plays', 'play_rate', 'completion_rate', 'avg_watch_time'],
    else: 'don’t say whether playback started, and count as not played',
  },
  told_ended: { metrics: ['completions', 'completion_rate'], else: 'don’t say whether playback ended, and count as not completed' },
  told_watch_time: { metrics: ['watch_time', 'avg_watch_time'], else: 'have no watch time, and count as 0' },
  told_viewer: { metrics: ['unique_viewers'], else: 'name no viewer, and count for none' },
} as const satisfies Record<string, { readonly metrics: readonly Metric[]; readonly else: string }>;
type Told = keyof typeof TOLD;
// As they are written above.
const TOLD_NAMES = Object.keys(TOLD) as Told[];

const toldFor = (metrics: readonly Measure[]): Told[] =>
  TOLD_NAMES.filter((name) => TOLD[name].metrics.some((metric) => metrics.includes(metric)));

const SUMS = ['views', 'plays', 'completions', 'watch_time', 'unique_viewers', 'unique_videos', 'viewer_squares', ...TOLD_NAMES] as const;

/** The exact sums of a group, from which every metric is computed. */
export type Sums = Readonly<Record<(typeof SUMS)[number], number>>;

const sumsFrom = (value: (name: keyof Sums) => number): Sums => ({
  views: value('views'),
  plays: value('plays'),
  completions: value('completions'),
  watch_time: value('watch_time'),
  unique_viewers: value('unique_viewers'),
  unique_videos: value('unique_videos'),
  viewer_squares: value('viewer_squares'),
  told_started: value('told_started'),
  told_ended: value('told_ended'),
  told_watch_time: value('told_watch_time'),
  told_viewer: value('told_viewer'),
});

export const NO_VIEWS = sumsFrom(() => 0);

/** Distinct counts can't be added up over groups. */
export const isDistinct = (name: keyof Sums): name is 'unique_viewers' | 'unique_videos' => name.startsWith('unique_');

/** To six decimals, which is as exact as anybody reads it. */
const rounded = (value: number): number => Number(value.toFixed(6));
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole));

/** Metrics that are the ratio of two sums. Every other metric is a sum. */
const RATIOS = {
  play_rate: ['plays', 'views'],
  completion_rate: ['completions', 'plays'],
  avg_watch_time: ['watch_time', 'plays'],
} as const satisfies Partial<Record<Metric, readonly [keyof Sums, keyof Sums]>>;

const isRatio = (metric: Measure): metric is keyof typeof RATIOS => Object.hasOwn(RATIOS, metric);

/** The sums that metrics need, in a fixed order, always including the views. */
export function sumsFor(metrics: readonly Measure[]): (keyof Sums)[] {
  const summed = metrics.flatMap((metric) => (isRatio(metric) ? RATIOS[metric] : metric));
  const needed = new Set<keyof Sums>(['views', ...summed, ...toldFor(metrics)]);
  return SUMS.filter((name) => needed.has(name));
}

/** The value of a metric. A ratio of nothing is null, not 0. */
function metricOf(metric: Measure, sums: Sums): number | null {
  if (!isRatio(metric)) return sums[metric];
  const [part, whole] = RATIOS[metric];
  return ratio(sums[part], sums[whole]);
}

/** Of how many views a metric's field is not known, and what it counts then: `3 of 10 views name no viewer, and count for none`. */
export const untoldIn = (metrics: readonly Measure[], sums: Sums, views: string): string[] =>
  toldFor(metrics)
    .filter((name) => sums[name] < sums.views)
    .map((name) => `${sums.views - sums[name]} of ${sums.views} ${views} ${TOLD[name].else}`);

/** A metric's columns; with a comparison also its earlier value, the difference, and the ratio of now to then. */
export function metricColumns(metric: Measure, isCompared: boolean): Column[] {
  const type: Column['type'] = isRatio(metric) ? 'number' : 'integer';
  const own = { name: metric, type };
  if (!isCompared) return [own];
  return [own, { name: `${metric}_before`, type }, { name: `${metric}_change`, type }, { name: `${metric}_ratio`, type: 'number' }];
}

/** The values of those columns. `now` is null if unknown; `before` is also null without a counterpart. */
export function metricValues(metric: Measure, now: Sums | null, before: Sums | null | undefined): (number | null)[] {
  const value = now === null ? null : metricOf(metric, now);
  if (before === undefined) return [value];
  const then = before === null ? null : metricOf(metric, before);
  if (value === null || then === null) return [value, then, null, null];
  return [value, then, isRatio(metric) ? rounded(value - then) : value - then, ratio(value, then)];
}

/** Reads the sums from a row of an answer. */
export function sumsReader(columns: Groups['columns']): (row: readonly Scalar[]) => Sums {
  const indexes = new Map(columns.map(({ name }, index) => [name, index]));
  // The row of the total has only sums.
  return (row) =>
    sumsFrom((name) => {
      const index = indexes.get(name);
      return index === undefined ? 0 : Number(row[index - columns.length + row.length] ?? 0);
    });
}
