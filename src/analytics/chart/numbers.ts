import type { MetricLook } from './metric.ts';

const GROUPS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
];
/** From here on a number is shorter in millions. */
const COMPACT_FROM = 1e7;

const groupOf = (most: number): readonly [number, string] =>
  most < COMPACT_FROM ? [1, ''] : (GROUPS.find(([size]) => most >= size) ?? [1, '']);

/** A value beside what shows it: three significant digits, or every digit of an integer of fewer than eight. */
export function valueLabel(value: number, { percent }: Pick<MetricLook, 'percent'>): string {
  if (percent) return `${decimal(value * 100, Math.abs(value) >= 0.995 || value === 0 ? 0 : 1)}%`;
  const [size, sign] = groupOf(Math.abs(value));
  const shown = value / size;
  const digits = Number.isInteger(shown) ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(shown)))));
  return `${decimal(shown, digits, 0)}${sign}`;
}

/** With a true minus sign, and without one before a zero. */
function decimal(value: number, digits: number, least = digits): string {
  const text = value.toLocaleString('en-US', { minimumFractionDigits: Math.min(least, digits), maximumFractionDigits: digits });
  return /^-[0.,]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212');
}
