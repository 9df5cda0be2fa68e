import { longestIncreasingSubsequence } from '../../../changes/channels/moved-keys.ts';

/** One place of a list, before, after or in both. Positions count from 1. */
export interface DiffRow {
  readonly key: string;
  readonly kind: 'leaves' | 'arrives' | 'moves' | 'stays';
  readonly from?: number;
  readonly to?: number;
}

export interface ListDiff {
  /** In the order of the list as it is now. */
  readonly leaving: readonly DiffRow[];
  /** In the order of the list as it will be. */
  readonly after: readonly DiffRow[];
  readonly arriving: number;
  readonly moving: number;
}

const made = new WeakMap<readonly string[], { readonly before: readonly string[]; readonly diff: ListDiff }>();

/** What becomes of each place of a list. As few as possible count as moved. A key may be in a list twice. */
export function diffLists(before: readonly string[], after: readonly string[]): ListDiff {
  // Several parts of a view ask for the same.
  const known = made.get(after);
  if (known?.before === before) return known.diff;
  const diff = compare(before, after);
  made.set(after, { before, diff });
  return diff;
}

function compare(before: readonly string[], after: readonly string[]): ListDiff {
  const places = new Map<string, number[]>();
  // Backwards, so that the first place of a key is taken from the end.
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const key = before[index] ?? '';
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  const origins = after.map((key) => places.get(key)?.pop());
  const kept = origins.flatMap((from, to) => (from === undefined ? [] : [{ from, to }]));
  const still = longestIncreasingSubsequence(kept.map(({ from }) => from));
  const moved = new Set(kept.filter((_, index) => !still.has(index)).map(({ to }) => to));
  const rows = after.map((key, to): DiffRow => {
    const from = origins[to];
    if (from === undefined) return { key, kind: 'arrives', to: to + 1 };
    return { key, kind: moved.has(to) ? 'moves' : 'stays', from: from + 1, to: to + 1 };
  });
  const taken = new Set(kept.map(({ from }) => from));
  const leaving = before.flatMap((key, index): DiffRow[] => (taken.has(index) ? [] : [{ key, kind: 'leaves', from: index + 1 }]));
  return { leaving, after: rows, arriving: after.length - kept.length, moving: moved.size };
}
