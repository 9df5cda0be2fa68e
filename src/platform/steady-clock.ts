/** A clock that never goes back in this process: what was over stays over where the machine’s is set back. In milliseconds. */
export function steadyClock(clock: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    latest = Math.max(latest, clock());
    return latest;
  };
}
