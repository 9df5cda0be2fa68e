import type { Column, Groups, Metric, Scalar } from '../contract.ts';

/** The exact sums of a group, from which every metric follows. */
export interface Sums {
  readonly views: number;
  readonly plays: number;
  readonly completions: number;
  readonly watch_time: number;
  readonly unique_viewers: number;
  readonly unique_videos: number;
}

export const NOTHING: Sums = { views: 0, plays: 0, completions: 0, watch_time: 0, unique_viewers: 0, unique_videos: 0 };
const SUMS: readonly (keyof Sums)[] = ['views', 'plays', 'completions', 'watch_time', 'unique_viewers', 'unique_videos'];

/** Of these the sum over groups is not the one over all views: what is in two groups would count twice. */
export const isDistinct = (name: keyof Sums): name is 'unique_viewers' | 'unique_videos' => name.startsWith('unique_');

/** To six decimals, which is as exact as anybody reads it. */
const rounded = (value: number): number => Number(value.toFixed(6));
const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : rounded(part / whole));

interface Formula {
  readonly needs: readonly (keyof Sums)[];
  readonly value: (sums: Sums) => number | null;
}

const itself = (name: keyof Sums): Formula => ({ needs: [name], value: (sums) => sums[name] });
const share = (part: keyof Sums, whole: keyof Sums): Formula => ({ needs: [part, whole], value: (sums) => ratio(sums[part], sums[whole]) });

const FORMULAS: Readonly<Record<Metric, Formula>> = {
  views: itself('views'),
  plays: itself('plays'),
  completions: itself('completions'),
  play_rate: share('plays', 'views'),
  completion_rate: share('completions', 'plays'),
  watch_time: itself('watch_time'),
  avg_watch_time: share('watch_time', 'plays'),
  unique_viewers: itself('unique_viewers'),
  unique_videos: itself('unique_videos'),
};

/** The sums from which some metrics follow, in one order; how many views there are is always told. */
export function sumsFor(metrics: readonly Metric[]): (keyof Sums)[] {
  const needed = new Set<keyof Sums>(['views', ...metrics.flatMap((metric) => FORMULAS[metric].needs)]);
  return SUMS.filter((name) => needed.has(name));
}

/** The value of a metric. A ratio of nothing is null, not 0. */
const metricOf = (metric: Metric, sums: Sums): number | null => FORMULAS[metric].value(sums);

const RATIOS: ReadonlySet<Metric> = new Set(['play_rate', 'completion_rate', 'avg_watch_time']);
const metricType = (metric: Metric): Column['type'] => (RATIOS.has(metric) ? 'number' : 'integer');

/** A metric's columns: with a comparison also its value then, the difference, and the ratio of now to then. */
export function metricColumns(metric: Metric, isCompared: boolean): Column[] {
  const type = metricType(metric);
  const own = { name: metric, type };
  if (!isCompared) return [own];
  return [own, { name: `${metric}_before`, type }, { name: `${metric}_change`, type }, { name: `${metric}_ratio`, type: 'number' }];
}

/** The values of those columns; `now` is null where it isn't known, `before` also where nothing stands against it. */
export function metricValues(metric: Metric, now: Sums | null, before: Sums | null | undefined): (number | null)[] {
  const value = now === null ? null : metricOf(metric, now);
  if (before === undefined) return [value];
  const then = before === null ? null : metricOf(metric, before);
  if (value === null || then === null) return [value, then, null, null];
  return [value, then, RATIOS.has(metric) ? rounded(value - then) : value - then, ratio(value, then)];
}

/** A reader of the sums in the rows of an answer. */
export function sumsReader(columns: Groups['columns']): (row: readonly Scalar[]) => Sums {
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  const from = (row: readonly Scalar[], skipped: number) => (name: keyof Sums) => {
    const place = places.get(name);
    return place === undefined ? 0 : Number(row[place - skipped] ?? 0);
  };
  return (row) => {
    // The total has the sums alone.
    const sum = from(row, columns.length - row.length);
    return {
      views: sum('views'),
      plays: sum('plays'),
      completions: sum('completions'),
      watch_time: sum('watch_time'),
      unique_viewers: sum('unique_viewers'),
      unique_videos: sum('unique_videos'),
    };
  };
}
