import type { Coverage, Question, Scalar, Span } from '../contract.ts';
import { isCyclic, isTimeDimension } from '../dimensions.ts';
import { isWithin, overlaps } from '../spans.ts';
import { NO_VIEWS, type Sums } from '../sql/sums.ts';
import { eachStep, type TimeStep } from './times.ts';

export type Known = Pick<Coverage, 'covered' | 'dataSpan'>;

interface Knowledge {
  /** All of the time was read. */
  readonly isRead: boolean;
  /** Some of the time is between the first record and the last. */
  readonly hasData: boolean;
}

/**
 * Returns a function from a group's key and sums (undefined if it has no views) to the sums to show. A group without views is
 * zero only if the span contains its time, all of which was read, and records reach there, else null. Hours and days that were read in part are null. If
 * there are too many hours to check each, the whole span decides.
 */
export function createJudge(
  { groupBy, ...question }: Question,
  known: Known,
): (key: readonly Scalar[], sums: Sums | undefined) => Sums | null {
  const isTime = groupBy.map(isTimeDimension);
  const isExact = groupBy.includes('hour') || groupBy.includes('day');
  const whole = knowledgeOf(question.span, known);
  const isCertain = whole.isRead && known.dataSpan !== null && isWithin(question.span, known.dataSpan);
  const times = groupBy.filter(isTimeDimension);
  const hasCycle = times.some(isCyclic);
  const steps = isCertain && !hasCycle ? undefined : eachStep(times, question);
  const byTime = steps && knowledgeByTime(steps, known);
  return (key, sums) => {
    const time = byTime?.get(key.filter((_, index) => isTime[index]).join());
    const { isRead, hasData } = time ?? (byTime !== undefined && hasCycle ? NOT_CONTAINED : whole);
    if (sums !== undefined && sums.views > 0) return isRead || !isExact ? sums : null;
    return isRead && hasData ? NO_VIEWS : null;
  };
}

/** A Monday of a span that has none is not zero. */
const NOT_CONTAINED: Knowledge = { isRead: false, hasData: false };

function knowledgeByTime(steps: readonly TimeStep[], known: Known): Map<string, Knowledge> {
  const found = new Map<string, Knowledge>();
  for (const { numbers, ...span } of steps) {
    const { isRead, hasData } = knowledgeOf(span, known);
    const before = found.get(numbers.join());
    found.set(numbers.join(), { isRead: isRead && before?.isRead !== false, hasData: hasData || before?.hasData === true });
  }
  return found;
}

const knowledgeOf = (span: Span, { covered, dataSpan }: Known): Knowledge => ({
  isRead: covered.some((one) => isWithin(span, one)),
  hasData: dataSpan !== null && overlaps(span, dataSpan),
});
