/**
 * How many batches of a bulk change may be in flight at once (`run-batches.ts`). It slows down before the service has to
 * refuse anything.
 */
/** A batch that takes this many times as long as the quickest ones did means that the service is straining. */
const STRAIN = 3;
/** Differences of a few milliseconds say nothing. */
const SLACK_MS = 50;
/** How quickly the quickest time seen is forgotten, and how much the last one weighs in the usual one. */
const FORGET = 1.02;
const WEIGHT = 0.3;

/** How long answers of one sort take, in milliseconds. */
interface Pace {
  quickest: number;
  usual: number;
}

/**
 * Starts with `max` batches in flight, and goes by how long they take: one fewer while they take much longer than the quickest of their sort did,
 * one more while they don't. (Refusals, 429 and 503, are the HTTP client's to mind.)
 */
export function createPacer(max: number) {
  let width = max;
  const paces = new Map<string, Pace>();

  return {
    get width() {
      return width;
    },
    /** The service asked for fewer. */
    narrow(): void {
      width = 1;
    },
    /** A batch is on its way; call the result when it is back, with its sort: a half is quicker than a whole one, and a refusal than either, so only those of a sort compare. */
    begin(): (sort: string) => void {
      const startedAt = performance.now();
      return (sort) => {
        const ms = performance.now() - startedAt;
        const before = paces.get(sort) ?? { quickest: ms, usual: ms };
        const quickest = Math.min(before.quickest * FORGET, ms);
        const usual = before.usual * (1 - WEIGHT) + ms * WEIGHT;
        paces.set(sort, { quickest, usual });
        width = usual > quickest * STRAIN + SLACK_MS ? Math.max(1, width - 1) : Math.min(max, width + 1);
      };
    },
  };
}
