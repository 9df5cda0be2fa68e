/**
 * The batches of a bulk change that wait to be sent, in the order in which `run-batches.ts` takes them: first the whole
 * ones, then the halves of those in which something failed.
 */
import type { IdRange } from './bulk-state.ts';

/** Ids that go out in one request, by their places in the change's list. */
export interface Batch extends IdRange {
  /** Whether some of it may have been carried out already: then it can't be called not done. */
  readonly touched: boolean;
  /** Of a lone id: how often it was asked for, and how often the service said that it failed. */
  readonly asked: number;
  readonly refused: number;
  /** Why it is not done yet. */
  readonly why: string;
}

export interface BatchQueue {
  /** The next one; with `smallestFirst`, the part that was put in last rather than the next whole batch. Undefined when none is left. */
  take(smallestFirst: boolean): Batch | undefined;
  /** Puts in what has to be looked at closer, or asked for again. */
  put(...parts: readonly Batch[]): void;
  /** Everything that was not taken, in the order of the ids. */
  rest(): Batch[];
}

/** Whole batches come first, then their parts, so that most of a list is done before the search for single ids begins. */
export function createBatchQueue(whole: readonly Batch[]): BatchQueue {
  const parts: Batch[] = [];
  // Taken from the front by counting, since shifting a long list moves all of it.
  let wholeAt = 0;
  let partAt = 0;

  function nextPart(): Batch | undefined {
    const part = parts[partAt];
    if (part === undefined) return undefined;
    partAt += 1;
    if (partAt < TIDY_AFTER) return part;
    parts.splice(0, partAt);
    partAt = 0;
    return part;
  }

  return {
    take(smallestFirst) {
      if (smallestFirst && parts.length > partAt) return parts.pop();
      const batch = whole[wholeAt];
      if (batch === undefined) return nextPart();
      wholeAt += 1;
      return batch;
    },
    put: (...more) => {
      parts.push(...more);
    },
    rest: () => [...whole.slice(wholeAt), ...parts.slice(partAt)].sort((a, b) => a.from - b.from),
  };
}

/** Parts taken from the front before their places in the list are given back. */
const TIDY_AFTER = 1_000;

/** Cuts ranges into batches of at most `size` ids that were not asked for yet. */
export function batchesOf(ranges: readonly IdRange[], size: number, touched: boolean): Batch[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / size) }, (_, at) => ({
      from: from + at * size,
      to: Math.min(to, from + (at + 1) * size),
      touched,
      asked: 0,
      refused: 0,
      why: '',
    })),
  );
}
