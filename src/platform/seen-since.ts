/** How long something has to be found so before it counts for good: longer than a clock that jumped ahead takes to be set right. */
export const SURE_MS = 10 * 60_000;

/**
 * What the machine's clock tells of things, such as that their time is over, and since when each look of this process finds it so, by the clock
 * that nobody sets. One look must not decide for good: the machine's clock may jump ahead for a moment, as after a sleep.
 */
export function createSeenSince() {
  const since = new Map<string, number>();
  return {
    /** Notes what a look finds. Returns whether each has found it so for so long that it counts for good. */
    isSure(key: string, isSo: boolean): boolean {
      if (!isSo) {
        since.delete(key);
        return false;
      }
      const sinceMs = since.get(key) ?? performance.now();
      since.set(key, sinceMs);
      return performance.now() - sinceMs >= SURE_MS;
    },
  };
}
