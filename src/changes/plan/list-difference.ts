/** What becomes of one entry of a list. Positions count from 1. */
export interface ListEntry {
  readonly key: string;
  readonly kind: 'leaves' | 'arrives' | 'moves' | 'stays';
  readonly from?: number;
  readonly to?: number;
}

/** What becomes of the entries of a list. Of a key that is in it twice, each entry counts by itself. */
export interface ListDifference {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Whether those that came are the first of the new list, its last, or anywhere. */
  readonly addedAt: 'front' | 'end' | 'anywhere';
  /** As few as possible, in their new order. */
  readonly moved: readonly string[];
  /** Whether those that moved are the first of the new list. */
  readonly isToFront: boolean;
  /** Whether they are its last. */
  readonly isToEnd: boolean;
  /** The entries that leave, in the order of the old list. */
  readonly leaving: readonly ListEntry[];
  /** The entries of the new list. */
  readonly after: readonly ListEntry[];
}

export function listDifference(before: readonly string[], after: readonly string[]): ListDifference {
  const indexes = new Map<string, number[]>();
  // Backwards, so that the first entry of a key is taken from the end.
  for (const [index, key] of [...before.entries()].toReversed()) {
    const known = indexes.get(key);
    if (known === undefined) indexes.set(key, [index]);
    else known.push(index);
  }
  const origins = after.map((key) => indexes.get(key)?.pop());
  const found = origins.flatMap((from, to) => (from === undefined ? [] : [{ from, to }]));
  const unmoved = longestIncreasingSubsequence(found.map(({ from }) => from));
  const moves = new Set(found.filter((_, index) => !unmoved.has(index)).map(({ to }) => to));
  const entries = after.map((key, to): ListEntry => {
    const from = origins[to];
    if (from === undefined) return { key, kind: 'arrives', to: to + 1 };
    return { key, kind: moves.has(to) ? 'moves' : 'stays', from: from + 1, to: to + 1 };
  });
  const taken = new Set(found.map(({ from }) => from));
  const leaving = before.flatMap((key, index): ListEntry[] => (taken.has(index) ? [] : [{ key, kind: 'leaves', from: index + 1 }]));
  const keysOf = (kind: ListEntry['kind']): string[] => entries.flatMap((entry) => (entry.kind === kind ? [entry.key] : []));
  const moved = keysOf('moves');
  const added = keysOf('arrives');
  const areArrivals = (from: number, to?: number): boolean => entries.slice(from, to).every(({ kind }) => kind === 'arrives');
  return {
    removed: leaving.map(({ key }) => key),
    added,
    addedAt: areArrivals(-added.length) ? 'end' : areArrivals(0, added.length) ? 'front' : 'anywhere',
    moved,
    isToFront: moved.every((key, index) => key === after[index]),
    isToEnd: moved.every((key, index) => key === after[after.length - moved.length + index]),
    leaving,
    after: entries,
  };
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** The indexes of a longest increasing subsequence. */
function longestIncreasingSubsequence(numbers: readonly number[]): Set<number> {
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
