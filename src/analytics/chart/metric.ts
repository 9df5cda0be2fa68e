import { titleOf } from './dimensions.ts';

/** What can be known of a metric from its name. */
export interface MetricLook {
  /** With its unit where there is one: `Watch time (unit not documented)`. */
  readonly title: string;
  readonly percent: boolean;
  readonly integer: boolean;
  /** Whether the sum over groups is the value of the groups together: rates, averages and distinct counts don't add up. */
  readonly additive: boolean;
}

const COUNTS = ['views', 'plays', 'completions', 'unique_viewers', 'unique_videos'];
const SUMS = ['views', 'plays', 'completions', 'watch_time'];
const PARTS: Readonly<Record<string, string>> = { _before: ' before', _change: ', change', _ratio: ', ratio' };
const TITLES: Readonly<Record<string, string>> = { avg_watch_time: 'Average watch time per play' };
const UNKNOWN_UNIT = 'unit not documented';

/** How a column of an answer is written and drawn, by its name. */
export function metricLook(name: string, unit?: string): MetricLook {
  const [, base = name, suffix = ''] = /^(.+?)(_before|_change|_ratio)?$/.exec(name) ?? [];
  const isRatio = suffix === '_ratio';
  const shownUnit = unit ?? (!isRatio && /watch_time|duration/.test(base) ? UNKNOWN_UNIT : undefined);
  return {
    title: `${TITLES[base] ?? titleOf(base)}${PARTS[suffix] ?? ''}${shownUnit === undefined ? '' : ` (${shownUnit})`}`,
    percent: !isRatio && base.endsWith('_rate'),
    integer: !isRatio && COUNTS.includes(base),
    additive: !isRatio && SUMS.includes(base),
  };
}
