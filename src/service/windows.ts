import type { Pager } from './list.ts';

/** A page of a chosen size: records `(page - 1) * size` to `page * size`. */
export interface Window {
  readonly page: number;
  readonly size: number;
}

export function firstWindow(size: number): Window {
  return { page: 1, size };
}

/** The window that holds the record before `offset` and reaches furthest beyond it. `largest` is the largest size allowed. */
export function windowAfter(offset: number, largest: number): Window {
  let best = firstWindow(largest);
  for (let size = largest; size > largest / 2; size -= 1) {
    const page = Math.floor(Math.max(0, offset - 1) / size) + 1;
    if (page * size > best.page * best.size) best = { page, size };
  }
  return best;
}

/** A window about one size before another, for when the two readings share no record. */
export function stepBack(window: Window, largest: number): Window {
  const offset = (window.page - 1) * window.size - largest + 1;
  return offset <= 0 ? firstWindow(largest) : windowAfter(offset, largest);
}

/** Whether a window reaches the end of its list, as far as the answer tells. When totals contradict each other it does not. */
export function endsList(window: Window, length: number, pager: Pager): boolean {
  const { totalPages, totalResults } = pager;
  if (totalPages === undefined && totalResults === undefined) return length < window.size;
  const reached = (window.page - 1) * window.size + length;
  return window.page >= (totalPages ?? 0) && reached >= (totalResults ?? 0);
}
