import type { Question, Scalar } from '../contract.ts';
import { isCyclic, isTimeDimension, type TimeDimension } from '../dimensions.ts';
import { eachStep, timeNumber } from './times.ts';

/** How long a row’s times last that a span has. */
export interface RowTime {
  readonly ms: number;
  /** The span neither begins nor ends within it. */
  readonly isWhole: boolean;
}

const FINER_FIRST = ['hour', 'day', 'week', 'month'] as const;
/** An hour that clocks repeat makes no day longer than another, and a day no month. */
const SAME = 0.05;

/**
 * How much of a question’s time, up to the present, the rows have by its hours, days, weeks or months, else by its weekdays and hours of the
 * day; undefined where rows have no time, or there are too many.
 */
export function createRowTimes({ groupBy, span, offsets, weekdays }: Question, present: number) {
  const unit = FINER_FIRST.find((one) => groupBy.includes(one));
  const dimensions: readonly TimeDimension[] = unit === undefined ? groupBy.filter(isTimeDimension) : [unit];
  const toMs = span.fromMs < present ? Math.min(span.toMs, present) : span.toMs;
  const steps = dimensions.length === 0 ? undefined : eachStep(dimensions, { span: { ...span, toMs }, offsets, weekdays });
  if (steps === undefined) return undefined;
  const lasts = new Map<string, number>();
  for (const { numbers, ...step } of steps) lasts.set(numbers.join(), (lasts.get(numbers.join()) ?? 0) + step.toMs - step.fromMs);
  const numberAt = (ms: number): string => {
    const { offsetSeconds = 0 } = offsets.findLast(({ fromMs }) => fromMs <= ms) ?? {};
    return dimensions.map((dimension) => timeNumber(dimension, ms + offsetSeconds * 1_000)).join();
  };
  const cut = new Set([span.fromMs, toMs].filter((ms) => numberAt(ms - 1) === numberAt(ms)).map(numberAt));
  const places = dimensions.map((dimension) => groupBy.indexOf(dimension));
  return {
    all: [...lasts.values()].reduce((sum, ms) => sum + ms, 0),
    ofRow: (key: readonly Scalar[]): RowTime => {
      const numbers = places.map((place) => Number(key[place])).join();
      return { ms: lasts.get(numbers) ?? 0, isWhole: !dimensions.some(isCyclic) && !cut.has(numbers) };
    },
  };
}

export type RowTimes = NonNullable<ReturnType<typeof createRowTimes>>;

/** Whether sums of a row can be compared: it has as much of both times, or as much more of one as that is longer, or whole ones of both. */
export function areEven(
  [now, before]: readonly [RowTime, RowTime],
  [all, allBefore]: readonly [Pick<RowTimes, 'all'>, Pick<RowTimes, 'all'>],
): boolean {
  const isSame = (one: number, other: number): boolean => Math.abs(one - other) <= SAME * Math.max(one, other);
  if (now.isWhole && before.isWhole) return true;
  return isSame(now.ms, before.ms) || isSame(now.ms * allBefore.all, before.ms * all.all);
}
