import type { Coverage, Question, Scalar, Span } from '../contract.ts';
import { isTimeDimension } from '../sql/compile.ts';
import { NOTHING, type Sums } from '../sql/metrics.ts';
import { eachStep, type TimeStep } from './times.ts';

/** The spans that were read, and the time from the first record to the last. */
export type Known = Pick<Coverage, 'held' | 'reach'>;

/** What is known of the time of a group. */
interface Knowledge {
  /** All of it was read. */
  isRead: boolean;
  /** Records are held from before some of it, and from after. */
  isReached: boolean;
}

/**
 * Returns a function from a group's key and sums (undefined if it has no views) to the sums to show. No views are zero only
 * if all of the group's time was read and records reach there; else they are null, as are hours and days that were read in
 * part. If there are too many hours to check each, the whole span decides.
 */
export function createJudge(
  { groupBy, ...question }: Question,
  known: Known,
): (key: readonly Scalar[], sums: Sums | undefined) => Sums | null {
  const times = groupBy.flatMap((dimension, at) => (isTimeDimension(dimension) ? [{ dimension, at }] : []));
  const isExact = groupBy.includes('hour') || groupBy.includes('day');
  const whole = knowledgeOf(question.span, known);
  const steps =
    whole.isRead && isInside(question.span, known.reach)
      ? undefined
      : eachStep(
          times.map(({ dimension }) => dimension),
          question,
        );
  const byTime = steps && knowledgeByTime(steps, known);
  return (key, sums) => {
    const { isRead, isReached } = byTime?.get(times.map(({ at }) => key[at]).join()) ?? whole;
    if (sums !== undefined && sums.views > 0) return isRead || !isExact ? sums : null;
    return isRead && isReached ? NOTHING : null;
  };
}

/** As `createJudge`, for the total. */
export const judgeTotal = (question: Question, known: Known, sums: Sums): Sums | null =>
  createJudge({ ...question, groupBy: [] }, known)([], sums);

function knowledgeByTime(steps: readonly TimeStep[], known: Known): Map<string, Knowledge> {
  const found = new Map<string, Knowledge>();
  for (const { numbers, ...span } of steps) {
    const { isRead, isReached } = knowledgeOf(span, known);
    const before = found.get(numbers.join());
    found.set(numbers.join(), {
      isRead: isRead && (before?.isRead ?? true),
      isReached: isReached || (before?.isReached ?? false),
    });
  }
  return found;
}

function knowledgeOf({ fromMs, toMs }: Span, { held, reach }: Known): Knowledge {
  return {
    isRead: held.some((span) => span.fromMs <= fromMs && toMs <= span.toMs),
    isReached: reach !== null && fromMs < reach.toMs && reach.fromMs < toMs,
  };
}

const isInside = ({ fromMs, toMs }: Span, reach: Span | null): boolean => reach !== null && reach.fromMs <= fromMs && toMs <= reach.toMs;
