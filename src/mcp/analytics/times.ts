import type { Settings } from '../../config/settings.ts';

/** Of a call's budget: the rest is for the question itself, names, a chart and the answer. */
const READING_SHARE = 0.7;
const MAX_ASK_MS = 30_000;

export interface CallTimes {
  /** When the reading of views goes on without the call. */
  readonly readUntil: number;
  /** What is left for a query. */
  readonly askMs: () => number;
}

/** How a call that begins now divides its time. */
export function callTimes({ callBudgetMs }: Pick<Settings, 'callBudgetMs'>): CallTimes {
  const begun = Date.now();
  return {
    readUntil: begun + callBudgetMs * READING_SHARE,
    askMs: () => Math.max(200, Math.min(MAX_ASK_MS, begun + callBudgetMs * 0.95 - Date.now())),
  };
}
