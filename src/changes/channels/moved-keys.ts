/**
 * The smallest set of keys to move to get from one order to the other, in their new order. A key that is in only one of
 * the lists does not count.
 */
export function movedKeys(before: readonly string[], after: readonly string[]): string[] {
  // A channel may hold a key twice.
  const places = new Map<string, number[]>();
  for (const [index, key] of before.entries()) places.set(key, [...(places.get(key) ?? []), index]);
  const kept = after.flatMap((key) => {
    const place = places.get(key)?.shift();
    return place === undefined ? [] : [{ key, place }];
  });
  const unmoved = longestIncreasingSubsequence(kept.map(({ place }) => place));
  return kept.filter((_, index) => !unmoved.has(index)).map(({ key }) => key);
}

/** The indexes of a longest increasing subsequence. */
export function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
  /** For each length, the index of the smallest number that ends a subsequence of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const members = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) members.add(index);
  return members;
}
