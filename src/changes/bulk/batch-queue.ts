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
  /** The next one; with `partsFirst`, the part that waits longest rather than the next whole batch: mostly the other half of one that failed. Undefined when none is left. */
  take(partsFirst: boolean): Batch | undefined;
  /** Puts in what has to be looked at closer, or asked for again. */
  put(...parts: readonly Batch[]): void;
  /** Everything that was not taken, in the order of the ids. */
  rest(): Batch[];
}

/**
 * Whole batches come first, then their larger parts, so that most of a list is done before the search for single ids
 * begins. Of small parts each is searched to its end before the next: however early it ends, some are known by then.
 */
export function createBatchQueue(batches: readonly Batch[]): BatchQueue {
  const whole = createLine(batches);
  const large = createLine();
  const small: Batch[] = [];
  /** Lone ids that were asked for: what was wrong may pass meanwhile. */
  const again = createLine();

  return {
    take(partsFirst) {
      if (partsFirst) return large.take() ?? small.shift() ?? whole.take() ?? again.take();
      return whole.take() ?? (again.length < TOGETHER ? undefined : again.take()) ?? large.take() ?? small.pop() ?? again.take();
    },
    put(...parts) {
      // The first of the small ones is the next.
      for (const part of parts.toReversed()) {
        if (part.asked > 0) again.put(part);
        else if (part.to - part.from <= SMALL) small.push(part);
      }
      for (const part of parts) if (part.asked === 0 && part.to - part.from > SMALL) large.put(part);
    },
    rest: () => [...whole.rest(), ...large.rest(), ...small, ...again.rest()].sort((a, b) => a.from - b.from),
  };
}

/** Ids in a small part. */
const SMALL = 64;
/** So many lone ids are asked for again at a time. */
const TOGETHER = 50;

/** What is taken from the front and put in at the end. */
function createLine(first: readonly Batch[] = []) {
  const parts = [...first];
  // Taken by counting, since shifting a long list moves all of it.
  let at = 0;
  return {
    get length() {
      return parts.length - at;
    },
    put: (part: Batch) => {
      parts.push(part);
    },
    take(): Batch | undefined {
      const part = parts[at];
      if (part === undefined) return undefined;
      at += 1;
      if (at >= TIDY_AFTER) {
        parts.splice(0, at);
        at = 0;
      }
      return part;
    },
    rest: () => parts.slice(at),
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
