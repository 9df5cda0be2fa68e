/** How often is looked where nothing tells that something is new, and how long is waited for what may still come, in milliseconds. */
export interface Intervals {
  /** For what another process writes about a change that is waited for. */
  readonly changeMs: number;
  /** For what is new in the history, while a page is open. */
  readonly historyMs: number;
  /** In which a browser that can't run fails, also on a busy machine. */
  readonly browserMs: number;
  /** Between letting a browser in and its first stream of events, or between two streams where the page is loaded again. */
  readonly connectingMs: number;
}

export const INTERVALS: Intervals = { changeMs: 500, historyMs: 1_000, browserMs: 3_000, connectingMs: 3_000 };
