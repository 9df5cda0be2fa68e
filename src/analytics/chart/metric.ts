import type { ResultColumn } from '../contract.ts';
import { addsUp, isMetric, isPercent, METRICS, titleOfMetric, unknownUnitsOf } from '../metrics.ts';
import { columnTitle } from './dimensions.ts';

/** Formatting of a metric, or of a column of a caller's SQL, of which only the name is known. */
export function metricLook({ name, type }: ResultColumn, isOfSql = false) {
  const kind = isMetric(name) ? METRICS[name].kind : undefined;
  return {
    /** With its unit if it has one: `Watch time (unit not documented)`. */
    title: `${titleOfMetric(name) ?? columnTitle(name)}${unknownUnitsOf([name]).length > 0 ? ' (unit not documented)' : ''}`,
    /** What a caller calls a rate may be one of a hundred. */
    percent: !isOfSql && isPercent(name),
    integer: kind === 'count' || kind === 'distinct',
    /** False for rates, averages and distinct counts, which can't be added up over groups, and for whatever a query names like a sum. */
    additive: !isOfSql && addsUp(name) && type === 'integer',
    /** Why values are not added up. */
    whyNotAdded: isOfSql ? 'whether these values may be added up is not known' : 'these values can’t be added up',
  };
}

export type MetricLook = Readonly<ReturnType<typeof metricLook>>;

export interface Extent {
  readonly min: number;
  readonly max: number;
}

export const extentOf = (values: readonly number[]): Extent => ({
  min: values.reduce((least, value) => Math.min(least, value), 0),
  max: values.reduce((most, value) => Math.max(most, value), 0),
});

export const maxMagnitude = ({ min, max }: Extent): number => Math.max(-min, max);

export const MIN_COMPACT = 1e7;

/** Whether a value would have too many digits to be written out. */
export const isExtreme = (size: number, { percent }: Pick<MetricLook, 'percent'>): boolean =>
  size >= 1e15 || (size > 0 && size < 1e-4 && !percent);

/** A value in a chart: three significant digits, or all digits of an integer with fewer than eight. */
export function valueLabel(value: number, look: Pick<MetricLook, 'percent'>): string {
  const { percent } = look;
  const size = Math.abs(value);
  if (isExtreme(size, look))
    return value
      .toExponential(2)
      .replace(/\.?0+e/, 'e')
      .replaceAll('-', '\u2212');
  const options: Intl.NumberFormatOptions = percent
    ? { style: 'percent', maximumFractionDigits: size >= 0.995 ? 0 : 1 }
    : size >= MIN_COMPACT
      ? { notation: 'compact', maximumSignificantDigits: 3 }
      : size < 100
        ? { maximumSignificantDigits: 3 }
        : { maximumFractionDigits: 0 };
  return value.toLocaleString('en-US', { signDisplay: 'negative', ...options }).replace('-', '\u2212');
}
