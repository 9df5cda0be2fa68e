/** The batches of a bulk change that are still to be sent: whole batches first, then parts of those that failed. */
import type { Sentence } from '../../../text/sentence.ts';
import type { IdRange } from '../../journal/bulk-state.ts';

/** Ids that go out in one request, by their indexes in the change's list. */
export interface Batch extends IdRange {
  /** Some of it may have been carried out already, so that it can't be called not done. */
  readonly possiblyApplied: boolean;
  /** Of a single id: how often it was sent, and how often the service answered that it failed. */
  readonly attempts: number;
  readonly refusals: number;
  /** Why it is not done yet; absent of one that was not sent. */
  readonly reason?: Sentence;
  /** All of it failed in an earlier run, and is sent again. */
  readonly failedBefore?: boolean;
}

export interface BatchQueue {
  /** The next batch; with `partsFirst`, a part before any whole batch. Undefined when none is left. */
  take(partsFirst: boolean): Batch | undefined;
  /** The id at an index, taken out of the batch that has it; undefined where none of several does. */
  takeOnly(index: number): Batch | undefined;
  /** Adds parts of a batch, or a batch that is sent again. */
  put(...parts: readonly Batch[]): void;
  /** All that was not taken, in the order of the ids. */
  rest(): Batch[];
}

/** Ids in a small part. */
const SMALL = 64;
/** Single ids that are sent again together, so that a passing fault has time to pass. */
const RETRIED_TOGETHER = 50;

/**
 * Large parts come first, since they hold most of what can be done; each small part is searched to its end before the next,
 * so that some failing ids are known however early the change ends.
 */
export function createBatchQueue(batches: readonly Batch[]): BatchQueue {
  const whole = createFifo(batches);
  const large = createFifo();
  const small: Batch[] = [];
  const retried = createFifo();

  /** What stays of a batch without one of its ids. */
  const around = (batch: Batch, index: number): Batch[] =>
    [
      { ...batch, to: index },
      { ...batch, from: index + 1 },
    ].filter(({ from, to }) => from < to);

  return {
    takeOnly(index) {
      const hasIt = ({ from, to }: Batch) => from <= index && index < to;
      const fifo = [whole, large].find((one) => one.rest().some(hasIt));
      const batch = fifo?.rest().find(hasIt) ?? small.find(hasIt);
      if (batch === undefined) return undefined;
      const left = around(batch, index);
      if (fifo === undefined) small.splice(small.indexOf(batch), 1, ...left.toReversed());
      else fifo.replace(batch, left);
      return { ...batch, from: index, to: index + 1 };
    },
    take(partsFirst) {
      if (partsFirst) return large.take() ?? small.shift() ?? whole.take() ?? retried.take();
      const next = whole.take() ?? (retried.size() < RETRIED_TOGETHER ? undefined : retried.take());
      return next ?? large.take() ?? small.pop() ?? retried.take();
    },
    put(...parts) {
      for (const part of parts) if (part.attempts === 0 && part.to - part.from > SMALL) large.put(part);
      // The first of them is taken first.
      for (const part of parts.toReversed()) {
        if (part.attempts > 0) retried.put(part);
        else if (part.to - part.from <= SMALL) small.push(part);
      }
    },
    rest: () => [...whole.rest(), ...large.rest(), ...small, ...retried.rest()].sort((a, b) => a.from - b.from),
  };
}

/** An array with an index, since `shift` moves all the rest. */
function createFifo(first: readonly Batch[] = []) {
  let batches = [...first];
  let next = 0;
  return {
    size: () => batches.length - next,
    put: (batch: Batch) => void batches.push(batch),
    take: (): Batch | undefined => (next < batches.length ? batches[next++] : undefined),
    rest: () => batches.slice(next),
    replace(batch: Batch, parts: readonly Batch[]): void {
      batches = batches.slice(next).flatMap((one) => (one === batch ? parts : [one]));
      next = 0;
    },
  };
}

/** The parts of ranges that lie in one of `parts`, which follow each other, each for itself. */
export function cutAt(ranges: readonly IdRange[], parts: readonly IdRange[]): readonly IdRange[] {
  return parts.flatMap((part) =>
    ranges
      .filter(({ from, to }) => from < part.to && to > part.from)
      .map(({ from, to }) => ({ from: Math.max(from, part.from), to: Math.min(to, part.to) })),
  );
}

export function batchesOf(ranges: readonly IdRange[], size: number, possiblyApplied: boolean): Batch[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => ({
      from: from + index * size,
      to: Math.min(to, from + (index + 1) * size),
      possiblyApplied,
      attempts: 0,
      refusals: 0,
    })),
  );
}
