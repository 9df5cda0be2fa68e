import type { MetricLook } from './metric.ts';

/** A value axis: from its first tick to its last. */
export interface ValueScale {
  readonly ticks: readonly number[];
  readonly labels: readonly string[];
}

const GROUPS: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
];
/** From here on a number on an axis is shorter in millions. */
const COMPACT_FROM = 1e7;

/** Round ticks that hold zero and every value. */
export function valueScale(values: readonly number[], look: MetricLook, about: number): ValueScale {
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  const step = stepFor(high - low, look, about);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  // Multiples, not sums: sums drift away from what is round.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
  const most = Math.max(Math.abs(low), high);
  return { ticks, labels: ticks.map((tick) => tickLabel(tick, step, most, look.percent)) };
}

function stepFor(range: number, { integer, percent }: MetricLook, about: number): number {
  if (range <= 0) return percent ? 0.25 : 1;
  const rough = range / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factors = integer && power < 10 ? [1, 2, 5] : [1, 2, 2.5, 5];
  const step = power * (factors.find((factor) => factor * power >= rough * 0.999) ?? 10);
  return integer ? Math.max(1, step) : step;
}

const round = (value: number): number => Number(value.toPrecision(12));

function tickLabel(value: number, step: number, most: number, percent: boolean): string {
  if (percent) return `${decimal(value * 100, digitsFor(step * 100))}%`;
  const [size, sign] = groupOf(most);
  return value === 0 ? '0' : `${decimal(value / size, digitsFor(step / size))}${sign}`;
}

const groupOf = (most: number): readonly [number, string] =>
  most < COMPACT_FROM ? [1, ''] : (GROUPS.find(([size]) => most >= size) ?? [1, '']);

function digitsFor(step: number): number {
  for (let digits = 0; digits < 6; digits += 1) if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) return digits;
  return 6;
}

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
