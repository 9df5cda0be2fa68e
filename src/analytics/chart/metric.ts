import type { ResultColumn } from '../contract.ts';
import { addsUp, isMetric, isPercent, METRICS, titleOfMetric, unitOf, unknownUnitsOf } from '../metrics.ts';
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

/** Of metrics that have an axis together. */
export function commonLook(looks: readonly MetricLook[]): MetricLook {
  const [first, ...others] = looks;
  if (first === undefined) throw new Error('A chart has at least one number.');
  if (others.length === 0) return first;
  return {
    // Each series has its own.
    title: '',
    percent: first.percent,
    integer: looks.every(({ integer }) => integer),
    additive: looks.every(({ additive }) => additive),
    whyNotAdded: 'these numbers are no parts of a whole',
  };
}

/** More than this many times larger than another, a number of an unknown unit would make that one a flat line. */
const MAX_SIZE_RATIO = 20;

/**
 * Whether these columns can have an axis together: whether their unit is one. Of a caller's SQL it is not known; columns of one
 * type and about one size are taken for that, by which two times can be compared side by side.
 */
export function haveOneUnit(columns: readonly ResultColumn[], valuesOf: (name: string) => readonly number[], isOfSql: boolean): boolean {
  const units = columns.map(({ name, type }) => (isOfSql ? sqlUnitOf(name, type) : unitOf(name)));
  if (units.some((unit) => unit === undefined || unit !== units[0])) return false;
  if (!isOfSql) return true;
  const sizes = columns.map(({ name }) => maxMagnitude(extentOf(valuesOf(name)))).filter((size) => size > 0);
  return Math.max(...sizes) <= MAX_SIZE_RATIO * Math.min(...sizes);
}

const sqlUnitOf = (name: string, type: ResultColumn['type']): string => unknownUnitsOf([name])[0] ?? (isPercent(name) ? 'share' : type);

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
