import { DAY_MS } from '../../platform/time-units.ts';
import { type Sentence, sentence } from '../../text/sentence.ts';
import type { Question, Scalar } from '../contract.ts';
import { countedMs } from './counted-days.ts';
import type { Known } from './known.ts';
import { eachStep } from './times.ts';

/** Days of a time, up to the present. */
export interface RecordedDays {
  readonly asked: number;
  /** Those that were read and are not before the first record. */
  readonly counted: number;
}

/** A difference that is not one of clocks. */
const A_DAY = 0.9;

export const isInPart = ({ asked, counted }: RecordedDays): boolean => asked - counted >= A_DAY;

/** Whether sums over two times can be compared: neither has fewer days for want of records. */
export const areAlike = (now: RecordedDays | undefined, before: RecordedDays | undefined): boolean =>
  now === undefined ||
  before === undefined ||
  !(isInPart(now) || isInPart(before)) ||
  Math.abs(now.asked - now.counted - (before.asked - before.counted)) < A_DAY;

export const daysText = ({ asked, counted }: RecordedDays): Sentence => sentence`${counted} of ${asked} days`;

const NOTHING: RecordedDays = { asked: 0, counted: 0 };

/**
 * How many days of a question’s time are counted, in all and in the week or month of a row, by its key; undefined of a row of a day or an
 * hour, whose number is not known where that was not read. Undefined where there are too many days, or no record at all.
 */
export function createRecordedDays(question: Question, { covered, dataSpan }: Known, present: number) {
  const { groupBy } = question;
  const period = (['week', 'month'] as const).find((dimension) => groupBy.includes(dimension));
  const steps = dataSpan === null ? undefined : eachStep(period === undefined ? [] : [period], question);
  if (dataSpan === null || steps === undefined) return undefined;
  const known = { fromMs: dataSpan.fromMs, toMs: present };
  const found = new Map<number | undefined, { asked: number; counted: number }>();
  const all = { asked: 0, counted: 0 };
  for (const { numbers, ...span } of steps) {
    const days = found.get(numbers[0]) ?? { asked: 0, counted: 0 };
    found.set(numbers[0], days);
    for (const sum of [days, all]) {
      sum.asked += Math.max(0, Math.min(span.toMs, present) - span.fromMs) / DAY_MS;
      sum.counted += countedMs(span, known, covered) / DAY_MS;
    }
  }
  const rounded = ({ asked, counted }: RecordedDays): RecordedDays => {
    const inDays = Number(asked.toFixed(1));
    return { asked: inDays, counted: Math.min(inDays, Number(counted.toFixed(1))) };
  };
  const index = period === undefined ? -1 : groupBy.indexOf(period);
  const isExact = groupBy.includes('day') || groupBy.includes('hour');
  const ofRow = (key: readonly Scalar[]): RecordedDays | undefined => {
    if (isExact) return undefined;
    return index < 0 ? rounded(all) : rounded(found.get(Number(key[index])) ?? NOTHING);
  };
  return { all: rounded(all), ofRow };
}
