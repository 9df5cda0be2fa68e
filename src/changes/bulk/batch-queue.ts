/** The batches of a bulk change that are still to be sent: whole batches first, then parts of those in which something failed. */
import type { IdRange } from './bulk-state.ts';

/** Ids that go out in one request, by their indexes in the change's list. */
export interface Batch extends IdRange {
  /** Some of it may have been carried out already, so that it can't be called not done. */
  readonly possiblyApplied: boolean;
  /** Of a single id: how often it was sent, and how often the service answered that it failed. */
  readonly attempts: number;
  readonly refusals: number;
  /** Why it is not done yet. */
  readonly reason: string;
}

export interface BatchQueue {
  /** The next batch; with `partsFirst`, a part before any whole batch. Undefined when none is left. */
  take(partsFirst: boolean): Batch | undefined;
  /** Adds parts to be sent after those that wait. */
  put(...parts: readonly Batch[]): void;
  /** All that was not taken, in the order of the ids. */
  rest(): Batch[];
}

/** Parts are searched breadth first: the larger ones hold most of what can be done. */
export function createBatchQueue(batches: readonly Batch[]): BatchQueue {
  const whole = createFifo(batches);
  const parts = createFifo();
  return {
    take: (partsFirst) => (partsFirst ? (parts.take() ?? whole.take()) : (whole.take() ?? parts.take())),
    put: parts.put,
    rest: () => [...whole.rest(), ...parts.rest()].sort((a, b) => a.from - b.from),
  };
}

/** An array with an index, since `shift` moves all the rest. */
function createFifo(first: readonly Batch[] = []) {
  const batches = [...first];
  let next = 0;
  return {
    put: (...more: readonly Batch[]) => void batches.push(...more),
    take: (): Batch | undefined => (next < batches.length ? batches[next++] : undefined),
    rest: () => batches.slice(next),
  };
}

/** Cuts ranges into batches of at most `size` ids. */
export function batchesOf(ranges: readonly IdRange[], size: number, possiblyApplied: boolean): Batch[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / size) }, (_, index) => ({
      from: from + index * size,
      to: Math.min(to, from + (index + 1) * size),
      possiblyApplied,
      attempts: 0,
      refusals: 0,
      reason: '',
    })),
  );
}
