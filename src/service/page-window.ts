import type { Pager } from './list.ts';

/** A page of a chosen size: records `(page - 1) * size` to `page * size`. */
export interface PageWindow {
  readonly page: number;
  readonly size: number;
}

export function firstPageWindow(size: number): PageWindow {
  return { page: 1, size };
}

/** The window that holds the record before `offset` and reaches furthest beyond it. `largest` is the largest size allowed. */
export function windowAfter(offset: number, largest: number): PageWindow {
  let best = firstPageWindow(largest);
  for (let size = largest; size > largest / 2; size -= 1) {
    const page = Math.floor(Math.max(0, offset - 1) / size) + 1;
    if (page * size > best.page * best.size) best = { page, size };
  }
  return best;
}

/** An earlier window, for when one shares no record with what was read: further back each time in a row, `times` of them. */
export function stepBack(window: PageWindow, largest: number, times: number): PageWindow {
  const offset = (window.page - 1) * window.size - largest * 2 ** (times - 1) + 1;
  return offset <= 0 ? firstPageWindow(largest) : windowAfter(offset, largest);
}

/** What was answered to a window: past its end, some services answer their last page instead, and their pager says so. */
export function answeredPageWindow(asked: PageWindow, pager: Pager): PageWindow {
  const { page, totalPages } = pager;
  const isLast = page !== undefined && page === totalPages && page >= 1 && page < asked.page;
  return isLast ? { ...asked, page } : asked;
}

/** Whether a window reaches the end of its list, as far as the answer tells. Where totals contradict each other it does not. */
export function endsList(window: PageWindow, length: number, pager: Pager): boolean {
  const { totalPages, totalResults } = pager;
  if (totalPages === undefined && totalResults === undefined) return length === 0 || (window.page > 1 && length < window.size);
  const reached = (window.page - 1) * window.size + length;
  return window.page >= (totalPages ?? 0) && reached >= (totalResults ?? 0);
}
