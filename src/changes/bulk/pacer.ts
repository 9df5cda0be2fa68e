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

/**
 * Starts with `max` batches in flight, and goes by how long full ones take: one fewer while they take much longer than the quickest did,
 * one more while they don't. (Refusals, 429 and 503, are the HTTP client's to mind.)
 */
export function createPacer(max: number) {
  let width = max;
  let quickest = Number.POSITIVE_INFINITY;
  let usual = 0;

  return {
    get width() {
      return width;
    },
    /** The service asked for fewer. */
    narrow(): void {
      width = 1;
    },
    /** A batch is on its way; call the result when it is back, saying whether it was a full one: only those compare. */
    begin(): (full: boolean) => void {
      const startedAt = performance.now();
      return (full) => {
        if (!full) return;
        const ms = performance.now() - startedAt;
        quickest = Math.min(quickest * FORGET, ms);
        usual = usual === 0 ? ms : usual * (1 - WEIGHT) + ms * WEIGHT;
        width = usual > quickest * STRAIN + SLACK_MS ? Math.max(1, width - 1) : Math.min(max, width + 1);
      };
    },
  };
}
